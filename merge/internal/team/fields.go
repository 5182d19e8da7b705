package team

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// AccessFields returns the sets of fields of the mapping at p that grant access together, such as verbs and resources
// in an RBAC rule: those of the first rule of the team for p, which may be an empty list, or else of all presets, even
// for built-in Kubernetes types.
func (r *Rules) AccessFields(p schema.Place) []access.Fields {
	sel := r.selectionFor(p)
	if m, ok := schema.FirstMatch(sel.team, p.Path, (*entry).AccessRules); ok {
		if len(m) == 0 {
			return nil
		}
		return []access.Fields{m}
	}
	return sel.builtin.AccessFields(p)
}

// Units returns the groups of fields in the mapping at p whose values must not be combined from two sides: fields that
// exclude each other (oneOf), and fields that are one value together. Of the latter, the first rule of the team for p
// decides, or if it has none, all presets.
func (r *Rules) Units(p schema.Place) (all []schema.Unit) {
	all = r.oneOf(p)
	sel := r.selectionFor(p)
	if u, ok := schema.FirstMatch(sel.team, p.Path, (*entry).UnitRules); ok {
		if u.Len() > 0 {
			all = append(all, u)
		}
		return all
	}
	return slices.AppendSeq(all, sel.builtin.Units(p))
}

// IsJoinedField reports whether the field called name of the mapping at p is one value with other fields, or grants
// access together with them.
func (r *Rules) IsJoinedField(p schema.Place, name string) bool {
	return slices.ContainsFunc(r.Units(p), func(u schema.Unit) bool { return u.HasName(name) }) ||
		slices.ContainsFunc(r.AccessFields(p), func(all access.Fields) bool {
			return slices.ContainsFunc(all, func(f access.Field) bool { return slices.Contains(f.Names(), name) })
		})
}

// UniqueFields returns the fields in which no two items of the list at p may have the same value, beside its
// associative keys (see [schema.Builtin.UniqueFields]).
func (r *Rules) UniqueFields(p schema.Place) []string {
	return r.selectionFor(p).builtin.UniqueFields(p)
}

// ReferenceFields returns the fields of the items of the list at p in which $(NAME) refers to an item before it: value
// for the environment of a container.
func (r *Rules) ReferenceFields(p schema.Place) []string {
	return r.selectionFor(p).builtin.ReferenceFields(p)
}

// oneOf returns the groups of fields that exclude each other in the mapping at p, such as emptyDir and hostPath of a
// volume: those of the team's rules, then those of the built-in type, then those of the presets.
func (r *Rules) oneOf(p schema.Place) []schema.Unit {
	sel := r.selectionFor(p)
	return append(slices.Collect(schema.MatchingRules(sel.team, p.Path, (*entry).OneOfRules)), sel.builtin.OneOf(p)...)
}

// AreDistinctFields reports whether a and b are known to be fields of the mapping at p with different meanings, so that
// a is not b under another name: the fields exclude each other, as emptyDir and hostPath of a volume do, or a preset
// for a kind that is not built-in lists them as distinct.
func (r *Rules) AreDistinctFields(p schema.Place, a, b string) bool {
	both := func(u schema.Unit) bool { return a != b && u.HasName(a) && u.HasName(b) }
	return slices.ContainsFunc(slices.AppendSeq(r.oneOf(p), r.selectionFor(p).builtin.Distinct(p)), both)
}

// IsImage reports whether the field at p holds an image reference. It returns true if the team's rules list the field
// in images. Otherwise the built-in Kubernetes type decides, or the presets if the kind is not built-in. r may be nil.
func (r *Rules) IsImage(p schema.Place) bool {
	sel := r.selectionFor(p)
	is, _ := schema.FirstMatch(sel.team, p.Path, (*entry).ImageRules)
	return is || sel.builtin.IsImage(p)
}

// HasNamesAsKeys reports whether the mapping keys or the associative keys of items at p are names that authors choose,
// as in labels and env, so that two different keys always mean two different things. The order of a list must not
// matter. versions are the versions of the mapping or list, nil if a version does not have it.
func (r *Rules) HasNamesAsKeys(p schema.Place, versions ...*syntax.Node) bool {
	if schema.IsStringMap(p, versions...) {
		return true
	}
	if l, ok := r.DeclaredList(p); ok && schema.AreSequences(versions) {
		return l.Kind == schema.Map && !l.OrderMatters && l.IdentifiesItems(versions, true)
	}
	return r.selectionFor(p).builtin.HasNamesAsKeys(p)
}
