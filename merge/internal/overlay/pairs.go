package overlay

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

func valueOf(e *syntax.Entry) *syntax.Node { return e.Value }

// retained reports whether the mappings v are a union: of dest's fields none
// stand that updated lacks, also where updated changes nothing.
func (m *Merger) retained(v three.Nodes, p *three.Path) bool {
	if !m.rules.Strategic || v[three.Dest] == nil || v[three.Updated] == nil {
		return false
	}
	return schema.RetainsKeys(p.Place(), v[three.Updated])
}

// keyed reports whether the items of a list are paired; else it is one value.
func (m *Merger) keyed(v three.Nodes, p *three.Path) bool {
	for s, n := range v {
		if n != nil && n.Kind != syntax.Sequence {
			v[s] = nil
		}
	}
	if m.resources(v, p) != nil {
		return true
	}
	kind := m.listOf(v, p).Kind
	return kind == schema.Map || kind == schema.Set && m.rules.Strategic
}

// listOf is what is known of the list at p, whose items have its keys.
func (m *Merger) listOf(v three.Nodes, p *three.Path) schema.List {
	if m.rules.Strategic {
		m.checkKeys(v, p)
	}
	return m.rules.Lists(m.Rules)(p.Place(), v[:]...)
}

// checkKeys fails where an item lacks the key by which its list is paired.
func (m *Merger) checkKeys(v three.Nodes, p *three.Path) {
	for s, n := range v {
		if n == nil {
			continue
		}
		if e, keys := m.Rules.WithoutKey(p.Place(), n); e != nil {
			what := ", the key of that list"
			if len(keys) > 1 {
				what = ", a key of that list"
			}
			m.fail(three.Side(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+what)
		}
	}
}

// resources pairs the items of kind: List; nil if the list at p is none of these.
func (m *Merger) resources(v three.Nodes, p *three.Path) []pair.Step {
	elems, ok := m.ResourceElems(v, p)
	if !ok {
		return nil
	}
	return appended(pair.ByKey(elems, m.rules.Always))
}

// pairItems pairs the items of a map list, also where a key stands in it twice.
func (m *Merger) pairItems(v three.Nodes, l schema.List) []pair.Step {
	ids := l.IDs(v[three.Updated], v[three.Original], v[three.Dest])
	elems := m.Elems(v, func(e *syntax.Entry) string { return ids(e.Value) }, valueOf)
	return m.placed(pair.ByKey(elems, m.rules.Always))
}

// pairSet pairs the items of a set by value. One that stands twice is one.
func (m *Merger) pairSet(v three.Nodes, l schema.List) []pair.Step {
	id := func(e *syntax.Entry) string { s, _ := l.ID(e.Value); return s }
	steps := pair.ByKey(m.Elems(v, id, valueOf), m.rules.Always)
	if v[three.Dest] != nil && v[three.Updated] != nil {
		seen := map[string]bool{}
		steps = slices.DeleteFunc(steps, func(st pair.Step) bool {
			s := slices.IndexFunc(st.At[:], func(i int) bool { return i >= 0 })
			value := id(v[s].Entries[st.At[s]])
			again := seen[value]
			seen[value] = true
			return again
		})
	}
	return m.placed(steps)
}

// placed puts the items of a list where the rules want new ones.
func (m *Merger) placed(steps []pair.Step) []pair.Step {
	if m.rules.Ordered {
		return updatedFirst(steps)
	}
	return appended(steps)
}

// appended puts what dest lacks at the end, in the order of updated.
func appended(steps []pair.Step) []pair.Step {
	var out, added []pair.Step
	for _, st := range steps {
		if st.At[three.Dest] < 0 {
			added = append(added, st)
		} else {
			out = append(out, st)
		}
	}
	slices.SortStableFunc(added, func(a, b pair.Step) int { return a.At[three.Updated] - b.At[three.Updated] })
	return append(out, added...)
}

// updatedFirst puts the elements that updated has first, in its order.
func updatedFirst(steps []pair.Step) []pair.Step {
	var out, rest []pair.Step
	for _, st := range steps {
		if st.At[three.Updated] >= 0 {
			out = append(out, st)
		} else {
			rest = append(rest, st)
		}
	}
	slices.SortStableFunc(out, func(a, b pair.Step) int { return a.At[three.Updated] - b.At[three.Updated] })
	return append(out, rest...)
}
