package main

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// A node is a type that has lists, unions or images in it.
type node struct {
	elem   *edge // of a mapping with any field
	fields []edge
	unions []string // fields of which at most one may be there
	class  int      // equal for types that answer alike
}

// An edge is a field of a type.
type edge struct {
	name string
	list string // "" for no list, else how its items are identified; "@" for an image
	to   *node  // nil where nothing below is worth an answer
}

// A network holds the types worth an answer and the resources that lead there.
type network struct {
	nodes  map[string]*node
	order  []*node
	roots  []root
	types  map[string]schema.TypeDef
	oneOf  map[string][]string
	images map[string][]string
}

func graph(types map[string]schema.TypeDef, oneOf, images map[string][]string, roots []root) *network {
	g := &network{nodes: map[string]*node{}, roots: roots, types: types, oneOf: oneOf, images: images}
	for _, r := range roots {
		g.named(r.name)
	}
	g.prune()
	g.classify()
	return g
}

// named returns the node of a named type.
func (g *network) named(name string) *node {
	if strings.HasPrefix(name, "__untyped") {
		return nil
	}
	if n, ok := g.nodes[name]; ok {
		return n
	}
	t := g.types[name]
	n := &node{unions: g.oneOf[name]}
	g.nodes[name] = n
	g.order = append(g.order, n)
	g.fill(n, t.Map)
	for i, f := range n.fields {
		if slices.Contains(g.images[name], f.name) {
			n.fields[i].list = "@"
		}
	}
	return n
}

// fill adds the fields of m to n.
func (g *network) fill(n *node, m *schema.Map) {
	if m == nil {
		return
	}
	for _, f := range m.Fields {
		list, to := g.ref(f.Type)
		n.fields = append(n.fields, edge{f.Name, list, to})
	}
	if len(m.Fields) == 0 {
		list, to := g.ref(m.ElementType)
		n.elem = &edge{"*", list, to}
	}
	sort.Slice(n.fields, func(i, j int) bool { return n.fields[i].name < n.fields[j].name })
}

// ref returns what a type reference leads to.
func (g *network) ref(t schema.TypeRef) (list string, to *node) {
	switch {
	case t.NamedType != nil:
		return "", g.named(*t.NamedType)
	case t.Inlined.List != nil && t.Inlined.Scalar == nil:
		_, to := g.ref(t.Inlined.List.ElementType)
		return g.identity(t.Inlined.List), to
	case t.Inlined.Map != nil && t.Inlined.Scalar == nil:
		n := &node{}
		g.order = append(g.order, n)
		g.fill(n, t.Inlined.Map)
		return "", n
	}
	return "", nil
}

// identity says how the items of a list are identified: "~" atomic, "|" a
// set, "#key,key=default" a map.
func (g *network) identity(l *schema.List) string {
	if l.ElementRelationship == schema.Atomic {
		return "~"
	}
	if len(l.Keys) == 0 {
		return "|"
	}
	var keys []string
	for _, k := range l.Keys {
		keys = append(keys, k+g.defaultOf(l.ElementType, k))
	}
	return "#" + strings.Join(keys, ",")
}

// defaultOf returns "=value" if the field of an item has a default that says
// something. The schema gives "" and 0 to every field that is required.
func (g *network) defaultOf(t schema.TypeRef, field string) string {
	def, ok := g.types[*t.NamedType]
	if !ok || def.Map == nil {
		return ""
	}
	f, ok := def.Map.FindField(field)
	if !ok || f.Default == nil || f.Default == "" || fmt.Sprint(f.Default) == "0" {
		return ""
	}
	return fmt.Sprintf("=%v", f.Default)
}

// prune removes edges that lead to no answer.
func (g *network) prune() {
	useful := map[*node]bool{}
	for again := true; again; {
		again = false
		for _, n := range g.order {
			if !useful[n] && n.useful(useful) {
				useful[n], again = true, true
			}
		}
	}
	for _, n := range g.order {
		n.prune(useful)
	}
}

func (n *node) useful(known map[*node]bool) bool {
	if len(n.unions) > 0 || n.elem != nil && n.elem.useful(known) {
		return true
	}
	for _, e := range n.fields {
		if e.useful(known) {
			return true
		}
	}
	return false
}

func (e edge) useful(known map[*node]bool) bool { return e.list != "" || known[e.to] }

func (n *node) prune(useful map[*node]bool) {
	kept := n.fields[:0]
	for _, e := range n.fields {
		if !useful[e.to] {
			e.to = nil
		}
		if e.useful(useful) {
			kept = append(kept, e)
		}
	}
	n.fields = kept
	if n.elem != nil && !useful[n.elem.to] {
		n.elem.to = nil
	}
	if n.elem != nil && !n.elem.useful(useful) {
		n.elem = nil
	}
}

// classify gives one class to all types that answer alike, by splitting
// classes until every type of a class leads to the same classes.
func (g *network) classify() {
	for count := 1; ; {
		classes := map[string]int{}
		next := make([]int, len(g.order))
		for i, n := range g.order {
			s := n.text(func(to *node) string { return strconv.Itoa(to.class) })
			if _, ok := classes[s]; !ok {
				classes[s] = len(classes)
			}
			next[i] = classes[s]
		}
		for i, n := range g.order {
			n.class = next[i]
		}
		if len(classes) == count {
			return
		}
		count = len(classes)
	}
}
