package main

import (
	"sort"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// A resourcePath is a place where a type is used: a resource, and the names of the fields that lead from it to
// the type. The name "*" is an item of a list, or any field of a mapping.
type resourcePath struct {
	resource resource
	fields   []string
}

// listRows returns the text of a file with which tests compare the table: a row for each list in each type, sorted. A
// row has the type, the field, the kind of list, its associative keys, and a resource with a path at which the list
// occurs, separated by tabs. The last two are "-" if no resource contains the type. The rows come from types only,
// because they test the table:
//
//	io.k8s.api.apps.v1.DeploymentStatus	conditions	map	type	apps/v1 Deployment	status.conditions
func listRows(types map[string]schema.TypeDef, paths map[string]resourcePath) []byte {
	var lines []string
	for name, t := range types {
		if t.Map == nil || strings.HasPrefix(name, "__") {
			continue
		}
		for _, f := range t.Map.Fields {
			lines = append(lines, formatListRow(name, f.Name, f.Type, paths)...)
		}
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

// partRows returns the rows of a file that the tests compare the table with: one for each of parts, separated by tabs
// and sorted. A row has the name of the type, the part, and a resource with a path at which the type occurs. parts has
// the unions of each type (fields that exclude each other), or its image fields. Types that no resource contains are
// left out. The text ends with a line break.
func partRows(parts map[string][]string, paths map[string]resourcePath) []byte {
	var lines []string
	for name, all := range parts {
		w, ok := paths[name]
		for _, part := range all {
			if ok {
				lines = append(lines, strings.Join([]string{name, part, w.resource.String(), strings.Join(w.fields, ".")}, "\t"))
			}
		}
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

// findPaths returns a place where each type is used, by the name of the type: a resource, and the field names that lead
// to the type, with "*" for an item of a list. Types that no resource contains have none. The result is not nil.
func findPaths(types map[string]schema.TypeDef, resources []resource) map[string]resourcePath {
	paths := map[string]resourcePath{}
	for _, r := range resources {
		collectPaths(types, paths, resourcePath{resource: r}, schema.TypeRef{NamedType: &r.name})
	}
	return paths
}

// collectPaths adds to paths a place for each named type in t: for t itself, and for the types of its fields and items,
// at any depth. path is the place of t: a resource, and the field names that lead from it to t, with "*" for an item of
// a list. A type that already has a place keeps it. A type without fields and items adds nothing below itself.
func collectPaths(types map[string]schema.TypeDef, paths map[string]resourcePath, path resourcePath, t schema.TypeRef) {
	var m *schema.Map
	switch {
	case t.NamedType != nil:
		if _, ok := paths[*t.NamedType]; ok {
			return
		}
		paths[*t.NamedType] = path
		m = types[*t.NamedType].Map
	case t.Inlined.List != nil && t.Inlined.Scalar == nil:
		collectPaths(types, paths, path.below("*"), t.Inlined.List.ElementType)
	case t.Inlined.Map != nil:
		m = t.Inlined.Map
	}
	if m == nil {
		return
	}
	for _, f := range m.Fields {
		collectPaths(types, paths, path.below(f.Name), f.Type)
	}
	if len(m.Fields) == 0 {
		collectPaths(types, paths, path.below("*"), m.ElementType)
	}
}

// below returns the path of the field name of the type at p.
func (p resourcePath) below(name string) resourcePath {
	return resourcePath{p.resource, append(p.fields[:len(p.fields):len(p.fields)], name)}
}

// formatListRow returns the row for a field that is a list, or a mapping with lists as values, for a file that the
// tests compare the table with. For a mapping, the field is labels.*, for example. It returns nil for another field,
// otherwise one row. The row has the type (name), the field, the kind of the list, its associative keys, and a resource
// with a path at which the list occurs, separated by tabs. t is the type of the field.
func formatListRow(name, field string, t schema.TypeRef, paths map[string]resourcePath) []string {
	if m := t.Inlined.Map; m != nil && len(m.Fields) == 0 {
		return formatListRow(name, field+".*", m.ElementType, paths)
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
	if path, ok := paths[name]; ok {
		where = path.resource.String() + "\t" + strings.Join(append(path.fields, field), ".")
	}
	return []string{strings.Join([]string{name, field, kind, strings.Join(l.Keys, ","), where}, "\t")}
}
