// Package learn takes what people decided in a history, and gives the rules that
// would have decided so, with the evidence for each.
//
// A rule is learned from the earlier half of the merges that it is about, and
// tried on the later one; what it says of itself is how that went. A merge has one
// vote in it, however many files it had.
//
// Non-goals: to decide anything by itself.
package learn

import (
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
)

// The least that a rule has to show.
const (
	leastVotes = 4  // in each half
	leastShare = 70 // per cent of the later half
	sureShare  = 90 // per cent of each half, of what comes first and of rules for all of a file
)

// A Learner collects decisions, and finds rules in them.
type Learner struct {
	decisions []replay.Decision
	Read      replay.Read
	// Several says that they are of several repositories, so that no place is one of
	// their folders.
	Several bool
	// from is the first repository that had a merge: forks have it too.
	from map[git.ID]string
}

// Add takes a decision, in the order of replay.Decisions. That of a merge which another
// repository had too is none.
func (l *Learner) Add(d replay.Decision) error {
	if l.Several {
		if l.from == nil {
			l.from = map[git.ID]string{}
		}
		if first, had := l.from[d.Merge]; had && first != d.Repository {
			return nil
		}
		l.from[d.Merge] = d.Repository
	}
	if d.Field != "" {
		l.decisions = append(l.decisions, d)
	}
	return nil
}

// Rules are the rules that the decisions support, those that were right nine times of
// ten in both halves first, then those that decide most.
// A rule for all files of a kind or name comes before one for a folder, and that
// before one for a file: what a wider one decides is none of a narrower one's. What no
// field decides, a file may as a whole.
func (l *Learner) Rules() []*Rule {
	rest := slices.Clone(l.decisions)
	slices.Reverse(rest)
	sort.SliceStable(rest, func(i, j int) bool { return rest[i].Time.Before(rest[j].Time) })
	all := slices.Concat(widths, whole)
	if l.Several {
		all = []width{widths[0], widths[1], whole[0]}
	}
	var rules []*Rule
	for _, width := range all {
		groups := map[Place][]replay.Decision{}
		for _, d := range rest {
			if p, ok := width(d); ok {
				groups[p] = append(groups[p], d)
			}
		}
		decided := map[Place]bool{}
		for p, group := range groups {
			if r := learn(p, group); r != nil {
				rules, decided[p] = append(rules, r), true
			}
		}
		rest = slices.DeleteFunc(rest, func(d replay.Decision) bool { p, ok := width(d); return ok && decided[p] })
	}
	sort.Slice(rules, func(i, j int) bool { return rules[i].before(rules[j]) })
	for i, r := range rules {
		r.Number = i + 1
	}
	return rules
}

// before orders rules by how sure they are, then by how much they decide, and those
// alike by their names.
func (r *Rule) before(o *Rule) bool {
	if r.sure() != o.sure() {
		return r.sure()
	}
	if r.All.Right != o.All.Right {
		return r.All.Right > o.All.Right
	}
	return r.Place.String() < o.Place.String()
}

// Taken counts what people took in all decisions, as Chosen names it.
func (l *Learner) Taken() map[string]int {
	n := map[string]int{}
	for _, d := range l.decisions {
		n[Chosen(d)]++
	}
	return n
}

// Else is what people took where it was nothing that a key or a policy takes.
const Else = "something else"
