// Package three has the words of a three-way merge, which all rooms speak: the
// sides, one thing in its three versions, where it stands, and Pick, the rule
// that is the merge of whatever has no parts: what one side left alone comes
// from the other.
//
// It takes three versions and gives a side. It knows the tree and nothing of
// pairing, plans or text.
package three

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Names are the names of the versions that users read.
var Names = [3]string{"base", "ours", "theirs"}

// Side is one of the three versions of a file.
type Side uint8

// The sides, in the order in which git names the versions.
const (
	Original Side = iota
	Dest
	Updated
)

// Sides lists dest and updated, the two that change the original.
var Sides = [2]Side{Dest, Updated}

// Other returns the opposite of dest or updated.
func (s Side) Other() Side {
	if s == Dest {
		return Updated
	}
	return Dest
}

// String names s as users read it; 3 is the result of a merge.
func (s Side) String() string { return [...]string{Names[0], Names[1], Names[2], "the result"}[s] }

// Nodes is one value in its three versions, nil where a version has none.
type Nodes [3]*syntax.Node

// Entries is one field or item in its three versions, nil where a version has none.
type Entries [3]*syntax.Entry

// Values returns the values of the entries.
func (e Entries) Values() Nodes {
	var v Nodes
	for s, x := range e {
		if x != nil {
			v[s] = x.Value
		}
	}
	return v
}

// First returns the side that gives a merged thing its form where nothing
// else decides: dest, or updated where dest lacks it.
func (e Entries) First() Side {
	for _, s := range Sides {
		if e[s] != nil {
			return s
		}
	}
	return Original
}

// Pick is the three-way merge of what has no parts: dest's version stands where
// both sides are equal or updated left the original's alone, updated's where
// dest did. It reports false where both changed it differently.
func Pick[T comparable](v [3]T) (Side, bool) {
	return PickBy(func(a, b Side) bool { return v[a] == v[b] })
}

// PickFunc is Pick for versions that equal compares.
func PickFunc[T any](v [3]T, equal func(a, b T) bool) (Side, bool) {
	return PickBy(func(a, b Side) bool { return equal(v[a], v[b]) })
}

// PickBy is Pick where equal compares the versions of two sides.
func PickBy(equal func(a, b Side) bool) (Side, bool) {
	switch {
	case equal(Dest, Updated), equal(Original, Updated):
		return Dest, true
	case equal(Original, Dest):
		return Updated, true
	}
	return Dest, false
}

// Form merges one property of the form, which is never in conflict: updated's
// where it alone changed it, else dest's.
func Form[T comparable](original, dest, updated T) T {
	if dest == original {
		return updated
	}
	return dest
}

// A Problem says what of an input is not what a rule set needs.
type Problem struct {
	Side Side
	Off  int // where it stands
	Text string
}

func (p *Problem) Error() string { return p.Text }

// Path is where a node stands: a list that is linked from the leaf to the
// root, so that the walk pays nothing for paths that nobody reads.
type Path struct {
	Up    *Path
	Field string        // the name of a field; "*" for an item
	item  string        // how an item is shown, as in [name=web] or [3]; empty for a field
	Root  *schema.Place // set where a resource starts: a document, or an item of kind: List
}

// Child is the path of a field of what stands at p.
func (p *Path) Child(field string) *Path { return &Path{Up: p, Field: field} }

// Index is the path of item i, from 0.
func (p *Path) Index(i int) *Path { return p.Labelled(strconv.Itoa(i)) }

// Labelled is the path of the item that label shows.
func (p *Path) Labelled(label string) *Path {
	return &Path{Up: p, Field: "*", item: "[" + label + "]"}
}

// Place is where p stands, as the rules of lists know it.
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

// IsItems reports whether p, which may be nil, is the list of a `kind: List`.
func (p *Path) IsItems() bool {
	return p != nil && p.Field == "items" && p.Root == nil && p.Up.Root != nil && strings.HasSuffix(p.Up.Root.Kind, "List")
}

// String spells p as in spec.template.spec.containers[name=web].image; in a
// stream of several documents the document's name stands before it.
func (p *Path) String() string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	p.write(&b)
	return strings.TrimSuffix(b.String(), ": ")
}

func (p *Path) write(b *strings.Builder) {
	switch {
	case p.Up == nil && p.Field != "":
		b.WriteString(p.Field + ": ")
		return
	case p.Up == nil:
		return
	}
	p.Up.write(b)
	switch {
	case p.item != "":
		b.WriteString(p.item)
	case p.Up.Up == nil:
		b.WriteString(quoteField(p.Field))
	default:
		b.WriteString("." + quoteField(p.Field))
	}
}

// quoteField quotes a name that would not read back as one path element.
func quoteField(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(`. []"=,:`, r)
	}) {
		return strconv.Quote(s)
	}
	return s
}
