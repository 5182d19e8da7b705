package facts

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Mask is lines of a version that stand in conflict.
type Mask struct {
	text.Span
	For    Version // the side for which these lines of the base count; else base
	person bool    // a person decided
}

// Masks returns what of v stands in conflict and was not taken: of the
// base, what counts in the place of what was not taken.
func Masks(open []Conflict, v Version) []Mask {
	var cuts []Mask
	for _, o := range open {
		at := [...]text.Span{o.At[Base], o.At[Ours], o.At[Theirs], o.Result}[v]
		k := Mask{Span: at, person: o.Taken == TookPerson}
		switch {
		case at.Empty(), !k.person && (v == Result || v == Version(o.Taken)):
			continue
		case !k.person && v == Base:
			k.For = Version(o.Taken).Other()
		}
		cuts = append(cuts, k)
	}
	slices.SortFunc(cuts, func(a, b Mask) int { return a.Start - b.Start })
	return cuts
}

// MaskAt returns the mask that s touches, and whether that holds all of it.
func MaskAt(cuts []Mask, s text.Span) (k Mask, all, touched bool) {
	i, _ := slices.BinarySearchFunc(cuts, s.Start, func(k Mask, at int) int {
		if k.End <= at {
			return -1
		}
		return 1
	})
	if i == len(cuts) || cuts[i].Start >= max(s.End, s.Start+1) {
		return k, false, false
	}
	return cuts[i], cuts[i].Contains(s), true
}

// A Conflict is one conflict.
type Conflict struct {
	// At are its lines in base, ours and theirs; empty where a version
	// has nothing.
	At [3]text.Span
	// Taken is who decided it. What the other side has there counts as if it
	// had left it alone; what a person wrote is not judged.
	Taken Taker
	// Result is where the text of a person stands in the result.
	Result text.Span
}

// A Taker is who decided a conflict.
type Taker uint8

// Those who decide.
const (
	TookOurs Taker = iota + 1
	TookTheirs
	TookPerson
)
