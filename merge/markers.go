package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// markers writes a page as git writes conflicts: markers at column 0 around
// whole lines.
type markers struct {
	Markers
	r    *renderer
	out  []byte
	line int // of the end of out, from 1
	open []Conflict
}

// write returns the file with its conflicts marked.
func (r *renderer) write(p *page, m Markers) ([]byte, []Conflict) {
	if m.Size <= 0 {
		m.Size = 7
	}
	w := &markers{Markers: m, r: r, line: 1}
	for _, x := range p.parts {
		if x.clash == nil {
			w.text(x.text)
			continue
		}
		w.conflict(x.clash)
	}
	return w.out, w.open
}

func (w *markers) text(b []byte) {
	w.out = append(w.out, b...)
	w.line += bytes.Count(b, []byte("\n"))
}

// conflict writes one conflict. Lines that ours and theirs share at either
// edge stand outside it: in diff3 style only those of base too.
func (w *markers) conflict(c *marked) {
	alt := c.alt
	head, tail := 0, 0
	if c.kind != ConflictEncrypted {
		head, tail = edges(alt, w.Style == StyleDiff3)
	}
	w.text(alt[dest][:head])
	w.open = append(w.open, w.r.conflict(c, w.line))
	cut := func(s side) []byte { return w.lines(alt[s], head, tail) }
	w.marker('<', w.Ours)
	w.text(cut(dest))
	if w.Style != StyleMerge {
		w.marker('|', w.Base)
		b := alt[original]
		if w.Style == StyleDiff3 {
			b = cut(original)
		}
		w.text(w.lines(b, 0, 0))
	}
	w.marker('=', "")
	w.text(cut(updated))
	w.marker('>', w.Theirs)
	w.text(alt[dest][len(alt[dest])-tail:])
}

// conflict describes c, whose opening marker stands at line.
func (r *renderer) conflict(c *marked, line int) Conflict {
	return Conflict{
		Path: c.path.String(), Kind: c.kind, Line: line,
		Base:   r.version(original, c.open[original]),
		Ours:   r.version(dest, c.open[dest]),
		Theirs: r.version(updated, c.open[updated]),
	}
}

// lines is b without its edges, ended by a line break.
func (w *markers) lines(b []byte, head, tail int) []byte {
	b = b[head : len(b)-tail]
	if n := len(b); n > 0 && b[n-1] != '\n' && b[n-1] != '\r' {
		b = append(bytes.Clone(b), w.r.nl...)
	}
	return b
}

func (w *markers) marker(c byte, label string) {
	b := bytes.Repeat([]byte{c}, w.Size)
	if label != "" {
		b = append(append(b, ' '), label...)
	}
	w.text(append(b, w.r.nl...))
}

// edges returns how many bytes of whole lines ours and theirs (and base, if it
// counts) share at their starts and ends.
func edges(alt [3][]byte, base bool) (head, tail int) {
	o, d, u := alt[original], alt[dest], alt[updated]
	if !base {
		o = d
	}
	for {
		l := lineLen(d[head:])
		if l == 0 || !hasPrefix(u[head:], d[head:head+l]) || !hasPrefix(o[min(head, len(o)):], d[head:head+l]) {
			break
		}
		head += l
	}
	d, u, o = d[head:], u[head:], o[min(head, len(o)):]
	for {
		l := lastLineLen(d[:len(d)-tail])
		if l == 0 {
			return head, tail
		}
		last := d[len(d)-tail-l : len(d)-tail]
		if !endsWithLine(u[:len(u)-tail], last) || !endsWithLine(o[:len(o)-tail], last) {
			return head, tail
		}
		tail += l
	}
}

func hasPrefix(b, line []byte) bool { return bytes.HasPrefix(b, line) }

// endsWithLine reports whether the last whole line of b is line.
func endsWithLine(b, line []byte) bool {
	return bytes.HasSuffix(b, line) && lastLineLen(b) == len(line)
}

// lineLen is the length of the first line of b, break included; 0 if b does
// not hold a whole line.
func lineLen(b []byte) int { return bytes.IndexByte(b, '\n') + 1 }

// lastLineLen is the length of the last line of b, 0 if it is not whole.
func lastLineLen(b []byte) int {
	if len(b) == 0 || b[len(b)-1] != '\n' {
		return 0
	}
	return len(b) - 1 - bytes.LastIndexByte(b[:len(b)-1], '\n')
}

// opens returns where the conflicts of a page stand in the inputs.
func opens(p *page) [][3]text.Span {
	var o [][3]text.Span
	for _, c := range p.clashes() {
		o = append(o, c.open)
	}
	return o
}
