package team

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

var kindNames = map[schema.Kind]string{schema.Ordered: "ordered", schema.Map: "map", schema.Set: "set", schema.Atomic: "atomic"}

// place returns the Place with a resource, written as "apiVersion Kind", and a path, written with dots.
func place(resource, path string) schema.Place {
	apiVersion, kind, _ := strings.Cut(resource, " ")
	return schema.Place{APIVersion: apiVersion, Kind: kind, Path: strings.Split(path, ".")}
}

// describe returns a list in the notation of the tables in these tests, as in "map port,protocol=TCP". It returns "" if
// ok is false.
func describe(l schema.List, ok bool) string {
	if !ok {
		return ""
	}
	var keys []string
	for _, k := range l.Keys {
		if d, ok := l.Defaults[k]; ok {
			k += "=" + d
		}
		keys = append(keys, k)
	}
	return strings.TrimSpace(kindNames[l.Kind] + " " + strings.Join(keys, ","))
}
