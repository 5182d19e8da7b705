package merge

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// MergeLines is the three-way merge by lines of git merge, in this process. It returns the
// merged bytes and the number of conflicts in them, marked as m asks; an error where it
// cannot merge at all (binary content).
func MergeLines(base, ours, theirs []byte, m Markers) (merged []byte, conflicts int, err error) {
	return diff3.MergeLines(base, ours, theirs, diff3.Options{Markers: m, As: diff3.Merge})
}

// MergeFileLines is that of git merge-file, git checkout -m and the
// recursive strategy, which find other common lines than git merge does.
func MergeFileLines(base, ours, theirs []byte, m Markers) (merged []byte, conflicts int, err error) {
	return diff3.MergeLines(base, ours, theirs, diff3.Options{Markers: m, As: diff3.MergeFile})
}

// ResolveLines is MergeLines with all conflicts decided, as by git merge-file --ours. The
// error is that of a way to decide them that is none, too.
func ResolveLines(base, ours, theirs []byte, r Resolve) (merged []byte, err error) {
	if r == ResolveNone || r > ResolveUnion {
		return nil, fmt.Errorf("no way %d to decide all conflicts", r)
	}
	merged, _, err = diff3.MergeLines(base, ours, theirs, diff3.Options{As: diff3.Merge, Favor: favors[r]})
	return merged, err
}

// lined is a line merge with its tree.
type lined struct {
	bytes     []byte
	conflicts int
	err       error
	refusal   *verify.Violation // why it does not parse
	stream    *syntax.Stream
}

// readLines runs the line merge, and reads what it gives as the versions were read.
func (m *merger) readLines() *lined {
	if m.opts.Resolve != ResolveNone {
		return nil
	}
	l := m.lines
	if l == nil {
		l = &lined{}
	}
	defer guard(&l.err)
	if m.lines == nil {
		l.bytes, l.conflicts, l.err = m.lineMerge(Markers{})
	}
	if l.err == nil && l.conflicts == 0 && !m.in.Template {
		l.stream, l.refusal = m.proof.Parse(l.bytes)
	}
	return l
}

func (m *merger) lineMerge(k Markers) ([]byte, int, error) {
	return m.raw.Merge(diff3.Options{Markers: k, As: diff3.Merge, Favor: favors[m.opts.Resolve]})
}

var favors = [...]diff3.Favor{
	ResolveNone: diff3.FavorNone, ResolveOurs: diff3.FavorOurs, ResolveTheirs: diff3.FavorTheirs, ResolveUnion: diff3.FavorUnion,
}

// delegate takes the line merge's result as it is, for a reason.
func (m *merger) delegate(reason string) (outcome, error) {
	b, conflicts, err := m.lineMerge(m.markers())
	if err != nil {
		return outcome{}, err
	}
	return m.byLines(b, conflicts, reason), nil
}

// byLines is a line merge with its conflicts.
func (m *merger) byLines(b []byte, conflicts int, reason string) outcome {
	return outcome{Result: DelegatedResult(b, conflicts, m.markers().Size, reason)}
}

// DelegatedResult is a line merge as the Result of a merge that was left to it for
// the reason: merged has so many conflicts, and markers of size characters.
func DelegatedResult(merged []byte, conflicts, size int, reason string) Result {
	res := Result{Bytes: merged, Method: Delegated, Reason: reason, LineConflicts: conflicts}
	if conflicts > 0 {
		res.Conflicts = make([]Conflict, conflicts)
	}
	for i := range res.Conflicts {
		res.Conflicts[i].Kind = ConflictLine
	}
	for i, c := range conflict.Parse(merged, size) {
		if i < conflicts {
			res.Conflicts[i].Line = c.Line
		}
	}
	return res
}

func (m *merger) markers() Markers {
	k := Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	if m.opts.Markers != nil {
		k = m.opts.Markers()
	}
	return k
}
