package syntax

import (
	"bytes"
	"errors"
	"io"

	"gopkg.in/yaml.v3"
)

// A source hands out document nodes, one after the other, and nil behind the last one.
type source func() (*yaml.Node, *Error)

// documents reads those of data, each when it is asked for: the parser's nodes take thirty times
// as much memory as their text.
func documents(data []byte) source {
	data = acceptable(data)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	return func() (*yaml.Node, *Error) {
		n := new(yaml.Node)
		switch err := dec.Decode(n); {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, parserError(err, data)
		}
		return n, nil
	}
}

// bare reports whether y is a value of which nothing is written, or nothing
// but a lone "!", which the YAML parser drops.
func bare(y *yaml.Node) bool { return blank(y) && y.Anchor == "" && y.Style&yaml.TaggedStyle == 0 }

// blank reports whether y has no content, but perhaps properties.
func blank(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&^yaml.TaggedStyle == 0
}

// isBlock reports whether y is a block collection.
func isBlock(y *yaml.Node) bool {
	return (y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode) && y.Style&yaml.FlowStyle == 0
}

func isCollection(y *yaml.Node) bool {
	return y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode
}

// hasCollectionKey reports whether y is a mapping with a collection as a key.
func hasCollectionKey(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(y.Content); i += 2 {
		if isCollection(y.Content[i]) {
			return true
		}
	}
	return false
}

// refersWithin reports whether an anchor or an alias stands inside y.
func refersWithin(y *yaml.Node) bool {
	for _, c := range y.Content {
		if c.Anchor != "" || c.Kind == yaml.AliasNode || refersWithin(c) {
			return true
		}
	}
	return false
}

// pairs returns how many nodes an entry of y has.
func pairs(y *yaml.Node) int {
	if y.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

func styleOf(y *yaml.Node) Style {
	switch style := y.Style; {
	case isBlock(y):
		return Block
	case style&yaml.FlowStyle != 0:
		return Flow
	case style&yaml.DoubleQuotedStyle != 0:
		return DoubleQuoted
	case style&yaml.SingleQuotedStyle != 0:
		return SingleQuoted
	case style&yaml.LiteralStyle != 0:
		return Literal
	case style&yaml.FoldedStyle != 0:
		return Folded
	}
	return Plain
}
