package schema

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Strategic returns what the list at p is to `kubectl apply`: a Map or a Set
// where the team's rules or the patch strategy of a built-in type say so, else
// Atomic, as every list of other types is. A list in which a key is missing is Ordered.
func (r *Rules) Strategic(p Place, versions ...*syntax.Node) List {
	if !sequences(versions) {
		return List{Kind: Atomic, Source: "no sequence"}
	}
	return r.strategy(p).of(versions, false)
}

// WithoutKey returns the first item of a list that lacks a key by which
// `kubectl apply` pairs it, and the keys of the list, that first; nil if there is none.
func (r *Rules) WithoutKey(p Place, list *syntax.Node) (*syntax.Entry, []string) {
	l := r.strategy(p)
	if l.Kind != Map {
		return nil, nil
	}
	for _, e := range list.Entries {
		if _, ok := l.ID(e.Value); !ok {
			i := max(0, slices.IndexFunc(l.Keys, func(k string) bool { _, _, has := l.keyed(e.Value, k); return !has }))
			return e, slices.Concat(l.Keys[i:], l.Keys[:i])
		}
	}
	return nil, nil
}

func (r *Rules) strategy(p Place) List {
	sel := r.selection(p)
	if l, ok := first(sel.team, p.Path, lists); ok {
		return l
	}
	if l, ok := kubernetesList(sel.types(), p); ok && len(sel.types()) > 0 {
		return l.strategic(p)
	}
	return List{Kind: Atomic, Source: "kubectl apply replaces lists"}
}

// strategic is l with the older patch strategy, where that differs from the
// structured-merge kind. Source: the patchStrategy and patchMergeKey tags of
// k8s.io/api 0.37 and apimachinery.
func (l List) strategic(p Place) List {
	l.Source += ", by its patch strategy"
	field := p.Path[len(p.Path)-1]
	switch {
	case l.Kind == Set && field != "finalizers" && field != "podCIDRs",
		l.Kind == Map && unmergedItems(p, field):
		return List{Kind: Atomic, Source: l.Source}
	case l.Kind == Atomic && field == "hostIPs" && p.Kind == "Pod":
		return List{Kind: Map, Keys: []string{"ip"}, Source: l.Source}
	case l.Kind == Atomic && field == "conditions" && p.Kind == "Job":
		return List{Kind: Map, Keys: []string{"type"}, Source: l.Source}
	case l.Kind == Map && len(l.Keys) > 1:
		l.Keys, l.Rest = l.Keys[:1], l.Keys[1:] // ports, topologySpreadConstraints
	}
	return l
}

// unmerged are the fields whose items have keys but no patch strategy.
var unmerged = []string{
	"claims", "storageVersions", "devices", "volumeHealth", "podGroupTemplates", "compositePodGroupTemplates",
}

// unmergedConditions are the kinds whose conditions have no patch strategy.
var unmergedConditions = []string{"ValidatingAdmissionPolicy", "CertificateSigningRequest", "StorageVersion"}

// unmergedItems are lists whose items have keys but no patch strategy.
func unmergedItems(p Place, field string) bool {
	switch of := resourceOf(p.APIVersion, p.Kind); field {
	case "resources":
		return slices.Contains(p.Path, "allocatedResourcesStatus")
	case "conditions":
		return slices.Contains(unmergedConditions, p.Kind) ||
			of.group == "flowcontrol.apiserver.k8s.io" && (of.version == "v1beta1" || of.version == "v1beta2")
	}
	return slices.Contains(unmerged, field)
}

// unionItems are the lists whose items are unions.
var unionItems = []string{"spec.volumes", "spec.resourceClaims", "status.resourceClaimStatuses"}

// RetainsKeys reports whether the mapping at p is a union to `kubectl apply`:
// it has no fields but those of config, unless config has none.
func RetainsKeys(p Place, config *syntax.Node) bool {
	n := len(p.Path)
	strategy := p.Kind == "Deployment" && slices.Equal(p.Path, []string{"spec", "strategy"})
	if !strategy && (n < 3 || p.Path[n-1] != "*" || !slices.Contains(unionItems, p.Path[n-3]+"."+p.Path[n-2])) {
		return false
	}
	return slices.ContainsFunc(config.Entries, func(e *syntax.Entry) bool { return !e.Value.IsNull() })
}

// Sent reports whether kubectl sends the field at p also where the config does
// not have it: the namespace of a resource, and annotations, if only empty ones.
func Sent(p Place) bool {
	if p.Kind == "" || len(p.Path) != 2 || p.Path[0] != "metadata" {
		return false
	}
	return p.Path[1] == "namespace" || p.Path[1] == "annotations"
}

// Paired is Of for rules that pair the items of a list also where a key stands
// several times in a version: such a list is a Map all the same, and IDs tells which
// of these is which.
func (r *Rules) Paired(p Place, versions ...*syntax.Node) List {
	if !sequences(versions) || items(versions) == 0 {
		return r.Of(p, versions...)
	}
	if known, _, ok := r.declared(p); ok {
		return known.of(versions, false)
	}
	if l := infer(versions, kustomizes[:], true); l.Kind == Map {
		return l
	}
	return infer(versions, kustomizes[:], false)
}

// IDs returns what tells the items of versions of a Map list apart: ID and, where one
// stands several times in a version, which of these it is. Those of two versions are
// the same that are equal, else those of the same full key, else in their order; a
// version is compared with all before it.
func (l List) IDs(versions ...*syntax.Node) func(*syntax.Node) string {
	groups := map[string][][]*syntax.Node{} // by version, in their order
	several := false
	for v, n := range versions {
		if n == nil || n.Kind != syntax.Sequence {
			continue
		}
		for _, e := range n.Entries {
			id, _ := l.ID(e.Value)
			if groups[id] == nil {
				groups[id] = make([][]*syntax.Node, len(versions))
			}
			groups[id][v] = append(groups[id][v], e.Value)
			several = several || len(groups[id][v]) > 1
		}
	}
	ids := map[*syntax.Node]string{}
	if several {
		for id, group := range groups {
			for i, same := range l.match(group) {
				for _, n := range same {
					ids[n] = id + "\x00" + strconv.Itoa(i)
				}
			}
		}
	}
	return func(n *syntax.Node) string {
		if id, ok := ids[n]; ok {
			return id
		}
		id, _ := l.ID(n)
		return id
	}
}

// match makes rows of the items of one identity, at most one of a version each.
func (l List) match(group [][]*syntax.Node) (rows [][]*syntax.Node) {
	full := l
	full.Keys = slices.Concat(l.Keys, l.Rest)
	equal := func(n *syntax.Node) string { return canonical(withoutNulls(n)) }
	fullKey := func(n *syntax.Node) string {
		if id, ok := full.ID(n); ok {
			return id
		}
		return canonical(n)
	}
	inOrder := func(*syntax.Node) string { return "" }
	for _, items := range group {
		before, taken := rows, make([]bool, len(rows))
		items = slices.Clone(items)
		for _, by := range [...]func(*syntax.Node) string{equal, fullKey, inOrder} {
			free := map[string][]int{}
			for j, row := range before {
				for _, m := range row {
					if !taken[j] {
						free[by(m)] = append(free[by(m)], j)
					}
				}
			}
			items = slices.DeleteFunc(items, func(n *syntax.Node) bool {
				k := by(n)
				for ; len(free[k]) > 0; free[k] = free[k][1:] {
					if j := free[k][0]; !taken[j] {
						rows[j], taken[j] = append(rows[j], n), true
						return true
					}
				}
				return false
			})
		}
		for _, n := range items {
			rows = append(rows, []*syntax.Node{n})
		}
	}
	return rows
}

// withoutNulls is what an item says where nulls clear their fields.
func withoutNulls(n *syntax.Node) *syntax.Node {
	if len(n.Entries) == 0 {
		return n
	}
	var rest []*syntax.Entry
	for _, e := range n.Entries {
		if e.Key != nil && e.Value.IsNull() {
			continue
		}
		kept := *e
		kept.Value = withoutNulls(e.Value)
		rest = append(rest, &kept)
	}
	return n.WithEntries(rest)
}
