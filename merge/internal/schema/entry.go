package schema

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
)

// An Entry is an entry under rules in the team's file, or a preset of presets.txt: the files and kinds that it selects,
// and its rules.
type Entry struct {
	Files  []wildmatch.Glob // empty for every file
	Kinds  []KindSelector   // empty for every document
	Lists  []Rule[List]
	OneOf  []Rule[Unit] // fields that exclude each other
	Images []Rule[bool] // fields that hold image references
	Access []Rule[access.Fields]
	Units  []Rule[Unit] // fields that are one value together
}

// A Rule holds a value, such as the kind of a list, for all paths that a pattern such as spec.ports[*] describes.
type Rule[T any] struct {
	Pattern Pattern
	Value   T
}

// The methods ListRules, OneOfRules, ImageRules, AccessRules and UnitRules return the rules in e of one sort. They are
// arguments of FirstMatch and MatchingRules.

func (e *Entry) ListRules() []Rule[List]            { return e.Lists }
func (e *Entry) OneOfRules() []Rule[Unit]           { return e.OneOf }
func (e *Entry) ImageRules() []Rule[bool]           { return e.Images }
func (e *Entry) AccessRules() []Rule[access.Fields] { return e.Access }
func (e *Entry) UnitRules() []Rule[Unit]            { return e.Units }

// HasRules reports whether e has a rule.
func (e *Entry) HasRules() bool {
	return len(e.Lists)+len(e.OneOf)+len(e.Images)+len(e.Access)+len(e.Units) > 0
}

// Selects reports whether the rules of e apply to the document at p: whether e is for its file and for its kind.
func (e *Entry) Selects(p Place) bool {
	return e.SelectsFile(p.File) && (len(e.Kinds) == 0 || slices.ContainsFunc(e.Kinds, func(k KindSelector) bool {
		return k.Matches(p.APIVersion, p.Kind)
	}))
}

// SelectsFile reports whether e is for the file: whether it is for all files, or one of its patterns matches. file ""
// is an unknown file, which no pattern matches.
func (e *Entry) SelectsFile(file string) bool {
	return len(e.Files) == 0 || file != "" && slices.ContainsFunc(e.Files, func(g wildmatch.Glob) bool { return g.Match(file) })
}

// MatchingRules returns the values of all rules for path: those whose pattern matches it, in the order of entries and,
// in an entry, of its rules. rulesOf returns the rules of one sort in an entry, such as those for lists. Files and
// kinds of the entries are not checked.
func MatchingRules[E, T any](entries []E, path []string, rulesOf func(E) []Rule[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range entries {
			for _, r := range rulesOf(e) {
				if r.Pattern.Matches(path) && !yield(r.Value) {
					return
				}
			}
		}
	}
}

// FirstMatch returns the value of the first rule for path: the first one whose pattern matches it, in the order of
// entries and, in an entry, of its rules. rulesOf returns the rules of one sort in an entry, such as those for lists.
// ok is false if there is no such rule.
func FirstMatch[E, T any](entries []E, path []string, rulesOf func(E) []Rule[T]) (value T, ok bool) {
	for value := range MatchingRules(entries, path, rulesOf) {
		return value, true
	}
	return value, false
}

// A KindSelector selects resources by kind: Deployment in any API group, apps/Deployment in one, or core/Pod in the
// group "".
type KindSelector struct {
	group    string
	anyGroup bool
	Kind     string
}

// Characters of kinds and API groups.
const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	letters      = lowerLetters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
)

// ParseKind parses the kind of a resource in the notation of the team's rules: Deployment for any API group,
// apps/Deployment for one group, core/Pod for the group "". The error quotes s if it has another form. v1/Pod is a
// mistake, because v1 is a version and not a group.
func ParseKind(s string) (k KindSelector, err error) {
	group, kind, hasGroup := strings.Cut(s, "/")
	if !hasGroup {
		group, kind = "", s
	}
	isVersion := len(group) > 1 && group[0] == 'v' && strings.Contains(digits, group[1:2]) && !strings.Contains(group, ".")
	isKind := kind != "" && strings.Trim(kind, letters+digits) == "" && !strings.Contains(digits, kind[:1])
	isGroup := !isVersion && strings.Trim(group, lowerLetters+digits+".-") == ""
	if !isKind || !isGroup || hasGroup && group == "" {
		return k, fmt.Errorf("invalid kind %q", s)
	}
	k = KindSelector{group: group, anyGroup: !hasGroup, Kind: kind}
	if k.group == "core" {
		k.group = ""
	}
	return k, nil
}

// Matches reports whether k selects a resource with this apiVersion and kind.
func (k KindSelector) Matches(apiVersion, kind string) bool {
	return k.Kind == kind && (k.anyGroup || k.group == TypeOf(apiVersion, kind).Group)
}

// Includes reports whether k selects every resource that other selects. Deployment includes apps/Deployment.
func (k KindSelector) Includes(other KindSelector) bool {
	return k == other || k.Kind == other.Kind && k.anyGroup
}

// KindSelector returns the API group and the kind of the resource at p in the notation of the team's rules:
// "apps/Deployment", or "core/Pod" for the group "". It returns "" if p is not in a resource, or if the notation does
// not allow its kind or group, such as a kind with a hyphen.
func (p Place) KindSelector() string {
	group := cmp.Or(TypeOf(p.APIVersion, p.Kind).Group, "core")
	s := group + "/" + p.Kind
	if k, err := ParseKind(s); err != nil || !k.Matches(p.APIVersion, p.Kind) {
		return ""
	}
	return s
}
