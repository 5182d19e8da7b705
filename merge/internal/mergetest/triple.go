package mergetest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Triple is three generated versions of a file and what their merge must be. The generator knows the right merge
// without merging, because it makes the edits of both sides. For example:
//
//	Raw     {"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n"}
//	Want    {nil, "a: 2\nb: 2\n", "a: 2\nb: 2\n"}
type Triple struct {
	// Raw are base, ours and theirs.
	Raw [3][]byte
	// Want is the right merge: at three.Dest with ours taken at every conflict, at three.Updated with theirs. Both are
	// equal if the right merge has no conflict, and nil if the generator does not know the bytes of the right merge. At
	// three.Original it is nil.
	Want [3][]byte
	// Conflicts is the number of conflicts of the right merge. A merge without a conflict is wrong if it is not 0.
	Conflicts int
	// About describes the edits, for messages of tests. It may be "".
	About string
}

// A Generator makes a Triple for each seed.
type Generator struct {
	Name string
	// New returns the triple of a seed. The same seed always gives the same triple.
	New func(seed int) Triple
}

// Generators are the generators of this package whose versions are YAML without template actions.
var Generators = []Generator{
	{"separate edits", SeparateEdits},
	{"renamed items", RenamedItems},
	{"a moved mapping", MovedMapping},
	{"restructured groups", func(seed int) Triple { return NewRestructured(seed).Triple }},
	{"removed duplicates", func(seed int) Triple { return NewDuplicates(seed).Triple }},
	{"flow collections", func(seed int) Triple { return NewFlow("yaml", uint64(seed)).Triple }},
	{"units", func(seed int) Triple { return NewUnits(seed).Triple }},
	{"grants", func(seed int) Triple { return NewGrants(uint64(seed)).Triple }},
}

// cleanTriple returns a Triple with the three versions raw. Its right merge is want, and has no conflict.
func cleanTriple(raw [3][]byte, want []byte) Triple {
	return Triple{Raw: raw, Want: [3][]byte{three.Dest: want, three.Updated: want}}
}

// Swapped returns t with ours and theirs exchanged, in Raw and in Want. t itself is not changed.
func (t Triple) Swapped() Triple {
	t.Raw[three.Dest], t.Raw[three.Updated] = t.Raw[three.Updated], t.Raw[three.Dest]
	t.Want[three.Dest], t.Want[three.Updated] = t.Want[three.Updated], t.Want[three.Dest]
	return t
}

// String returns the three versions, each below a heading such as "-- ours --", followed by About. Tests print it in
// their messages.
func (t Triple) String() string {
	var b strings.Builder
	for v, name := range three.Names {
		fmt.Fprintf(&b, "-- %s --\n%s", name, t.Raw[v])
	}
	return b.String() + t.About
}

// Difference returns a description of the first difference between result and the right merge, or "" if there is none
// or t has no Want. It compares the data, the order of lists of scalars, and the texts of the comments, once with ours
// and once with theirs taken at all conflicts. The order of fields and other items does not matter.
func (t Triple) Difference(result []byte) string {
	for _, s := range three.Sides {
		got := TakeSide(result, s)
		if t.Want[s] == nil || bytes.Equal(got, t.Want[s]) {
			continue
		}
		switch have, want := readContent(got), readContent(t.Want[s]); {
		case have.data != want.data:
			return fmt.Sprintf("with %s its data is\n%s\nnot\n%s\nin", three.Names[s], have.data, want.data)
		case !slices.Equal(have.lists, want.lists):
			return fmt.Sprintf("with %s its lists are %q, not %q, in", three.Names[s], have.lists, want.lists)
		case !slices.Equal(have.comments, want.comments):
			return fmt.Sprintf("with %s its comments are %q, not %q, in", three.Names[s], have.comments, want.comments)
		}
	}
	return ""
}

// A content is the content of a file without the order of its fields and keyed items.
type content struct {
	data     string   // the values of all documents, in no order; or why the file is not valid
	lists    []string // the lists of scalars, each with its items in order; the lists are sorted
	comments []string // the comments, sorted
}

// readContent returns the content of a file, in a form that can be compared. If the file is not valid YAML, data is the
// message of the error, and the other fields are nil.
func readContent(b []byte) content {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return content{data: err.Error()}
	}
	c := content{data: StreamData(st)}
	for _, d := range st.Docs {
		c.lists = append(c.lists, scalarLists(d.Root)...)
	}
	for _, k := range st.Comments() {
		c.comments = append(c.comments, string(b[k.Span.Start:k.Span.End]))
	}
	slices.Sort(c.lists)
	slices.Sort(c.comments)
	return c
}

// scalarLists returns the lists at and below node n that contain only scalars. Each list is returned as one string,
// with its items in order. [a, b] gives "a, b". Lists that are empty or have another item, such as a mapping, are left
// out.
func scalarLists(n *syntax.Node) []string {
	var all, items []string
	for _, e := range n.Entries {
		all = append(all, scalarLists(e.Value)...)
		if n.Kind == syntax.Sequence && e.Value.Kind == syntax.Scalar {
			items = append(items, e.Value.Value)
		}
	}
	if len(items) > 0 && len(items) == len(n.Entries) {
		all = append(all, strings.Join(items, ", "))
	}
	return all
}

// StreamData returns the data of a parsed file as a string, with tags and anchors. It does not depend on the order of
// documents, fields and items:
//
//	a: 1
//	b: [2, 1]
//
// and
//
//	b: [1, 2]
//	a: 1
//
// have equal data.
func StreamData(st *syntax.Stream) string {
	var docs []string
	for _, d := range st.Docs {
		docs = append(docs, NodeData(d.Root))
	}
	slices.Sort(docs)
	return strings.Join(docs, "\n")
}

// NodeData returns the data of a node as a string, with tags and anchors, for comparison with other nodes. Fields and
// items are sorted, so that [1, 2] and [2, 1] have equal data. All spellings of null have equal data, such as null and
// ~. Comments and styles do not matter.
func NodeData(n *syntax.Node) string {
	if n.Tag == "!!null" {
		return n.TagText + n.Tag + "&" + n.Anchor
	}
	if n.Kind == syntax.Scalar || n.Kind == syntax.Alias {
		return n.TagText + n.Tag + "&" + n.Anchor + "=" + n.Value
	}
	var all []string
	for _, e := range n.Entries {
		if e.Key != nil {
			all = append(all, NodeData(e.Key)+": "+NodeData(e.Value))
			continue
		}
		all = append(all, NodeData(e.Value))
	}
	slices.Sort(all)
	return n.TagText + "&" + n.Anchor + "(" + strings.Join(all, ", ") + ")"
}

// TakeSide returns a copy of the file b with side s (three.Dest for ours, three.Updated for theirs) taken at all
// conflicts. The markers must have the labels ours and theirs and the default size, and the conflicts must not show the
// base.
func TakeSide(b []byte, s three.Version) []byte {
	var out []byte
	at := three.Original // outside of any conflict
	for l := range bytes.Lines(b) {
		switch {
		case at == three.Original && bytes.HasPrefix(l, []byte("<<<<<<< ours")):
			at = three.Dest
		case at == three.Dest && bytes.HasPrefix(l, []byte("=======")):
			at = three.Updated
		case at == three.Updated && bytes.HasPrefix(l, []byte(">>>>>>> theirs")):
			at = three.Original
		case at == three.Original || at == s:
			out = append(out, l...)
		}
	}
	return out
}

// hasConflicts reports whether b has a marker that begins a conflict. No generated version has such a line.
func hasConflicts(b []byte) bool { return bytes.Contains(b, []byte("<<<<<<< ours")) }
