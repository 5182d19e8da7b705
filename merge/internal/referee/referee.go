package referee

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Claim is that Result is the three-way merge of the other three.
type Claim struct {
	Original, Dest, Updated, Result *syntax.Stream
	// File is the path of the file, for the rules of its lists.
	File  string
	Rules *schema.Rules
	// Open are the parts of the inputs that stand in conflict. Result is
	// then the file with one side taken at every conflict: with Side Dest
	// all of dest's edits must stand, and updated's except those inside the
	// open parts; with Side Updated the other way round.
	Open []Open
	Side Side
}

// An Open is one conflict: its ranges in the inputs (whole entries with their
// trivia, or single comments; an empty range where an input has nothing).
type Open struct {
	Original, Dest, Updated text.Span
	// Side is the side that was taken here, if it is not that of the claim.
	Side Side
	// Result is where the text of a person stands in the result, with Side
	// Person: there nothing is judged but what all of the file has to be.
	Result text.Span
}

// Side is who decided a conflict.
type Side uint8

// The sides.
const (
	Neither Side = iota // no conflicts: a clean result
	Dest
	Updated
	Person
)

// A Refusal says what a result lacks.
type Refusal struct {
	Rule   string // the rule that is broken, short
	Path   string // where, as in spec.containers[name=web].image
	Detail string // what was expected
	// Subject is the comment that is lost or doubled, or the alias, as *name,
	// that means another thing; else empty.
	Subject string

	list string // the list or text that is refused as a whole, for Findings
}

func (r *Refusal) Error() string {
	if r.Path == "" {
		return r.Rule + ": " + r.Detail
	}
	return r.Path + ": " + r.Rule + ": " + r.Detail
}

// Check returns why c does not hold, or nil if it holds. Its time is linear
// in the size of the four files, whatever they hold.
func Check(c Claim) *Refusal {
	k := newChecker(c)
	if r := k.fileForm(); r != nil {
		return r
	}
	if r := k.data(); r != nil {
		return r
	}
	return k.lines()
}

// version is one of the four files of a claim.
type version uint8

const (
	original version = iota
	dest
	updated
	result
	versions // their number
)

// inputs are the versions that are merged.
var inputs = [...]version{original, dest, updated}

// sides are the versions that edit the original.
var sides = [...]version{dest, updated}

// other returns the side that v is not.
func (v version) other() version { return dest + updated - v }

// String names v as users know it.
func (v version) String() string {
	return [...]string{"base", "ours", "theirs", "the result"}[v]
}

// A quad is one thing in the four versions, nil where a version lacks it.
type quad [versions]*node

// checker is the state of one Check.
type checker struct {
	Claim
	streams  [versions]*syntax.Stream
	files    [versions]*text.File
	taken    [versions][]text.Span // what stands in conflict, and was taken
	opened   [versions][]text.Span // what stands in conflict, and does not count
	personal [versions][]text.Span // what stands in conflict, and a person decided
	docs     [versions][]*node
	hidden   [versions]hidden
	remarks  [versions][][]remark // by document
	aliases  map[*node]*quad      // an alias of the result and what it is in the inputs
	anchored map[*node]*quad      // likewise for what has an anchor
	moves    moves
	work     int // nodes that may still be compared on trial
	waivers  waivers
	found    directory
}

func newChecker(c Claim) *checker {
	k := &checker{Claim: c, streams: [versions]*syntax.Stream{c.Original, c.Dest, c.Updated, c.Result}, found: newDirectory()}
	size := 0
	for v, s := range k.streams {
		k.files[v] = s.File
		taken, left := k.open(version(v))
		k.hidden[v] = hidden{}
		k.docs[v] = readDocs(s, version(v), taken, left, k.hidden[v])
		k.taken[v], k.opened[v] = taken, left
		k.remarks[v] = readRemarks(s)
		for _, d := range k.docs[v] {
			size += d.weight
		}
	}
	k.work = 4096 + 16*size
	return k
}

// open returns the ranges of v that stand in conflict: those that were taken
// there, and those that do not count. With one side taken, what the original
// and the other side have does not count: what is left of the three merges
// cleanly, conflicts being edits of the taken side alone.
func (c *checker) open(v version) (taken, left []text.Span) {
	if c.Side == Neither {
		return nil, nil
	}
	for _, o := range c.Open {
		side := o.Side
		if side == Neither {
			side = c.Side
		}
		s := [...]text.Span{o.Original, o.Dest, o.Updated, o.Result}[v]
		if side == Person {
			c.personal[v] = append(c.personal[v], s)
		}
		switch {
		case s.Empty() || v == result && side != Person:
		case v == dest && side == Dest || v == updated && side == Updated:
			taken = append(taken, s)
		default:
			left = append(left, s)
		}
	}
	inOrder := func(a, b text.Span) int { return a.Start - b.Start }
	slices.SortFunc(taken, inOrder)
	slices.SortFunc(left, inOrder)
	slices.SortFunc(c.personal[v], inOrder)
	return taken, left
}
