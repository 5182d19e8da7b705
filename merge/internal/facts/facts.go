// Package facts reads what a version of a file says, and what sets two versions apart.
//
// It takes a tree and gives nodes whose sums compare at once: what each says, how it is
// written, where it stands, the comments behind it, the blocks of a template around it. What of a
// version stands in conflict is masked: it does not count, or counts for the side that was not
// taken.
//
// What two versions differ in is arithmetic. Of a slot, Choose: a change of one side, or of both
// alike. Of things that may stand several times, Counts. Of lines, edits: what a side kept of the
// base, and what it put between.
//
// It shares definitions with what makes results (packages tree and schema), and judges nothing: that is package verify's.
package facts

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Version is one of the four files of a claim: a side, or the result.
type Version = three.Side

const (
	Base     = three.Original
	Ours     = three.Dest
	Theirs   = three.Updated
	Result   = Version(3)
	Versions = Version(4) // their number
)

// Sides are the versions that edit the base.
var Sides = three.Sides

// Choose returns what the result has to be equal to where at most one side
// changed a thing, or both alike. It reports false where both changed it
// differently.
func Choose[T comparable](p [Versions]T) (want T, ok bool) {
	s, ok := three.Pick([3]T(p[:Result]))
	return p[s], ok
}

// Counts are how often a thing stands in each version.
type Counts [Versions]int32

// Merged are how often a thing stands, at least and at most, where each side did to the
// base what it did: what both did counts once, or once for each.
func (n Counts) Merged() (least, most int32) {
	b, o, t := n[Base], n[Ours]-n[Base], n[Theirs]-n[Base]
	switch {
	case o > 0 && t > 0:
		return b + max(o, t), b + o + t
	case o < 0 && t < 0:
		return b + o + t, b + min(o, t)
	}
	return b + o + t, b + o + t
}

// Between reports whether the result has what the edits of both sides make of
// the base; exactly, if what both added is one thing.
func (n Counts) Between(exact bool) bool {
	least, most := n.Merged()
	if exact && most > n[Base] {
		most = least
	}
	return n[Result] >= least && n[Result] <= most
}

// Gone reports whether all versions have a thing once, and the result has it not.
func (n Counts) Gone() bool { return n == Counts{1, 1, 1, 0} }

// More reports whether the result has a thing more often than each version: what both sides added stands once.
func (n Counts) More() bool { return n[Result] > max(1, n[Base], n[Ours], n[Theirs]) }

// A Bag is how often each fact stands in each version.
type Bag[F comparable] map[F]Counts

// Add adds a fact of v.
func (b Bag[F]) Add(v Version, fact F) {
	n := b[fact]
	n[v]++
	b[fact] = n
}

// A Conflict is one conflict.
type Conflict struct {
	// At are its lines in base, ours and theirs; empty where a version
	// has nothing.
	At [3]text.Span
	// Taken is the side whose text the result has there: what the other one has counts as if it
	// had left it alone. It is Result where a person wrote that, which is not judged.
	Taken Version
	// Result is where the text of a person stands in the result.
	Result text.Span
}

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
		k := Mask{Span: at, person: o.Taken == Result}
		switch {
		case at.Empty(), !k.person && (v == Result || v == o.Taken):
			continue
		case !k.person && v == Base:
			k.For = o.Taken.Other()
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

// Seed is a constant of the process: sums of different checks may be compared.
var Seed = maphash.MakeSeed()

func Hash(s string) uint64 { return maphash.String(Seed, s) }

// LinesSum is the sum of the lines of b, without blanks around them.
func LinesSum(b []byte) uint64 {
	b = bytes.TrimSpace(b)
	s := uint64(5)
	for line := range bytes.Lines(b) {
		s = syntax.Mix(s, maphash.Bytes(Seed, bytes.TrimSpace(line)))
	}
	return s
}
