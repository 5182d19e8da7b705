package elide

import (
	"bytes"
	"hash/maphash"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Placed reports whether the elision holds in the trees of the short versions, and of the
// line merge if that is clean: every placeholder is a field of a block mapping, or a document,
// at the same path in all, and doubles nothing. The streams are those of e.Short.
func (e *Elision) Placed(streams []*syntax.Stream) bool {
	f := finder{e: e, ids: map[string]bool{}, keys: map[string]map[string]bool{}}
	for _, r := range e.runs {
		for _, id := range r.resources {
			if f.ids[id] {
				return false
			}
			f.ids[id] = true
		}
	}
	f.multi = slices.ContainsFunc(streams, func(st *syntax.Stream) bool { return len(st.Docs) > 1 })
	var first []string
	for i, st := range streams {
		f.paths, f.at = make([]string, len(e.runs)), e.starts[i]
		if !f.stream(st) || slices.Contains(f.paths, "") || i > 0 && !slices.Equal(first, f.paths) {
			return false
		}
		first = f.paths
	}
	return f.apart()
}

// apart reports whether no key of a run stands elsewhere in its mapping and, where there are
// conflicts, no key twice in the runs of a mapping.
func (f *finder) apart() bool {
	seed, seen := maphash.MakeSeed(), map[string]map[uint64]bool{}
	for i, r := range f.e.runs {
		path := f.paths[i]
		if seen[path] == nil {
			seen[path] = map[uint64]bool{}
		}
		for l := range bytes.Lines(f.e.src[r.Start:r.End]) {
			if l = bytes.TrimRight(l, "\r\n"); indent(l) != r.col || len(l) == r.col || r.resources != nil {
				continue
			}
			key, n := readKey(l[r.col:])
			if n == 0 {
				continue
			}
			sum := maphash.Bytes(seed, key)
			if f.keys[path][string(key)] || seen[path][sum] {
				return false
			}
			if !f.e.Clean {
				seen[path][sum] = true
			}
		}
	}
	return true
}

// A finder looks for the placeholders of an elision in streams.
type finder struct {
	e     *Elision
	multi bool                       // one of the streams has several documents
	ids   map[string]bool            // of the resources of the runs
	at    []int                      // where placeholders stand in the stream at hand
	paths []string                   // of the placeholders in it, by run; empty while they were not found
	keys  map[string]map[string]bool // of the mappings at these paths, in all streams
}

// stream finds the placeholders of st; false if one stands where nothing can be left out.
func (f *finder) stream(st *syntax.Stream) bool {
	times := map[string]int{}
	for _, d := range st.Docs {
		times[schema.Identity(d.Root)]++
	}
	for _, d := range st.Docs {
		id := schema.Identity(d.Root)
		i, ok := f.run(tree.ScalarAt(d.Root, "kind"))
		if !f.multi {
			id = "document"
		}
		switch {
		case f.ids[id]:
			return false
		case ok && f.e.runs[i].resources != nil:
			f.paths[i] = id
		case !f.within(d.Root.Span):
		case id == "" || times[id] > 1 || !f.node(d.Root, id):
			return false
		}
	}
	return true
}

// run is the run for which s stands.
func (f *finder) run(s string) (int, bool) {
	n, ok := strings.CutPrefix(s, Placeholder)
	i, err := strconv.Atoi(n)
	return i, ok && err == nil && i < len(f.e.runs)
}

// node finds the placeholders within v, which is at a path; false if they cannot stand there.
func (f *finder) node(v *syntax.Node, path string) bool {
	if v.Anchor != "" || v.Kind == syntax.Sequence && !f.e.lists {
		return false
	}
	keys := make(map[string]bool, len(v.Entries))
	for i, e := range v.Entries {
		key, field := "", strconv.Itoa(i)+"/"+strconv.Itoa(len(v.Entries))
		if e.Key != nil {
			key, field = e.Key.Value, tree.FieldKey(e)
			if keys[key] || tree.MergeKey(e) {
				return false
			}
			keys[key] = true
		}
		switch i, ok := f.run(key); {
		case !f.within(e.Span):
		case !ok:
			if !f.node(e.Value, path+"\x00"+field) {
				return false
			}
		case f.paths[i] != "" || f.e.runs[i].resources != nil || v.Style != syntax.Block:
			return false
		default:
			f.paths[i] = path
		}
	}
	if f.keys[path] == nil {
		f.keys[path] = keys
	}
	maps.Copy(f.keys[path], keys)
	return true
}

// within reports whether a placeholder stands in s.
func (f *finder) within(s text.Span) bool {
	i := sort.SearchInts(f.at, s.Start)
	return i < len(f.at) && f.at[i] < s.End
}
