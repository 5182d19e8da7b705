package syntax

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// seal makes n, the flow collection y that has been placed, a scalar: its
// text. So {{ .Values.image }}, which to YAML is a mapping whose key is a
// mapping, is one value. It fails where the text alone does not say what y
// means: on several lines, or with anchors or aliases inside.
func (p *placer) seal(n *Node, y *yaml.Node) {
	if p.err != nil {
		return
	}
	text := p.src[n.Content.Start:n.Content.End]
	if bytes.ContainsAny(text, "\r\n\u0085\u2028\u2029") || refersWithin(y) {
		p.failKey(y)
		return
	}
	n.Kind, n.Style, n.Value = Scalar, Sealed, string(text)
	n.Entries, n.Tail, n.Implicit = nil, Parts{}.Tail, false
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

func isCollection(y *yaml.Node) bool {
	return y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode
}
