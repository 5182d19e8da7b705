package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"gopkg.in/yaml.v3"
)

// A grant is a rule of a role in the model of TestGeneratedGrants: the values of each field. Without resourceNames, it
// grants access to resources of all names.
type grant map[string][]string

// grantFields lists the possible values of each field of a grant. "x" represents all values that no rule names.
var grantFields = map[string][]string{
	"verbs":         {"get", "list", "create", "delete", "x"},
	"resources":     {"pods", "secrets", "jobs", "x"},
	"resourceNames": {"a", "b", "c", "x"},
}

// granted returns the set of combinations that g grants, each as "verb resource name".
func (g grant) granted() map[string]bool {
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

// more reports whether g grants a combination that no grant in known does.
func (g grant) more(known ...grant) bool {
	all := g.granted()
	for _, k := range known {
		maps.DeleteFunc(all, func(x string, _ bool) bool { return k.granted()[x] })
	}
	return len(all) > 0
}

// edited returns a copy of g with a random edit of one field.
func (g grant) edited(r *rand.Rand) grant {
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

// merged merges the edits that both sides made of g. Each field gets the values that either side added and loses those
// that either side removed. ok is false if both sides changed a field differently and it is empty in one of the three
// versions, since such a field has no merge.
func (g grant) merged(ours, theirs grant) (m grant, ok bool) {
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

// role returns a role with these rules. Each rule has a field apiGroups that no side changes. If flow is true, the
// values are written in flow style.
func role(rules []grant, flow bool) []byte {
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

// TestGeneratedGrants merges generated roles, for which a model knows each combination that a rule grants. It checks:
//   - If a merged rule would grant a combination that neither side grants, the merge is not clean.
//   - If all fields can be merged, there is a conflict about access fields if and only if there is such a rule.
//   - No rule in a clean result grants such a combination.
//   - Check reports git's clean line merge if it has such a rule.
func TestGeneratedGrants(t *testing.T) {
	asked, clean, found := 0, 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 7))
		flow := r.IntN(3) == 0
		base := make([]grant, 1+r.IntN(3))
		for i := range base {
			base[i] = grant{"verbs": {"get"}, "resources": {"pods"}}
			for range 3 {
				base[i] = base[i].edited(r)
			}
		}
		sides := [2][]grant{slices.Clone(base), slices.Clone(base)}
		for _, rules := range sides {
			for range 1 + r.IntN(3) {
				i := r.IntN(len(rules))
				rules[i] = rules[i].edited(r)
			}
		}
		more, divided := false, false // more: a merged rule grants more than either side does; divided: a field of a rule has no merge or gets empty
		for i, b := range base {
			m, ok := b.merged(sides[0][i], sides[1][i])
			names := func(g grant) bool { return len(g["resourceNames"]) > 0 }
			emptied := ok && names(sides[0][i]) && names(sides[1][i]) && !names(m)
			divided = divided || !ok || emptied || len(m["verbs"]) == 0 || len(m["resources"]) == 0
			more = more || ok && m.more(sides[0][i], sides[1][i])
		}
		raw := [3][]byte{role(base, flow), role(sides[0], flow), role(sides[1], flow)}
		fail := func(format string, a ...any) {
			t.Errorf("seed %d: %s\nours:\n%s\ntheirs:\n%s\nbase:\n%s", seed, fmt.Sprintf(format, a...), raw[1], raw[2], raw[0])
		}
		res, err := Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], Options{})
		if err != nil {
			t.Fatal(err)
		}
		isAboutAccess := slices.ContainsFunc(res.Conflicts, func(c Conflict) bool { return c.Kind == plan.ConflictAccess })
		switch {
		case more && res.Clean():
			fail("merged to\n%s", res.Bytes)
		case more && !isAboutAccess && !divided:
			fail("asks something else\n%s", res.Bytes)
		case !more && !divided && isAboutAccess:
			fail("asks\n%s", res.Bytes)
		}
		if more {
			asked++
		}
		if res.Clean() {
			clean++
			var got struct{ Rules []grant }
			if err := yaml.Unmarshal(res.Bytes, &got); err != nil || len(got.Rules) != len(base) {
				fail("%v, got\n%s", err, res.Bytes)
			}
			for i, g := range got.Rules {
				if g.more(sides[0][i], sides[1][i]) {
					fail("rule %d grants more in\n%s", i, res.Bytes)
				}
			}
		}
		if b, n, err := mergeLines(raw[0], raw[1], raw[2], text.Markers{}); more && err == nil && n == 0 {
			all, err := Check(raw[0], raw[1], raw[2], b, Options{})
			if !slices.ContainsFunc(all, func(f Finding) bool { return f.Rule == "wider access" }) {
				fail("check finds %v, %v in\n%s", all, err, b)
			}
			found++
		}
	}
	if asked < 60 || clean < 200 || found < 20 {
		t.Errorf("%d asked, %d clean, %d found by the check", asked, clean, found)
	}
}
