package git

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A Commit is one of a history.
type Commit struct {
	ID      ID
	Tree    ID
	Parents []ID
	Time    time.Time
	Subject string
	author  string // with the time of the writing
	reflog  string // what a reflog that is walked says of it
}

// errEnough ends what is read.
var errEnough = errors.New("enough")

// Commits gives the commits that git log lists for revisions, with its options, to each, in its order, until
// that returns false. What refs/replace says is not followed: history is told as it is.
func (g Git) Commits(options, revisions []string, each func(Commit) bool) error {
	const format = "--format=%ct %H %T %P%x00%s%x00%an%x01%ae%x01%at%x00%gs"
	args := slices.Concat([]string{"log", "--no-show-signature", "--no-color", format}, options, []string{"--end-of-options"}, revisions, []string{"--"})
	err := g.asIs().stream(nil, args, func(r *bufio.Reader) error {
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return err
			}
			f := strings.Split(strings.TrimRight(line, "\r\n"), "\x00")
			at, rest, _ := strings.Cut(f[0], " ")
			seconds, bad := strconv.ParseInt(at, 10, 64)
			ids, err := parseIDs(rest)
			if err != nil || bad != nil || len(ids) < 2 || len(f) != 4 {
				return errFormat
			}
			if !each(Commit{ids[0], ids[1], ids[2:], time.Unix(seconds, 0).UTC(), f[1], f[2], f[3]}) {
				return errEnough
			}
		}
	})
	if err == errEnough || err == io.EOF {
		return nil
	}
	return err
}

// Excluded returns the first commit that revisions leave out, with all that it stands on, "" if there is none.
//
//	main..topic: main
//	HEAD^!: the first parent of HEAD
func (g Git) Excluded(revisions []string) (ID, error) {
	out, err := g.Run(append([]string{"rev-parse", "--revs-only", "--end-of-options"}, revisions...)...)
	for line := range strings.Lines(string(out)) {
		if hex, ok := strings.CutPrefix(strings.TrimSpace(line), "^"); ok && err == nil {
			return ParseID(hex)
		}
	}
	return "", err
}

// MergeBases returns the best common ancestors of pairs of commits, the newest first, in
// one process.
func (g Git) MergeBases(pairs [][2]ID) (all [][]ID, err error) {
	args := []string{"rev-parse"}
	for _, p := range pairs {
		args = append(args, p[0].String()+"..."+p[1].String())
	}
	out, err := g.asIs().Run(args...)
	if err != nil {
		return nil, err
	}
	sides := 0
	for hex := range strings.FieldsSeq(string(out)) { // both sides, and behind them, with a ^, their bases
		base, isBase := strings.CutPrefix(hex, "^")
		id, err := ParseID(base)
		switch {
		case err != nil:
			return nil, err
		case isBase:
			all[len(all)-1] = append(all[len(all)-1], id)
		default:
			if sides++; sides%2 == 1 {
				all = append(all, nil)
			}
		}
	}
	if len(all) != len(pairs) {
		return nil, errFormat
	}
	return all, nil
}

// FirstParents returns commits, their first parents, the first parents of these, and
// so on; none where refs name nothing.
func (g Git) FirstParents(refs ...string) []ID {
	ids, _ := g.ids(nil, append([]string{"rev-list", "--first-parent", "--end-of-options"}, refs...)...)
	return ids
}

// TreesOf returns the trees of commits, in one process.
func (g Git) TreesOf(commits []ID) ([]ID, error) {
	var in strings.Builder
	for _, id := range commits {
		in.WriteString(id.String() + "^{tree}\n")
	}
	ids, err := g.ids([]byte(in.String()), "cat-file", "--batch-check=%(objectname)")
	if err == nil && len(ids) != len(commits) {
		err = errFormat
	}
	return ids, err
}

// ids are the ids that git prints, with something to read on stdin.
func (g Git) ids(stdin []byte, args ...string) ([]ID, error) {
	out, err := g.asIs().Feed(stdin, args...)
	if err != nil {
		return nil, err
	}
	return parseIDs(string(out))
}

// ErrShallow says that a shallow clone lacks what is asked for.
var ErrShallow = errors.New("this clone is shallow: git fetch --unshallow fetches what it lacks")

// Shallow returns the commits whose parents the repository lacks, being a shallow
// clone; it is empty for any other.
func (g Git) Shallow() (map[ID]bool, error) {
	path, err := g.Line("rev-parse", "--path-format=absolute", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	data, err := disk.ReadIfExists(path)
	if err != nil {
		return nil, err
	}
	shallow := map[ID]bool{}
	ids, err := parseIDs(string(data))
	for _, id := range ids {
		shallow[id] = true
	}
	return shallow, err
}

// A Merge is a merge commit with its two parents, or what is like one: a picked
// commit, or what stopped, whose Commit is "".
type Merge struct {
	Commit, Ours, Theirs ID
	// Over is the ancestor of a pick; "" is what the history of both says.
	Over ID
}

// ErrParents says that a commit has not two parents.
var ErrParents = errors.New("is not a merge of two branches")

// Made returns the merge that the commit of this name is, or the one that it was made by: a
// revert, a rebase or a cherry-pick. Of "", which is HEAD, it returns all that a rebase made, the
// newest first. Of any other commit the error is ErrParents, or ErrShallow.
func (g Git) Made(name string) ([]Merge, error) {
	commit := cmp.Or(name, "HEAD")
	ids, err := g.ids(nil, "rev-list", "--parents", "--max-count=1", "--end-of-options", commit, "--")
	if err != nil {
		return nil, err
	}
	if len(ids) == 3 {
		return []Merge{{Commit: ids[0], Ours: ids[1], Theirs: ids[2]}}, nil
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s names no commit", commit)
	}
	message, err := g.asIs().Run("log", "-1", "--no-show-signature", "--format=%B", ids[0].String())
	if found := reverts().FindStringSubmatch(string(message)); err == nil && found != nil {
		// A merge of what stood before the reverted commit, over that, into what the revert stands on.
		m, err := g.MergeOf(ids[0].String()+"^", cmp.Or(found[2], found[1]+"^"), found[1])
		if m.Commit = ids[0]; err == nil {
			return []Merge{m}, nil
		}
	}
	picks, last, err := g.picks()
	if i := slices.IndexFunc(picks, func(p Merge) bool { return p.Commit == ids[0] }); err == nil && i >= 0 {
		if name != "" || i > 0 {
			last = 1
		}
		return picks[i : i+max(last, 1)], nil
	}
	if shallow, err := g.Shallow(); err == nil && len(ids) == 1 && shallow[ids[0]] {
		return nil, fmt.Errorf("what %s merged is not here: %w", commit, ErrShallow)
	}
	return nil, fmt.Errorf("%s %w: it has %s", commit, ErrParents, terminal.CountNoun(len(ids)-1, "parent"))
}

// MergeOf returns the merge of two commits over a base, or over their common
// ancestors where that is "".
func (g Git) MergeOf(ours, theirs, base string) (m Merge, err error) {
	args := []string{"rev-parse", ours + "^{commit}", theirs + "^{commit}"}
	if base != "" {
		args = append(args, base+"^{commit}")
	}
	ids, err := g.ids(nil, args...)
	if err != nil || len(ids) != len(args)-1 {
		return m, err
	}
	ids = append(ids, "") // no base
	return Merge{Ours: ids[0], Theirs: ids[1], Over: ids[2]}, nil
}

// reverts is how a message tells of the commit that git revert reverted.
var reverts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^This reverts commit ([0-9a-f]{40,64})(?:, reversing\s+changes made to ([0-9a-f]{40,64}))?\.`)
})

// picked is what the reflog says of a commit that a rebase or a cherry-pick made.
var picked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:.*rebase.* \((?:pick|continue|reword|edit)\)|rebase|cherry-pick|am): `)
})

// picks returns the commits that the reflog of HEAD knows rebases and cherry-picks
// made, the newest first, each as the merge that it was: of the commit that it was
// made of (theirs, over its parent) into the one that it stands on (ours). The former
// is known by its author, its time and its subject; where it is gone, so is the pick. The
// first of them, last in number, are what the last command made.
func (g Git) picks() (all []Merge, last int, err error) {
	known := map[[2]string][]Commit{}
	err = g.Commits([]string{"--all", "--reflog", "--min-parents=1", "--max-parents=1"}, nil, func(c Commit) bool {
		known[[2]string{c.author, c.Subject}] = append(known[[2]string{c.author, c.Subject}], c)
		return true
	})
	if err != nil {
		return nil, 0, err
	}
	seen := map[ID]bool{}
	ended := false
	err = g.Commits([]string{"--walk-reflogs", "--min-parents=1", "--max-parents=1"}, []string{"HEAD"}, func(c Commit) bool {
		if seen[c.ID] || !picked().MatchString(c.reflog) {
			ended = ended || !seen[c.ID] && !strings.Contains(c.reflog, "(finish)")
			return true
		}
		seen[c.ID] = true
		var from Commit // the newest that c may be made of
		for _, k := range known[[2]string{c.author, c.Subject}] {
			if k.ID != c.ID && k.Parents[0] != c.Parents[0] && !k.Time.After(c.Time) && k.Time.After(from.Time) {
				from = k
			}
		}
		if from.ID != "" {
			all = append(all, Merge{Commit: c.ID, Ours: c.Parents[0], Theirs: from.ID, Over: from.Parents[0]})
			if !ended {
				last++
			}
		}
		return true
	})
	return all, last, err
}
