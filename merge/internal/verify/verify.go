package verify

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The words of facts that all of the verifier is made of.
type (
	node    = facts.Node
	version = facts.Version
	counts  = facts.Counts
)

const (
	base     = facts.Base
	ours     = facts.Ours
	theirs   = facts.Theirs
	result   = facts.Result
	versions = facts.Versions
)

var sides = facts.Sides

// A Merge is that Result is the three-way merge of the other three.
type Merge struct {
	Base, Ours, Theirs, Result *syntax.Stream
	// File is the path of the file, for the rules of its lists.
	File  string
	Rules *schema.Rules
	// Conflicts are the parts of the inputs that stand in conflict, of each of
	// which the result has one version.
	Conflicts []facts.Conflict
	// Decided are the scalars whose value a policy decided.
	Decided []Decided
	// Facts are those of templates, nil where the versions are none.
	Facts [4]*template.Facts
	// Same are nodes of base, ours and theirs, nil where a version has none,
	// that whoever made the result takes for one thing. It is not believed: see claims.go.
	Same [][3]*syntax.Node
}

// A Decided is a scalar, in base, ours and theirs, of which a policy, and no version, says
// what its value is in the result. All else of it is as ever.
type Decided struct{ Nodes [3]*syntax.Node }

// A Violation says which fact of a result is wrong.
type Violation struct {
	Rule   string // the rule that is broken, in a word or two
	Detail string // what was expected
	// At is where the thing stands, in base, ours, theirs and the
	// result; empty where a version lacks it. Where it has no place in the
	// inputs, it is that of what should hold it.
	At [4]text.Span
	// Subject is the comment, or the alias as *name, that is wrong; else empty.
	Subject string
}

// Acts reports whether r is about the actions of a template.
func (r *Violation) Acts() bool { return r.Rule == "template" || r.Rule == "guard" }

func (r *Violation) Error() string { return r.Rule + ": " + r.Detail }

// refuse says that the thing q is wrong.
func (q quad) violation(rule, format string, a ...any) *Violation {
	r := &Violation{Rule: rule, Detail: fmt.Sprintf(format, a...)}
	for v, n := range q {
		if n != nil && n.V == facts.Version(v) {
			r.At[v] = n.Whole()
		}
	}
	return r
}

// checker is the state of one check.
type checker struct {
	Merge
	streams [versions]*syntax.Stream
	files   [versions]*text.File
	masks   [versions][]facts.Mask
	docs    quad // lists of the documents' roots
	claims  *claims
	decided map[*syntax.Node]bool
	canon   map[*syntax.Node]uint64 // where things stand that a version calls otherwise
	facts   [versions]*template.Facts
	renamed [versions]map[int]string          // blocks that the base calls otherwise: as it does
	texts   map[*syntax.Node]*node            // the lines of scalars that were asked for
	guarded map[*syntax.Node][]template.Level // the blocks of a text around its lines
	images  []text.Span                       // of the result: references put together of two versions
	found   []*Violation
	told    map[Violation]bool // what is in found, but for its subject
	all     bool               // all violations are found; else the first one ends the check
	person  bool               // it is the result of a person
	byLine  bool               // it is a line merge, of which only defects count
}

// Check returns why c does not hold, or nil if it holds.
func Check(c Merge) *Violation {
	for _, holds := range newChecker(c).parts() {
		if r := holds(); r != nil {
			return r
		}
	}
	return nil
}

// Violations returns all that Check would refuse, one behind the other, most at
// most; nil where c holds.
func Violations(c Merge, most int) []*Violation {
	k := newChecker(c)
	return k.judgeAll(most, k.parts())
}

// Findings returns what Check would refuse in the result of a person, who may
// reformat and reorder, and who decided at will what c.Conflicts says was in
// conflict. It returns most violations at most; what stands in a list without keys
// in which something was in conflict is not judged.
func Findings(c Merge, most int) []*Violation {
	k := newChecker(c)
	k.person = true
	return k.judgeAll(most, []func() *Violation{k.sound, k.data, k.aliases, k.comments, k.actions})
}

func (c *checker) judgeAll(most int, parts []func() *Violation) []*Violation {
	c.all, c.told = true, map[Violation]bool{}
	for _, holds := range parts {
		c.judge(holds())
	}
	return c.found[:min(len(c.found), most)]
}

// judge reports a violation, which ends a check; where all are listed, it is noted
// and the check goes on. Form is a person's own.
func (c *checker) judge(r *Violation) *Violation {
	if r == nil || !c.all {
		return r
	}
	told := Violation{Rule: r.Rule, Detail: r.Detail, At: r.At}
	if !c.told[told] && (!c.person || r.Rule != "form" && r.Rule != "order") {
		c.found = append(c.found, r)
		c.told[told] = true
	}
	return nil
}

// parts are what is verified, in this order.
func (c *checker) parts() []func() *Violation {
	return []func() *Violation{c.sound, c.fileForm, c.data, c.aliases, c.comments, c.actions, c.kept, c.newLines}
}

func newChecker(c Merge) *checker {
	k := &checker{Merge: c, streams: [versions]*syntax.Stream{c.Base, c.Ours, c.Theirs, c.Result}, claims: newClaims(c.Same), decided: map[*syntax.Node]bool{}, canon: map[*syntax.Node]uint64{}, texts: map[*syntax.Node]*node{}, guarded: map[*syntax.Node][]template.Level{}}
	for _, d := range c.Decided {
		for _, n := range d.Nodes {
			k.decided[n] = n != nil
		}
	}
	for v, s := range k.streams {
		k.files[v] = s.File
		k.masks[v] = facts.Masks(c.Conflicts, facts.Version(v))
		k.docs[v] = facts.Read(s, facts.Version(v), k.masks[v], c.Facts[v])
	}
	if k.facts = c.Facts; k.isTemplate() {
		k.renamed = k.renames()
	}
	return k
}

// data verifies all documents.
func (c *checker) data() *Violation {
	return c.judge(c.documents())
}

// broken reports whether the result's is another one than that of the merge, where
// at most one side changed it, or both alike.
func broken[T comparable](p [versions]T) bool {
	want, ok := facts.Choose(p)
	return ok && want != p[result]
}

// OneSided counts the edits of c that one side alone made and that stand in c.Conflicts: who answers
// such a conflict with the other side loses them, though nobody asked. It does not look at
// c.Result.
func OneSided(c Merge) int {
	var open [versions][]text.Span
	for v := range result {
		for _, x := range c.Conflicts {
			open[v] = append(open[v], x.At[v])
		}
		slices.SortFunc(open[v], func(a, b text.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	}
	c.Conflicts, c.Result = nil, c.Ours
	k := &counter{checker: newChecker(c), open: open}
	k.count(nil, k.docs, pairing{ID: k.byIdentity(k.docs)})
	return k.n
}

// A counter counts what stands in conflict.
type counter struct {
	*checker
	open [versions][]text.Span // the conflicts, in their order; none overlap
	n    int
}

// count counts in q.
func (k *counter) count(at *place, q quad, by pairing) {
	q[result] = nil
	members := q.all4(false)
	for _, m := range matchAll(members, by.ID, k.claimed(members, by.ID)) {
		b, o, t := m.q[base], m.q[ours], m.q[theirs]
		sums := m.q.data()
		switch {
		case sums[ours] == sums[theirs]:
		case sums[base] == sums[theirs] && k.inside(ours, m.q), sums[base] == sums[ours] && k.inside(theirs, m.q):
			k.n++
		case b != nil && o != nil && t != nil && o.Kind == t.Kind && o.Size() > 0 && t.Size() > 0:
			below := at.below(m.q.any(), q)
			if by, atomic := k.pairing(below, m.q); !atomic {
				k.count(below, m.q, by)
			}
		}
	}
}

// inside reports whether what s did to q stands in conflict.
func (k *counter) inside(s version, q quad) bool {
	for _, v := range [...]version{s, s.Other()} {
		if n := q[v]; n != nil {
			at := n.Alone()
			i := sort.Search(len(k.open[v]), func(i int) bool { return k.open[v][i].Start > at.Start })
			return i > 0 && k.open[v][i-1].Contains(at)
		}
	}
	return false
}
