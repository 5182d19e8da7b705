package overlay

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Rules are a family of rules under which updated's value stands where both sides
// changed a field.
type Rules struct {
	Name string // for people
	// Always says that updated's value stands also where it left alone what
	// dest changed or deleted.
	Always bool
	// DestNull says that a null in dest clears its field, as one in updated does.
	DestNull bool
	// Comments is the side whose comment stands where both changed it.
	Comments three.Side
	// Ordered says that the items of a list, resources aside, stand in updated's
	// order, before those that dest alone has; else new ones stand at the end.
	Ordered bool
	// ByPlace says that resources are known by their place in the file.
	ByPlace bool
	// Strategic says that lists are what patch strategies say, and unions
	// have one member.
	Strategic bool
	// Patches says that updated may be a strategic merge patch: its $patch is obeyed.
	Patches bool
	// JSON says that the result is JSON where dest is, or updated if dest says nothing.
	JSON bool
}

// Kustomize are the rules of kustomize's documented three-way merge.
var Kustomize = Rules{Name: "rules kustomize", DestNull: true, Comments: three.Updated}

// Merge2 are those of kustomize's documented two-way merge: there is no original, and
// dest's comments stay.
var Merge2 = Rules{Name: "rules of merge2", Always: true, Comments: three.Dest, Patches: true, JSON: true}

// Apply are what `kubectl apply` does: the original is what was applied last, dest is
// live, updated is the config.
var Apply = Rules{
	Name: "rules of apply", Always: true, Comments: three.Dest, Ordered: true, Strategic: true, JSON: true,
}

// Annotate are those that write annotations into a config: a resource takes those of the
// resource at its place in the other file.
var Annotate = Rules{Name: Apply.Name, Always: true, Comments: three.Dest, Strategic: true, ByPlace: true}

// Lists says what is known of a list by these rules.
func (r Rules) Lists(known *schema.Rules) func(schema.Place, ...*syntax.Node) schema.List {
	if r.Strategic {
		return known.Strategic
	}
	return known.Paired
}

// identities is what tells resources apart.
func (r Rules) identities(v [3][]*syntax.Node) func(*syntax.Node) string {
	switch {
	case r.ByPlace:
		return resource.Places(v)
	case r.Strategic:
		return resource.IdentitiesApart(v, resource.NamespacesOf(v[three.Dest]).Of, false)
	}
	return resource.IdentitiesApart(v, resource.Namespace, true)
}
