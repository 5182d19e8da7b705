package template

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A masker makes YAML of a file, byte for byte: directive lines become comments,
// actions on other lines plain text. In the text of a block scalar everything
// stays as it is; but a directive line that stands left of it is moved in.
type masker struct {
	data    []byte
	masked  []byte
	actions []action
	nest    *nest
	lines   []line
	// places are the columns in which the actions want their lines to start.
	places []int
	scalar scalar
	// quote is the quote that is open at the end of the line, 0 if none is.
	quote byte
	// limit is the greatest column that a comment may start in behind a block
	// scalar, without being its text.
	limit int
	// toComment is how many lines become comments.
	toComment int
}

// A scalar is the block scalar that the lines are in: the column of what holds
// it, and that of its text. parent is noText outside of one.
type scalar struct {
	parent, column int
	empty          bool // no line of it is passed yet
	open           int  // the blocks that it opened and has not closed yet
}

const (
	noText  = -1
	noLimit = 1 << 30
)

// newMasker looks at the lines of data, and masks its scalars. All lines of
// the blocks that are closed become comments.
func newMasker(data []byte, lines []line, actions []action, n *nest, closed []text.Span) *masker {
	m := &masker{
		data: data, masked: bytes.Clone(data), lines: lines, actions: actions, nest: n, places: printing(actions),
		scalar: scalar{parent: noText}, limit: noLimit,
	}
	for i := range lines {
		l := &m.lines[i]
		for len(closed) > 0 && closed[0].End <= l.Start {
			closed = closed[1:]
		}
		if len(closed) > 0 && l.End > closed[0].Start {
			m.scalar.parent = noText
			l.use, l.remark = asClosed, false
			m.toComment++
			continue
		}
		m.take(i)
	}
	return m
}

// take masks a line, but for what becomes a comment.
func (m *masker) take(i int) {
	l := &m.lines[i]
	l.use, l.remark, l.limit = asItIs, l.shape == remark, m.limit
	switch {
	case l.shape == blank:
		return
	case m.quote != 0:
		m.opaque(i)
		return
	case m.scalar.parent != noText && m.isText(l) && (!m.tooShort(l) || m.columnAhead(l) > m.scalar.parent):
		m.inText(l)
		return
	}
	m.scalar.parent = noText
	if l.shape == content {
		m.limit = noLimit
		m.opaque(i)
		return
	}
	l.use = asComment
	m.toComment++
}

// isText reports whether l is of the block scalar that m is in: it stands in it, or
// is a directive line left of it that prints into it, has text of it below, or is
// of a block that it opened.
func (m *masker) isText(l *line) bool {
	s := m.scalar
	if l.column > s.parent {
		return true
	}
	if l.shape != directive {
		return false
	}
	if s.open > 0 || m.columnAhead(l) > s.parent || m.prints(l) {
		return true
	}
	a := m.actions[l.first]
	switch {
	case l.last > l.first+1 || a.said == "":
		return false
	case a.kind == output:
		return s.empty && m.places[l.first] == natural
	case a.kind == opens:
		return m.printsAll(l)
	}
	return false
}

// prints reports whether the directive line l prints into the block scalar that m
// is in.
func (m *masker) prints(l *line) bool {
	return l.last == l.first+1 && m.actions[l.first].kind == output && m.places[l.first] > m.scalar.parent
}

// printsAll reports whether the block that l opens has no lines but directives, and
// prints into the block scalar that m is in.
func (m *masker) printsAll(l *line) bool {
	b := m.nest.blocks[l.first]
	end := b.actions[len(b.actions)-1]
	if end == l.first || l.ahead < len(m.lines) && m.lines[l.ahead].Start < m.actions[end].End {
		return false
	}
	for i := l.first; i < end; i++ {
		if m.actions[i].kind == output && m.places[i] > m.scalar.parent {
			return true
		}
	}
	return m.scalar.empty
}

// columnAhead is the column of the first line behind l that is neither blank nor a
// directive, -1 if there is none.
func (m *masker) columnAhead(l *line) int {
	if l.ahead == len(m.lines) {
		return -1
	}
	return m.lines[l.ahead].column
}

// inText masks what stands left of the text of a block scalar.
func (m *masker) inText(l *line) {
	l.use, m.scalar.empty, m.limit = asText, false, m.scalar.column-1
	for _, a := range m.actions[l.first:l.last] {
		switch {
		case a.kind == opens:
			m.scalar.open++
		case a.kind == closes:
			m.scalar.open = max(m.scalar.open-1, 0)
		}
	}
	for at := l.Start; at < l.End; {
		end := breakAfter(m.data, at)
		body := bytes.TrimRight(m.data[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " "))
		if indent <= m.scalar.parent && indent < len(body) {
			short := min(m.scalar.column, len(body))
			fill(m.masked[at:at+short], ' ')
			fill(m.masked[at+short:at+len(body)], opaque)
		}
		at = end
	}
}

// tooShort reports whether a directive line that stands left of the text that m is in
// does not reach to it, so that it can be no more than a blank line of it.
func (m *masker) tooShort(l *line) bool {
	for at := l.Start; at < l.End; at = breakAfter(m.data, at) {
		body := bytes.TrimRight(m.data[at:breakAfter(m.data, at)], "\r\n")
		if l.column <= m.scalar.parent && len(body) <= m.scalar.column && len(bytes.TrimSpace(body)) > 0 {
			return true
		}
	}
	return false
}

// opaque is what stands for an action in a key or scalar.
const opaque = 'x'

// opaque masks the actions of l, and looks whether a block scalar starts there.
func (m *masker) opaque(i int) {
	l := &m.lines[i]
	joined := l.first < l.last && l.End != breakAfter(m.data, l.Start)
	for _, a := range m.actions[l.first:l.last] {
		for i := a.Start; i < a.End; i++ {
			if c := m.data[i]; c != '\n' && c != '\r' && (c != ' ' || !joined) {
				m.masked[i] = opaque
			}
		}
	}
	masked := m.masked[l.Start:l.End]
	if m.quote = openQuote(masked, m.quote); m.quote != 0 {
		return
	}
	if parent, ok := header(masked); ok {
		column := m.textColumn(i+1, parent)
		if m.limit = column - 1; column == noText {
			m.limit, column = parent, parent+usualIndent
		}
		m.scalar = scalar{parent: parent, column: column, empty: true}
		return
	}
	m.beside(l)
}

// beside makes a comment of an action that stands for the value of l where more
// of the value follows on the next lines.
func (m *masker) beside(l *line) {
	if l.first == l.last {
		return
	}
	a := m.actions[l.last-1]
	before := bytes.TrimRight(m.masked[l.Start:a.Start], " \t")
	rest := bytes.TrimSpace(m.masked[a.End:l.End])
	if len(rest) > 0 || len(before) == a.Start-l.Start || !bytes.HasSuffix(before, []byte(":")) && !bytes.HasSuffix(before, []byte("-")) {
		return
	}
	if bytes.HasSuffix(before, []byte(":")) && m.places[l.last-1] == natural {
		return
	}
	if m.columnAhead(l) > holder(string(before)) {
		m.masked[a.Start] = '#'
	}
}

// usualIndent is how far a text is indented that says nothing of it.
const usualIndent = 2

// textColumn is the column of the text of a block scalar, from the line i on, in
// what stands in the column parent; -1 if no line tells.
func (m *masker) textColumn(i, parent int) int {
	for ; i < len(m.lines); i++ {
		switch l := &m.lines[i]; {
		case l.shape == blank:
		case l.column > parent:
			return l.column
		case l.shape != directive:
			return noText
		case l.last == l.first+1 && m.actions[l.first].kind == output && m.places[l.first] > parent:
			return m.places[l.first]
		}
	}
	return noText
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}
