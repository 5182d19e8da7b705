package elide

import (
	"bytes"
	"hash/maphash"
	"sort"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A finder looks for the placeholders of an elision in one stream.
type finder struct {
	e     *Elision
	multi bool // a version of the stream has several documents
	ruled bool // a team says what lists are
	rules *schema.Rules
	file  string
	at    []int // where placeholders stand in the text
	paths []uint64
	found []bool
	order []int        // the runs as they were found, of documents aside
	bad   map[int]bool // those that stand for nothing
	lost  bool         // there are placeholders that nobody placed
}

var pathSeed = maphash.MakeSeed()

// stream finds the placeholders of st; false if what is left out of it cannot be told.
func (f *finder) stream(st *syntax.Stream) bool {
	times, ok := f.identities(st)
	if !ok {
		return false
	}
	for _, d := range st.Docs {
		before, at := len(f.order), uint64(1)
		if f.multi {
			id := resource.Identity(d.Root)
			if at = maphash.String(pathSeed, id); id == "" || times[id] > 1 {
				at = 0
			}
		}
		place := &schema.Place{File: f.file, APIVersion: tree.ScalarAt(d.Root, "apiVersion"), Kind: tree.ScalarAt(d.Root, "kind")}
		f.node(d.Root, &three.Path{Root: place}, at)
		if at == 0 {
			f.misplace(before)
		}
	}
	return !f.lost
}

// misplace says that the placeholders that were found from the one on are not where they
// stand for anything.
func (f *finder) misplace(from int) {
	for _, i := range f.order[from:] {
		f.bad[i] = true
	}
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
		if f.e.ids[hashed([]byte(id))] || times[id] > 1 && strings.HasPrefix(tree.ScalarAt(d.Root, "kind"), Placeholder) {
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
	if !strings.HasPrefix(kind, Placeholder) || !d.Explicit || len(d.Root.Entries) != 2 || tree.ScalarAt(d.Root, "metadata", "name") != "x" {
		return
	}
	i, err := strconv.Atoi(kind[len(Placeholder):])
	if err == nil && i >= 0 && i < len(f.e.runs) && f.e.runs[i].Resources != nil {
		f.found[i] = true
	}
}

// node looks within v, which is at path, of the hash at.
func (f *finder) node(v *syntax.Node, path *three.Path, at uint64) {
	before := len(f.order)
	named := f.named(v, path)
	switch {
	case v.Kind == syntax.Mapping:
		f.fields(v, at)
	case named.Keys != nil:
		f.items(v, named, at)
	}
	for i, e := range v.Entries {
		if len(e.Value.Entries) > 0 && f.within(e.Span) {
			f.node(e.Value, below(path, e), f.entry(v, i, named, at))
		}
	}
	if len(f.order) > before && (v.Anchor != "" || !f.sure(v, named)) {
		f.misplace(before)
	}
}

// within reports whether a placeholder stands in s.
func (f *finder) within(s text.Span) bool {
	i := sort.SearchInts(f.at, s.Start)
	return i < len(f.at) && f.at[i] < s.End
}

// placeholders are the places of b where they stand.
func placeholders(b []byte) (at []int) {
	for off := 0; ; off += len(Placeholder) {
		i := bytes.Index(b[off:], []byte(Placeholder))
		if i < 0 {
			return at
		}
		off += i
		at = append(at, off)
	}
}

// below is the path of the entry e of what is at path.
func below(path *three.Path, e *syntax.Entry) *three.Path {
	if e.Key != nil {
		return path.Child(e.Key.Value)
	}
	return path.Child("*")
}

// entry is the hash of the path of entry i of v, which is at one of the hash at: of an item
// that is known by its name, of another by its place in a list of that length.
func (f *finder) entry(v *syntax.Node, i int, named schema.List, at uint64) uint64 {
	if e := v.Entries[i]; e.Key != nil {
		return tree.Mix(at, maphash.String(pathSeed, tree.FieldKey(e)))
	}
	if named.Keys != nil {
		id, _ := named.ID(v.Entries[i].Value)
		return tree.Mix(at, maphash.String(pathSeed, id))
	}
	return tree.Mix(at, uint64(i)<<32|uint64(len(v.Entries)))
}

// named is what v is if its items are known by their names; without keys if they are not.
func (f *finder) named(v *syntax.Node, path *three.Path) (none schema.List) {
	if v.Kind != syntax.Sequence || len(v.Entries) == 0 || v.Entries[0].Value.Kind != syntax.Mapping {
		return none
	}
	p := path.Place()
	if strings.HasSuffix(p.Kind, "List") && len(p.Path) > 0 && p.Path[0] == "items" {
		return none // these may be resources
	}
	l := f.rules.Of(p, v)
	if l.Kind != schema.Map || len(l.Keys) != 1 || l.Keys[0] != "name" || l.Rest != nil || l.Separators != nil {
		return none
	}
	return l
}

// sure reports whether the entries of v pair by what they are: fields by keys
// that stand once, items by names, or as the line merge has them.
func (f *finder) sure(v *syntax.Node, named schema.List) bool {
	if v.Kind == syntax.Sequence {
		return named.Keys != nil || f.e.Clean && !f.ruled
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

// items looks at the items of a list that are known by their names.
func (f *finder) items(v *syntax.Node, named schema.List, at uint64) {
	names := make(map[string]bool, len(v.Entries))
	before := len(f.order)
	for _, e := range v.Entries {
		name, _ := named.ID(e.Value)
		names[name] = true
		if strings.HasPrefix(name, Placeholder) {
			f.find(name, v, at, len(e.Value.Entries) == 1 && stands(e) && asWritten(e.Value.Entries[0].Value), true)
		}
	}
	f.apart(names, f.order[before:])
}

// fields looks at the fields of a mapping.
func (f *finder) fields(v *syntax.Node, at uint64) {
	before := len(f.order)
	for _, e := range v.Entries {
		if strings.HasPrefix(e.Key.Value, Placeholder) {
			f.find(e.Key.Value, v, at, stands(e) && e.Key.Style == syntax.Plain && e.Value.Value == "x" && asWritten(e.Value), false)
		}
	}
	if len(f.order) == before {
		return
	}
	keys := make(map[string]bool, len(v.Entries))
	for _, e := range v.Entries {
		keys[e.Key.Value] = true
	}
	f.apart(keys, f.order[before:])
}

// stands reports whether the entry e stands as a placeholder was written.
func stands(e *syntax.Entry) bool { return !e.Odd && e.Comment.Empty() }

// asWritten reports whether v is a scalar as placeholders have.
func asWritten(v *syntax.Node) bool { return v.Kind == syntax.Scalar && v.Style == syntax.Plain }

// find notes the run for which s stands, fields or items, in the collection v at the path
// of the hash at; it is lost if there is none, or it was found before.
func (f *finder) find(s string, v *syntax.Node, at uint64, written, items bool) {
	i, err := strconv.Atoi(s[len(Placeholder):])
	if err != nil || i < 0 || i >= len(f.e.runs) || f.found[i] {
		f.lost = true
		return
	}
	r := &f.e.runs[i]
	f.found[i], f.paths[i], f.order = true, at, append(f.order, i)
	if !written || r.Resources != nil || r.Items != items || v.Style != syntax.Block || v.Indent != r.Col {
		f.bad[i] = true
	}
}

// apart looks whether one of the keys of a collection stands in its runs, or one in two
// of these.
func (f *finder) apart(keys map[string]bool, runs []int) {
	for _, i := range runs {
		for _, s := range f.e.runs[i].Names {
			name := f.e.src[s.Start:s.End]
			if keys[string(name)] {
				f.bad[i] = true
			}
			if f.e.runs[i].Items {
				keys[string(name)] = true
			}
		}
	}
}
