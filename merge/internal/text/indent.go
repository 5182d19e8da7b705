package text

import "bytes"

const spaces = "                                                                "

// Spaces returns n spaces, or none if n is negative. The caller must not change them: the result may be shared with
// other calls.
func Spaces(n int) []byte {
	if n <= len(spaces) {
		return []byte(spaces[:max(n, 0)])
	}
	return bytes.Repeat([]byte(" "), n)
}

// A Move changes the indentation of lines. The zero value changes nothing.
//
// From at the start of an indentation becomes To, and each Unit after it becomes ToUnit. If an
// indentation has only the first part of From, that part is cut to the length of To.
//
//	From  To      Unit  ToUnit  line          result
//	""    "  "                  "  a"         "    a"
//	"  "  ""                    "   a"        " a"
//	"  "  ""                    " a"          "a"
//	"  "  "    "  "  "  "\t"    "    - a"     "    \t- a"
type Move struct{ From, To, Unit, ToUnit []byte }

// MoveColumns returns the Move for the lines of an entry that moves from one column to another one. All lines move by
// as many columns as the entry. A line that is left of the entry moves, too, but not beyond the start of the line.
func MoveColumns(from, to int) Move {
	return Move{From: Spaces(from - to), To: Spaces(to - from)}
}

// Apply returns the lines of b, which end with LF, with a new indentation (see Move). b must start at the start of a
// line. An empty line remains empty; a line of blanks is indented like others. If m changes nothing, the result is b
// itself.
//
//	m                                        line      result
//	MoveColumns(0, 2)                        " a"      "   a"
//	MoveColumns(2, 0)                        "   a"    " a"
//	From "  ", To "", Unit "  ", ToUnit "\t" "    a"   "\ta"
func (m Move) Apply(b []byte) []byte {
	if bytes.Equal(m.From, m.To) && bytes.Equal(m.Unit, m.ToUnit) {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8+16)
	for line := range bytes.Lines(b) {
		content := bytes.TrimLeft(line, " \t")
		if len(content) < len(line) || content[0] != '\n' && content[0] != '\r' {
			out = m.appendIndent(out, line[:len(line)-len(content)])
		}
		out = append(out, content...)
	}
	return out
}

// ApplyExceptFirst returns b with a new indentation of all lines except the first (see Apply), for text that starts in
// the middle of a line. It does not modify b, and returns b itself if b has no LF.
func (m Move) ApplyExceptFirst(b []byte) []byte {
	i := bytes.IndexByte(b, '\n') + 1
	if i == 0 {
		return b
	}
	return append(b[:i:i], m.Apply(b[i:])...)
}

// Indent returns the indentation of a line after the move, if it was indent before: m.From at its start becomes m.To,
// and each m.Unit after it becomes m.ToUnit.
func (m Move) Indent(indent []byte) []byte { return m.appendIndent(nil, indent) }

// appendIndent appends the new indentation of a line to out, and returns the extended out. indent is the old
// indentation: From at its start becomes To, each Unit after it becomes ToUnit, and the rest remains. A line with less
// indentation than From keeps what it shares with From, but at most as many bytes as To has.
func (m Move) appendIndent(out, indent []byte) []byte {
	rest, found := bytes.CutPrefix(indent, m.From)
	if !found { // the line is left of the moved entry, and cannot move by as many columns
		common := 0 // the number of bytes with which both indent and From start
		for common < len(indent) && indent[common] == m.From[common] {
			common++
		}
		return append(append(out, indent[:min(common, len(m.To))]...), indent[common:]...)
	}
	out = append(out, m.To...)
	for len(m.Unit) > 0 && bytes.HasPrefix(rest, m.Unit) {
		out, rest = append(out, m.ToUnit...), rest[len(m.Unit):]
	}
	return append(out, rest...)
}
