package main

import (
	"sort"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// A way is how a type is reached: from a resource by field names, "*" being
// an item or any field.
type way struct {
	root root
	path []string
}

// rows returns a line for every list of every type: type, field, kind, keys,
// and a resource and path where it stands ("-" if no resource has it). It
// reads the schema as it is, so that it can judge the table.
func rows(types map[string]schema.TypeDef, ways map[string]way) []byte {
	var lines []string
	for name, t := range types {
		if t.Map == nil || strings.HasPrefix(name, "__") {
			continue
		}
		for _, f := range t.Map.Fields {
			lines = append(lines, listsOf(name, f.Name, f.Type, ways)...)
		}
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

// partRows returns a line for every union, or image, of every type that a resource has:
// type, members or field, and a resource and path where the type stands.
func partRows(parts map[string][]string, ways map[string]way) []byte {
	var lines []string
	for name, all := range parts {
		w, ok := ways[name]
		for _, part := range all {
			if ok {
				lines = append(lines, strings.Join([]string{name, part, w.root.String(), strings.Join(w.path, ".")}, "\t"))
			}
		}
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

// reached returns how the types of resources and those below them are reached.
func reached(types map[string]schema.TypeDef, roots []root) map[string]way {
	ways := map[string]way{}
	for _, r := range roots {
		reach(types, ways, way{root: r}, schema.TypeRef{NamedType: &r.name})
	}
	return ways
}

// reach notes how t and the types below it are reached; the first way stands.
func reach(types map[string]schema.TypeDef, ways map[string]way, w way, t schema.TypeRef) {
	var m *schema.Map
	switch {
	case t.NamedType != nil:
		if _, ok := ways[*t.NamedType]; ok {
			return
		}
		ways[*t.NamedType] = w
		m = types[*t.NamedType].Map
	case t.Inlined.List != nil && t.Inlined.Scalar == nil:
		reach(types, ways, w.to("*"), t.Inlined.List.ElementType)
	case t.Inlined.Map != nil:
		m = t.Inlined.Map
	}
	if m == nil {
		return
	}
	for _, f := range m.Fields {
		reach(types, ways, w.to(f.Name), f.Type)
	}
	if len(m.Fields) == 0 {
		reach(types, ways, w.to("*"), m.ElementType)
	}
}

func (w way) to(name string) way {
	return way{w.root, append(w.path[:len(w.path):len(w.path)], name)}
}

// listsOf returns the line of a field that is a list, or a mapping of lists.
func listsOf(name, field string, t schema.TypeRef, ways map[string]way) []string {
	if m := t.Inlined.Map; m != nil && len(m.Fields) == 0 {
		return listsOf(name, field+".*", m.ElementType, ways)
	}
	l := t.Inlined.List
	if l == nil || t.Inlined.Scalar != nil {
		return nil
	}
	kind := "atomic"
	if l.ElementRelationship == schema.Associative && len(l.Keys) == 0 {
		kind = "set"
	} else if l.ElementRelationship == schema.Associative {
		kind = "map"
	}
	where := "-\t-"
	if w, ok := ways[name]; ok {
		where = w.root.String() + "\t" + strings.Join(append(w.path, field), ".")
	}
	return []string{strings.Join([]string{name, field, kind, strings.Join(l.Keys, ","), where}, "\t")}
}
