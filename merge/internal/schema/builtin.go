package schema

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
)

// A Builtin has the rules of this program for the documents of one kind in one file: the built-in Kubernetes type of
// the kind, and the presets for the kind and the file. All methods that take a Place expect one in such a document.
type Builtin struct {
	// types returns the types of this kind in the table of built-in Kubernetes types, as lines of it; several if the
	// table does not have the API version.
	types func() []string
	// presets returns the presets for these documents.
	presets func() []*preset
}

// BuiltinFor returns the rules of this program, built-in types and presets, for the documents with the file, API
// version and kind of p. BuiltinFor itself is cheap: the first method that needs the rules looks them up.
func BuiltinFor(p Place) *Builtin {
	return &Builtin{
		types: sync.OnceValue(func() []string { return kubernetesTypes().typesOf(p.APIVersion, p.Kind) }),
		presets: sync.OnceValue(func() (all []*preset) {
			for _, e := range builtinPresets() {
				if e.Selects(p) {
					_ = e.readLines()
					all = append(all, e)
				}
			}
			return all
		}),
	}
}

// IsKubernetes reports whether the kind is a built-in Kubernetes type, in this or another version of its API group.
func (b *Builtin) IsKubernetes() bool { return len(b.types()) > 0 }

// presetsUnlessBuiltin returns the presets, or nil if the kind is built-in: for most rules, the built-in type of a
// document takes precedence over presets.
func (b *Builtin) presetsUnlessBuiltin() []*preset {
	if b.IsKubernetes() {
		return nil
	}
	return b.presets()
}

// PresetList returns the description of the list at p in the presets. ok is false if no preset has the list, or if the
// kind is built-in.
func (b *Builtin) PresetList(p Place) (l List, ok bool) {
	return FirstMatch(b.presetsUnlessBuiltin(), p.Path, (*preset).ListRules)
}

// PatchStrategy returns how `kubectl apply` merges the list at p, according to the tag patchStrategy of the built-in
// Kubernetes type. Lists that the type does not have, and lists of other kinds, are Atomic: kubectl replaces them as a
// unit. Items are not considered.
func (b *Builtin) PatchStrategy(p Place) List {
	if l, ok := b.KubernetesList(p); ok && b.IsKubernetes() {
		return l.withPatchStrategy(p)
	}
	return List{Kind: Atomic, Source: "kubectl apply replaces lists"}
}

// IsImage reports whether the field at p holds an image reference, according to the built-in Kubernetes type or, if the
// kind is not built-in, to the presets.
func (b *Builtin) IsImage(p Place) bool {
	if mark, ok := builtinMark(b.types(), p); ok {
		return mark == imageMark
	}
	is, _ := FirstMatch(b.presetsUnlessBuiltin(), p.Path, (*preset).ImageRules)
	return is
}

// HasNamesAsKeys reports whether authors choose the mapping keys of the mapping at p, according to the presets. It
// returns false if the kind is built-in (see IsStringMap).
func (b *Builtin) HasNamesAsKeys(p Place) bool {
	is, _ := FirstMatch(b.presetsUnlessBuiltin(), p.Path, func(e *preset) []Rule[bool] { return e.names })
	return is
}

// OneOf returns the groups of fields that exclude each other in the mapping at p, such as the sources of a volume.
// First are those of the built-in type, then those of all presets. If the built-in types lack the API version of p,
// another version of the kind is used.
func (b *Builtin) OneOf(p Place) (all []Unit) {
	for _, typeLine := range b.types() {
		if list, next, ok := kubernetesTypes().descend(typeLine, p.Path); ok && list == "" {
			for f := range strings.SplitSeq(next, " ") {
				if text, ok := strings.CutPrefix(f, "^"); ok {
					all = append(all, parseUnion(text))
				}
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return slices.AppendSeq(all, MatchingRules(b.presets(), p.Path, (*preset).OneOfRules))
}

// Distinct returns the groups of fields of the mapping at p that have different meanings, so that none is another one
// after a rename. They come from presets; there are none if the kind is built-in. The fields of OneOf have different
// meanings, too, but are not returned.
func (b *Builtin) Distinct(p Place) iter.Seq[Unit] {
	return MatchingRules(b.presetsUnlessBuiltin(), p.Path, func(e *preset) []Rule[Unit] { return e.distinct })
}

// AccessFields returns the sets of fields of the mapping at p that grant access together. All presets count, even for
// built-in Kubernetes types.
func (b *Builtin) AccessFields(p Place) []access.Fields {
	return slices.Collect(MatchingRules(b.presets(), p.Path, (*preset).AccessRules))
}

// Units returns the groups of fields of the mapping at p that are one value together, or of which the first must not
// become greater than the second. All presets count, even for built-in Kubernetes types.
func (b *Builtin) Units(p Place) iter.Seq[Unit] {
	return MatchingRules(b.presets(), p.Path, (*preset).UnitRules)
}

// UniqueFields returns the fields, other than its associative keys, in which no two items of the list at p may have the
// same value, such as name for the ports of a container. An element FIELD=VALUE means that only one item may have this
// value.
func (b *Builtin) UniqueFields(p Place) []string {
	return slices.Collect(MatchingRules(b.presets(), p.Path, func(e *preset) []Rule[string] { return e.unique }))
}

// ReferenceFields returns the fields of the items of the list at p in which $(NAME) refers to an earlier item with this
// name, such as value for the environment of a container.
func (b *Builtin) ReferenceFields(p Place) []string {
	return slices.Collect(MatchingRules(b.presets(), p.Path, func(e *preset) []Rule[string] { return e.references }))
}
