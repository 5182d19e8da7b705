// Package three has the common types of a three-way merge: the names of the three versions, the nodes or entries that
// are matched with each other in all versions, and the paths of nodes. It also has Pick, which merges a value that has
// no parts.
//
// It does not match nodes, plan a merge or write text.
//
// The main types are Version, which names a version, Nodes and Entries, which have a node or an entry of each version,
// and Path. The versions are original, dest and updated; dest and updated are the sides, which edit the original. Users
// know them as base, ours and theirs.
//
// An example:
//
//	original            dest                updated
//	spec:               spec:               spec:
//	  image: app:1        image: app:2        image: app:1
//	  replicas: 1         replicas: 2         replicas: 3
//
// The path of image is "spec.image" in all versions. Pick returns Dest and true for its three values, because only dest
// changed it. Pick returns false for the values of replicas, because both sides changed it to different values.
package three

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Names are the names of the versions for users, by Version.
var Names = [3]string{"base", "ours", "theirs"}

// A Version is one of the three versions of a file. Many functions take only Dest or Updated: a side.
type Version uint8

// The versions, in the order of git's arguments to a merge driver.
const (
	Original Version = iota
	Dest
	Updated
)

// Sides has the two sides, without the original.
var Sides = [2]Version{Dest, Updated}

// Other returns the other side: Updated for Dest, and Dest for Updated.
func (s Version) Other() Version {
	if s == Dest {
		return Updated
	}
	return Dest
}

// String returns the name of s for users. For 3, it returns "the result". It panics for
// greater values.
func (s Version) String() string { return [...]string{Names[0], Names[1], Names[2], "the result"}[s] }

// An Optional is a version or no version. The zero value is no version.
type Optional struct {
	version Version
	isSet   bool
}

// Some returns v as an Optional.
func Some(v Version) Optional { return Optional{v, true} }

// Get returns the version. ok is false if o contains no version.
func (o Optional) Get() (v Version, ok bool) { return o.version, o.isSet }

// Nodes contains the node of each version, by Version, that the merge has matched with those of the other versions. It
// is nil for a version without this node.
type Nodes [3]*syntax.Node

// Entries contains the field or item of each version, by Version, that the merge has matched with those of the other
// versions. It is nil for a version without this field or item.
type Entries [3]*syntax.Entry

// Values returns the value of the entry in each version. The value is nil for a version without the entry.
func (e Entries) Values() Nodes {
	var values Nodes
	for s, entry := range e {
		if entry != nil {
			values[s] = entry.Value
		}
	}
	return values
}

// First returns the first version that has the entry, in the order Dest, Updated, Original. It returns Original if no
// version has it. A merged entry gets its format from this version if nothing else decides.
func (e Entries) First() Version {
	for _, s := range Sides {
		if e[s] != nil {
			return s
		}
	}
	return Original
}

// Pick merges three values that cannot be merged by parts, one of each version, by Version. It returns the version with
// the merged value. ok is false if there is a conflict: both sides changed the value, to different ones.
//
//	original  dest  updated
//	1         2     1        Dest, true
//	1         1     2        Updated, true
//	1         2     2        Dest, true
//	1         1     1        Dest, true
//	1         2     3        Dest, false
func Pick[T comparable](v [3]T) (from Version, ok bool) {
	return PickBy(func(a, b Version) bool { return v[a] == v[b] })
}

// PickFunc is like Pick, but compares the values with equal instead of ==.
func PickFunc[T any](v [3]T, equal func(a, b T) bool) (from Version, ok bool) {
	return PickBy(func(a, b Version) bool { return equal(v[a], v[b]) })
}

// PickBy merges a value of which it only knows which versions are equal: equal(a, b) reports whether versions a and b
// have equal values. It returns the version with the merged value. ok is false if both sides changed the value, to
// different ones (see Pick).
func PickBy(equal func(a, b Version) bool) (from Version, ok bool) {
	switch {
	case equal(Dest, Updated), equal(Original, Updated):
		return Dest, true
	case equal(Original, Dest):
		return Updated, true
	}
	return Dest, false
}

// Form returns the merged value of a property of the format of which the result has only one, such as the indentation.
// It returns updated if dest equals original, and otherwise dest, even if updated changed it, too: there is no
// conflict.
func Form[T comparable](original, dest, updated T) T {
	if dest == original {
		return updated
	}
	return dest
}

// An InputError is an error about an input that does not fulfill the requirements of a set of rules.
type InputError struct {
	Side Version
	Off  int // the offset of the problem in this version
	Text string
}

// Error returns p.Text, without the name of the version or the position.
func (p *InputError) Error() string { return p.Text }

// A Path is the path of a node in its document. It is a linked list from the node to the
// root, so that making a path is cheap even if it is never printed.
type Path struct {
	Up        *Path
	Field     string        // the name of the field; "*" for an item; for a root, the name of the document or ""
	itemLabel string        // the text of an item, such as [name=web] or [3]; "" for a field
	Root      *schema.Place // only set at the root of a resource: a document, or an item of a list of resources
}

// Child returns the path of a field of the mapping at p.
func (p *Path) Child(field string) *Path { return &Path{Up: p, Field: field} }

// Index returns the path of item i, from 0, of the list at p. String shows it as "[i]".
func (p *Path) Index(i int) *Path { return p.Item(strconv.Itoa(i)) }

// Item returns the path of an item of the list at p. String shows it as "[label]".
func (p *Path) Item(label string) *Path {
	return &Path{Up: p, Field: "*", itemLabel: "[" + label + "]"}
}

// Place returns where the node at p is, for finding the rules of a list or field: the file, the API version and kind of
// the resource around it, and the field names from the resource to the node. p or a node above it must have a Root,
// which marks it as the resource.
//
//	spec:
//	  containers:
//	  - name: web    # the Path of this item's Place is spec, containers, *
func (p *Path) Place() schema.Place {
	var fields []string
	for ; p.Root == nil; p = p.Up {
		fields = append(fields, p.Field)
	}
	slices.Reverse(fields)
	place := *p.Root
	place.Path = fields
	return place
}

// IsItems reports whether p is the path of the field "items" at the top of a resource whose kind ends in "List". It
// returns false if p is nil.
//
//	kind: ConfigMapList
//	items: []    # true
func (p *Path) IsItems() bool {
	if p == nil || p.Root != nil || p.Field != "items" {
		return false
	}
	return p.Up.Root != nil && strings.HasSuffix(p.Up.Root.Kind, "List")
}

// String returns the path as text, or "" for nil and for the root of a single document.
// If the root has a name, the name precedes the path:
//
//	spec.containers[name=web].image
//	Deployment/web: spec.ports[3]
func (p *Path) String() string {
	if p == nil {
		return ""
	}
	var path strings.Builder
	p.writeTo(&path)
	return strings.TrimSuffix(path.String(), ": ")
}

// An Element is one part of a path. Exactly one of its fields is set, except that a field may have an empty name.
type Element struct {
	Document string // the name of a document of several
	Field    string // the name of a field
	Item     string // an item, as its text between brackets: name=web or 3
}

// Elements returns the parts of a path from the root of the file to p: the document, if it has a name, and the fields
// and items. It returns nil if p is nil or the root of a document without a name. The path spec.ports[name=web] has the
// elements Field "spec", Field "ports" and Item "name=web".
func (p *Path) Elements() (all []Element) {
	for ; p != nil; p = p.Up {
		switch {
		case p.Up == nil && p.Field == "":
		case p.Up == nil:
			all = append(all, Element{Document: p.Field})
		case p.itemLabel != "":
			all = append(all, Element{Item: p.itemLabel[1 : len(p.itemLabel)-1]})
		default:
			all = append(all, Element{Field: p.Field})
		}
	}
	slices.Reverse(all)
	return all
}

// writeTo appends the text of p, such as spec.containers[name=web].image, to path. If the root of p has a name, the
// text starts with it, as in "Deployment/web: spec"; for the root itself, it is only "Deployment/web: ". It appends
// nothing for a root without a name. p must not be nil.
func (p *Path) writeTo(path *strings.Builder) {
	switch {
	case p.Up == nil && p.Field != "":
		path.WriteString(p.Field + ": ")
		return
	case p.Up == nil:
		return
	}
	p.Up.writeTo(path)
	switch {
	case p.itemLabel != "":
		path.WriteString(p.itemLabel)
	case p.Up.Up == nil:
		path.WriteString(quoteFieldName(p.Field))
	default:
		path.WriteString("." + quoteFieldName(p.Field))
	}
}

// quoteFieldName returns the name of a field as it is written in a path: in double quotes if it is empty or contains a
// control character, a space or one of . [ ] " = , : which would make the path ambiguous, otherwise unchanged.
func quoteFieldName(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(`. []"=,:`, r)
	}) {
		return strconv.Quote(name)
	}
	return name
}
