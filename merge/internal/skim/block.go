package skim

import (
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// block reads the block collection whose first entry stands at the cursor, in the
// column col.
func (r *reader) block(col int) *Node {
	if r.dash() {
		return r.sequence(col)
	}
	return r.mapping(col)
}

// deeper notes that a collection begins; to be called again with -1 at its end.
func (r *reader) deeper(by int) {
	if r.depth += by; r.depth > maxDepth {
		r.fail()
	}
}

func (r *reader) mapping(col int) *Node {
	r.deeper(1)
	n, from := r.node(yaml.MappingNode, 0), len(r.stack)
	for first := true; !r.bad && (first || r.indent == col); first = false {
		r.key()
		r.push(r.value(col))
	}
	return r.end(n, from, col)
}

func (r *reader) sequence(col int) *Node {
	r.deeper(1)
	n, from := r.node(yaml.SequenceNode, 0), len(r.stack)
	for first := true; !r.bad && (first || r.indent == col && r.dash()); first = false {
		r.pos++
		r.push(r.item(col))
	}
	return r.end(n, from, col)
}

// end ends the collection n in the column col, whose entries are those from from on.
func (r *reader) end(n *Node, from, col int) *Node {
	if r.indent > col {
		r.fail()
	}
	r.deeper(-1)
	n.Content = r.pop(from)
	return n
}

// dash reports whether an item starts at the cursor.
func (r *reader) dash() bool {
	return r.at('-') && (r.src[r.pos+1] == ' ' || r.src[r.pos+1] == '\n')
}

// key reads a key with its colon.
func (r *reader) key() {
	end := r.keyEnd()
	if end < 0 {
		r.fail()
		r.push(nil)
		return
	}
	if c := r.src[r.pos]; c == '"' || c == '\'' {
		r.push(r.quoted())
	} else {
		r.push(r.scalar(r.src[r.pos:end]))
	}
	r.pos = end + 1
}

// maxKey is how long a key may be to be certain: 1024 characters are too long.
const maxKey = 1000

// keyEnd returns where the colon of the key at the cursor stands, -1 if it is
// not certain that there is one.
func (r *reader) keyEnd() int {
	end := r.pos
	switch c := r.src[end]; {
	case c == '"' || c == '\'':
		if end = r.quoteEnd(); end < 0 {
			return -1
		}
	case keyBytes[c] != keyAnywhere:
		return -1
	default:
		for end++; keyBytes[r.src[end]] != 0 && !(r.src[end] == ':' && isSpace(r.src[end+1])); {
			end++
		}
		if r.src[end-1] == ' ' {
			return -1
		}
	}
	if r.src[end] != ':' || r.src[end+1] != ' ' && r.src[end+1] != '\n' || end-r.pos > maxKey {
		return -1
	}
	return end
}

// What may stand in plain keys: anywhere, or not as the first byte.
const (
	keyAnywhere = iota + 1
	keyInside
)

var keyBytes = [256]uint8{
	'-': keyInside, ':': keyInside, ' ': keyInside, '@': keyInside, '=': keyInside, '~': keyInside, ',': keyInside, '*': keyInside,
	'_': keyAnywhere, '.': keyAnywhere, '/': keyAnywhere, '$': keyAnywhere, '(': keyAnywhere, ')': keyAnywhere, '+': keyAnywhere,
	'0': keyAnywhere, '1': keyAnywhere, '2': keyAnywhere, '3': keyAnywhere, '4': keyAnywhere,
	'5': keyAnywhere, '6': keyAnywhere, '7': keyAnywhere, '8': keyAnywhere, '9': keyAnywhere,
	'A': keyAnywhere, 'B': keyAnywhere, 'C': keyAnywhere, 'D': keyAnywhere, 'E': keyAnywhere, 'F': keyAnywhere, 'G': keyAnywhere,
	'H': keyAnywhere, 'I': keyAnywhere, 'J': keyAnywhere, 'K': keyAnywhere, 'L': keyAnywhere, 'M': keyAnywhere, 'N': keyAnywhere,
	'O': keyAnywhere, 'P': keyAnywhere, 'Q': keyAnywhere, 'R': keyAnywhere, 'S': keyAnywhere, 'T': keyAnywhere, 'U': keyAnywhere,
	'V': keyAnywhere, 'W': keyAnywhere, 'X': keyAnywhere, 'Y': keyAnywhere, 'Z': keyAnywhere,
	'a': keyAnywhere, 'b': keyAnywhere, 'c': keyAnywhere, 'd': keyAnywhere, 'e': keyAnywhere, 'f': keyAnywhere, 'g': keyAnywhere,
	'h': keyAnywhere, 'i': keyAnywhere, 'j': keyAnywhere, 'k': keyAnywhere, 'l': keyAnywhere, 'm': keyAnywhere, 'n': keyAnywhere,
	'o': keyAnywhere, 'p': keyAnywhere, 'q': keyAnywhere, 'r': keyAnywhere, 's': keyAnywhere, 't': keyAnywhere, 'u': keyAnywhere,
	'v': keyAnywhere, 'w': keyAnywhere, 'x': keyAnywhere, 'y': keyAnywhere, 'z': keyAnywhere,
}

// value reads the value of a field of a mapping in the column col.
func (r *reader) value(col int) *Node {
	r.spaces()
	if !r.ended() {
		return r.inline(col)
	}
	void := r.scalar("")
	r.endLine()
	switch {
	case r.indent > col:
		return r.nested(col)
	case r.indent == col && r.dash():
		return r.sequence(col)
	}
	return void
}

// item reads what stands behind a dash in the column col.
func (r *reader) item(col int) *Node {
	r.spaces()
	switch {
	case r.bad:
	case r.ended():
		void := r.scalar("")
		if r.endLine(); r.indent > col {
			return r.nested(col)
		}
		return void
	case r.dash():
		return r.sequence(r.pos - r.bol)
	case r.keyEnd() >= 0:
		return r.mapping(r.pos - r.bol)
	}
	return r.inline(col)
}

// ended reports whether at most a comment follows on the line.
func (r *reader) ended() bool { return r.at('\n') || r.at('#') }

// nested reads a value that starts on a line of its own, inside of a collection
// in the column col.
func (r *reader) nested(col int) *Node {
	if r.dash() || r.keyEnd() >= 0 {
		return r.block(r.indent)
	}
	return r.inline(col)
}

// column is the column of the cursor as yaml.v3 counts it.
func (r *reader) column() int {
	if r.ascii {
		return r.pos - r.bol + 1
	}
	return utf8.RuneCountInString(r.src[r.bol:r.pos]) + 1
}
