package schema

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// withPatchStrategy returns the description of the list at p for `kubectl apply`. l is its description for server-side
// apply, from the tag listType in the Go types of Kubernetes' API. kubectl uses the older tags patchStrategy and
// patchMergeKey, which differ from it for many lists. p.Path must not be empty.
func (l List) withPatchStrategy(p Place) List {
	l.Source += ", by its patch strategy"
	field := p.Path[len(p.Path)-1]
	switch {
	// most sets and some maps have no patch strategy (k8s.io/api 0.37)
	case l.Kind == Set && field != "finalizers" && field != "podCIDRs",
		l.Kind == Map && isUnmerged(p, field):
		return List{Kind: Atomic, Source: l.Source}
	// some atomic lists have a patchMergeKey
	case l.Kind == Atomic && field == "hostIPs" && p.Kind == "Pod":
		return List{Kind: Map, Keys: []string{"ip"}, Source: l.Source}
	case l.Kind == Atomic && field == "conditions" && p.Kind == "Job":
		return List{Kind: Map, Keys: []string{"type"}, Source: l.Source}
	// the first key pairs the items; the others only distinguish repeated ones
	case l.Kind == Map && len(l.Keys) > 1:
		l.Keys, l.secondaryKeys = l.Keys[:1], l.Keys[1:] // ports, topologySpreadConstraints
	}
	return l
}

// unmergedFields are lists whose items have associative keys, but no patch strategy.
var unmergedFields = []string{
	"claims", "storageVersions", "devices", "volumeHealth", "podGroupTemplates", "compositePodGroupTemplates",
}

// kindsWithUnmergedConditions are the kinds whose conditions have associative keys, but no patch strategy.
var kindsWithUnmergedConditions = []string{"ValidatingAdmissionPolicy", "CertificateSigningRequest", "StorageVersion"}

// isUnmerged reports whether `kubectl apply` replaces the list at p as a unit, although its items have associative keys
// in Kubernetes' built-in types. Such lists lack the tag patchStrategy: unmergedFields in any kind, the conditions of
// some kinds, and the resources below allocatedResourcesStatus. field is the last name in p.Path.
func isUnmerged(p Place, field string) bool {
	switch t := TypeOf(p.APIVersion, p.Kind); field {
	case "resources":
		return slices.Contains(p.Path, "allocatedResourcesStatus")
	case "conditions":
		return slices.Contains(kindsWithUnmergedConditions, p.Kind) ||
			t.Group == "flowcontrol.apiserver.k8s.io" && (t.Version == "v1beta1" || t.Version == "v1beta2")
	}
	return slices.Contains(unmergedFields, field)
}

// listsOfUnions are the lists whose items are unions: mappings in which only one of several fields may be present.
var listsOfUnions = []string{"spec.volumes", "spec.resourceClaims", "status.resourceClaimStatuses"}

// RetainsKeys reports whether `kubectl apply` deletes the fields of the mapping at p that config, the mapping in the
// configuration to apply, does not have (patch strategy retainKeys). It does so for the strategy of a Deployment and
// for items of listsOfUnions, if config has a field that is not null.
func RetainsKeys(p Place, config *syntax.Node) bool {
	n := len(p.Path)
	strategy := p.Kind == "Deployment" && slices.Equal(p.Path, []string{"spec", "strategy"})
	isUnion := n >= 3 && p.Path[n-1] == "*" && slices.Contains(listsOfUnions, p.Path[n-3]+"."+p.Path[n-2])
	if !strategy && !isUnion {
		return false
	}
	return slices.ContainsFunc(config.Entries, func(e *syntax.Entry) bool { return !e.Value.IsNull() })
}

// IsAlwaysSent reports whether kubectl sends the field at p to the server even if the configuration does not contain
// it. It does so for the namespace of a resource and for its annotations, which may then be empty.
func IsAlwaysSent(p Place) bool {
	if p.Kind == "" || len(p.Path) != 2 || p.Path[0] != "metadata" {
		return false
	}
	return p.Path[1] == "namespace" || p.Path[1] == "annotations"
}

// UniqueIDs returns a function that returns the identity of an item of a Map list, unique within each version. If a
// version repeats one, a number is appended to the identities of all items of all versions. It is the same for items
// that belong together (see pairDuplicates). An item without an identity has "", or only a number. A version that is
// nil or not a sequence is ignored.
func (l List) UniqueIDs(versions ...*syntax.Node) func(*syntax.Node) string {
	groups := map[string][][]*syntax.Node{} // the items with an identity, by version
	duplicates := false
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
			duplicates = duplicates || len(groups[id][v]) > 1
		}
	}
	ids := map[*syntax.Node]string{}
	if duplicates {
		for id, group := range groups {
			for i, same := range l.pairDuplicates(group) {
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

// pairDuplicates pairs items of several versions that have one identity, although a version has several with it. group
// has the items of each version. Each row of the result has items that belong together, at most one from each version:
// equal items, then items with the same Keys and secondaryKeys, then the rest in order.
func (l List) pairDuplicates(group [][]*syntax.Node) (rows [][]*syntax.Node) {
	full := l
	full.Keys = slices.Concat(l.Keys, l.secondaryKeys)
	equal := func(n *syntax.Node) string { return canonicalText(withoutNulls(n)) }
	fullKey := func(n *syntax.Node) string {
		if id, ok := full.ID(n); ok {
			return id
		}
		return canonicalText(n)
	}
	inOrder := func(*syntax.Node) string { return "" }
	for _, items := range group {
		before, used := rows, make([]bool, len(rows))
		items = slices.Clone(items)
		for _, key := range [...]func(*syntax.Node) string{equal, fullKey, inOrder} {
			free := map[string][]int{}
			for j, row := range before {
				for _, m := range row {
					if !used[j] {
						free[key(m)] = append(free[key(m)], j)
					}
				}
			}
			items = slices.DeleteFunc(items, func(n *syntax.Node) bool {
				k := key(n)
				for ; len(free[k]) > 0; free[k] = free[k][1:] {
					if j := free[k][0]; !used[j] {
						rows[j], used[j] = append(rows[j], n), true
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

// withoutNulls returns n without the fields that are null, at any depth, even in items; null items remain. If n has no
// entries, that is n itself, otherwise a copy.
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

// ItemWithoutKey returns the first item of list that has no identity in l, and the keys of l, beginning with the one
// that the item lacks. It returns nil for both if there is none, or if l is not a Map list. The keys are empty if l has
// only Separators.
func (l List) ItemWithoutKey(list *syntax.Node) (item *syntax.Entry, keys []string) {
	if l.Kind != Map {
		return nil, nil
	}
	for _, e := range list.Entries {
		if _, ok := l.ID(e.Value); !ok {
			i := max(0, slices.IndexFunc(l.Keys, func(k string) bool { _, _, has := l.keyValue(e.Value, k); return !has }))
			return e, slices.Concat(l.Keys[i:], l.Keys[:i])
		}
	}
	return nil, nil
}
