package referee

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// hidden are the elements of a version that stand in conflict and do not count,
// by the collection that they are in; those of nil are documents.
type hidden map[*syntax.Node][]*node

// add hides the entry e of the collection in.
func (h hidden) add(r *reader, in *node, e *syntax.Entry) {
	n := &node{entry: e}
	r.whole().entry(n, e, in.Indent)
	h[in.Node] = append(h[in.Node], n)
}

// addDocument hides a document.
func (h hidden) addDocument(r *reader, root *syntax.Node) {
	n := &node{}
	r.whole().root(n, root)
	h[nil] = append(h[nil], n)
}

// whole is r for what is read in full.
func (r *reader) whole() *reader {
	return &reader{file: r.file, v: r.v, doc: r.doc, anchors: map[string]*node{}}
}

// wholeSum is the sum of n with what stands in conflict in it.
func (c *checker) wholeSum(n *node) uint64 {
	if !n.part || n.entry == nil {
		return n.sum
	}
	r := reader{file: c.files[n.v], v: n.v, anchors: map[string]*node{}}
	var w node
	w.entry = n.entry
	r.entry(&w, n.entry, 0)
	return w.sum
}

// aside are the elements of a collection that stand in conflict.
type aside struct {
	of   [versions][]*node
	some bool // there are some, or an element is in conflict in part
}

// hiddenOf are the elements of t's collections that do not count.
func (c *checker) hiddenOf(t quad) (a aside) {
	for v, n := range t {
		if n != nil {
			a.of[v], a.some = c.hidden[v][n.Node], a.some || n.part
		}
	}
	return a
}

// hiddenDocs are the documents that stand in conflict, resources and others.
func (c *checker) hiddenDocs() (named, nameless aside) {
	for v, h := range c.hidden {
		for _, d := range h[nil] {
			a := &nameless
			if identity(d) != "" {
				a = &named
			}
			a.of[v] = append(a.of[v], d)
		}
		named.some, nameless.some = named.some || len(h) > 0, nameless.some || len(h) > 0
	}
	return named, nameless
}

// kept refuses a result that lacks or doubles what all inputs have once in a
// collection: nobody removed it or added it, so it stands once, whichever side
// is taken at conflicts that it is in.
func (c *checker) kept(members [versions][]*node, a aside, id func(*node) uint64, place func(*node) *place) *Refusal {
	if !a.some {
		return nil
	}
	counts := map[uint64]*[versions]int{}
	all := [versions][]*node{}
	for v := range members {
		all[v] = slices.Concat(members[v], a.of[v])
		for _, n := range all[v] {
			tallyOnce(counts, id(n), version(v), within(c.personal[v], n.Span))
		}
	}
	for _, v := range inputs {
		for _, n := range all[v] {
			switch k := counts[id(n)]; {
			case !once(k) || k[result] == 1:
			case k[result] == 0:
				return place(n).refuse("lost", "all versions have it, it is gone")
			default:
				return place(n).refuse("doubled", "it stands once in every version, and %d times", k[result])
			}
		}
	}
	return nil
}

// tallyOnce counts a thing of v; one that a person decided counts twice, as it
// need not stand once.
func tallyOnce(counts map[uint64]*[versions]int, id uint64, v version, personal bool) {
	if counts[id] == nil {
		counts[id] = &[versions]int{}
	}
	counts[id][v]++
	if personal {
		counts[id][v]++
	}
}

// keptRemarks is kept for the remarks of a document.
func (c *checker) keptRemarks(m [versions][]remark) *Refusal {
	if c.Side == Neither {
		return nil
	}
	counts := map[uint64]*[versions]int{}
	for i, rs := range m {
		v := version(i)
		for _, r := range rs {
			at := text.Span{Start: r.Start, End: r.Start + len(c.remarkIn(v, r))}
			tallyOnce(counts, c.sumOfRemark(v, r), v, within(c.personal[v], at))
		}
	}
	for i, rs := range m {
		v := version(i)
		for _, r := range rs {
			if k := counts[c.sumOfRemark(v, r)]; once(k) && k[result] != 1 {
				said := string(c.remarkIn(v, r))
				refusal := c.placeOf(v, r.Start).refuse("comment", "all versions have %q once, found it %d times", said, k[result])
				refusal.Subject = said
				return refusal
			}
		}
	}
	return nil
}

// once reports whether every input has a thing once.
func once(n *[versions]int) bool {
	return n[original] == 1 && n[dest] == 1 && n[updated] == 1
}
