package git

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

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

// Picks returns the commits that the reflog of HEAD knows rebases and cherry-picks
// made, the newest first, each as the merge that it was: of the commit that it was
// made of (theirs, over its parent) into the one that it stands on (ours). The former
// is known by its author, its time and its subject; where it is gone, so is the pick. The
// first of them, last in number, are what the last command made.
func (g Git) Picks() (all []Merge, last int, err error) {
	const format = "--format=%H%x00%P%x00%ct%x00%an%x01%ae%x01%at%x01%s%x00"
	log, err := g.asIs().Run("log", "--walk-reflogs", "--no-show-signature", "--no-color", format+"%gs", "HEAD", "--")
	if err != nil {
		return nil, 0, err
	}
	sources, err := g.asIs().Run("log", "--all", "--reflog", "--no-merges", "--no-show-signature", "--no-color", format, "--")
	if err != nil {
		return nil, 0, err
	}
	known := map[string][]pickedCommit{}
	for _, c := range pickedCommits(sources) {
		known[c.author] = append(known[c.author], c)
	}
	seen := map[ID]bool{}
	ended := false
	for _, c := range pickedCommits(log) {
		if seen[c.id] || !picked().MatchString(c.reflogAction) {
			ended = ended || !seen[c.id] && !strings.Contains(c.reflogAction, "(finish)")
			continue
		}
		seen[c.id] = true
		if from, ok := source(c, known[c.author]); ok {
			all = append(all, Merge{Commit: c.id, Ours: c.parent, Theirs: from.id, Over: from.parent})
			if !ended {
				last++
			}
		}
	}
	return all, last, nil
}

// reverts is how a message tells of the commit that git revert reverted.
var reverts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^This reverts commit ([0-9a-f]{40,64})(?:, reversing\s+changes made to ([0-9a-f]{40,64}))?\.`)
})

// Reverted returns the merge that a revert was: of what stood before the commit that it
// reverted, over that, into what it stands on.
func (g Git) Reverted(id ID) (m Merge, ok bool) {
	message, err := g.asIs().Run("log", "-1", "--no-show-signature", "--format=%B", id.String())
	found := reverts().FindStringSubmatch(string(message))
	if err != nil || found == nil {
		return m, false
	}
	before := found[2]
	if before == "" {
		before = found[1] + "^"
	}
	if m, err = g.MergeOf(id.String()+"^", before, found[1]); err != nil {
		return m, false
	}
	m.Commit = id
	return m, true
}

// source is the newest of the commits that c may be made of.
func source(c pickedCommit, known []pickedCommit) (from pickedCommit, ok bool) {
	for _, k := range known {
		if k.id != c.id && k.parent != c.parent && k.commitTime <= c.commitTime && (!ok || k.commitTime > from.commitTime) {
			from, ok = k, true
		}
	}
	return from, ok
}

// pickedCommits reads commits with one parent.
func pickedCommits(log []byte) (all []pickedCommit) {
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
	return all
}

// MergeOf returns the merge of two commits over a base, or over their common
// ancestors where that is "".
func (g Git) MergeOf(ours, theirs, base string) (m Merge, err error) {
	names := []string{ours + "^{commit}", theirs + "^{commit}"}
	if base != "" {
		names = append(names, base+"^{commit}")
	}
	out, err := g.asIs().Run(append([]string{"rev-parse"}, names...)...)
	if err != nil {
		return m, err
	}
	ids, err := parseIDs(string(out))
	if err != nil || len(ids) != len(names) {
		return m, err
	}
	m = Merge{Ours: ids[0], Theirs: ids[1]}
	if base != "" {
		m.Over = ids[2]
	}
	return m, nil
}
