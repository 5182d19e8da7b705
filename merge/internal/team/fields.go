package team

import (
	"iter"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// AccessFields returns the sets of fields of the mapping at p that grant access together, such as verbs and resources
// in an RBAC rule. The team's first rule for p decides, and may state that there are none. Without one, the presets do.
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

// Units yields the groups of fields of the mapping at p that depend on each other, so that a merge must not combine
// both sides' values of them. Fields that exclude each other, such as emptyDir and hostPath, come first.
func (r *Rules) Units(p schema.Place) iter.Seq[schema.Unit] {
	return func(yield func(schema.Unit) bool) {
		for _, u := range r.oneOf(p) {
			if !yield(u) {
				return
			}
		}
		sel := r.selectionFor(p)
		u, ok := schema.FirstMatch(sel.team, p.Path, (*entry).UnitRules)
		switch {
		case !ok:
			sel.builtin.Units(p)(yield)
		case u.Len() > 0:
			yield(u)
		}
	}
}

// IsJoinedField reports whether the field called name of the mapping at p belongs together with other fields of it, so
// that a merge must not combine the values of both sides. Such fields
//
//   - exclude each other, as emptyDir and hostPath do
//   - are a unit, as host and port may be
//   - grant access together, as verbs and resources do
func (r *Rules) IsJoinedField(p schema.Place, name string) bool {
	for isInGroup := range r.joinedFields(p) {
		if isInGroup(name) {
			return true
		}
	}
	return false
}

// joinedFields returns the groups of fields of the mapping at p that belong together (IsJoinedField). Each group is a
// function that reports whether a field is in it.
func (r *Rules) joinedFields(p schema.Place) iter.Seq[func(name string) bool] {
	return func(yield func(func(name string) bool) bool) {
		for u := range r.Units(p) {
			if !yield(u.HasName) {
				return
			}
		}
		for _, group := range r.AccessFields(p) {
			isInGroup := func(name string) bool {
				return slices.ContainsFunc(group, func(f access.Field) bool { return slices.Contains(f.Names(), name) })
			}
			if !yield(isInGroup) {
				return
			}
		}
	}
}

// UniqueFields returns the fields, other than its associative keys, in which no two items of the list at p may have the
// same value, such as name for the ports of a container. An element FIELD=VALUE means that only one item may have this
// value. The fields come from presets.
func (r *Rules) UniqueFields(p schema.Place) []string {
	return r.selectionFor(p).builtin.UniqueFields(p)
}

// ReferenceFields returns the fields of the items of the list at p in which $(NAME) refers to an earlier item, such as
// value for the environment of a container. They come from presets.
func (r *Rules) ReferenceFields(p schema.Place) []string {
	return r.selectionFor(p).builtin.ReferenceFields(p)
}

// oneOf returns the groups of fields of the mapping at p that exclude each other, such as emptyDir and hostPath of a
// volume. Groups from the team's rules come first, then groups from the built-in type, then groups from presets.
func (r *Rules) oneOf(p schema.Place) []schema.Unit {
	sel := r.selectionFor(p)
	return append(slices.Collect(schema.MatchingRules(sel.team, p.Path, (*entry).OneOfRules)), sel.builtin.OneOf(p)...)
}

// AreDistinctFields reports whether the fields called a and b of the mapping at p are known to have different meanings,
// so that a field b in place of a is not a rename. That is so if they exclude each other, as emptyDir and hostPath of a
// volume, or if a preset for a kind that is not built-in lists them as distinct. It returns false if a equals b.
func (r *Rules) AreDistinctFields(p schema.Place, a, b string) bool {
	both := func(u schema.Unit) bool { return a != b && u.HasName(a) && u.HasName(b) }
	return slices.ContainsFunc(slices.AppendSeq(r.oneOf(p), r.selectionFor(p).builtin.Distinct(p)), both)
}

// IsImage reports whether the field at p holds an image reference, such as nginx:1.27. The team's rules list such
// fields under images; others are known for built-in Kubernetes types and, for other kinds, from presets. r may be nil.
func (r *Rules) IsImage(p schema.Place) bool {
	sel := r.selectionFor(p)
	is, _ := schema.FirstMatch(sel.team, p.Path, (*entry).ImageRules)
	return is || sel.builtin.IsImage(p)
}

// HasNamesAsKeys reports whether the keys in the mapping or list at p are names that authors choose, as in labels, or
// in the list env by name. Two different keys then mean two different things, and not one that was renamed. versions
// are the mapping or list in each version, or nil where it is missing.
func (r *Rules) HasNamesAsKeys(p schema.Place, versions ...*syntax.Node) bool {
	if schema.IsStringMap(p, versions...) {
		return true
	}
	if l, ok := r.DeclaredList(p); ok && schema.AreSequences(versions) {
		return l.Kind == schema.Map && !l.OrderMatters && l.IdentifiesItems(versions, true)
	}
	return r.selectionFor(p).builtin.HasNamesAsKeys(p)
}
