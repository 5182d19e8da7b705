package elide

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// kind is what a line is.
type kind uint8

const (
	other   kind = iota // anything that is not known to be one of the rest
	blank               // nothing but spaces
	comment             // a comment of its own
	marker              // --- or ..., alone on its line
	field               // key: value
	item                // - value
	pair                // - key: value
)

// value is what stands behind the colon or dash of a line.
type value uint8

const (
	unsure value = iota
	none         // nothing, or a comment
	inline       // a complete value
	header       // the header of a literal or of folded text
)

// role says which field a key is that tells what a document is.
type role uint8

const (
	anyField role = iota
	kindField
	metadataField
	nameField
	namespaceField
	sopsField
	otherName // tells items apart where all have it, before their names do
)

// roleOf is the role of a key.
func roleOf(key []byte) role {
	switch string(key) {
	case "kind":
		return kindField
	case "metadata":
		return metadataField
	case "name":
		return nameField
	case "namespace":
		return namespaceField
	case "sops":
		return sopsField
	case "mountPath", "devicePath", "topologyKey":
		return otherName
	}
	return anyField
}

// A form is what a line is by itself, wherever it stands. Offsets are from its
// start.
type form struct {
	col    int32  // of what stands there first
	inner  int32  // the column of the key of a pair
	key    int32  // where the key of a field or pair starts, without quotes
	keyEnd int32  // and ends
	after  int32  // where the value of a field or pair starts, or the blanks before it
	hash   uint64 // of the key
	kind   kind
	value  value
	role   role
	clean  bool // nothing but printable characters
	dash   bool // of another line: it starts with one, or may do so behind a byte order mark
	block  bool // of another line: perhaps a header of text on several lines
	keep   bool // the field has to stay
	open   bool // the value may go on in the next line
}

// A line is a line of the text, with its break.
type line struct {
	text.Span
	*form
}

// name is where the key of a field or pair is.
func (l line) name() text.Span {
	return text.Span{Start: l.Start + int(l.key), End: l.Start + int(l.keyEnd)}
}

// isItem reports whether the line starts an item, or may do so.
func (l line) isItem() bool { return l.kind == item || l.kind == pair || l.kind == other && l.dash }

// forms has the forms of the lines that were read last, by their IDs: in most
// texts the same lines come again and again.
type forms struct {
	ids   []int32 // and 1, so that 0 is none; as many as a power of two
	forms []form
}

// mostForms is how many lines are remembered.
const mostForms = 1 << 12

// newForms returns forms for a text of some lines.
func newForms(lines int) *forms {
	n := 1
	for n < min(lines, mostForms) {
		n *= 2
	}
	return &forms{make([]int32, n), make([]form, n)}
}

// form returns the form of line i.
func (s *scanner) form(i int) *form {
	id := s.IDs[i]
	at := id & int32(len(s.forms.ids)-1)
	f := &s.forms.forms[at]
	if s.forms.ids[at] != id+1 {
		*f = s.read(s.Text[s.Starts[i]:s.Starts[i+1]])
		s.forms.ids[at] = id + 1
	}
	return f
}

// read returns the form of a line.
func (s *scanner) read(b []byte) form {
	f := readForm(b)
	if f.kind == field || f.kind == pair {
		key := b[f.key:f.keyEnd]
		f.role, f.keep = roleOf(key), s.opts.Keep[string(key)]
		if s.opts.Unique {
			f.hash = maphash.Bytes(seed, key)
		}
	}
	return f
}

// readForm reads a line, with its break.
func readForm(b []byte) form {
	var f form
	last := b[len(b)-1] != '\n'
	b = withoutBreak(b)
	if last {
		f.col = int32(indent(b))
		return f
	}
	f.clean = printable(b)
	f.col = int32(indent(b))
	rest := b[f.col:]
	switch {
	case len(rest) == 0:
		f.kind = blank
	case rest[0] == '#':
		f.kind = comment
	case !f.clean:
	case rest[0] == '-':
		f.item(rest)
	case f.col == 0 && string(rest) == "...":
		f.kind = marker
	case f.col == 0 && rest[0] == '%':
	default:
		f.inner = f.col
		f.field(rest, field)
	}
	if f.kind == other {
		f.block = perhapsHeader(rest)
		f.dash = rest[0] == '-' || bytes.HasPrefix(rest, bom)
	}
	return f
}

var bom = []byte("\xef\xbb\xbf")

// withoutBreak returns a line without its break: LF or CR LF.
func withoutBreak(b []byte) []byte {
	b, ended := bytes.CutSuffix(b, []byte("\n"))
	if ended {
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	return b
}

// item reads what starts with a dash.
func (f *form) item(b []byte) {
	switch {
	case f.col == 0 && string(b) == "---":
		f.kind = marker
		return
	case len(b) < 3 || b[1] != ' ':
		return
	}
	n := 1 + indent(b[1:])
	if rest := b[n:]; len(rest) > 0 && (rest[0] != '-' || len(rest) > 1 && rest[1] != ' ') {
		f.inner = f.col + int32(n)
		if f.field(rest, pair); f.kind == pair {
			return
		}
		if f.value = readValue(rest); f.value == inline {
			f.kind, f.open = item, goesOn(rest)
		}
	}
}

// field reads a key and its value.
func (f *form) field(b []byte, k kind) {
	key, n := readKey(b)
	if n == 0 {
		return
	}
	if v := readValue(b[n:]); v != unsure {
		f.key = f.inner
		if b[0] == '"' || b[0] == '\'' {
			f.key++
		}
		f.keyEnd = f.key + int32(len(key))
		f.after = f.inner + int32(n)
		f.kind, f.value, f.open = k, v, v == inline && goesOn(b[n:])
	}
}

// printable reports whether nothing in b is a control character, a tab, a line
// break of YAML or what a YAML parser might refuse.
func printable(b []byte) bool {
	for i, c := range b {
		if c-0x20 > 0x5e {
			return c > 0x7f && readable(b[i:])
		}
	}
	return true
}

func readable(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0xd800 && r < 0xe000, r == 0x2028, r == 0x2029, r == 0xfeff, r >= 0xfff0:
			return false
		}
		b = b[n:]
	}
	return true
}

// perhapsHeader reports whether b may be the header of text on several lines.
func perhapsHeader(b []byte) bool {
	if i := bytes.Index(b, []byte(" #")); i >= 0 {
		b = b[:i]
	}
	b = bytes.TrimRight(b, " \t\r+-0123456789")
	return len(b) > 0 && (b[len(b)-1] == '|' || b[len(b)-1] == '>')
}
