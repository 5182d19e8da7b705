package law

import (
	"fmt"

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
	// Open are the parts of the inputs that stand in conflict, of each of
	// which the result has one version.
	Open []Open
}

// An Open is one conflict.
type Open struct {
	// At are its lines in original, dest and updated; empty where a version
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
	Dest Taker = iota + 1
	Updated
	Person
)

// A Refusal says which fact of a result is wrong.
type Refusal struct {
	Rule   string // the rule that is broken, in a word or two
	Detail string // what was expected
	// At is where the thing stands, in original, dest, updated and the
	// result; empty where a version lacks it. Where it has no place in the
	// inputs, it is that of what should hold it.
	At [4]text.Span
	// Path is where that is, if whoever refused it has no place; else empty.
	Path string
	// Subject is the comment, or the alias as *name, that is wrong; else empty.
	Subject string
}

func (r *Refusal) Error() string { return r.Rule + ": " + r.Detail }

// version is one of the four files of a claim.
type version uint8

const (
	original version = iota
	dest
	updated
	result
	versions // their number
)

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

// refuse says that the thing q is wrong.
func (q quad) refuse(rule, format string, a ...any) *Refusal {
	r := &Refusal{Rule: rule, Detail: fmt.Sprintf(format, a...)}
	for v, n := range q {
		if n != nil && n.v == version(v) {
			r.At[v] = n.whole()
		}
	}
	return r
}

// checker is the state of one Check.
type checker struct {
	Claim
	streams [versions]*syntax.Stream
	files   [versions]*text.File
	cuts    [versions][]cut
	docs    [versions]*node // a list of the documents' roots
	loose   loose
	indexes map[*node]index            // of collections
	values  map[*node]map[uint64]*node // of collections
	work    int                        // nodes that may still be compared on trial
	trial   bool                       // what is looked at is only a guess
	found   *[]*Refusal                // where all refusals are noted; nil where the first one counts
	person  bool                       // of the result of a person
}

// Check returns why c does not hold, or nil if it holds.
func Check(c Claim) *Refusal {
	for _, holds := range newChecker(c).parts() {
		if r := holds(); r != nil {
			return r
		}
	}
	return nil
}

// parts are what makes up the law, in the order in which it is held.
func (c *checker) parts() []func() *Refusal {
	return []func() *Refusal{c.fileForm, c.data, c.aliases, c.comments, c.kept, c.lines}
}

func newChecker(c Claim) *checker {
	k := &checker{Claim: c, streams: [versions]*syntax.Stream{c.Original, c.Dest, c.Updated, c.Result}}
	k.work, k.indexes, k.values = 4096, map[*node]index{}, map[*node]map[uint64]*node{}
	for v, s := range k.streams {
		k.files[v] = s.File
		k.cuts[v] = cutsOf(c.Open, version(v))
		k.docs[v] = readStream(s, version(v), k.cuts[v])
		k.work += 32 * k.docs[v].weight
	}
	return k
}

// data holds all documents to the law.
func (c *checker) data() *Refusal {
	if r := c.judge(c.documents()); r != nil {
		return r
	}
	return c.judge(c.settle())
}

// choose returns what the result has to be equal to where at most one side
// changed a thing, or both alike. It reports false where both changed it
// differently.
func choose[T comparable](o, d, u T) (want T, ok bool) {
	switch {
	case o == d:
		return u, true
	case o == u || d == u:
		return d, true
	}
	return want, false
}
