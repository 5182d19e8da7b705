package schema

import (
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// withPatchStrategy returns how `kubectl apply` merges l, the list at p. l is the description for server-side apply,
// from the tag listType in the Go types of Kubernetes' API; kubectl uses the older tags patchStrategy and
// patchMergeKey, which differ from listType for many lists. p.Path must not be empty.
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

// isUnmerged reports whether `kubectl apply` replaces the Map list at p as a unit. This is so for a list without the
// tag patchStrategy, such as the conditions of a StorageVersion, although server-side apply merges its items by keys.
// field is the last name in p.Path.
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

// RetainsKeys reports whether `kubectl apply` deletes every field of the live mapping at p that config, the mapping in
// the configuration, lacks. It does so for mappings with the patch strategy retainKeys, such as the strategy of a
// Deployment and the items of spec.volumes, if config has a field that is not null.
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
// it. These are the namespace and the annotations of a resource; the annotations may be empty.
func IsAlwaysSent(p Place) bool {
	isMetadata := len(p.Path) == 2 && p.Path[0] == "metadata"
	return p.Kind != "" && isMetadata && (p.Path[1] == "namespace" || p.Path[1] == "annotations")
}

// UniqueIDs returns a function that returns the identity of an item of the Map list l, so that the items of versions
// can be paired. It is the identity of l. If any identity is repeated within a version, all identities get a number
// that makes them unique, and that is the same for items that belong together (pairDuplicates). A version may be nil.
// An item without keys has the identity "", or "" and a number.
//
//	dest                                   updated
//	- {port: 53, protocol: TCP} # 53, 0    - {port: 53, protocol: UDP} # 53, 1
//	- {port: 53, protocol: UDP} # 53, 1
func (l List) UniqueIDs(versions ...*syntax.Node) func(*syntax.Node) string {
	groups := map[string][][]*syntax.Node{} // the items by identity and version
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
	numbered := map[*syntax.Node]string{}
	if duplicates {
		for id, group := range groups {
			for i, same := range l.pairDuplicates(group) {
				for _, n := range same {
					numbered[n] = id + "\x00" + strconv.Itoa(i)
				}
			}
		}
	}
	return func(n *syntax.Node) string {
		if id, ok := numbered[n]; ok {
			return id
		}
		id, _ := l.ID(n) // without duplicates, or for an item of another list
		return id
	}
}

// pairDuplicates pairs items of several versions that all have the same identity in l, so that those that belong
// together can be merged. group has the items of each version. Each of rows has items that belong together, at most one
// from each version. Equal items are paired first, then those with equal secondary keys, then the others in order.
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
		hasJoined := make([]bool, len(rows)) // by row, whether an item of this version is in it
		for _, textOf := range [...]func(*syntax.Node) string{equal, fullKey, inOrder} {
			items = joinRows(rows, hasJoined, items, textOf)
		}
		// only now, so that two items of this version do not join each other
		for _, n := range items {
			rows = append(rows, []*syntax.Node{n})
		}
	}
	return rows
}

// joinRows adds items, which are of one version, to rows of items that belong together. Each item joins the first free
// row in which an item has the same text, according to textOf. A row is free unless an item of this version has joined
// it; hasJoined records that for each row. rest has the items that found no row.
func joinRows(rows [][]*syntax.Node, hasJoined []bool, items []*syntax.Node, textOf func(*syntax.Node) string) (rest []*syntax.Node) {
	rowsWith := map[string][]int{} // indexes of rows by the texts of their items
	for j, row := range rows {
		for _, paired := range row {
			text := textOf(paired)
			rowsWith[text] = append(rowsWith[text], j)
		}
	}
	for _, n := range items {
		text := textOf(n)
		for len(rowsWith[text]) > 0 && hasJoined[rowsWith[text][0]] {
			rowsWith[text] = rowsWith[text][1:]
		}
		if len(rowsWith[text]) == 0 {
			rest = append(rest, n)
			continue
		}
		j := rowsWith[text][0]
		rows[j], hasJoined[j] = append(rows[j], n), true
	}
	return rest
}

// withoutNulls returns n without the fields that are null, at any depth, including those of the mappings in lists. An
// item that is null remains. The result is a copy, or n itself if n has no entries.
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

// ItemWithoutKey returns the first item of list that has no identity in the Map list l, for messages. keys are all keys
// of l, starting with one that the item lacks. Both are nil if every item has an identity, or if l is not a Map list.
func (l List) ItemWithoutKey(list *syntax.Node) (item *syntax.Entry, keys []string) {
	if l.Kind != Map {
		return nil, nil
	}
	for _, e := range list.Entries {
		if _, ok := l.ID(e.Value); !ok {
			isMissing := func(k string) bool { _, _, ok := l.keyValue(e.Value, k); return !ok }
			firstMissing := max(0, slices.IndexFunc(l.Keys, isMissing)) // a list of strings may have no keys
			return e, slices.Concat(l.Keys[firstMissing:], l.Keys[:firstMissing])
		}
	}
	return nil, nil
}
