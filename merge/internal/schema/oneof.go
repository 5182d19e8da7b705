package schema

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// OneOf is what fields of a mapping exclude each other: at most one of its
// members is there.
type OneOf []Member

// A Member is a field of a union that is there and not null; with Not, one that
// has another value than this: a strategy of another type than RollingUpdate
// excludes the field rollingUpdate.
type Member struct{ Field, Not string }

// OneOf returns what excludes each other in the mapping at p: what the team's
// rules, Kubernetes' types and the presets say of it.
func (r *Rules) OneOf(p Place) []OneOf {
	sel := r.selection(p)
	all := slices.Collect(found(sel.team, p.Path, unions))
	for _, id := range sel.types() {
		if list, next, ok := kubernetesTypes().walk(id, p.Path); ok && list == "" {
			for f := range strings.SplitSeq(kubernetesTypes().line(next), " ") {
				if text, ok := strings.CutPrefix(f, "^"); ok {
					all = append(all, decodeUnion(text))
				}
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return slices.AppendSeq(all, found(sel.presets(), p.Path, unions))
}

func unions(e *entry) []rule[OneOf] { return e.oneOf }

// decodeUnion reads `field,field!value`.
func decodeUnion(text string) OneOf {
	var u OneOf
	for f := range strings.SplitSeq(text, ",") {
		field, not, _ := strings.Cut(f, "!")
		u = append(u, Member{field, not})
	}
	return u
}

func (u OneOf) has(field string) bool {
	return slices.ContainsFunc(u, func(m Member) bool { return m.Field == field })
}

// Held returns how many members of u a mapping of these entries has.
func (u OneOf) Held(entries []*syntax.Entry) int {
	held := 0
	for _, e := range entries {
		if slices.ContainsFunc(u, func(m Member) bool { return m.is(e) }) {
			held++
		}
	}
	return held
}

// Member reports whether e is a field of u, whatever its value.
func (u OneOf) Member(e *syntax.Entry) bool { return e.Key != nil && u.has(e.Key.Value) }

func (m Member) is(e *syntax.Entry) bool {
	if e.Key == nil || e.Key.Value != m.Field || e.Value.Kind == syntax.Scalar && e.Value.Tag == "!!null" {
		return false
	}
	return m.Not == "" || e.Value.Kind == syntax.Scalar && e.Value.Value != m.Not
}

// String names the fields of u.
func (u OneOf) String() string {
	var names []string
	for _, m := range u {
		names = append(names, m.Field)
	}
	return strings.Join(names, ", ")
}

// stringMap reports whether Kubernetes has a map of strings at p, and the versions (nil where one has none)
// hold nothing else. Its keys are names: two entries are never two ways to say one thing.
func stringMap(p Place, versions ...*syntax.Node) bool {
	if p.APIVersion == "" || p.Kind == "" || !p.namesStrings() {
		return false
	}
	for _, v := range versions {
		if v == nil {
			continue
		}
		for _, e := range v.Entries {
			if v.Kind != syntax.Mapping || e.Value == nil || e.Value.Kind != syntax.Scalar {
				return false
			}
		}
	}
	return true
}

// namesStrings reports whether the field at p is a map of strings by its name and what holds it.
func (p Place) namesStrings() bool {
	n := len(p.Path) - 1
	if n < 0 {
		return false
	}
	in := ""
	if n > 0 {
		in = p.Path[n-1]
	}
	switch p.Path[n] {
	case "matchLabels", "nodeSelector":
		return true
	case "labels", "annotations":
		return in == "metadata"
	case "limits", "requests":
		return in == "resources"
	case "data", "stringData", "binaryData":
		return n == 0 && (p.Kind == "ConfigMap" || p.Kind == "Secret")
	}
	return false
}
