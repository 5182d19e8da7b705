package team

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// ListAt returns the description of the list at p, which is inferred from its items if no source knows the list.
// versions are nil for a version without the list. The result is Ordered if a version is not a sequence, or if items of
// a Map list lack or repeat an identity. r may be nil.
func (r *Rules) ListAt(p schema.Place, versions ...*syntax.Node) schema.List {
	if !schema.AreSequences(versions) {
		return schema.List{Kind: schema.Ordered, Source: "no sequence"}
	}
	if l, ok := r.DeclaredList(p); ok {
		return l.OrOrdered(versions, true)
	}
	return schema.InferList(versions)
}

// DeclaredList returns the description of the list at p from the first source that knows it, without a look at the
// items: the team's rules, built-in types, custom resource definitions or presets. ok is false if there is none. An
// Atomic list becomes a Set or Ordered (see AsEditedInFile), unless it is from the team's rules. r may be nil.
func (r *Rules) DeclaredList(p schema.Place) (l schema.List, ok bool) {
	l, fromTeam, ok := r.declaredBySource(p)
	if !fromTeam {
		l = l.AsEditedInFile(p)
	}
	return l, ok
}

// declaredBySource returns the description of the list at p from the first source that knows it: the team's rules,
// built-in Kubernetes types, custom resource definitions and presets. fromTeam reports whether it is the team's rules.
// ok is false if no source knows the list. r may be nil.
func (r *Rules) declaredBySource(p schema.Place) (l schema.List, fromTeam, ok bool) {
	sel := r.selectionFor(p)
	if l, ok = schema.FirstMatch(sel.team, p.Path, (*entry).ListRules); ok {
		return l, true, true
	}
	if l, ok = sel.builtin.KubernetesList(p); !ok && r != nil && !sel.builtin.IsKubernetes() {
		defined := r.crds
		if r.crdSource != nil && p.APIVersion != "" && p.Kind != "" {
			defined = sel.crds()
		}
		l, ok = defined.listAt(p)
	}
	if !ok {
		l, ok = sel.builtin.PresetList(p)
	}
	return l, false, ok
}

// PairableList returns the description of the list at p for merges as kustomize does them, which infers only the keys
// that kustomize uses and accepts repeated identities. versions are the versions of the list, nil if a version does not
// have it. If none has items, it returns that of ListAt. r may be nil.
func (r *Rules) PairableList(p schema.Place, versions ...*syntax.Node) schema.List {
	if !schema.AreSequences(versions) || !schema.HasItems(versions) {
		return r.ListAt(p, versions...)
	}
	if known, _, ok := r.declaredBySource(p); ok {
		return known.OrOrdered(versions, false)
	}
	return schema.InferPairableList(versions)
}

// StrategicList returns how `kubectl apply` merges the list at p: as the team's rules or a built-in Kubernetes type
// declare it, or else Atomic, replaced as a unit. It is Atomic if a version is not a sequence, and Ordered if an item
// of a Map list lacks an associative key. versions may be nil.
func (r *Rules) StrategicList(p schema.Place, versions ...*syntax.Node) schema.List {
	if !schema.AreSequences(versions) {
		return schema.List{Kind: schema.Atomic, Source: "no sequence"}
	}
	return r.PatchStrategy(p).OrOrdered(versions, false)
}

// PatchStrategy returns how `kubectl apply` merges the list at p, without a look at its items: as the team's rules
// declare it, as the tag patchStrategy of a built-in Kubernetes type declares it, or else Atomic, replaced as a unit.
func (r *Rules) PatchStrategy(p schema.Place) schema.List {
	sel := r.selectionFor(p)
	if l, ok := schema.FirstMatch(sel.team, p.Path, (*entry).ListRules); ok {
		return l
	}
	return sel.builtin.PatchStrategy(p)
}
