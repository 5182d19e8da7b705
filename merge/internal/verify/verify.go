package verify

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
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

// A Merge is that Result is the three-way merge of the other three.
type Merge struct {
	Base, Ours, Theirs, Result *syntax.Stream
	// File is the path of the file, for the rules of its lists.
	File  string
	Rules *schema.Rules
	// Conflicts are the parts of the inputs that stand in conflict, of each of
	// which the result has one version.
	Conflicts []facts.Conflict
	// Decided are the scalars of which a policy, and no version, says what their value is in the result. All
	// else of them is as ever.
	Decided []three.Nodes
	// Facts are those of templates, nil where the versions are none.
	Facts [4]*template.Facts
	// Same are nodes of base, ours and theirs, nil where a version has none,
	// that whoever made the result takes for one thing. It is not believed: see claims.go.
	Same []three.Nodes
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

// Sound returns why c.Result can be no merge of the versions, or nil.
func Sound(c Merge) *Violation { return newChecker(c).sound() }

// Defect returns what is wrong with c beyond doubt, or nil. It is what git's
// line merge may be refused for; it is much less than what Check asks:
//
//   - a key, a keyed item, a resource, or a scalar of a list stands more often
//     than in either side;
//   - an alias means another node than in the version it came from;
//   - an entry that nobody deleted is gone from where all have it, or one that a
//     side added is not where it stood among what is still there;
//   - an entry has a value that is not the merge of what the versions have there.
//
// Comments, order and form are no defects, nor is an edit that stands in an
// entry that the other side renamed, moved, retyped or took apart, or in an item whose
// name it gave to another. The lines of a text count as they stand in the file. Of
// several that are alike it cannot be told which is gone.
func Defect(c Merge) *Violation {
	k := newChecker(c)
	k.byLine = true
	if r := k.sound(); r != nil {
		return r
	}
	if r := k.documents(); r != nil {
		return r
	}
	return k.aliases()
}

// CheckOverlay returns why c does not hold by rules under which theirs wins, or nil if it
// holds: the versions are rewritten to what stands, and the result is held against that, as
// against three versions that agree. Data, aliases and comments are judged, order and form are not.
// Of the comments in c.Conflicts one stands, or none.
func CheckOverlay(c Merge, by Override) *Violation {
	open := c.Conflicts
	c.Conflicts, c.Same = nil, nil
	k := newChecker(c)
	for v := range result {
		k.docs[v].Kids = slices.DeleteFunc(k.docs[v].Kids, isBlank)
	}
	stands := Rewrite([3]*syntax.Stream{c.Base, c.Ours, c.Theirs}, c.File, by)
	for _, v := range sides {
		for _, o := range open {
			stands.Gone[v] = append(stands.Gone[v], o.At[v])
		}
		k.masks[v] = union(stands.Gone[v])
	}
	all, said := k.remarks()
	if bad := k.aliases(); bad != nil {
		return bad
	}
	k.person, k.stands = true, stands
	r := k.docs[result]
	r.Kids = slices.DeleteFunc(r.Kids, isBlank)
	k.docs = quad{stands.Docs, stands.Docs, stands.Docs, r}
	if bad := k.judgeAll(1, []func() *Violation{k.documents}); bad != nil {
		return bad[0]
	}
	return k.remarksStand(all, said)
}

func (c *checker) judgeAll(most int, parts []func() *Violation) []*Violation {
	c.all, c.told = true, map[Violation]bool{}
	for _, holds := range parts {
		c.judge(holds())
	}
	return c.found[:min(len(c.found), most)]
}

// parts are what is verified, in this order.
func (c *checker) parts() []func() *Violation {
	return []func() *Violation{c.sound, c.explicit, c.data, c.aliases, c.comments, c.actions, c.kept, c.newLines}
}

func newChecker(c Merge) *checker {
	k := &checker{
		Merge: c, streams: [versions]*syntax.Stream{c.Base, c.Ours, c.Theirs, c.Result}, claims: newClaims(c.Same),
		decided: map[*syntax.Node]bool{}, canon: map[*syntax.Node]uint64{}, texts: map[*syntax.Node]*node{},
		guarded: map[*syntax.Node][]template.Level{},
	}
	for _, d := range c.Decided {
		for _, n := range d {
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
func (c *checker) data() *Violation { return c.judge(c.documents()) }

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
		case b != nil && o != nil && t != nil && o.Kind == t.Kind && len(o.Kids) > 0 && len(t.Kids) > 0:
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
