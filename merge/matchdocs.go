package merge

import (
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// docElems prepares documents for pairing by identity. Documents without one
// are known by content and place.
func (m *matcher) docElems(docs [3][]*syntax.Document) [3][]elem {
	var out [3][]elem
	var nameless [3][]int
	var roots [3][]*syntax.Node
	for s, ds := range docs {
		for _, d := range ds {
			roots[s] = append(roots[s], d.Root)
		}
	}
	identity := m.identities(roots)
	for s, ds := range docs {
		seen := map[string]int{}
		for i, d := range ds {
			key := identity(d.Root)
			if key == "" {
				nameless[s] = append(nameless[s], i)
			} else if seen[key]++; seen[key] > 1 {
				key += "\x00" + strconv.Itoa(seen[key])
			}
			out[s] = append(out[s], elem{key: key, node: d.Root, sum: m.sums.of(d.Root)})
		}
	}
	m.nameless(out, nameless)
	return out
}

// nameless gives keys to documents without identity: aligned ones share one.
func (m *matcher) nameless(out [3][]elem, at [3][]int) {
	var v [3][]elem
	for s := range at {
		for _, i := range at[s] {
			v[s] = append(v[s], out[s][i])
		}
	}
	a := &ordered{
		v:     v,
		alike: func(x side, i int, y side, j int) float64 { return m.sums.alike(v[x][i].node, v[y][j].node) },
		parts: func(s side, i int) []uint64 { return m.sums.parts(v[s][i].node) },
	}
	for _, i := range at[original] {
		out[original][i].key = "#" + strconv.Itoa(i)
	}
	for _, s := range sides {
		added := map[uint64]int{}
		for i, j := range a.align(s) {
			if j >= 0 {
				out[s][at[s][j]].key = out[original][at[original][i]].key
			}
		}
		for _, i := range at[s] {
			e := &out[s][i]
			if e.key != "" {
				continue
			}
			added[e.sum]++
			e.key = "+" + strconv.FormatUint(e.sum, 36) + "/" + strconv.Itoa(added[e.sum])
		}
	}
}

// docPath is the path of a document, and with it the resource whose lists are
// asked for; nil if no version has it.
func (m *matcher) docPath(at [3]*syntax.Document, index [3]int) *path {
	for _, s := range [3]side{dest, updated, original} {
		if at[s] == nil {
			continue
		}
		p := &path{root: m.resource(at[s].Root)}
		if m.multi {
			p.field = "document " + strconv.Itoa(index[s]+1)
			if k, n := p.root.Kind, scalarAt(at[s].Root, "metadata", "name"); k != "" && n != "" {
				p.field = k + "/" + n
			}
		}
		return p
	}
	return nil
}

// resource is the place of a resource's root.
func (m *matcher) resource(n *syntax.Node) *schema.Place {
	return &schema.Place{File: m.file, APIVersion: scalarAt(n, "apiVersion"), Kind: scalarAt(n, "kind")}
}
