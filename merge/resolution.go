package merge

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// A Resolution is a merge whose conflicts are decided one by one. Every answer
// is held against the rules that results have to pass; see Decide. Where the
// result is Delegated, no rules are known, and nothing is proven. It is not safe
// for concurrent use.
type Resolution struct {
	m       *merger
	r       *page.Renderer
	page    *page.Page // with all conflicts, those that the team's rules decide too
	merged  Result
	united  []walk.United                   // lists that policies decided on the way
	ruled   map[*page.Conflict]page.Verdict // what the team's rules decide
	open    []*page.Conflict                // the questions
	answers []Answer                        // to them
	// unproven is what was accepted although it is not proven.
	unproven string
	// unread says that the file need not be YAML: it was merged by lines, and
	// was none before anything was answered.
	unread bool
}

// An Answer is how a conflict is decided.
type Answer struct {
	Take Take
	// Text are the lines that stand for TakeText, none to leave the thing out.
	Text string
	// Unproven accepts the answer although it cannot be proven: the file is
	// YAML, but it lacks an edit outside of the conflict, or has one too many.
	Unproven bool
}

// Take is what stands in the place of a conflict.
type Take string

// What can be taken. Undecided is the zero value: the conflict stays.
const (
	Undecided   Take = ""
	TakeOurs    Take = "ours"
	TakeTheirs  Take = "theirs"
	TakeBase    Take = "base"
	TakeBoth    Take = "both"    // ours, then theirs
	TakeHighest Take = "highest" // of the two, by the policy of that name
	TakeLowest  Take = "lowest"
	TakeText    Take = "text" // the text of the answer
)

// NewResolution merges as Merge does by the default rules, and leaves the conflicts
// to be decided. Of the options it reads no Resolve and no RuleSet.
//
// What cannot be merged as YAML is asked about as the line merge leaves it. It
// has no questions where a version has conflict markers of its own.
func NewResolution(base, ours, theirs []byte, opts Options) (_ *Resolution, err error) {
	defer guard(&err)
	opts.Resolve, opts.RuleSet = ResolveNone, DefaultRules
	if opts.Markers != nil {
		opts.Markers = sync.OnceValue(opts.Markers)
	}
	var bad error
	m := newMerger([3][]byte{base, ours, theirs}, opts.watched(&bad))
	x := &Resolution{m: m}
	o, err := m.merge(m.whole)
	if err = cmp.Or(bad, err); err != nil {
		return nil, err
	}
	x.merged, x.united = o.Result, o.united
	switch x.merged.Method {
	case Structural:
		x.r, x.page = o.pages, o.page
		x.ask()
	case Delegated:
		x.askLines(o)
	}
	return x, nil
}

// Result is the merge with what has been decided so far: clean once nothing
// is left.
func (x *Resolution) Result() Result {
	if x.page == nil {
		return x.merged
	}
	p, done := x.page.Decide(x.r, x.judge(x.answers))
	res := x.merged
	res.Resolved = slices.Concat(decisions(done), unions(x.united), x.m.told())
	res.Bytes, res.Conflicts = x.m.write(x.r, p)
	return res
}

// Decide answers question i, from 0; the zero Answer opens it again. What is
// refused leaves all as it was, and the error is an *AnswerError: the file
// would be no YAML or have a key twice; or it cannot be proven that
// outside of the conflicts the edits of both sides stand, and nothing else,
// with either side at the conflicts that are left. Of a Delegated result it is
// only that the file would be no YAML any more.
func (x *Resolution) Decide(i int, a Answer) error { return x.DecideAll(map[int]Answer{i: a}) }

// DecideAll answers questions together, as Decide does one: an alias and its anchor that
// moved hold only so. All of them are refused, or none.
func (x *Resolution) DecideAll(all map[int]Answer) error {
	answers := slices.Clone(x.answers)
	var last *page.Conflict
	unproven := false
	for _, i := range slices.Sorted(maps.Keys(all)) {
		c := x.open[i]
		if err := x.refused(c, all[i]); err != nil {
			return err
		}
		if last == nil || last.Lines != nil || c.Lines == nil {
			last = c
		}
		answers[i], unproven = all[i], unproven || all[i].Unproven
	}
	if last == nil {
		return nil
	}
	if err := x.prove(answers, last); err != nil {
		if !err.Unproven || !unproven && err.Msg != x.unproven {
			return err
		}
		x.unproven = err.Msg
	}
	x.answers = answers
	return nil
}

// refused says why an answer is none, whatever the file looks like then.
func (x *Resolution) refused(c *page.Conflict, a Answer) error {
	switch a.Take {
	case Undecided:
		return nil
	case TakeOurs, TakeTheirs, TakeBase, TakeBoth:
	case TakeHighest, TakeLowest:
		if _, ok := extreme(c, a.Take); !ok {
			return &AnswerError{Msg: "it is not clear which of the two is the " + string(a.Take)}
		}
	case TakeText:
		if n := conflict.MarkerLine([]byte(a.Text), x.m.markers().Size); n > 0 {
			return &AnswerError{Line: n, Column: 1, Msg: "a conflict marker is left"}
		}
	default:
		return errors.New("nothing called " + string(a.Take) + " can be taken")
	}
	if c.Kind == plan.ConflictEncrypted {
		return &AnswerError{Msg: "the file is encrypted by SOPS, and only SOPS can write this value"}
	}
	return nil
}
