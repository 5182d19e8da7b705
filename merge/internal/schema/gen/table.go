package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// A node is what is worth an answer in a type: lists, unions and images. Types that answer alike are one node.
type node struct {
	unions []string // fields of which at most one may be there
	edges  []edge
}

// An edge is a field of a type; of a mapping with any field, "*".
type edge struct {
	name string
	list string // "" for no list, else how its items are identified; "@" for an image
	to   *node  // nil where nothing below is worth an answer
}

// A graph holds the types worth an answer.
type graph struct {
	types         map[string]schema.TypeDef
	oneOf, images map[string][]string
	named         map[string]*node
	alike         map[string]*node // by what they say
}

// table returns the text of kubernetes.txt; ../kubernetes.go says how it reads.
func table(types map[string]schema.TypeDef, oneOf, images map[string][]string, roots []root) []byte {
	g := &graph{types, oneOf, images, map[string]*node{}, map[string]*node{}}
	number := map[*node]string{}
	var lines []string
	var visit func(n *node) string
	visit = func(n *node) string {
		if id, ok := number[n]; ok {
			return id
		}
		i := len(lines)
		number[n] = strconv.FormatInt(int64(i), 36)
		lines = append(lines, "")
		lines[i] = n.text(visit)
		return number[n]
	}
	var b bytes.Buffer
	previous := ""
	for _, r := range roots {
		if n := g.node(r.name); n != nil && len(n.edges) > 0 {
			if gv := r.apiVersion(); gv != previous {
				fmt.Fprintf(&b, "\n%s", gv)
				previous = gv
			}
			fmt.Fprintf(&b, " %s:%s", r.kind, visit(n))
		}
	}
	head := strings.TrimPrefix(b.String(), "\n")
	return []byte(head + "\n\n" + strings.Join(lines, "\n") + "\n")
}

// node returns the node of a named type, nil if nothing in it is worth an answer.
func (g *graph) node(name string) *node {
	if n, ok := g.named[name]; ok || strings.HasPrefix(name, "__untyped") {
		return n
	}
	n := &node{unions: g.oneOf[name]}
	g.named[name] = n // it may hold itself
	g.fill(n, g.types[name].Map, g.images[name])
	g.named[name] = g.one(n)
	return g.named[name]
}

// fill adds the fields of m to n.
func (g *graph) fill(n *node, m *schema.Map, images []string) {
	if m == nil {
		return
	}
	fields := slices.Clone(m.Fields)
	if len(fields) == 0 {
		fields = []schema.StructField{{Name: "*", Type: m.ElementType}}
	}
	slices.SortFunc(fields, func(a, b schema.StructField) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range fields {
		e := edge{name: f.Name}
		e.list, e.to = g.ref(f.Type)
		if slices.Contains(images, f.Name) {
			e.list = "@"
		}
		if e.list != "" || e.to != nil {
			n.edges = append(n.edges, e)
		}
	}
}

// ref returns what a type reference leads to.
func (g *graph) ref(t schema.TypeRef) (list string, to *node) {
	switch {
	case t.NamedType != nil:
		return "", g.node(*t.NamedType)
	case t.Inlined.List != nil && t.Inlined.Scalar == nil:
		_, to := g.ref(t.Inlined.List.ElementType)
		return g.identity(t.Inlined.List), to
	case t.Inlined.Map != nil && t.Inlined.Scalar == nil:
		n := &node{}
		g.fill(n, t.Inlined.Map, nil)
		return "", g.one(n)
	}
	return "", nil
}

// one is the node that answers as n does, nil if that is nothing.
func (g *graph) one(n *node) *node {
	said := n.text(func(to *node) string {
		if to == n {
			return "itself"
		}
		return fmt.Sprintf("%p", to)
	})
	if _, ok := g.alike[said]; !ok && said != "" {
		g.alike[said] = n
	}
	return g.alike[said]
}

// identity says how the items of a list are identified: "~" atomic, "|" a
// set, "#key,key=default" a map.
func (g *graph) identity(l *schema.List) string {
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
func (g *graph) defaultOf(t schema.TypeRef, field string) string {
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

// text returns a type's line, its targets written by id.
func (n *node) text(id func(*node) string) string {
	var parts []string
	for _, u := range n.unions {
		parts = append(parts, "^"+u)
	}
	for _, e := range n.edges {
		part := e.name + e.list
		if e.to != nil {
			part += ":" + id(e.to)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}
