package mergetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"gopkg.in/yaml.v3"
)

// Grants are three versions of a Kubernetes role (the list of what an account may do) with rules that both sides edit.
// A rule grants each combination of its verbs, resources and resource names. If the sides add values to different
// fields of one rule, the rule with both edits grants combinations that neither side grants:
//
//	base               ours                  theirs                       both edits
//	verbs: [get]       verbs: [get, list]    verbs: [get]                 verbs: [get, list]
//	resources: [pods]  resources: [pods]     resources: [pods, secrets]   resources: [pods, secrets]
//
// Only the rule with both edits grants to list secrets. A merge that widens access in this way must have a conflict.
// Want is nil.
type Grants struct {
	Triple
	// WidensAccess reports whether a rule with the edits of both sides grants a combination that neither side grants.
	WidensAccess bool
	// HasOtherConflict reports whether the merge must have a conflict for another reason. Either both sides changed a
	// field of a rule and one of the three versions has no value in it, or the merged field is empty.
	HasOtherConflict bool

	rules [3][]grant
}

// NewGrants generates the three versions, and sets WidensAccess and HasOtherConflict. The same seed always gives the
// same versions. All versions have the same number of rules.
func NewGrants(seed uint64) *Grants {
	r := rand.New(rand.NewPCG(seed, 7))
	flow := r.IntN(3) == 0
	base := make([]grant, 1+r.IntN(3))
	for i := range base {
		base[i] = grant{"verbs": {"get"}, "resources": {"pods"}}
		for range 3 {
			base[i] = base[i].editRandomly(r)
		}
	}
	g := &Grants{rules: [3][]grant{base, slices.Clone(base), slices.Clone(base)}}
	ours, theirs := g.rules[three.Dest], g.rules[three.Updated]
	for _, rules := range [][]grant{ours, theirs} {
		for range 1 + r.IntN(3) {
			i := r.IntN(len(rules))
			rules[i] = rules[i].editRandomly(r)
		}
	}
	for i, b := range base {
		m, ok := b.merge(ours[i], theirs[i])
		names := func(g grant) bool { return len(g["resourceNames"]) > 0 }
		emptied := ok && names(ours[i]) && names(theirs[i]) && !names(m)
		g.HasOtherConflict = g.HasOtherConflict || !ok || emptied || len(m["verbs"]) == 0 || len(m["resources"]) == 0
		g.WidensAccess = g.WidensAccess || ok && m.grantsMoreThan(ours[i], theirs[i])
	}
	for v, rules := range g.rules {
		g.Raw[v] = writeRole(rules, flow)
	}
	return g
}

// CheckResult returns a description of what is wrong with the result of a merge without conflicts, or "" if no rule
// grants a combination of verb, resource and name that neither side grants. The result must be YAML with the rules of
// base, in the same order.
func (g *Grants) CheckResult(result []byte) string {
	var got struct{ Rules []grant }
	if err := yaml.Unmarshal(result, &got); err != nil {
		return err.Error()
	}
	if len(got.Rules) != len(g.rules[three.Original]) {
		return fmt.Sprintf("%d rules, not %d", len(got.Rules), len(g.rules[three.Original]))
	}
	for i, rule := range got.Rules {
		if rule.grantsMoreThan(g.rules[three.Dest][i], g.rules[three.Updated][i]) {
			return fmt.Sprintf("rule %d grants more than a side does", i)
		}
	}
	return ""
}

// A grant is a rule of a role: it maps the name of each field to its values, as in {"verbs": {"get"}, "resources":
// {"pods"}}. The value "*" means all verbs. Without resourceNames, it grants access to resources of all names.
type grant map[string][]string

// grantFields lists the possible values of each field of a grant. "x" represents all values that no rule names, so that
// "*" grants more than a rule with all known verbs.
var grantFields = map[string][]string{
	"verbs":         {"get", "list", "create", "delete", "x"},
	"resources":     {"pods", "secrets", "jobs", "x"},
	"resourceNames": {"a", "b", "c", "x"},
}

// combinations returns the set of all combinations that g grants, each as "verb resource name". For example, verbs
// [get] and resources [pods] without resourceNames give "get pods a", "get pods b", "get pods c" and "get pods x". The
// values are those in grantFields; a "*" in g stands for all of them.
func (g grant) combinations() map[string]bool {
	has := func(field, value string) bool {
		if len(g[field]) == 0 {
			return field == "resourceNames"
		}
		return slices.Contains(g[field], value) || slices.Contains(g[field], "*")
	}
	all := map[string]bool{}
	for _, v := range grantFields["verbs"] {
		for _, r := range grantFields["resources"] {
			for _, n := range grantFields["resourceNames"] {
				if has("verbs", v) && has("resources", r) && has("resourceNames", n) {
					all[v+" "+r+" "+n] = true
				}
			}
		}
	}
	return all
}

// grantsMoreThan reports whether g grants a combination of verb, resource and name that none of the others grants.
func (g grant) grantsMoreThan(others ...grant) bool {
	all := g.combinations()
	for _, k := range others {
		maps.DeleteFunc(all, func(x string, _ bool) bool { return k.combinations()[x] })
	}
	return len(all) > 0
}

// editRandomly returns a copy of g with a random edit of one field: a value is added or removed, the verbs become "*",
// or all resourceNames are removed. The copy equals g if the value that is to be added exists. g is not changed.
func (g grant) editRandomly(r *rand.Rand) grant {
	g = maps.Clone(g)
	field := []string{"verbs", "resources", "resourceNames"}[r.IntN(3)]
	values := slices.Clone(g[field])
	known := grantFields[field][:len(grantFields[field])-1]
	switch n := r.IntN(8); {
	case n == 0 && field == "resourceNames":
		values = nil
	case n == 1 && field == "verbs":
		values = []string{"*"}
	case n <= 2 && len(values) > 1:
		at := r.IntN(len(values))
		values = slices.Delete(values, at, at+1)
	default:
		if v := known[r.IntN(len(known))]; !slices.Contains(values, v) {
			values = slices.Insert(values, r.IntN(len(values)+1), v)
		}
	}
	g[field] = values
	return g
}

// merge returns g with the edits that both sides made to it: each field gets the values that a side added and loses
// those that a side removed. ok is false, and m nil, if both sides changed a field differently and it is empty in g or
// in a side, because such a field cannot be merged.
func (g grant) merge(ours, theirs grant) (m grant, ok bool) {
	m = grant{}
	for field := range grantFields {
		b, o, t := g[field], ours[field], theirs[field]
		switch {
		case slices.Equal(o, t), slices.Equal(b, t):
			m[field] = o
			continue
		case slices.Equal(b, o):
			m[field] = t
			continue
		case len(b) == 0 || len(o) == 0 || len(t) == 0:
			return nil, false // one side deleted the field, or both added it
		}
		for _, v := range slices.Concat(b, o, t) {
			kept := slices.Contains(o, v) && slices.Contains(t, v)
			added := !slices.Contains(b, v)
			if (kept || added) && !slices.Contains(m[field], v) {
				m[field] = append(m[field], v)
			}
		}
	}
	return m, true
}

// writeRole returns the YAML file of a role with these rules. Each rule also has a field apiGroups that is the same in
// all versions, and comments between its fields. If flow is true, the values are in flow style, as in verbs: ['get',
// 'list'], otherwise one value is on a line.
func writeRole(rules []grant, flow bool) []byte {
	var b strings.Builder
	b.WriteString("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: r\nrules:\n")
	for i, g := range rules {
		fmt.Fprintf(&b, "- apiGroups: [g%d]\n", i)
		for _, field := range []string{"resources", "verbs", "resourceNames"} {
			switch values := g[field]; {
			case len(values) == 0:
			case flow:
				fmt.Fprintf(&b, "  %s: ['%s']\n", field, strings.Join(values, "', '"))
			default:
				fmt.Fprintf(&b, "  %s:\n  - '%s'\n", field, strings.Join(values, "'\n  - '"))
			}
			fmt.Fprintf(&b, "  # of %s\n  #\n  #\n", field)
		}
	}
	return []byte(b.String())
}
