package outline

import "bytes"

// A line is one as it looks to who knows nothing of the lines before.
type line struct {
	off    int32
	column int32 // of what stands first
	inner  int32 // of what stands behind the dash; 0 if there is none
	kind   lineKind
	opens  bool // nothing but an anchor, a tag and a comment stands behind what begins an entry
}

type lineKind uint8

const (
	other   lineKind = iota
	empty            // blanks or a comment
	marker           // of a document
	field            // a plain key and a colon
	item             // a dash, and who knows what
	compact          // a dash, a plain key and a colon
)

// lineAt looks at the line from off to next; false if nobody can tell its column.
func lineAt(src []byte, off, next int) (l line, ok bool) {
	at := off
	for at < next && src[at] == ' ' {
		at++
	}
	l = line{off: int32(off), column: int32(at - off)}
	switch {
	case at == next, src[at] == '\n', src[at] == '#':
		l.kind = empty
	case src[at] == '\t', src[at] == 0xef: // or a byte order mark
		return l, false
	case at == off && (isMarker(src[off:next])):
		l.kind = marker
	case src[at] == '-' && isWord(src, at+1):
		l.kind = item
		for at++; at < next && src[at] == ' '; at++ {
		}
		if l.opens = opensAt(src, at, next); !l.opens {
			l.inner = int32(at - off)
			if keyed, opens := keyAt(src, at, next); keyed {
				l.kind, l.opens = compact, opens
			}
		}
	default:
		var keyed bool
		if keyed, l.opens = keyAt(src, at, next); keyed {
			l.kind = field
		}
	}
	return l, true
}

// opensAt reports whether nothing but an anchor, a tag and a comment stands from at, which is
// behind a blank, to the end of the line, next.
func opensAt(src []byte, at, next int) bool {
	for at < next && (src[at] == '&' || src[at] == '!') {
		for at < next && !isWord(src, at) {
			at++
		}
		for at < next && src[at] == ' ' {
			at++
		}
	}
	return at == next || src[at] == '\n' || src[at] == '#'
}

// keyAt reports whether a plain key and its colon stand at at, and whether opensAt holds
// behind them, on the line that ends at next.
func keyAt(src []byte, at, next int) (keyed, opens bool) {
	if bytes.IndexByte([]byte("-?:,[]{}#&*!|>'\"%@`"), src[at]) >= 0 {
		return false, false
	}
	for ; at < next; at++ {
		switch {
		case src[at] == ':' && isWord(src, at+1):
			for at++; at < next && src[at] == ' '; at++ {
			}
			return true, opensAt(src, at, next)
		case src[at] == '#' && src[at-1] == ' ', src[at] == '\t':
			return false, false
		}
	}
	return false, false
}

// isMarker reports whether l, a line, is a document marker.
func isMarker(l []byte) bool {
	return (bytes.HasPrefix(l, []byte("---")) || bytes.HasPrefix(l, []byte("..."))) && isWord(l, len("---"))
}

// isWord reports whether what ends at at in src is a word of its own.
func isWord(src []byte, at int) bool {
	return at == len(src) || src[at] == ' ' || src[at] == '\t' || src[at] == '\n'
}

// begins reports whether a collection may begin with l.
func (l line) begins() bool { return l.kind == field || l.kind == item || l.kind == compact }

// dashed reports whether l begins an item.
func (l line) dashed() bool { return l.kind == item || l.kind == compact }
