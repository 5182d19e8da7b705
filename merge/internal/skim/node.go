package skim

import "gopkg.in/yaml.v3"

// A Node is a node as it stands in the file: of a yaml.Node, what does not follow
// from the rest of it, and no comments.
type Node struct {
	Kind         yaml.Kind
	Style        yaml.Style
	Line, Column int32 // from 1, the column in characters
	Value        string
	Content      []*Node
	whole        *yaml.Node // as yaml.v3 read it; nil if it was skimmed
}

// Of returns nodes that yaml.v3 has read.
func Of(read []*yaml.Node) []*Node {
	nodes := make([]Node, len(read))
	list := make([]*Node, len(read))
	for i, y := range read {
		nodes[i] = Node{y.Kind, y.Style, int32(y.Line), int32(y.Column), y.Value, nil, y}
		if len(y.Content) > 0 {
			nodes[i].Content = Of(y.Content)
		}
		list[i] = &nodes[i]
	}
	return list
}

// Anchor is the anchor of n, without the &. Nothing that has one is skimmed.
func (n *Node) Anchor() string {
	if n.whole == nil {
		return ""
	}
	return n.whole.Anchor
}

// ToCollection reports whether n is an alias of a collection.
func (n *Node) ToCollection() bool {
	return n.whole != nil && n.whole.Alias != nil && n.whole.Alias.Kind&(yaml.MappingNode|yaml.SequenceNode) != 0
}

// ShortTag is the tag of n as yaml.v3 resolves it.
func (n *Node) ShortTag() string {
	switch {
	case n.whole != nil:
		return n.whole.ShortTag()
	case n.Kind == yaml.MappingNode:
		return "!!map"
	case n.Kind == yaml.SequenceNode:
		return "!!seq"
	case n.Style != 0:
		return "!!str"
	}
	if tag := plainTag(n.Value); tag != "" {
		return tag
	}
	plain := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	return plain.ShortTag()
}

// plainTag is the tag of a plain scalar where that is certain at a glance, else "".
func plainTag(value string) string {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return "!!null"
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return "!!bool"
	}
	switch c := value[0]; {
	case c|0x20 >= 'a' && c|0x20 <= 'z', c == '/', c == '_', c == '$', c == '(':
		return "!!str"
	case c == '0' && len(value) == 1, c >= '1' && c <= '9' && len(value) < 16 && digits(value):
		return "!!int"
	}
	return ""
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
