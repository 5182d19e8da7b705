package elide

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A document is the document at hand, as far as it was read.
type document struct {
	start int // of its ---
	plain bool
	epoch int32
	runs  int // how many runs there were before it
	names int // likewise names
	bad   bool
	id    [3]text.Span // kind, namespace and name
	// blocks are the indents of what was seen in it.
	blocks Indents
}

// document ends the document at hand and starts the one of the marker l. The
// former is a run if it is a resource and every line of it was understood.
func (s *scanner) document(l line) {
	d := &s.doc
	plain := string(withoutBreak(s.Text[l.Start:l.End])) == "---"
	if plain && d.plain && !d.bad && d.epoch == s.epoch && !d.id[0].Empty() && !d.id[2].Empty() {
		s.resource(d, l.Start)
	}
	s.open = s.open[:0]
	s.keys.forget()
	s.ids++
	s.root = s.ids
	s.doc = document{start: l.Start, plain: plain, epoch: s.epoch, runs: len(s.runs), names: len(s.names)}
}

// resource adds d, which ends at end, to the runs.
func (s *scanner) resource(d *document, end int) {
	s.runs, s.epochs, s.names = s.runs[:d.runs], s.epochs[:d.runs], s.names[:d.names]
	n := len(s.runs) - 1
	if n < 0 || s.epochs[n] != s.epoch || s.runs[n].End != d.start || s.runs[n].Resources == nil {
		s.runs = append(s.runs, Run{Span: text.Span{Start: d.start}, names: d.names})
		s.epochs = append(s.epochs, s.epoch)
		n++
	}
	s.runs[n].End = end
	s.runs[n].Indents.add(&d.blocks)
	s.runs[n].Resources = append(s.runs[n].Resources, d.id)
}

// identify takes from the entry on l, whose parents are open, what it says of
// the identity of the document. It reports whether l is its metadata.
func (s *scanner) identify(l line) bool {
	d := &s.doc
	if l.role == anyField || d.bad || l.kind != field || len(s.open) > 1 || len(s.open) == 1 && !s.open[0].meta {
		return false
	}
	if len(s.open) == 1 {
		switch l.role {
		case nameField:
			s.take(&d.id[2], l)
		case namespaceField:
			s.take(&d.id[1], l)
		}
		return false
	}
	switch l.role {
	case kindField:
		s.take(&d.id[0], l)
	case sopsField:
		d.bad = true
	}
	return l.role == metadataField
}

// take reads the value on l, which has to be a scalar, and the first one.
func (s *scanner) take(to *text.Span, l line) {
	if v, ok := s.scalar(l); ok && to.Empty() {
		*to = v
	} else {
		s.doc.bad = true
	}
}

// scalar is the text of the value on l; false if it is no scalar, or none of one line
// that has text.
func (s *scanner) scalar(l line) (text.Span, bool) {
	at := l.Start + int(l.after)
	b := withoutBreak(s.Text[at:l.End])
	n := indent(b)
	at, b = at+n, b[n:]
	v := text.Span{Start: at + 1, End: at + 1}
	switch {
	case l.value != inline || b[0] == '{' || b[0] == '[':
	case b[0] == '"' || b[0] == '\'':
		v.End = max(v.Start, at+quoted(b)-1)
	default:
		if i := bytes.Index(b, []byte(" #")); i >= 0 {
			b = b[:i]
		}
		if b = bytes.TrimRight(b, " "); !isNull(b) {
			v = text.Span{Start: at, End: at + len(b)}
		}
	}
	return v, !v.Empty()
}
