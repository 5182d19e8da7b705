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

	known *[2]string // the API version and kind of root, once somebody asked
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
		s.APIVersion, s.Kind = p.resource()
	}
	return s
}

// resource returns the API version and the kind of the resource that p starts.
// All of its lists ask for them.
func (p *place) resource() (apiVersion, kind string) {
	if p.known == nil {
		p.known = &[2]string{p.root.scalar("apiVersion"), p.root.scalar("kind")}
	}
	return p.known[0], p.known[1]
}

// refuse makes a refusal at p.
func (p *place) refuse(rule, format string, a ...any) *Refusal {
	return &Refusal{Rule: rule, Path: p.String(), Detail: fmt.Sprintf(format, a...)}
}
