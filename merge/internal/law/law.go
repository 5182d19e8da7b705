package law

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
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
	// Decided are the scalars whose value a policy decided.
	Decided []Decided
	// Facts are those of templates, nil where the versions are none.
	Facts [4]*template.Facts
	// Same are nodes of original, dest and updated, nil where a version has none,
	// that whoever made the result takes for one thing. It is not believed: see claims.go.
	Same [][3]*syntax.Node
}

// A Decided is a scalar, in original, dest and updated, of which a policy, and no version, says
// what its value is in the result. All else of it is as ever.
type Decided struct{ Nodes [3]*syntax.Node }

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
	// Subject is the comment, or the alias as *name, that is wrong; else empty.
	Subject string
}

// Acts reports whether r is about the actions of a template.
func (r *Refusal) Acts() bool { return r.Rule == "template" || r.Rule == "guard" }

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

// checker is the state of one check.
type checker struct {
	Claim
	streams [versions]*syntax.Stream
	files   [versions]*text.File
	cuts    [versions][]cut
	docs    quad // lists of the documents' roots
	claims  *claims
	decided map[*syntax.Node]bool
	canon   map[*syntax.Node]uint64 // where things stand that a version calls otherwise
	facts   [versions]*template.Facts
	renamed [versions]map[string]string       // conditions of blocks, by what a version calls them
	texts   map[*syntax.Node]*node            // the lines of scalars that were asked for
	guarded map[*syntax.Node][]template.Level // the blocks of a text around its lines
	images  []text.Span                       // of the result: references put together of two versions
	found   []*Refusal
	all     bool // all refusals are found; else the first one ends the check
	person  bool // it is the result of a person
	byLine  bool // it is a line merge, of which only defects count
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

// Refusals returns all that Check would refuse, one behind the other, most at
// most; nil where c holds.
func Refusals(c Claim, most int) []*Refusal {
	k := newChecker(c)
	return k.judgeAll(most, k.parts())
}

// Findings returns what Check would refuse in the result of a person, who may
// reformat and reorder, and who decided at will what c.Open says was in
// conflict. It returns most refusals at most; what stands in a list without keys
// in which something was in conflict is not judged.
func Findings(c Claim, most int) []*Refusal {
	k := newChecker(c)
	k.person = true
	return k.judgeAll(most, []func() *Refusal{k.sound, k.data, k.aliases, k.comments, k.actions})
}

func (c *checker) judgeAll(most int, parts []func() *Refusal) []*Refusal {
	c.all = true
	for _, holds := range parts {
		c.judge(holds())
	}
	return c.found[:min(len(c.found), most)]
}

// judge reports a refusal, which ends a check; where all are listed, it is noted
// and the check goes on. Form is a person's own.
func (c *checker) judge(r *Refusal) *Refusal {
	if r == nil || !c.all {
		return r
	}
	told := slices.ContainsFunc(c.found, func(x *Refusal) bool { return x.Rule == r.Rule && x.At == r.At && x.Detail == r.Detail })
	if !told && (!c.person || r.Rule != "form" && r.Rule != "order") {
		c.found = append(c.found, r)
	}
	return nil
}

// parts are what makes up the law, in the order in which it is held.
func (c *checker) parts() []func() *Refusal {
	return []func() *Refusal{c.sound, c.fileForm, c.data, c.aliases, c.comments, c.actions, c.kept, c.newLines}
}

func newChecker(c Claim) *checker {
	k := &checker{Claim: c, streams: [versions]*syntax.Stream{c.Original, c.Dest, c.Updated, c.Result}, claims: newClaims(c.Same), decided: map[*syntax.Node]bool{}, canon: map[*syntax.Node]uint64{}, texts: map[*syntax.Node]*node{}, guarded: map[*syntax.Node][]template.Level{}}
	for _, d := range c.Decided {
		for _, n := range d.Nodes {
			k.decided[n] = n != nil
		}
	}
	for v, s := range k.streams {
		k.files[v] = s.File
		k.cuts[v] = cutsOf(c.Open, version(v))
		k.docs[v] = readStream(s, version(v), k.cuts[v], c.Facts[v])
	}
	if k.facts = c.Facts; k.isTemplate() {
		k.renamed = k.renames()
	}
	return k
}

// data holds all documents to the law.
func (c *checker) data() *Refusal {
	return c.judge(c.documents())
}

// broken reports whether the result's is another one than that of the merge, where
// at most one side changed it, or both alike.
func broken[T comparable](p [versions]T) bool {
	want, ok := choose(p)
	return ok && want != p[result]
}

// choose returns what the result has to be equal to where at most one side
// changed a thing, or both alike. It reports false where both changed it
// differently.
func choose[T comparable](p [versions]T) (want T, ok bool) {
	o, d, u := p[original], p[dest], p[updated]
	switch {
	case o == d:
		return u, true
	case o == u || d == u:
		return d, true
	}
	return want, false
}
