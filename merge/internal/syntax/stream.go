package syntax

import (
	"slices"
)

// DoubledKey returns the first of DoubledKeys; nil if there is none.
func (s *Stream) DoubledKey() *Entry {
	if all := s.DoubledKeys(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// fewFields is how many fields are compared with each other one by one.
const fewFields = 8

// DoubledKeys are the fields whose mapping has another one of the same key before them. A file with one is no YAML
// to most readers, whatever the parser says.
func (s *Stream) DoubledKeys() (all []*Entry) {
	var in func(n *Node)
	in = func(n *Node) {
		fields, mapping := n.Entries, n.Kind == Mapping
		seen := func(i int) bool {
			return slices.ContainsFunc(fields[:i], func(f *Entry) bool {
				return fields[i].Key.Value == f.Key.Value && fields[i].FieldKey() == f.FieldKey()
			})
		}
		if mapping && len(fields) > fewFields {
			known := make(map[string]bool, len(fields))
			seen = func(i int) bool {
				k := fields[i].FieldKey()
				before := known[k]
				known[k] = true
				return before
			}
		}
		for i, e := range fields {
			if mapping && seen(i) && !e.MergeKey() {
				all = append(all, e)
			}
		}
		for _, e := range fields {
			in(e.Value)
		}
	}
	for _, d := range s.Docs {
		in(d.Root)
	}
	return all
}

// Encrypted reports whether SOPS encrypted one of the documents: a sops
// mapping with a mac at the top.
func (s *Stream) Encrypted() bool {
	for _, d := range s.Docs {
		if d.Root.ScalarAt("sops", "mac") != "" {
			return true
		}
	}
	return false
}

// Layout is how a file indents the blocks that are values of fields: by how
// many columns, or Unsettled where it has none or several ways.
type Layout struct{ Mapping, List, Text int }

// Unsettled is no way to indent, or several; Unseen, that there was nothing to see it by.
const (
	Unsettled = -1
	Unseen    = -2
)

// Layout reads the layout of s off its tree.
func (s *Stream) Layout() Layout {
	l := Layout{Unseen, Unseen, Unseen}
	for _, d := range s.Docs {
		l.read(d.Root)
	}
	return l
}

func (l *Layout) read(n *Node) {
	for _, e := range n.Entries {
		by := e.Value.Indent - n.Indent
		switch to := l.Of(n, e.Value); {
		case to == nil || *to == by:
		case *to == Unseen:
			*to = by
		default:
			*to = Unsettled
		}
		l.read(e.Value)
	}
}

// Of is what l says of the value n of a field of in, nil if nothing.
func (l *Layout) Of(in, n *Node) *int {
	switch {
	case in.Kind != Mapping || in.Style != Block:
		return nil
	case n.Style == Block && n.Kind == Mapping:
		return &l.Mapping
	case n.Style == Block:
		return &l.List
	case n.IsBlockScalar() && !n.Lines.Empty():
		return &l.Text
	}
	return nil
}
