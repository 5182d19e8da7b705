package three

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

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

// By says for people what a policy is and where it stands.
func By(p schema.Policy, source string) string { return "policy " + string(p) + " (" + source + ")" }
