package skim

import "gopkg.in/yaml.v3"

// flow reads the flow collection at the cursor, which has to end on its line.
func (r *reader) flow() *Node {
	kind, end := yaml.MappingNode, byte('}')
	if r.at('[') {
		kind, end = yaml.SequenceNode, ']'
	}
	r.deeper(1)
	n, from := r.node(kind, yaml.FlowStyle), len(r.stack)
	r.pos++
	for r.spaces(); !r.bad && !r.at(end); {
		if kind == yaml.MappingNode {
			r.flowKey()
		}
		r.push(r.flowValue())
		if r.spaces(); r.at(end) {
			break
		}
		if !r.at(',') {
			r.fail()
			break
		}
		r.pos++
		if r.spaces(); r.at(end) {
			r.fail()
		}
	}
	r.deeper(-1)
	n.Content = r.pop(from)
	r.pos = min(r.pos+1, len(r.src))
	return n
}

// flowKey reads a key of a flow mapping, with a colon and a space behind it.
func (r *reader) flowKey() {
	start := r.pos
	r.push(r.flowScalar())
	if r.bad {
		return
	}
	if r.pos-start > maxKey || !r.at(':') || r.src[r.pos+1] != ' ' {
		r.fail()
		return
	}
	r.pos++
	r.spaces()
}

func (r *reader) flowValue() *Node {
	if r.at('{') || r.at('[') {
		return r.flow()
	}
	return r.flowScalar()
}

// flowScalar reads a scalar inside of a flow collection: in quotes, or of the
// bytes of most words and numbers.
func (r *reader) flowScalar() *Node {
	if r.bad {
		return nil
	}
	if r.at('"') || r.at('\'') {
		n := r.quoted()
		if n == nil {
			r.fail()
		}
		return n
	}
	end := r.pos
	for c := r.src[end]; flowByte(c) || end > r.pos && (c == '-' || c == '*' || c == '=' || c == ' '); c = r.src[end] {
		end++
	}
	for end > r.pos && r.src[end-1] == ' ' {
		end--
	}
	if end == r.pos {
		r.fail()
		return nil
	}
	n := r.scalar(r.src[r.pos:end])
	r.pos = end
	return n
}

func flowByte(b byte) bool { return keyBytes[b] == keyAnywhere }
