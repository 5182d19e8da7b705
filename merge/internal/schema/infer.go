package schema

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

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

// infer guesses from the items: the first of the keys that every item of
// every version has, unique within each version, makes a Map.
func infer(versions []*syntax.Node, keys []string) List {
	if items(versions) == 0 {
		return List{Kind: Ordered, Source: "no items"}
	}
	for i := range keys {
		l := List{Kind: Map, Keys: keys[i : i+1 : i+1], Source: guess}
		if l.identifies(versions) {
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
		if v != nil && !l.distinguishes(v.Entries) {
			return false
		}
	}
	return true
}

func (l List) distinguishes(items []*syntax.Entry) bool {
	if len(items) > 0 {
		// Most lists that lack a key lack it in the first item.
		if _, ok := l.ID(items[0].Value); !ok {
			return false
		}
	}
	seen := make(map[string]bool, len(items))
	for _, item := range items {
		id, ok := l.ID(item.Value)
		if !ok || seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

// Guessed reports whether nobody says what l is, and its inferred key is no name.
func (l List) Guessed() bool {
	return l.Source == guess && l.Keys[0] != "name" && l.Keys[0] != "id"
}
