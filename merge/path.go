package merge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// path is where a node stands: a list that is linked from the leaf to the
// root, so that the walk pays nothing for paths that nobody reads.
type path struct {
	up    *path
	field string        // the name of a field; "*" for an item
	item  string        // how an item is shown, as in [name=web] or [3]; empty for a field
	root  *schema.Place // set where a resource starts: a document, or an item of kind: List
}

func (p *path) child(field string) *path { return &path{up: p, field: field} }

func (p *path) index(i int) *path { return p.labelled(strconv.Itoa(i)) }

func (p *path) labelled(label string) *path {
	return &path{up: p, field: "*", item: "[" + label + "]"}
}

// place is where p stands, as the rules of lists know it.
func (p *path) place() schema.Place {
	var fields []string
	for ; p.root == nil; p = p.up {
		fields = append(fields, p.field)
	}
	slices.Reverse(fields)
	place := *p.root
	place.Path = fields
	return place
}

// String spells p as in spec.template.spec.containers[name=web].image; in a
// stream of several documents the document's name stands before it.
func (p *path) String() string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	p.write(&b)
	return strings.TrimSuffix(b.String(), ": ")
}

func (p *path) write(b *strings.Builder) {
	switch {
	case p.up == nil && p.field != "":
		b.WriteString(p.field + ": ")
		return
	case p.up == nil:
		return
	}
	p.up.write(b)
	switch {
	case p.item != "":
		b.WriteString(p.item)
	case p.up.up == nil:
		b.WriteString(quoteField(p.field))
	default:
		b.WriteString("." + quoteField(p.field))
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

// by says for people what a policy is and where it stands.
func by(p schema.Policy, source string) string { return "policy " + string(p) + " (" + source + ")" }
