package schema

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// associative are the fields that identify the items of a list of which
// nothing is known, in the order in which they are tried: what says of itself
// that it is a name comes before what may only happen to be different.
var associative = [...]string{
	"mountPath", "devicePath", "topologyKey", "name", "id", "ip", "type", "containerPort",
}

// kustomizes are those of kustomize's documentation, in its order.
var kustomizes = [...]string{
	"mountPath", "devicePath", "ip", "type", "topologyKey", "name", "containerPort",
}

// guess is the source of a list of which nobody says what it is.
const guess = "inference"

// infer guesses from the items: the first of the keys that is good for the items of
// all versions makes a Map.
func infer(versions []*syntax.Node, keys []string, good func(List, []*syntax.Node) bool) List {
	if items(versions) == 0 {
		return List{Kind: Ordered, Source: "no items"}
	}
	for i := range keys {
		l := List{Kind: Map, Keys: keys[i : i+1 : i+1], Source: guess}
		if good(l, versions) {
			return l
		}
	}
	return List{Kind: Ordered, Source: "no key"}
}

// items returns the number of items of all versions.
func items(versions []*syntax.Node) int {
	n := 0
	for _, v := range versions {
		if v != nil {
			n += len(v.Entries)
		}
	}
	return n
}

// identifies reports whether every item of every version has an identity in
// l that no other item of the same version has.
func (l List) identifies(versions []*syntax.Node) bool {
	for _, v := range versions {
		if v == nil {
			continue
		}
		var seen map[string]bool // most lists that lack a key lack it in the first item
		for i, item := range v.Entries {
			id, ok := l.ID(item.Value)
			if !ok || seen[id] {
				return false
			}
			if i == 0 {
				seen = make(map[string]bool, len(v.Entries))
			}
			seen[id] = true
		}
	}
	return true
}

// pairs reports whether every item of every version has an identity in l.
func (l List) pairs(versions []*syntax.Node) bool {
	for _, v := range versions {
		if v != nil && slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool { _, ok := l.ID(e.Value); return !ok }) {
			return false
		}
	}
	return true
}

// Guessed reports whether nobody says what l is, and its inferred key is no name.
func (l List) Guessed() bool {
	return l.Source == guess && l.Keys[0] != "name" && l.Keys[0] != "id"
}
