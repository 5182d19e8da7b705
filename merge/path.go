package merge

import (
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// path is where a node stands: a list that is linked from the leaf to the
// root, so that the walk pays nothing for paths that nobody reads.
type path struct {
	up    *path
	field string // the name of a field; "*" for an item
	item  string // how an item is shown, as in [name=web] or [3]; empty for a field
	doc   bool   // the document's name in a stream of several
}

func (p *path) child(field string) *path { return &path{up: p, field: field} }

func (p *path) index(i int) *path {
	return &path{up: p, field: "*", item: "[" + strconv.Itoa(i) + "]"}
}

func (p *path) keyed(keys []string, item *syntax.Node) *path {
	var b strings.Builder
	b.WriteByte('[')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(k + "=" + scalarField(item, k))
	}
	b.WriteByte(']')
	return &path{up: p, field: "*", item: b.String()}
}

// fields returns the field names from the document's root, "*" for items.
func (p *path) fields() []string {
	if p == nil || p.doc {
		return nil
	}
	return append(p.up.fields(), p.field)
}

// String spells p as in spec.template.spec.containers[name=web].image.
func (p *path) String() string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	p.write(&b)
	return strings.TrimSuffix(b.String(), ": ")
}

func (p *path) write(b *strings.Builder) {
	if p == nil {
		return
	}
	p.up.write(b)
	switch {
	case p.doc:
		b.WriteString(p.field + ": ")
	case p.item != "":
		b.WriteString(p.item)
	default:
		if p.up != nil && !p.up.doc {
			b.WriteByte('.')
		}
		b.WriteString(quoteField(p.field))
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
