package schema

import (
	"fmt"
	"strings"
)

// A pattern is a path of fields: names separated by dots, `*` for one field
// or any item of a list, `**` for any number of either. An item is written
// `.*` or, as in the paths of conflicts, `[*]`. A name that holds a dot, a
// bracket, a quote or a star stands in quotes: metadata.annotations."a.b/c".
// A lone dot is the root.
type pattern []element

// An element is one step of a pattern.
type element struct {
	name string
	wild wild
}

type wild uint8

const (
	exact wild = iota
	one        // *
	deep       // **
)

// parsePattern reads a path. Its errors say what is wrong.
func parsePattern(s string) (pattern, error) {
	if s == "." {
		return pattern{}, nil
	}
	var p pattern
	for rest, more := s, true; more; {
		e, after, err := nextElement(rest)
		if err != nil {
			return nil, err
		}
		p = append(p, e)
		for strings.HasPrefix(after, "[*]") {
			p, after = append(p, element{wild: one}), after[3:]
		}
		switch {
		case after == "":
			more = false
		case after[0] == '.':
			rest = after[1:]
		case after[0] == '[':
			return nil, fmt.Errorf("%q: an item cannot be named, all items are written [*]", after)
		default:
			return nil, fmt.Errorf("found %q where a dot is expected", after)
		}
	}
	return p, nil
}

// Pattern spells the path of a place as parsePattern reads it. It reports
// false where a name cannot be spelled, as there are both kinds of quotes in it.
func (p Place) Pattern() (string, bool) {
	if len(p.Path) == 0 {
		return ".", true
	}
	var b strings.Builder
	for i, name := range p.Path {
		switch {
		case name == "*" && i > 0:
			b.WriteString("[*]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		quote := ""
		if name == "" || name == "**" || strings.ContainsAny(name, `.[*"'`) && name != "*" {
			quote = `"`
		}
		if strings.Contains(name, `"`) {
			quote = "'"
		}
		if quote != "" && strings.Contains(name, quote) {
			return "", false
		}
		b.WriteString(quote + name + quote)
	}
	return b.String(), true
}

// nextElement takes one element off s.
func nextElement(s string) (e element, after string, err error) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return e, "", fmt.Errorf("%s: the quote is never closed", s)
		}
		return element{name: s[1 : 1+end]}, s[2+end:], nil
	}
	end := strings.IndexAny(s, ".[")
	if end < 0 {
		end = len(s)
	}
	name, after := s[:end], s[end:]
	switch {
	case name == "":
		return e, "", fmt.Errorf("a name is missing")
	case name == "*":
		return element{wild: one}, after, nil
	case name == "**":
		return element{wild: deep}, after, nil
	case strings.ContainsAny(name, `*"'`):
		return e, "", fmt.Errorf("%s: a star is for a whole name; a name with a star or quote in it is written in quotes", name)
	}
	return element{name: name}, after, nil
}

// match reports whether path is one of those that p describes, in time in
// proportion to the product of their lengths.
func (p pattern) match(path []string) bool {
	at, back, from := 0, -1, 0
	for i := 0; i < len(path); {
		switch {
		case at < len(p) && p[at].wild == deep:
			at++
			back, from = at, i
		case at < len(p) && (p[at].wild == one || p[at].name == path[i]):
			at++
			i++
		case back >= 0:
			from++
			at, i = back, from
		default:
			return false
		}
	}
	for at < len(p) && p[at].wild == deep {
		at++
	}
	return at == len(p)
}
