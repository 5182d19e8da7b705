package team

import (
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// An entry is an entry under rules in the team's file, or in a preset that the file extends. Beside the rules of
// schema.Entry, it has policies, which decide conflicts.
type entry struct {
	schema.Entry
	name         string
	filePatterns []string // the patterns of Files as text
	fields       []schema.Rule[Decision]
	restarts     []Restart // counters that restart with a version
	deleted      Deleted   // for files that one side deleted and the other side changed
	mentions     []mention // the file patterns, kinds and paths in it
}

// fieldRules returns the policies of e.
func (e *entry) fieldRules() []schema.Rule[Decision] { return e.fields }

// MayDecide reports whether the team's rules may decide a conflict about a field in the file at path, by a policy or as
// a counter that starts again with a new version. elements is the path of the field from the root of the document, such
// as [spec ports * port]. Kinds are not checked, so it may return true although no rule is for the field.
func (r *Rules) MayDecide(path string, elements []string) bool {
	return slices.ContainsFunc(r.team, func(e *entry) bool {
		if !e.SelectsFile(path) {
			return false
		}
		for i := range elements {
			// a rule's path starts at its resource, which can be an item of a list anywhere in the file
			inResource := elements[i:]
			hasPolicy := slices.ContainsFunc(e.fields, func(f schema.Rule[Decision]) bool { return f.Pattern.Matches(inResource) })
			if hasPolicy || slices.ContainsFunc(e.restarts, func(x Restart) bool { return slices.Equal(x.Counter, inResource) }) {
				return true
			}
		}
		return false
	})
}

// fieldsWithPolicy returns the paths for which the team's rules have this policy, such as next, in the file at path.
// The kinds of an entry are not checked.
func (r *Rules) fieldsWithPolicy(policy Policy, path string) (all []schema.Pattern) {
	for _, e := range r.team {
		for _, f := range e.fields {
			if f.Value.Policy == policy && e.SelectsFile(path) {
				all = append(all, f.Pattern)
			}
		}
	}
	return all
}

// MayAffectLists reports whether the team's rules or custom resource definitions may affect how lists in the file at
// path, or their items, are merged. It may return true although they do not: definitions count for every file, and the
// kinds of an entry are not checked.
func (r *Rules) MayAffectLists(path string) bool {
	return r.crdSource != nil || len(r.crds) > 0 || len(r.fieldsWithPolicy(Union, path)) > 0 || slices.ContainsFunc(r.team, func(e *entry) bool {
		return e.HasRules() && e.SelectsFile(path)
	})
}

// HasFilePatterns reports whether an entry of the team's rules is only for some files.
func (r *Rules) HasFilePatterns() bool {
	return slices.ContainsFunc(r.team, func(e *entry) bool { return len(e.Files) > 0 })
}

// FieldNamesWithPolicy returns the last name of each path for which the team's rules have this policy in the file at
// path: version for the rule "chart.version: next". The name is "" for the root, and for a path that ends in a
// wildcard. Names may be repeated.
func (r *Rules) FieldNamesWithPolicy(policy Policy, path string) (names []string) {
	for _, at := range r.fieldsWithPolicy(policy, path) {
		names = append(names, at.LastName())
	}
	return names
}

// HasNextVersion reports whether the team's rules have the policy next for a field in the file at path. A path through
// a field called labels does not count, because a label only repeats a version.
func (r *Rules) HasNextVersion(path string) bool {
	return slices.ContainsFunc(r.fieldsWithPolicy(Next, path), func(at schema.Pattern) bool { return !at.HasName("labels") })
}

// A selection holds all rules that apply to the documents of one kind in one file.
type selection struct {
	team    []*entry
	builtin *schema.Builtin
	crds    func() crdTypes // the custom resource definitions for this kind, which the first call parses
}

// selectionFor returns the rules that apply to the document at p: the team's entries for its file and kind, and the
// built-in types, presets and custom resource definitions for the kind. p.Path is ignored. The result is kept in r for
// the next call, which is safe for concurrent use, and must not be changed. r may be nil.
func (r *Rules) selectionFor(p schema.Place) *selection {
	if r == nil {
		r = new(Rules)
	}
	p.Path = nil
	key := [3]string{p.File, p.APIVersion, p.Kind}
	if s, ok := r.selections.Load(key); ok {
		return s.(*selection)
	}
	s, _ := r.selections.LoadOrStore(key, &selection{
		team:    slices.DeleteFunc(slices.Clone(r.team), func(e *entry) bool { return !e.Selects(p) }),
		builtin: schema.BuiltinFor(p),
		crds:    sync.OnceValue(func() crdTypes { return r.parseCRDsFor(p) }),
	})
	return s.(*selection)
}
