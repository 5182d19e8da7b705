package referee

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// A place is where a quad stands: a list linked from the leaf to the root, so
// that nothing is spelled unless somebody asks.
type place struct {
	up   *place
	name string // a field's key; "*" for items; a document's name
	id   string // how an item is shown: [name=web]
	root *node  // the root of the resource, where one starts here
}

func (p *place) field(name string) *place             { return &place{up: p, name: name} }
func (p *place) item(id string) *place                { return &place{up: p, name: "*", id: "[" + id + "]"} }
func (p *place) index(i int) *place                   { return p.item(strconv.Itoa(i)) }
func (p *place) of(root *node) *place                 { p.root = root; return p }
func (p *place) isRoot() bool                         { return p == nil || p.root != nil }
func (p *place) document(name string, n *node) *place { return (&place{up: p, name: name}).of(n) }

// String spells p as in spec.containers[name=web].image.
func (p *place) String() string {
	switch {
	case p == nil:
		return ""
	case p.id != "":
		return p.up.String() + p.id
	case p.up == nil && p.root != nil:
		return p.name
	}
	up := p.up.String()
	switch {
	case up == "":
		return quoted(p.name)
	case p.up.root != nil && p.up.id == "":
		return up + ": " + quoted(p.name)
	}
	return up + "." + quoted(p.name)
}

func quoted(name string) string {
	if name == "" || strings.ContainsAny(name, ". []\"=,:\n\r\t\x1b") {
		return strconv.Quote(name)
	}
	return name
}

// schema returns the place as the rules of lists know it.
func (p *place) schema(file string) schema.Place {
	s := schema.Place{File: file}
	for ; !p.isRoot(); p = p.up {
		s.Path = append(s.Path, p.name)
	}
	for i, j := 0, len(s.Path)-1; i < j; i, j = i+1, j-1 {
		s.Path[i], s.Path[j] = s.Path[j], s.Path[i]
	}
	if p != nil {
		s.APIVersion, s.Kind = p.root.scalar("apiVersion"), p.root.scalar("kind")
	}
	return s
}

// refuse makes a refusal at p.
func (p *place) refuse(rule, format string, a ...any) *Refusal {
	return &Refusal{Rule: rule, Path: p.String(), Detail: fmt.Sprintf(format, a...)}
}

// placeOf returns where the smallest entry stands that holds offset off of v.
func (c *checker) placeOf(v version, off int) *place {
	for _, d := range c.docs[v] {
		if doc := c.streams[v].Docs[d.doc].Span; off >= doc.Start && off < doc.End {
			return c.placeIn(c.placeOfDocument(d), d, off)
		}
	}
	return nil
}

func (c *checker) placeOfDocument(d *node) *place {
	name := ""
	if !c.single() && identity(d) != "" {
		name = resourceName(d)
	}
	return (*place)(nil).document(name, d)
}

func (c *checker) placeIn(at *place, n *node, off int) *place {
	for i := range n.kids {
		if kid := &n.kids[i]; off >= kid.entry.Span.Start && off < kid.entry.Span.End {
			return c.placeIn(c.placeOfKid(at, n, i), kid, off)
		}
	}
	return at
}

// placeOfKid returns where entry i of n stands, which is at at.
func (c *checker) placeOfKid(at *place, n *node, i int) *place {
	kid := &n.kids[i]
	if kid.entry.Key != nil {
		return at.field(kid.entry.Key.Value)
	}
	if l := c.Rules.Of(at.schema(c.File), n.Node); l.Kind == schema.Map {
		return at.item(l.Label(kid.Node))
	}
	return at.index(i)
}

// nodeAt returns what stands at p in v, nil if nothing does.
func (c *checker) nodeAt(v version, p *place) *node {
	if p == nil {
		return nil
	}
	if p.up == nil {
		for _, d := range c.docs[v] {
			if c.placeOfDocument(d).name == p.name {
				return d
			}
		}
		return nil
	}
	n := c.nodeAt(v, p.up)
	if n == nil {
		return nil
	}
	for i := range n.kids {
		if q := c.placeOfKid(p.up, n, i); q.name == p.name && q.id == p.id {
			return &n.kids[i]
		}
	}
	return nil
}
