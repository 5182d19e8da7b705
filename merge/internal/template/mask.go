package template

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The columns that are none.
const (
	natural    = -1 // where it stands
	underneath = -2 // no deeper than the next line
)

// printing returns the column in which each action wants its line to start, of those that print: by its last
// function that indents; natural, where it stands, if none does.
func printing(actions []action) []int {
	all := make([]int, len(actions))
	for i, a := range actions {
		all[i] = natural
		if a.kind != output || !strings.Contains(a.said, "indent") {
			continue
		}
		words := strings.Fields(a.said)
		for k := range max(0, len(words)-1) {
			if w := strings.TrimLeft(words[k], "("); w == "indent" || w == "nindent" {
				all[i] = natural
				if n, err := strconv.Atoi(strings.TrimRight(words[k+1], ")")); err == nil && n >= 0 && n < 200 {
					all[i] = n
				}
			}
		}
	}
	return all
}

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
	case m.scalar.parent != noText && m.isText(l):
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
}

// isText reports whether l is of the block scalar that m is in: it stands in it, or
// is a directive line left of it that prints into it, has text of it below, or is
// of a block that it opened.
func (m *masker) isText(l *line) bool {
	s, prints := m.scalar, m.prints(l)
	switch {
	case l.column > s.parent:
		return true
	case l.shape != directive:
		return false
	case s.open > 0, m.columnAhead(l) > s.parent:
		return true
	case prints < 0:
		return false
	case m.places[prints] == natural:
		return s.empty && m.actions[prints].said != ""
	}
	return m.places[prints] > s.parent
}

// prints is the action of l, if it is one that prints, -1 if not.
func (m *masker) prints(l *line) int {
	if l.last == l.first+1 && m.actions[l.first].kind == output {
		return l.first
	}
	return -1
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
		case m.prints(l) >= 0 && m.places[l.first] > parent:
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

// comments makes comments of the lines that are to be some, in the columns in
// which the actions want them, and returns them.
func (m *masker) comments(places []int) (directives []line) {
	for i := range m.lines {
		l := &m.lines[i]
		switch l.use {
		case asComment:
			if l.first < l.last {
				directives = append(directives, *l)
			}
			m.comment(l, min(l.limit, m.place(i, places)))
		case asClosed:
			if l.first < l.last || l.shape != blank {
				directives = append(directives, *l)
			}
			m.comment(l, natural)
		}
	}
	return directives
}

// place is the column in which a directive line wants to start: that of its first
// action which wants one, else where it stands. What prints below a key without a
// value belongs to that.
func (m *masker) place(i int, places []int) int {
	l := &m.lines[i]
	for _, p := range places[l.first:l.last] {
		if p == underneath {
			return min(l.column, max(m.columnAhead(l), 0))
		}
		if p != natural {
			return p + 1
		}
	}
	if i > 0 && m.prints(l) >= 0 && m.actions[l.first].said != "" {
		if before := &m.lines[i-1]; before.shape == content && before.use == asItIs {
			masked := bytes.TrimRight(m.masked[before.Start:before.End], " \t\r\n")
			if column := holder(string(masked)); bytes.HasSuffix(masked, []byte(":")) {
				return max(l.column, column+1)
			}
		}
	}
	return l.column
}

// comment makes comments of the lines of l, but not of the first one if that
// is a comment. They start in a column, if they reach so far.
func (m *masker) comment(l *line, column int) {
	if l.shape == remark && l.first == l.last {
		return
	}
	for at := l.Start; at < l.End; {
		end := breakAfter(m.data, at)
		body := bytes.TrimRight(m.masked[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " \t"))
		if indent < len(body) && (body[indent] != '#' || l.shape == directive) {
			from := indent
			if column != natural {
				from = min(column, len(bytes.TrimRight(body, " \t"))-1)
			}
			for from > 0 && !utf8.RuneStart(body[from]) {
				from--
			}
			_, n := utf8.DecodeRune(body[from:])
			fill(body[:from], ' ')
			fill(body[from:from+n], '#')
		}
		at = end
	}
}

// survey looks at the lines of the blocks. It returns in which column the first
// line of each stands, of those that have lines, and which blocks cannot hold
// whole entries of one collection: a branch has a line left of its first one, or
// starts in another column than the other branches. The texts of block scalars are
// no such lines.
func (m *masker) survey() (column map[int]int, cut map[int]bool) {
	column, cut = map[int]int{}, map[int]bool{}
	type columns struct {
		block         int
		branch, first int // of the lines of this branch and of the first one; -1 without lines
		bad           bool
	}
	var open []*columns
	for _, l := range m.lines {
		for _, c := range open {
			switch {
			case l.shape != content || l.use == asText:
			case c.branch >= 0:
				c.bad = c.bad || l.column < c.branch
			case c.first >= 0:
				c.bad = c.bad || l.column != c.first
				c.branch = l.column
			default:
				c.first, c.branch, column[c.block] = l.column, l.column, l.column
			}
		}
		for a := l.first; a < l.last; a++ {
			switch k := m.actions[a].kind; {
			case k == opens:
				open = append(open, &columns{block: a, branch: -1, first: -1})
			case k == output || len(open) == 0: // without its other half
			case k == divides:
				open[len(open)-1].branch = -1
			default:
				if c := open[len(open)-1]; c.bad {
					cut[c.block] = true
				}
				open = open[:len(open)-1]
			}
		}
	}
	return column, cut
}
