package mergetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Units are three versions of a mapping with fields that are one value together, such as kind and name of a reference,
// among other fields. Each side changes some of the fields. The right merge has no conflict if all changed fields of
// the unit can come from one side; otherwise these fields are in conflict:
//
//	base            ours                 theirs
//	kind: Role      kind: ClusterRole    kind: Role      a conflict
//	name: reader    name: reader         name: admin
type Units struct {
	Triple
	indent string               // the indentation of the fields
	fields []string             // the fields of the unit
	values [3]map[string]string // the values of all fields; a missing field has none
}

// unitForms are the mappings with the fields of a unit: a head, the indentation of the fields, and the fields.
var unitForms = [...]struct {
	head, indent string
	fields       []string
}{
	{"kind: RoleBinding\napiVersion: rbac.authorization.k8s.io/v1\nroleRef:\n", "  ", []string{"apiGroup", "kind", "name"}},
	{"spec:\n  issuerRef:\n", "    ", []string{"kind", "name", "group"}},
	{"kind: Pod\napiVersion: v1\nspec:\n  tolerations:\n  - tolerationSeconds: 1\n", "    ", []string{"key", "value", "effect"}},
	{"web:\n  image:\n", "    ", []string{"repository", "tag", "digest"}},
	{"kind: CronJob\napiVersion: batch/v1\nspec:\n", "  ", []string{"schedule", "timeZone"}},
	{"kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\nspec:\n  chart:\n    spec:\n", "      ", []string{"chart", "version"}},
	{"env:\n- secretKeyRef:\n", "    ", []string{"name", "key"}},
}

// NewUnits generates the three versions. The same seed always gives the same versions. Each side changes up to three
// fields, of the unit or others, and may add or delete a field of the unit, but not the first one.
func NewUnits(seed int) *Units {
	g := rand.New(rand.NewPCG(uint64(seed), 86))
	form := unitForms[g.IntN(len(unitForms))]
	u := &Units{indent: form.indent, fields: form.fields}
	u.About = strings.Join(form.fields, ", ") + "\n"
	names := slices.Concat(form.fields, []string{"other1", "other2", "other3", "other4"}[:g.IntN(5)])
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	base := map[string]string{}
	for _, f := range names {
		if g.IntN(6) > 0 || f == form.fields[0] {
			base[f] = "v"
		}
	}
	u.values[three.Original] = base
	for _, s := range three.Sides {
		u.values[s] = map[string]string{}
		for f, v := range base {
			u.values[s][f] = v
		}
		for range 1 + g.IntN(3) {
			f := names[g.IntN(len(names))]
			switch isOfUnit := slices.Contains(form.fields, f); {
			case isOfUnit && g.IntN(8) == 0 && f != form.fields[0]:
				delete(u.values[s], f)
			case isOfUnit || base[f] != "":
				u.values[s][f] = three.Names[s]
				if g.IntN(4) == 0 {
					u.values[s][f] = "both"
				}
			}
		}
	}
	for v := range u.values {
		var b strings.Builder
		b.WriteString(form.head + form.indent + "fixed: v\n")
		for _, f := range names {
			if x, ok := u.values[v][f]; ok {
				fmt.Fprintf(&b, "%s%s: %s\n", form.indent, f, x)
			}
		}
		u.Raw[v] = []byte(b.String())
	}
	if u.isCombined() {
		u.Conflicts = 1
	}
	return u
}

// isCombined reports whether a merge by field would combine the unit from two sides: it picks a changed field of each
// side, or the sides changed one field differently.
func (u *Units) isCombined() bool {
	var picked [3]bool
	for _, f := range u.fields {
		b, o, t := u.values[three.Original][f], u.values[three.Dest][f], u.values[three.Updated][f]
		picked[three.Dest] = picked[three.Dest] || o != b && o != t
		picked[three.Updated] = picked[three.Updated] || t != b && o != t
	}
	return picked[three.Dest] && picked[three.Updated]
}

// CheckResult returns a description of what is wrong with the result of a merge, or "" if it is right. With ours or
// theirs taken at all conflicts, the unit must be that of one side. A merge without conflicts is wrong if the sides
// changed the unit differently, and neither has all changes of the other.
func (u *Units) CheckResult(result []byte) string {
	if u.Conflicts > 0 && !hasConflicts(result) {
		return "no conflict over " + u.About
	}
	for _, s := range three.Sides {
		got := map[string]string{}
		for line := range strings.Lines(string(TakeSide(result, s))) {
			if field, ok := strings.CutPrefix(line, u.indent); ok {
				name, value, _ := strings.Cut(strings.TrimSpace(field), ": ")
				got[name] = value
			}
		}
		isOf := func(v three.Version) bool {
			return !slices.ContainsFunc(u.fields, func(f string) bool { return got[f] != u.values[v][f] })
		}
		if !isOf(three.Dest) && !isOf(three.Updated) {
			return fmt.Sprintf("with %s, the unit of neither side: %s", three.Names[s], u.About)
		}
	}
	return ""
}
