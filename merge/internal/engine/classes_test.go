package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A class is a field, an item or a document in all versions that have it, and in the result.
type class struct {
	path    string
	nodes   three.Nodes
	parents [3]*class
	isRoot  bool
	isDone  bool // the classes in it are known
	// of the result
	count  int
	node   *syntax.Node
	parent *class
}

// classes verify a result by classes, with a method that package verify does not use: the classes of the versions are
// those that the merge found, and a node of the result belongs to the class of the node whose bytes it is a copy of.
type classes struct {
	m      *pair.Matcher
	hasher *ident.Hasher
	all    []*class
	byNode map[*syntax.Node]*class
	starts [3]map[int][]*syntax.Node // by the offset of the entry: the values of entries, the outermost first
	values [3]map[int][]*syntax.Node // nodes by their own offset
}

// newClasses returns the classes of the versions of m, which must have a plan.
func newClasses(m *merger) *classes {
	k := &classes{m: m.planWalker.Matcher, hasher: ident.NewHasher(), byNode: map[*syntax.Node]*class{}}
	for _, nodes := range slices.Concat(m.proof.PairedNodes, m.proof.MovedNodes) { // also those in different collections
		if !slices.ContainsFunc(nodes[:], func(n *syntax.Node) bool { return k.byNode[n] != nil }) {
			k.add(nodes)
		}
	}
	docs, steps := k.m.PairSingleDocuments(m.in.Streams)
	if steps == nil {
		steps = k.m.Pair(k.m.DocumentElems(docs))
	}
	for _, st := range steps {
		var roots three.Nodes
		for s, d := range pair.Elements(st, docs) {
			if d != nil {
				roots[s] = d.Root
			}
		}
		if roots != (three.Nodes{}) {
			k.pairNodes(roots, k.m.DocumentPath(pair.Elements(st, docs), st.Index))
		}
	}
	for s, st := range m.in.Streams {
		k.starts[s], k.values[s] = map[int][]*syntax.Node{}, map[int][]*syntax.Node{}
		for _, d := range st.Docs {
			k.index(s, d.Root, nil, nil)
		}
	}
	return k
}

// add adds a class of nodes.
func (k *classes) add(nodes three.Nodes) *class {
	c := &class{nodes: nodes}
	k.all = append(k.all, c)
	for _, n := range nodes {
		if n != nil {
			k.byNode[n] = c
		}
	}
	return c
}

// index records where n and the nodes in it start in version s, and the parents of their classes.
func (k *classes) index(s int, n *syntax.Node, e *syntax.Entry, parent *class) {
	if e != nil {
		k.starts[s][e.Start] = append(k.starts[s][e.Start], n)
	}
	k.values[s][n.Span.Start] = append(k.values[s][n.Span.Start], n)
	c := k.byNode[n]
	if c != nil {
		c.parents[s] = parent
		c.isRoot = c.isRoot || e == nil
	}
	for _, e := range n.Entries {
		k.index(s, e.Value, e, c)
	}
}

// pairNodes adds the class of nodes, which are at path p, and of what is in them. Nodes that have a class keep it.
func (k *classes) pairNodes(nodes three.Nodes, p *three.Path) {
	for s, n := range nodes {
		if c := k.byNode[n]; n != nil && c != nil {
			nodes[s] = nil
			k.pairBelow(c, p)
		}
	}
	if nodes != (three.Nodes{}) {
		k.pairBelow(k.add(nodes), p)
	}
}

// pairBelow adds the classes of the nodes in c, which is at path p, if they are not known yet.
func (k *classes) pairBelow(c *class, p *three.Path) {
	if c.isDone {
		return
	}
	c.isDone, c.path = true, p.String()
	for _, kind := range [...]syntax.Kind{syntax.Mapping, syntax.Sequence} {
		var v three.Nodes
		for s, n := range c.nodes {
			if n != nil && n.Kind == kind {
				v[s] = n
			}
		}
		var steps []pair.Step
		pathOf := func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }
		switch {
		case v == three.Nodes{}:
			continue
		case kind == syntax.Mapping:
			steps = k.m.Pair(k.m.KeyedElems(v, (*syntax.Entry).FieldKey))
		default:
			items := k.m.PairEntries(v, p)
			steps, pathOf = items.Steps, items.ItemPath
		}
		for _, st := range steps {
			if e := st.Entries(v); e != (three.Entries{}) {
				k.pairNodes(e.Values(), pathOf(e))
			}
		}
		for s, n := range v { // those in a conflict
			for i := 0; n != nil && i < len(n.Entries); i++ {
				if k.byNode[n.Entries[i].Value] == nil {
					var e three.Entries
					e[s] = n.Entries[i]
					k.pairNodes(e.Values(), pathOf(e))
				}
			}
		}
	}
}

// problems returns how a result differs from the merge of the classes: in their number, their parents, and the values of
// those that are not collections. docs are the documents of the result, and pieces the sources of its bytes.
func (k *classes) problems(docs []*syntax.Document, pieces []three.Piece) (problems []string) {
	for _, c := range k.all {
		c.count, c.node, c.parent = 0, nil, nil
	}
	x := indexSources(pieces)
	nth := map[int]int{} // entries that start at an offset
	var walk func(n *syntax.Node, e *syntax.Entry, parent *class)
	walk = func(n *syntax.Node, e *syntax.Entry, parent *class) {
		c := k.classOf(x, n, e, nth)
		if c == nil && !n.Span.Empty() {
			problems = append(problems, fmt.Sprintf("%q is no copy of a node", n.Value))
		}
		if c != nil {
			if c.count++; c.count == 1 {
				c.node, c.parent = n, parent
			}
		}
		for _, e := range n.Entries {
			walk(e.Value, e, c)
		}
	}
	for _, d := range docs {
		walk(d.Root, nil, nil)
	}
	for _, c := range k.all {
		if problem := k.problem(c); problem != "" {
			problems = append(problems, c.path+": "+problem)
		}
	}
	return problems
}

// classOf returns the class of n, a node of the result: that of the entry or node that starts where the first byte of n
// was copied from. A document is that of its first entry. It returns nil if there is none.
func (k *classes) classOf(x *sourceIndex, n *syntax.Node, e *syntax.Entry, nth map[int]int) *class {
	if e == nil {
		for _, e := range n.Entries {
			s, at, ok := x.find(e.Start)
			if ok && len(k.starts[s][at]) > 0 {
				if c := k.byNode[k.starts[s][at][0]]; c != nil && c.parents[s] != nil && c.parents[s].isRoot {
					return c.parents[s]
				}
			}
		}
	} else if s, at, ok := x.find(e.Start); ok {
		i := nth[e.Start]
		if nth[e.Start]++; i < len(k.starts[s][at]) {
			return k.byNode[k.starts[s][at][i]]
		}
	}
	if s, at, ok := x.find(n.Span.Start); ok && !n.Span.Empty() {
		for _, y := range k.values[s][at] {
			if y.Kind == n.Kind {
				return k.byNode[y]
			}
		}
	}
	return nil
}

// problem returns how the result differs from the merge of c, or "".
func (k *classes) problem(c *class) string {
	var hash [3]uint64
	for s, n := range c.nodes {
		hash[s] = k.hasher.Hash(n)
	}
	o, d, u := c.nodes[three.Original], c.nodes[three.Dest], c.nodes[three.Updated]
	chosen, ok := three.Pick(hash)
	isInBoth := d != nil && u != nil
	want := 0
	if isInBoth || o == nil || ok && c.nodes[chosen] != nil {
		want = 1
	}
	isEmptyRoot := c.isRoot && (d == nil || len(d.Entries) == 0)
	switch from, sameParent := three.Pick(c.parents); {
	case isEmptyRoot, !isInBoth && o != nil && !ok: // deleted and changed
		return ""
	case c.count != want:
		return fmt.Sprintf("%d times, expected %d", c.count, want)
	case c.node == nil:
		return ""
	case isInBoth && sameParent && c.parent != c.parents[from], !isInBoth && c.parent != c.parents[three.Dest] && c.parent != c.parents[three.Updated]:
		return "another parent"
	case isInBoth && ok && len(c.node.Entries) == 0 && k.hasher.Hash(c.node) != hash[chosen]:
		return fmt.Sprintf("the value is %q", c.node.Value)
	}
	return ""
}

// A sourceIndex finds the source of a byte.
type sourceIndex struct {
	ends   []int // of the pieces
	pieces []three.Piece
}

func indexSources(pieces []three.Piece) *sourceIndex {
	x := &sourceIndex{pieces: pieces}
	at := 0
	for _, p := range pieces {
		at += p.Len
		x.ends = append(x.ends, at)
	}
	return x
}

// find returns the version and the offset from which the byte at off was copied. ok is false if it was written.
func (x *sourceIndex) find(off int) (s three.Version, at int, ok bool) {
	i, found := slices.BinarySearch(x.ends, off)
	if found {
		i++
	}
	if i == len(x.pieces) || x.pieces[i].Written != three.Copied {
		return 0, 0, false
	}
	return x.pieces[i].Version, x.pieces[i].Offset + off - x.ends[i] + x.pieces[i].Len, true
}

// structuralMutations are the mutations of package mutant that change the number or the parents of entries.
var structuralMutations = []string{
	"double the key", "double the entry", "drop the entry", "copy under another parent", "move under another parent", "move out", "move into the entry above",
}

// TestClasses checks that the right results of all cases and of generated merges are right by classes, too, and that
// the structural mutants of one are wrong by classes: a quarter of the mutants, or all with -long.
func TestClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("many mutants")
	}
	results, mutants := 0, 0
	check := func(name string, raw [3][]byte, opts Options) {
		m := newMerger(raw, opts)
		o, err := m.mergeBy(fieldsOnly)
		if err != nil || o.page == nil || m.plan == nil || len(o.page.Conflicts()) > 0 {
			return
		}
		right := o.page.Resolve(three.Dest)
		result, err := m.in.Open(right)
		if err != nil {
			t.Fatal(err)
		}
		k := newClasses(m)
		results++
		if p := k.problems(result.Stream.Docs, o.page.SourcesOf(three.Dest)); len(p) > 0 {
			t.Errorf("%s: %q", name, p)
		}
		if m.in.Language != read.YAML {
			return
		}
		known := sourcesByLine(o.page, three.Dest)
		mutant.Each(right, func(way string, line int) bool {
			return (*long || (len(way)+line)%4 == len(right)%4) && slices.Contains(structuralMutations, way)
		}, func(x mutant.Mutant) {
			mutants++
			b := x.Stream.File.Bytes()
			p := k.problems(x.Stream.Docs, mergetest.GuessSources(m.in.Data, known, b))
			if len(p) == 0 && m.proof.Verify(m.in.FormatResult(b)) != nil {
				t.Errorf("%s: right by classes: %s, line %d", name, x.Mutation, x.Line)
			}
		})
	}
	for _, file := range mergetest.Files(t, "merge/*.txtar") {
		if c := readCase(t, file); c.RuleSet == "" {
			check(file, c.Raw, c.opts)
		}
	}
	for seed := range 30 {
		check(fmt.Sprintf("generated %d", seed), mergetest.SeparateEdits(seed).Raw, Options{})
	}
	if results < 400 || mutants < 1000 {
		t.Errorf("%d results, %d mutants", results, mutants)
	}
}
