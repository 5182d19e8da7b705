package schema

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// A rulesEntry is an entry under rules in the team's file, or a preset of presets.txt: the files and kinds that it
// selects, and its rules.
type rulesEntry struct {
	files    []wildmatch.Glob // empty for every file
	kinds    []kindSelector   // empty for every document
	lists    []rule[List]
	oneOf    []rule[OneOf]
	distinct []rule[OneOf] // fields that never are one field under two names
	images   []rule[bool]  // fields that hold image references
	names    []rule[bool]  // mappings with mapping keys that authors choose
	fields   []rule[Decision]

	access []rule[AccessFields]
	units  []rule[Unit]   // fields that are one value together
	unique []rule[string] // lists with a field in which no two items have the same value
	// lists with a field in which a text refers to an item before it
	references []rule[string]

	restarts []Restart // counters that restart with a version

	deleted Deleted // for files that one side deleted and the other side changed

	unreadLines []string     // the lines of a preset that are parsed when it is first used
	readLines   func() error // parses unreadLines
}

// A rule holds a value, such as the kind of a list, for all paths that a pattern such as spec.ports[*] describes.
type rule[T any] struct {
	pattern pattern
	value   T
}

// matchingRules returns the values of the rules whose path pattern describes path, in the order of entries and, in an
// entry, of its rules. rulesOf returns the rules of one sort in an entry, such as those for lists. Files and kinds of
// the entries are not checked.
func matchingRules[T any](entries []*rulesEntry, path []string, rulesOf func(*rulesEntry) []rule[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range entries {
			for _, r := range rulesOf(e) {
				if r.pattern.matches(path) && !yield(r.value) {
					return
				}
			}
		}
	}
}

// firstMatch returns the value of the first rule whose path pattern describes path, in the order of entries and, in an
// entry, of its rules. rulesOf returns the rules of one sort in an entry, such as those for lists. ok is false if there
// is no such rule. value is then the zero value.
func firstMatch[T any](entries []*rulesEntry, path []string, rulesOf func(*rulesEntry) []rule[T]) (value T, ok bool) {
	for value := range matchingRules(entries, path, rulesOf) {
		return value, true
	}
	return value, false
}

// The functions listRules, imageRules, nameRules and fieldRules return the rules in e of one sort: for lists, fields
// with image references, mappings with arbitrary names as keys, and the policies of fields.
func listRules(e *rulesEntry) []rule[List]      { return e.lists }
func imageRules(e *rulesEntry) []rule[bool]     { return e.images }
func nameRules(e *rulesEntry) []rule[bool]      { return e.names }
func fieldRules(e *rulesEntry) []rule[Decision] { return e.fields }

// A kindSelector selects resources by kind: Deployment in any API group, apps/Deployment in one, or core/Pod in the
// group "".
type kindSelector struct {
	group    string
	anyGroup bool
	kind     string
}

// Characters of kinds and API groups.
const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	letters      = lowerLetters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
)

// parseKind parses the kind of a resource as the team's rules write it: Deployment for any API group, apps/Deployment
// for one, core/Pod for the group "". If s has another form, the error names s, and k is the zero value. A version in
// the position of the group, as in v1/Pod, is a mistake.
func parseKind(s string) (k kindSelector, err error) {
	group, kind, hasGroup := strings.Cut(s, "/")
	if !hasGroup {
		group, kind = "", s
	}
	isVersion := len(group) > 1 && group[0] == 'v' && strings.Contains(digits, group[1:2]) && !strings.Contains(group, ".")
	if kind == "" || strings.Trim(kind, letters+digits) != "" || strings.Contains(digits, kind[:1]) ||
		hasGroup && group == "" || strings.Trim(group, lowerLetters+digits+".-") != "" || isVersion {
		return k, fmt.Errorf("invalid kind %q", s)
	}
	k = kindSelector{group: group, anyGroup: !hasGroup, kind: kind}
	if k.group == "core" {
		k.group = ""
	}
	return k, nil
}

// matches reports whether k selects a resource with this apiVersion and kind.
func (k kindSelector) matches(apiVersion, kind string) bool {
	return k.kind == kind && (k.anyGroup || k.group == resourceOf(apiVersion, kind).group)
}

// selects reports whether e is for the document at p: for its file and for its kind.
func (e *rulesEntry) selects(p Place) bool {
	return e.selectsFile(p.File) && (len(e.kinds) == 0 || slices.ContainsFunc(e.kinds, func(k kindSelector) bool {
		return k.matches(p.APIVersion, p.Kind)
	}))
}

// selectsFile reports whether e is for the file, or for all files.
func (e *rulesEntry) selectsFile(file string) bool {
	return len(e.files) == 0 || file != "" && matchesAny(e.files, file)
}

// selectEntries returns the entries that are for the document at p.
func selectEntries(all []*rulesEntry, p Place) []*rulesEntry {
	return slices.DeleteFunc(slices.Clone(all), func(e *rulesEntry) bool { return !e.selects(p) })
}

// MayDecide reports whether the team's rules may decide a conflict about a field in the file at path, by a policy or as
// a counter that restarts. elements is the path of the field, such as spec, ports, *, port. The kinds that an entry is
// limited to are not checked, so a rule may be for other resources.
func (r *Rules) MayDecide(path string, elements []string) bool {
	return slices.ContainsFunc(r.team, func(e *rulesEntry) bool {
		if !e.selectsFile(path) {
			return false
		}
		for i := range elements {
			// a resource can be an item of a list, so the path of a rule may be the end of elements
			below := elements[i:]
			hasPolicy := slices.ContainsFunc(e.fields, func(f rule[Decision]) bool { return f.pattern.matches(below) })
			if hasPolicy || slices.ContainsFunc(e.restarts, func(x Restart) bool { return slices.Equal(x.Counter, below) }) {
				return true
			}
		}
		return false
	})
}

// HasPolicy reports whether the team's rules have this policy for a field of the file at path.
func (r *Rules) HasPolicy(policy Policy, path string) bool {
	return len(r.fieldsWithPolicy(policy, path)) > 0
}

// fieldsWithPolicy returns the paths for which the team's rules have this policy, such as next, in the file at path.
// The kinds of resources that an entry of the rules is for are ignored. It returns nil if there are none.
func (r *Rules) fieldsWithPolicy(policy Policy, path string) (all []pattern) {
	for _, e := range r.team {
		for _, f := range e.fields {
			if f.value.Policy == policy && e.selectsFile(path) {
				all = append(all, f.pattern)
			}
		}
	}
	return all
}

// MayAffectLists reports whether the team's rules or custom resource definitions may affect how lists of the file at
// path, or their items, are merged. Definitions count for every file. The kinds that an entry is limited to are not
// checked.
func (r *Rules) MayAffectLists(path string) bool {
	return r.crdSource != nil || len(r.crds) > 0 || r.HasPolicy(Union, path) || slices.ContainsFunc(r.team, func(e *rulesEntry) bool {
		return len(e.lists)+len(e.oneOf)+len(e.units)+len(e.images)+len(e.access) > 0 && e.selectsFile(path)
	})
}

// HasFilePatterns reports whether an entry of the team's rules is only for some files.
func (r *Rules) HasFilePatterns() bool {
	return slices.ContainsFunc(r.team, func(e *rulesEntry) bool { return len(e.files) > 0 })
}

// FieldNamesWithPolicy returns the last name of each path for which the team's rules have this policy in the file at
// path: version for the rule "chart.version: next". A name is "" if the path ends in a wildcard or is the root. Names
// may be repeated.
func (r *Rules) FieldNamesWithPolicy(policy Policy, path string) (names []string) {
	for _, at := range r.fieldsWithPolicy(policy, path) {
		last := step{}
		if len(at) > 0 {
			last = at[len(at)-1]
		}
		names = append(names, last.name)
	}
	return names
}

// HasNextVersion reports whether the team's rules have the policy next for a version in the file at path. A label,
// which only repeats a version, does not count: paths with the field labels are ignored. It returns false if all paths
// with the policy are such paths, or if there are none.
func (r *Rules) HasNextVersion(path string) bool {
	return slices.ContainsFunc(r.fieldsWithPolicy(Next, path), func(at pattern) bool {
		return !slices.ContainsFunc(at, func(e step) bool { return e.name == "labels" })
	})
}

// A selection holds all rules that apply to the documents of one kind in one file: those of the team and of the
// presets, the built-in type and the custom resource definitions. Its functions compute their result in the first call.
type selection struct {
	team []*rulesEntry
	// types returns the numbers of the types of this kind in the table of built-in Kubernetes types; several if the
	// table does not have the API version.
	types func() []string
	// typelessPresets returns allPresets if types returns none, otherwise nil: for most rules, the built-in type of a
	// document takes precedence over presets.
	typelessPresets func() []*rulesEntry
	// allPresets returns the presets for these documents.
	allPresets func() []*rulesEntry
	// crds returns the custom resource definitions for this kind, from the files of the repository.
	crds func() crdTypes
}

// selectionFor returns the rules that apply to the document at p: entries of the team and presets that are for its file
// and its kind, the built-in Kubernetes type, and custom resource definitions. p.Path is ignored. The result is kept in
// r and must not be changed. r may be nil.
func (r *Rules) selectionFor(p Place) *selection {
	if r == nil {
		r = new(Rules)
	}
	p.Path = nil
	key := [3]string{p.File, p.APIVersion, p.Kind}
	if s, ok := r.selections.Load(key); ok {
		return s.(*selection)
	}
	types := sync.OnceValue(func() []string { return kubernetesTypes().typesOf(p.APIVersion, p.Kind) })
	allPresets := sync.OnceValue(func() []*rulesEntry {
		all := selectEntries(builtinPresets(), p)
		for _, e := range all {
			_ = e.readLines() // a test ensures that presets.txt has no mistakes
		}
		return all
	})
	s, _ := r.selections.LoadOrStore(key, &selection{
		team:       selectEntries(r.team, p),
		types:      types,
		allPresets: allPresets,
		typelessPresets: func() []*rulesEntry {
			if len(types()) > 0 {
				return nil
			}
			return allPresets()
		},
		crds: sync.OnceValue(func() crdTypes { return r.parseCRDsFor(resourceOf(p.APIVersion, p.Kind)) }),
	})
	return s.(*selection)
}

// KindSelector returns the API group and the kind of the resource at p, in the form that the field kinds of the team's
// rules has: "apps/Deployment", or "core/Pod" for the group "". It returns "" if p is not in a resource, or if its kind
// cannot be written in this form, for example because it is empty.
func (p Place) KindSelector() string {
	group := resourceOf(p.APIVersion, p.Kind).group
	if group == "" {
		group = "core"
	}
	s := group + "/" + p.Kind
	if k, err := parseKind(s); err != nil || !k.matches(p.APIVersion, p.Kind) {
		return ""
	}
	return s
}

// Generated is a rule for files that a command generates from other files. This package only stores it, and merges do
// not use it; a caller may run the command after a merge.
type Generated struct {
	// Files are the patterns of the generated files, From the patterns of the files that they are generated from. If
	// From is empty, they are generated from all other files.
	Files, From []string
	By          string // the command, "" if the rule does not name it
	Source      string // file and line, for messages

	files, from []wildmatch.Glob
}

// Makes reports whether the file at path is one of the generated files.
func (g *Generated) Makes(path string) bool { return matchesAny(g.files, path) }

// Needs reports whether the generated files are generated from the file at path. A generated file is not one of their
// sources.
func (g *Generated) Needs(path string) bool {
	return !g.Makes(path) && (len(g.from) == 0 || matchesAny(g.from, path))
}

// Generated returns the rules for generated files, in the order of the team's file.
func (r *Rules) Generated() []*Generated {
	return r.generated
}

// matchesAny reports whether one of the patterns matches path.
func matchesAny(globs []wildmatch.Glob, path string) bool {
	return slices.ContainsFunc(globs, func(g wildmatch.Glob) bool { return g.Match(path) })
}
