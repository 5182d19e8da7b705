package mutant

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Class says in what alone a mutant differs from the right result, if that is
// one of the things that the verifier leaves open; "" if it is not. It reads
// both with the YAML parser, and knows nothing of the verifier.
func Class(right []byte, m Mutant) string {
	b := m.Stream.File.Bytes()
	docs, spoilt := documents(right), documents(b)
	same := slices.EqualFunc(docs, spoilt, equal)
	switch {
	case same && slices.Equal(apart(right), apart(b)):
		return "place of a comment"
	case same && bytes.Equal(bare(right), bare(b)):
		return "blanks"
	case spell(docs) == spell(spoilt) && slices.Equal(sorted(right), sorted(b)):
		return "order"
	}
	return ""
}

// apart returns the lines of b, blank ones aside: first those that are no
// comments, in their order, then the comments of each document, sorted.
func apart(b []byte) []string {
	src := read(b)
	own := map[int]bool{}
	for i, c := range src.comments {
		if src.owns(i) {
			own[src.lineStart(c.Start)] = true
		}
	}
	var lines, comments []string
	at := 0
	for _, l := range src.lines {
		switch s := strings.TrimSpace(string(l)); {
		case own[at]:
			comments = append(comments, s)
		case s != "":
			lines = append(lines, string(l))
		}
		at += len(l)
	}
	slices.Sort(comments)
	return append(lines, comments...)
}

// bare returns b without blanks, and without blank lines.
func bare(b []byte) []byte {
	var out []byte
	for _, l := range written(b) {
		for _, c := range l {
			if c != ' ' && c != '\t' {
				out = append(out, c)
			}
		}
	}
	return out
}

func sorted(b []byte) []string {
	var all []string
	for _, l := range written(b) {
		all = append(all, strings.TrimSpace(string(l)))
	}
	slices.Sort(all)
	return all
}

// spell spells data in which nothing has an order.
func spell(ns []*yaml.Node) string {
	var all []string
	for _, n := range ns {
		s := n.Tag + "&" + n.Anchor + "=" + n.Value
		switch n.Kind {
		case yaml.MappingNode:
			var fields []string
			for i := 0; i+1 < len(n.Content); i += 2 {
				fields = append(fields, spell(n.Content[i:i+1])+":"+spell(n.Content[i+1:i+2]))
			}
			slices.Sort(fields)
			s += "{" + strings.Join(fields, ",") + "}"
		case yaml.SequenceNode, yaml.DocumentNode:
			s += "[" + spell(n.Content) + "]"
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return strings.Join(all, ";")
}
