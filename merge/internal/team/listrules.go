package team

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// ListAt returns how to merge the list at p: as DeclaredList describes it or, if no source knows the list, as its items
// suggest. versions are the list in each version, or nil where it is missing. The result is Ordered if one of them is
// not a list, or if items of a Map list have no identity or the same one. r may be nil.
func (r *Rules) ListAt(p schema.Place, versions ...*syntax.Node) schema.List {
	if !schema.AreSequences(versions) {
		return schema.List{Kind: schema.Ordered, Source: "no sequence"}
	}
	if l, ok := r.DeclaredList(p); ok {
		return l.OrOrdered(versions, true)
	}
	return schema.InferList(versions)
}

// DeclaredList returns the description of the list at p from the first source that has one; ok is false if none has. A
// list that a source other than the team's rules declares Atomic gets another kind, because in a file both sides may
// edit it (see schema.List.AsEditedInFile). r may be nil.
func (r *Rules) DeclaredList(p schema.Place) (l schema.List, ok bool) {
	l, fromTeam, ok := r.declaredBySource(p)
	if !fromTeam {
		l = l.AsEditedInFile(p)
	}
	return l, ok
}

// declaredBySource returns the description of the list at p from the first source that has one:
//
//   - the team's rules; fromTeam is then true
//   - the built-in Kubernetes types
//   - custom resource definitions, only for a kind that is not built-in
//   - presets
//
// ok is false if no source has one. r may be nil.
func (r *Rules) declaredBySource(p schema.Place) (l schema.List, fromTeam, ok bool) {
	sel := r.selectionFor(p)
	if l, ok = schema.FirstMatch(sel.team, p.Path, (*entry).ListRules); ok {
		return l, true, true
	}
	if l, ok = sel.builtin.KubernetesList(p); !ok && !sel.builtin.IsKubernetes() {
		l, ok = sel.crds().listAt(p)
	}
	if !ok {
		l, ok = sel.builtin.PresetList(p)
	}
	return l, false, ok
}

// PairableList returns the description of the list at p for a merge as kustomize does it. Unlike ListAt, it allows
// Atomic lists from any source and repeated identities, and infers only the keys that kustomize knows. versions are the
// list in each version, or nil where it is missing. r may be nil.
func (r *Rules) PairableList(p schema.Place, versions ...*syntax.Node) schema.List {
	if !schema.AreSequences(versions) || !schema.HasItems(versions) {
		return r.ListAt(p, versions...)
	}
	if known, _, ok := r.declaredBySource(p); ok {
		return known.OrOrdered(versions, false)
	}
	return schema.InferPairableList(versions)
}

// StrategicList returns how `kubectl apply` merges the list at p: as PatchStrategy says, or Ordered if an item of a Map
// list lacks an associative key. It is Atomic if a version is not a list. versions are the list in each version, or nil
// where it is missing.
func (r *Rules) StrategicList(p schema.Place, versions ...*syntax.Node) schema.List {
	if !schema.AreSequences(versions) {
		return schema.List{Kind: schema.Atomic, Source: "no sequence"}
	}
	return r.PatchStrategy(p).OrOrdered(versions, false)
}

// PatchStrategy returns how `kubectl apply` merges the list at p. The team's rules decide first, then the tag
// patchStrategy of a built-in Kubernetes type. Other lists are Atomic: kubectl replaces them as a unit. Whether the
// items have the keys of a Map list is not checked.
func (r *Rules) PatchStrategy(p schema.Place) schema.List {
	sel := r.selectionFor(p)
	if l, ok := schema.FirstMatch(sel.team, p.Path, (*entry).ListRules); ok {
		return l
	}
	return sel.builtin.PatchStrategy(p)
}
