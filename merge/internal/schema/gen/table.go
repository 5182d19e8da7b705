package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// A typeNode is a type in the table, reduced to its lists, unions and images. Types that are equal after this
// reduction share a node.
type typeNode struct {
	unions []string // groups of fields; at most one field of each group may be present
	fields []field
}

// A field is a field of a type. A mapping with arbitrary keys has one field, with the name "*".
type field struct {
	name  string
	mark  string    // the kind of a list (see encodeListKind), "@" for an image reference, otherwise ""
	child *typeNode // the type of the value or, for a list, of its items; nil if it has no list, union or image
}

// A typeGraph builds the nodes of types. types, unions and images are its input, by the name of the type.
type typeGraph struct {
	types          map[string]schema.TypeDef
	unions, images map[string][]string
	byName         map[string]*typeNode // nil for a type without lists, unions and images
	byText         map[string]*typeNode // by the result of encode, to find equal nodes
}

// encodeTable returns the text of kubernetes.txt. types are all types of the schema by name, unions and images those of
// the fields of each type, and resources the kinds to include, sorted by API version. A kind whose type has no list,
// union or image is left out. The comment of kubernetesText in ../kubernetes.go has the format in full:
//
//	apps/v1 Deployment:1x    for each API version, its kinds and the numbers of their types
//	                         an empty line
//	containers#name:x        for each type, its lists, unions and image references
func encodeTable(types map[string]schema.TypeDef, unions, images map[string][]string, resources []resource) []byte {
	g := &typeGraph{types, unions, images, map[string]*typeNode{}, map[string]*typeNode{}}
	ids := map[*typeNode]string{}
	var lines []string
	var idOf func(n *typeNode) string
	idOf = func(n *typeNode) string {
		if id, ok := ids[n]; ok {
			return id
		}
		i := len(lines)
		ids[n] = strconv.FormatInt(int64(i), 36)
		lines = append(lines, "")
		lines[i] = n.encode(idOf)
		return ids[n]
	}
	var b bytes.Buffer
	previous := ""
	for _, r := range resources {
		if n := g.nodeOf(r.name); n != nil && len(n.fields) > 0 {
			if gv := r.apiVersion(); gv != previous {
				fmt.Fprintf(&b, "\n%s", gv)
				previous = gv
			}
			fmt.Fprintf(&b, " %s:%s", r.kind, idOf(n))
		}
	}
	head := strings.TrimPrefix(b.String(), "\n")
	return []byte(head + "\n\n" + strings.Join(lines, "\n") + "\n")
}

// nodeOf returns the node for the type called name: its fields that are or contain lists, unions (fields that exclude
// each other) or image references. It returns nil if the type has none, or if the schema does not describe it. A node
// is built at the first call for a type, and kept.
func (g *typeGraph) nodeOf(name string) *typeNode {
	if n, ok := g.byName[name]; ok || strings.HasPrefix(name, "__untyped") {
		return n
	}
	n := &typeNode{unions: g.unions[name]}
	g.byName[name] = n // the type may contain itself
	g.addFields(n, g.types[name].Map, g.images[name])
	g.byName[name] = g.deduplicate(n)
	return g.byName[name]
}

// addFields adds to n those fields of the mapping type m that are, or contain at any depth, a list, a union (fields
// that exclude each other) or an image reference. They are sorted by name; a mapping without named fields has the one
// field "*". images are the names of the fields that are image references. m may be nil.
func (g *typeGraph) addFields(n *typeNode, m *schema.Map, images []string) {
	if m == nil {
		return
	}
	fields := slices.Clone(m.Fields)
	if len(fields) == 0 {
		fields = []schema.StructField{{Name: "*", Type: m.ElementType}}
	}
	slices.SortFunc(fields, func(a, b schema.StructField) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range fields {
		e := field{name: f.Name}
		e.mark, e.child = g.resolveRef(f.Type)
		if slices.Contains(images, f.Name) {
			e.mark = "@"
		}
		if e.mark != "" || e.child != nil {
			n.fields = append(n.fields, e)
		}
	}
}

// resolveRef returns how the table describes a field whose value has the type t. mark is the mark of a list: "~" for
// atomic, "|" for a set, "#name" for a map with the key name. It is "" for other fields. child is the node with the
// lists in the value or, for a list, in its items. child is nil if there are none.
func (g *typeGraph) resolveRef(t schema.TypeRef) (mark string, child *typeNode) {
	switch {
	case t.NamedType != nil:
		return "", g.nodeOf(*t.NamedType)
	case t.Inlined.List != nil && t.Inlined.Scalar == nil:
		_, child := g.resolveRef(t.Inlined.List.ElementType)
		return g.encodeListKind(t.Inlined.List), child
	case t.Inlined.Map != nil && t.Inlined.Scalar == nil:
		n := &typeNode{}
		g.addFields(n, t.Inlined.Map, nil)
		return "", g.deduplicate(n)
	}
	return "", nil
}

// deduplicate returns the node that was first passed to it with the same fields, marks, unions and child nodes as n; it
// is n itself if there was none. Equal types thereby share one line in the table. It returns nil if n has neither
// fields nor unions.
func (g *typeGraph) deduplicate(n *typeNode) *typeNode {
	text := n.encode(func(to *typeNode) string {
		if to == n {
			return "itself"
		}
		return fmt.Sprintf("%p", to)
	})
	if _, ok := g.byText[text]; !ok && text != "" {
		g.byText[text] = n
	}
	return g.byText[text]
}

// encodeListKind returns the kind of a list as the table writes it: "~" for an atomic list, "|" for a set, and
// "#" with the associative keys for a map. A key with a default value has it after "=":
//
//	#containerPort,protocol=TCP
func (g *typeGraph) encodeListKind(l *schema.List) string {
	if l.ElementRelationship == schema.Atomic {
		return "~"
	}
	if len(l.Keys) == 0 {
		return "|"
	}
	var keys []string
	for _, k := range l.Keys {
		keys = append(keys, k+g.encodeKeyDefault(l.ElementType, k))
	}
	return "#" + strings.Join(keys, ",")
}

// encodeKeyDefault returns "=" and the default value of an associative key, as in "=TCP" for the key protocol of ports.
// t is the type of the list's items, and field is the key. It returns "" if the field has no default. It ignores the
// defaults "" and 0, because the schema has them for each required field. It also returns "" if t is not in the schema
// or not a mapping. t must have a name.
func (g *typeGraph) encodeKeyDefault(t schema.TypeRef, field string) string {
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

// encode returns the line of the table for the type n. It has the unions and the fields, separated by spaces:
// "^emptyDir,hostPath" for fields that exclude each other, "name#key:ID" for a map list whose items are of the type
// with this ID, and "image@" for an image reference. idOf returns the ID of a type.
func (n *typeNode) encode(idOf func(*typeNode) string) string {
	var parts []string
	for _, union := range n.unions {
		parts = append(parts, "^"+union)
	}
	for _, f := range n.fields {
		part := f.name + f.mark
		if f.child != nil {
			part += ":" + idOf(f.child)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}
