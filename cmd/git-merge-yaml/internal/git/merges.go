package git

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

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
	ids, err := g.ids("rev-list", "--parents", "--max-count=1", commit, "--")
	if err != nil {
		return nil, err
	}
	if len(ids) == 3 {
		return []Merge{{Commit: ids[0], Ours: ids[1], Theirs: ids[2]}}, nil
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s names no commit", commit)
	}
	if m, ok := g.reverted(ids[0]); ok {
		return []Merge{m}, nil
	}
	picks, last, err := g.picks()
	for i, p := range picks {
		switch {
		case err != nil || p.Commit != ids[0]:
		case name == "" && i == 0 && last > 1:
			return picks[:last], nil
		default:
			return []Merge{p}, nil
		}
	}
	if shallow, err := g.Shallow(); err == nil && len(ids) == 1 && shallow[ids[0]] {
		return nil, fmt.Errorf("what %s merged is not here: %w", commit, ErrShallow)
	}
	parents := "parents"
	if len(ids) == 2 {
		parents = "parent"
	}
	return nil, fmt.Errorf("%s %w: it has %d %s", commit, ErrParents, len(ids)-1, parents)
}

// MergeOf returns the merge of two commits over a base, or over their common
// ancestors where that is "".
func (g Git) MergeOf(ours, theirs, base string) (m Merge, err error) {
	args := []string{"rev-parse", ours + "^{commit}", theirs + "^{commit}"}
	if base != "" {
		args = append(args, base+"^{commit}")
	}
	ids, err := g.ids(args...)
	if err != nil || len(ids) != len(args)-1 {
		return m, err
	}
	m = Merge{Ours: ids[0], Theirs: ids[1]}
	if base != "" {
		m.Over = ids[2]
	}
	return m, nil
}

// reverts is how a message tells of the commit that git revert reverted.
var reverts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^This reverts commit ([0-9a-f]{40,64})(?:, reversing\s+changes made to ([0-9a-f]{40,64}))?\.`)
})

// reverted returns the merge that a revert was: of what stood before the commit that it
// reverted, over that, into what it stands on.
func (g Git) reverted(id ID) (m Merge, ok bool) {
	message, err := g.asIs().Run("log", "-1", "--no-show-signature", "--format=%B", id.String())
	found := reverts().FindStringSubmatch(string(message))
	if err != nil || found == nil {
		return m, false
	}
	if m, err = g.MergeOf(id.String()+"^", cmp.Or(found[2], found[1]+"^"), found[1]); err != nil {
		return m, false
	}
	m.Commit = id
	return m, true
}

// picked is what the reflog says of a commit that a rebase or a cherry-pick made.
var picked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:.*rebase.* \((?:pick|continue|reword|edit)\)|rebase|cherry-pick|am): `)
})

// A pickedCommit is a commit and what it keeps where it is picked.
type pickedCommit struct {
	id, parent   ID
	author       string // with the time and the subject
	commitTime   int64
	reflogAction string
}

// picks returns the commits that the reflog of HEAD knows rebases and cherry-picks
// made, the newest first, each as the merge that it was: of the commit that it was
// made of (theirs, over its parent) into the one that it stands on (ours). The former
// is known by its author, its time and its subject; where it is gone, so is the pick. The
// first of them, last in number, are what the last command made.
func (g Git) picks() (all []Merge, last int, err error) {
	log, err := g.pickedCommits("--walk-reflogs", "HEAD")
	if err != nil {
		return nil, 0, err
	}
	sources, err := g.pickedCommits("--all", "--reflog", "--no-merges")
	if err != nil {
		return nil, 0, err
	}
	known := map[string][]pickedCommit{}
	for _, c := range sources {
		known[c.author] = append(known[c.author], c)
	}
	seen := map[ID]bool{}
	ended := false
	for _, c := range log {
		if seen[c.id] || !picked().MatchString(c.reflogAction) {
			ended = ended || !seen[c.id] && !strings.Contains(c.reflogAction, "(finish)")
			continue
		}
		seen[c.id] = true
		var from pickedCommit // the newest that c may be made of
		for _, k := range known[c.author] {
			if k.id != c.id && k.parent != c.parent && k.commitTime <= c.commitTime && (from.id == "" || k.commitTime > from.commitTime) {
				from = k
			}
		}
		if from.id != "" {
			all = append(all, Merge{Commit: c.id, Ours: c.parent, Theirs: from.id, Over: from.parent})
			if !ended {
				last++
			}
		}
	}
	return all, last, nil
}

// pickedCommits are the commits of a log that have one parent.
func (g Git) pickedCommits(revisions ...string) (all []pickedCommit, err error) {
	format := "--format=%H%x00%P%x00%ct%x00%an%x01%ae%x01%at%x01%s%x00"
	if revisions[0] == "--walk-reflogs" {
		format += "%gs"
	}
	args := append([]string{"log", "--no-show-signature", "--no-color", format}, revisions...)
	log, err := g.asIs().Run(append(args, "--")...)
	for line := range strings.Lines(string(log)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\x00")
		if len(f) != 5 {
			continue
		}
		id, err := ParseID(f[0])
		parent, bad := ParseID(f[1])
		if err != nil || bad != nil {
			continue
		}
		at, _ := strconv.ParseInt(f[2], 10, 64)
		all = append(all, pickedCommit{id, parent, f[3], at, f[4]})
	}
	return all, err
}
