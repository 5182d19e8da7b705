package elide

import (
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A finder looks for the placeholders of an elision in one stream.
type finder struct {
	e     *Elision
	multi bool // a version of the stream has several documents
	items bool // placeholders may stand in items
	paths []uint64
	found []bool
}

var pathSeed = maphash.MakeSeed()

// stream reports whether all placeholders are fields of block mappings, and
// nothing else.
func (f *finder) stream(st *syntax.Stream) bool {
	times, ok := f.identities(st)
	if !ok {
		return false
	}
	for _, d := range st.Docs {
		n, path := 0, uint64(1)
		if f.multi {
			id := resource.Identity(d.Root)
			if path = maphash.String(pathSeed, id); id == "" || times[id] > 1 {
				path = 0
			}
		}
		if !f.node(d.Root, path, &n) || n > 0 && path == 0 {
			return false
		}
	}
	for _, found := range f.found {
		if !found {
			return false
		}
	}
	return true
}

// identities counts those of the documents; it reports false if what is left
// out has one that another document has.
func (f *finder) identities(st *syntax.Stream) (map[string]int, bool) {
	if !f.multi {
		return nil, true
	}
	times := make(map[string]int, len(st.Docs))
	for _, d := range st.Docs {
		times[resource.Identity(d.Root)]++
	}
	if !f.e.whole {
		return times, true
	}
	for _, d := range st.Docs {
		f.document(d)
		id := resource.Identity(d.Root)
		if f.e.ids[hashed([]byte(id))] || times[id] > 1 && strings.HasPrefix(tree.ScalarAt(d.Root, "kind"), placeholder) {
			return nil, false
		}
	}
	return times, true
}

// hashed is the hash of an identity. Where two have the same, nothing is left
// out.
func hashed(id []byte) uint64 { return maphash.Bytes(pathSeed, id) }

// readIDs reads the identities of the resources of the runs. It reports false
// if there is one twice.
func (e *Elision) readIDs() bool {
	e.ids = map[uint64]bool{}
	var id []byte
	for i := range e.runs {
		for _, r := range e.runs[i].Resources {
			id = id[:0]
			for j, s := range r {
				if j > 0 {
					id = append(id, '\x01')
				}
				id = append(id, e.src[s.Start:s.End]...)
			}
			h := hashed(id)
			if e.ids[h] {
				return false
			}
			e.ids[h] = true
		}
	}
	return true
}

// document marks the run for which d stands as found, if it does.
func (f *finder) document(d *syntax.Document) {
	kind := tree.ScalarAt(d.Root, "kind")
	if !strings.HasPrefix(kind, placeholder) || !d.Explicit || len(d.Root.Entries) != 2 || tree.ScalarAt(d.Root, "metadata", "name") != "x" {
		return
	}
	i, err := strconv.Atoi(kind[len(placeholder):])
	if err == nil && i >= 0 && i < len(f.e.runs) && f.e.runs[i].Resources != nil {
		f.found[i] = true
	}
}

// node looks within v, which is at path, and adds to n how many placeholders
// it has.
func (f *finder) node(v *syntax.Node, path uint64, n *int) bool {
	before := *n
	if v.Kind == syntax.Mapping && !f.fields(v, path, n) {
		return false
	}
	for i, e := range v.Entries {
		at := tree.Mix(path, uint64(i)<<32|uint64(len(v.Entries)))
		if e.Key != nil {
			at = tree.Mix(path, maphash.String(pathSeed, tree.FieldKey(e)))
		}
		if len(e.Value.Entries) > 0 && !f.node(e.Value, at, n) {
			return false
		}
	}
	return *n == before || v.Anchor == "" && f.sure(v)
}

// sure reports whether the entries of v pair by what they are: fields by keys
// that stand once.
func (f *finder) sure(v *syntax.Node) bool {
	if v.Kind == syntax.Sequence {
		return f.items
	}
	keys := make(map[string]bool, len(v.Entries))
	for _, e := range v.Entries {
		k := tree.FieldKey(e)
		if keys[k] || tree.MergeKey(e) {
			return false
		}
		keys[k] = true
	}
	return true
}

// fields looks at the fields of a mapping.
func (f *finder) fields(v *syntax.Node, path uint64, n *int) bool {
	var runs []int
	for _, e := range v.Entries {
		if !strings.HasPrefix(e.Key.Value, placeholder) {
			continue
		}
		i, ok := f.field(v, e)
		if !ok {
			return false
		}
		f.found[i], f.paths[i] = true, path
		runs = append(runs, i)
		*n++
	}
	return len(runs) == 0 || f.apart(v, runs)
}

// field is the run for which the field e of v stands; false if it does not stand
// there as it was written.
func (f *finder) field(v *syntax.Node, e *syntax.Entry) (int, bool) {
	i, err := strconv.Atoi(e.Key.Value[len(placeholder):])
	if err != nil || i < 0 || i >= len(f.e.runs) || f.found[i] || f.e.runs[i].Resources != nil {
		return 0, false
	}
	plain := e.Key.Style == syntax.Plain && e.Value.Value == "x" && e.Value.Style == syntax.Plain && !e.Odd && e.Comment().Empty()
	return i, plain && v.Style == syntax.Block && v.Indent == f.e.runs[i].Col
}

// apart reports whether no key of v stands in one of its runs.
func (f *finder) apart(v *syntax.Node, runs []int) bool {
	keys := make(map[string]bool, len(v.Entries))
	for _, e := range v.Entries {
		keys[e.Key.Value] = true
	}
	for _, i := range runs {
		for _, s := range f.e.runs[i].Names {
			if keys[string(f.e.src[s.Start:s.End])] {
				return false
			}
		}
	}
	return true
}
