package syntax

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// properties places the anchor and the tag of y at the cursor, which stands
// on the first of them, if there are any. It leaves the cursor behind the
// last one and reports whether there was one. The indent is that of the block
// collection around an empty y.
func (p *placer) properties(n *Node, y *yaml.Node, indent int, e *Entry) bool {
	stop := p.firstKey(y)
	anchor, tag := y.Anchor != "", y.Style&yaml.TaggedStyle != 0
	for found := false; ; found = true {
		save, odd, comment := p.cursor, e.Odd, e.Comment
		if found {
			p.space(e)
		}
		start := p.pos
		switch {
		case p.err != nil || start == stop:
		case p.at('&') && anchor:
			anchor = false
			p.anchor(n)
		case p.at('!') && n.TagText == "" && (tag || p.lone(y, found, indent)):
			tag = false
			p.tag(n)
		}
		if p.pos == start {
			p.cursor, e.Odd, e.Comment = save, odd, comment
			if anchor || tag {
				p.fail("an anchor or tag is not where it should be")
			}
			return found
		}
		if !found {
			n.Span.Start = start
		}
		n.Span.End = p.pos
	}
}

// lone reports whether the tag at the cursor is a "!", which the YAML parser
// drops, and belongs to y: below the anchor of an empty node, one in the
// column of the collection belongs to the next key.
func (p *placer) lone(y *yaml.Node, below bool, indent int) bool {
	tag := string(p.src[p.pos:p.tagEnd()])
	return (tag == "!" || tag == "!<!>") && (!below || !blank(y) || p.column() > indent)
}

// firstKey returns the offset of the first key of the block mapping y, -1 if
// it does not limit y's properties. The properties of a mapping and of its
// first key look alike; the YAML parser's positions tell them apart.
func (p *placer) firstKey(y *yaml.Node) int {
	if y.Kind != yaml.MappingNode || !isBlock(y) || len(y.Content) == 0 {
		return -1
	}
	ahead := p.where
	off, ok := ahead.offset(y.Content[0].Line, y.Content[0].Column)
	if !ok {
		return -1
	}
	return off
}

// hasProperties reports whether the block collection y, at whose start the
// cursor stands, has an anchor or a tag.
func (p *placer) hasProperties(y *yaml.Node) bool {
	if !p.at('&') && !p.at('!') {
		return false
	}
	if y.Kind != yaml.MappingNode || len(y.Content) == 0 {
		return true
	}
	key := y.Content[0]
	return key.Line != y.Line || key.Column != y.Column
}

// anchor moves over the anchor of n.
func (p *placer) anchor(n *Node) {
	p.name('&', n.Anchor)
}

// alias moves over n, an alias.
func (p *placer) alias(n *Node) {
	p.name('*', n.Value)
}

// name moves over the indicator of an anchor or alias and its name.
func (p *placer) name(indicator byte, name string) {
	p.expect(indicator)
	if p.err != nil {
		return
	}
	end := p.pos
	for end < len(p.src) && isWord(p.src[end]) {
		end++
	}
	if word, ok := strings.CutSuffix(name, strippedAs); ok && bytes.HasPrefix(p.src[end:], []byte(stripped)) {
		name, end = word+stripped, end+len(stripped)
	}
	if string(p.src[p.pos:end]) != name {
		p.fail("a name is not where it should be")
		return
	}
	p.pos = end
}

// isWord reports whether b may stand in an anchor's name.
func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '_' || b == '-'
}

// tag moves over the tag of n.
func (p *placer) tag(n *Node) {
	end := p.tagEnd()
	n.TagText = string(p.src[p.pos:end])
	p.pos = end
}

// tagEnd returns the end of the tag at the cursor.
func (p *placer) tagEnd() int {
	end := p.pos
	for !isBlankz(p.src, end) {
		end++
	}
	return end
}
