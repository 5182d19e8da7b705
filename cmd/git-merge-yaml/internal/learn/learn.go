// Package learn takes what people decided in a history, and gives the rules that
// would have decided so, with the evidence for each.
//
// A rule is learned from the earlier half of the merges that it is about, and
// tried on the later one; what it says of itself is how that went. A merge has one
// vote in it, however many files it had.
//
// Non-goals: to decide anything by itself, and to know more than one repository.
package learn

import (
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// The least that a rule has to show.
const (
	leastVotes = 4  // in each half
	leastShare = 70 // per cent of the later half
)

// A Learner collects decisions, and finds rules in them.
type Learner struct {
	decisions []replay.Decision
	Read      replay.Read
}

// Add takes a decision, in the order of replay.Decisions.
func (l *Learner) Add(d replay.Decision) error {
	if d.Field != "" {
		l.decisions = append(l.decisions, d)
	}
	return nil
}

// Rules are the rules that the decisions bear out, those that decide most first.
// A rule for all files of a kind or name comes before one for a folder, and that
// before one for a file: what a wider one decides is none of a narrower one's.
func (l *Learner) Rules() []*Rule {
	rest := slices.Clone(l.decisions)
	slices.Reverse(rest)
	sort.SliceStable(rest, func(i, j int) bool { return rest[i].Time.Before(rest[j].Time) })
	var rules []*Rule
	for _, width := range widths {
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

// before orders rules by how much they decide, and those alike by their names.
func (r *Rule) before(o *Rule) bool {
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

// Chosen is what people took in one word: ours, theirs, base, both, next where it
// is neither side's version, or something else.
func Chosen(d replay.Decision) string {
	if len(d.Taken) == 0 {
		return Else
	}
	return string(d.Taken[0])
}

// Whose is the side that was taken, own or upstream; "" where that is not known.
func Whose(d replay.Decision) string {
	c := Chosen(d)
	switch {
	case d.Own == merge.OwnUnknown || c != string(merge.TakeOurs) && c != string(merge.TakeTheirs):
		return ""
	case (d.Own == merge.OwnOurs) == (c == string(merge.TakeOurs)):
		return "own"
	}
	return "upstream"
}
