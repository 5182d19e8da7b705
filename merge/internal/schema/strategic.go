package schema

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Strategic returns what the list at p is to `kubectl apply`: a Map or a Set
// where the team's rules or the patch strategy of a built-in type say so, else
// Atomic, as every list of other types is. A list in which a key is missing is Ordered.
func (r *Rules) Strategic(p Place, versions ...*syntax.Node) List {
	if !sequences(versions) {
		return List{Kind: Atomic, Source: "no sequence"}
	}
	return r.strategy(p).paired(versions)
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
			i := max(0, slices.IndexFunc(l.Keys, func(k string) bool { _, has := l.key(e.Value, k); return !has }))
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

func unmergedItems(p Place, field string) bool {
	return slices.Contains(unmerged, field) ||
		field == "resources" && slices.Contains(p.Path, "allocatedResourcesStatus") ||
		field == "conditions" && (slices.Contains(unmergedConditions, p.Kind) || isOldFlowControl(p))
}

// isOldFlowControl reports whether p is of the versions of the flow control
// group whose lists have no patch strategies.
func isOldFlowControl(p Place) bool {
	group, version, _ := strings.Cut(p.APIVersion, "/")
	return group == "flowcontrol.apiserver.k8s.io" && (version == "v1beta1" || version == "v1beta2")
}

// RetainsKeys reports whether the mapping at p is a union to `kubectl apply`:
// it has no fields but those of config, unless config has none.
func RetainsKeys(p Place, config *syntax.Node) bool {
	return isUnion(p) && slices.ContainsFunc(config.Entries, func(e *syntax.Entry) bool {
		return e.Value.Kind != syntax.Scalar || e.Value.Tag != "!!null"
	})
}

// unionItems are the lists whose items are unions.
var unionItems = []string{"spec.volumes", "spec.resourceClaims", "status.resourceClaimStatuses"}

func isUnion(p Place) bool {
	n := len(p.Path)
	switch {
	case n == 2 && p.Kind == "Deployment" && p.Path[0] == "spec" && p.Path[1] == "strategy":
		return true
	case n > 2 && p.Path[n-1] == "*":
		return slices.Contains(unionItems, p.Path[n-3]+"."+p.Path[n-2])
	}
	return false
}

// Sent reports whether kubectl sends the field at p also where the config does
// not have it: the namespace of a resource, and annotations, if only empty ones.
func Sent(p Place) bool {
	return len(p.Path) == 2 && p.Path[0] == "metadata" && (p.Path[1] == "namespace" || p.Path[1] == "annotations") && p.Kind != ""
}
