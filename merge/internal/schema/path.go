package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Pattern describes the paths of fields. It is written as names separated by dots:
//
//	spec.ports[*].name         the name of each item of ports; the same as spec.ports.*.name
//	spec.*.name                * is one field or one item
//	**.name                    ** is any number of fields and items, also none
//	metadata.annotations."a.b/c"    a name with a dot, bracket, quote or star is quoted
//	.                          the root
type Pattern []step

// A step is one name or wildcard of a pattern.
type step struct {
	name     string
	wildcard wildcard
}

// A wildcard is a kind of step.
type wildcard uint8

const (
	notWild  wildcard = iota
	anyOne            // *
	anyDepth          // **
)

// ParsePattern parses a path as the team's rules write it: names joined by dots, with * or [*] for one field or item,
// and ** for any number of them. The error describes the mistake in s.
//
//	spec.ports[*].name      the name of each item of ports
//	**.name                 each field called name
//	data."a.b"              a name with a dot is quoted
//	.                       the root
func ParsePattern(s string) (Pattern, error) {
	if s == "." {
		return Pattern{}, nil
	}
	p := make(Pattern, 0, 1+strings.Count(s, ".")+strings.Count(s, "["))
	for rest, more := s, true; more; {
		first, after, err := cutStep(rest)
		if err != nil {
			return nil, err
		}
		p = append(p, first)
		for strings.HasPrefix(after, "[*]") {
			p, after = append(p, step{wildcard: anyOne}), after[3:]
		}
		switch {
		case after == "":
			more = false
		case after[0] == '.':
			rest = after[1:]
		case after[0] == '[':
			return nil, fmt.Errorf("%q selects a single item; use [*] for all items", after)
		default:
			return nil, fmt.Errorf("expected a dot before %q", after)
		}
	}
	return p, nil
}

// PatternText returns the path of p in the notation of the team's rules: spec.ports[*].name, with names in quotes if
// necessary, and "." for the root. ok is false if the path cannot be written, because a name contains both kinds of
// quotes.
func (p Place) PatternText() (text string, ok bool) {
	if len(p.Path) == 0 {
		return ".", true
	}
	var b strings.Builder
	for i, name := range p.Path {
		if name == "*" && i > 0 { // a pattern cannot begin with a bracket
			b.WriteString("[*]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		quote := ""
		switch {
		case strings.Contains(name, `"`):
			quote = "'"
		case name == "" || name != "*" && strings.ContainsAny(name, `.[*'`):
			quote = `"`
		}
		if quote != "" && strings.Contains(name, quote) {
			return "", false
		}
		b.WriteString(quote + name + quote)
	}
	return b.String(), true
}

// cutStep parses the first step of s, a path such as spec.ports[*].name. It returns the step, spec, and the rest of s,
// .ports[*].name. The rest can be any text after a name in quotes. The error describes the mistake in s.
func cutStep(s string) (first step, after string, err error) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return first, "", fmt.Errorf("%s has no closing quote", s)
		}
		return step{name: s[1 : 1+end]}, s[2+end:], nil
	}
	end := strings.IndexAny(s, ".[")
	if end < 0 {
		end = len(s)
	}
	name, after := s[:end], s[end:]
	switch {
	case name == "":
		return first, "", errors.New("empty name")
	case name == "*":
		return step{wildcard: anyOne}, after, nil
	case name == "**":
		return step{wildcard: anyDepth}, after, nil
	case strings.ContainsAny(name, `*"'`):
		return first, "", fmt.Errorf("%q contains * or a quote; put the name in quotes", name)
	}
	return step{name: name}, after, nil
}

// Matches reports whether p describes path, the names from the root to a field with "*" for an item of a list.
//
//	p                    path
//	spec.ports[*].name   spec, ports, *, name     true
//	**.name              spec, ports, *, name     true
//	spec.*               spec, ports, *, name     false
func (p Pattern) Matches(path []string) bool {
	// the time is proportional to the product of the lengths of p and path
	stepIndex, retryStep, retryIndex := 0, -1, 0
	for i := 0; i < len(path); {
		switch {
		case stepIndex < len(p) && p[stepIndex].wildcard == anyDepth: // it takes no name at first
			stepIndex++
			retryStep, retryIndex = stepIndex, i
		case stepIndex < len(p) && (p[stepIndex].wildcard == anyOne || p[stepIndex].name == path[i]):
			stepIndex++
			i++
		case retryStep >= 0: // on a mismatch, the last ** takes one more name, and the steps after it start again
			retryIndex++
			stepIndex, i = retryStep, retryIndex
		default:
			return false
		}
	}
	for stepIndex < len(p) && p[stepIndex].wildcard == anyDepth { // they may take no name
		stepIndex++
	}
	return stepIndex == len(p)
}

// Covers reports whether p describes every path that q describes: **.name covers spec.*.name, but not the other way
// around. It may return false although p covers q if ** is next to *, as in *.** and **.*, because each step of p is
// compared with single steps of q.
func (p Pattern) Covers(q Pattern) bool {
	// covers[j] is whether the steps of p so far, from the last one on, cover those of q from j on
	covers := make([]bool, len(q)+1)
	covers[len(q)] = true
	for _, s := range slices.Backward(p) {
		rest := slices.Clone(covers) // the same for the steps of p after s
		for j := len(q); j >= 0; j-- {
			switch {
			case s.wildcard == anyDepth: // s takes no step of q, or the one at j and perhaps more
				covers[j] = rest[j] || j < len(q) && covers[j+1]
			case j == len(q) || q[j].wildcard == anyDepth: // s takes exactly one name
				covers[j] = false
			default:
				covers[j] = rest[j+1] && (s.wildcard == anyOne || q[j] == s)
			}
		}
	}
	return covers[0]
}

// LastName returns the last name in p: tag for image.tag. It returns "" for the root, and if p ends in a wildcard.
func (p Pattern) LastName() string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1].name
}

// HasName reports whether name is a name in p.
func (p Pattern) HasName(name string) bool {
	return slices.ContainsFunc(p, func(s step) bool { return s.name == name })
}

// Names returns the field names that p consists of, for a field at a fixed place: [package epoch] for package.epoch. ok
// is false if p has a wildcard, and so describes several paths, or if p is the root.
func (p Pattern) Names() (names []string, ok bool) {
	for _, s := range p {
		if s.wildcard != notWild {
			return nil, false
		}
		names = append(names, s.name)
	}
	return names, len(names) > 0
}
