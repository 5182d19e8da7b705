package template

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Special values of the column in which an action prints or a comment starts.
const (
	noColumn     = -1 // the action does not set a column; the line keeps its own
	columnOfNext = -2 // at most the column of the next line
)

// outputColumns returns, for each action that prints, the column to which the last indent or nindent in it indents the
// output. It returns noColumn for other actions.
func outputColumns(actions []action) []int {
	all := make([]int, len(actions))
	for i, a := range actions {
		all[i] = noColumn
		if a.kind != kindOutput || !strings.Contains(a.body, "indent") {
			continue
		}
		words := strings.Fields(a.body)
		for k := range max(0, len(words)-1) {
			if w := strings.TrimLeft(words[k], "("); w == "indent" || w == "nindent" {
				all[i] = noColumn
				if n, err := strconv.Atoi(strings.TrimRight(words[k+1], ")")); err == nil && n >= 0 && n < 200 {
					all[i] = n
				}
			}
		}
	}
	return all
}

// A masker makes YAML of a template, with the same length in bytes: directive lines become comments, and actions on
// other lines become plain text. The text of block scalars is not changed, except that a directive line left of the text
// is indented:
//
//	template              masked
//	{{- if .x }}          #{- if .x }}
//	a: {{ .y }}           a: xxxxxxxx
//	{{- end }}             #- end }}
//
// A comment starts in the column of the entry to which the directive line belongs, or right of that column.
type masker struct {
	data    []byte
	masked  []byte
	actions []action
	nesting *nesting
	lines   []line
	// outputColumns are the columns to which the actions indent; see the function outputColumns.
	outputColumns []int
	scalar        blockScalar
	// openQuote is the quote character of the quoted scalar that continues after the current line, or 0.
	openQuote byte
	// maxColumn is the greatest column in which a comment after a block scalar may start without becoming a part of its
	// text.
	maxColumn int
}

// A blockScalar is the block scalar that the current line is in. parent is the column of the key or dash that it belongs
// to, or noScalar outside of block scalars. column is the column of its text.
type blockScalar struct {
	parent, column int
	isEmpty        bool // no line of it has been masked yet
	openBlocks     int  // number of blocks opened in the text and not closed yet
}

const (
	noScalar    = -1
	noMaxColumn = 1 << 30
)

// newMasker returns a masker for data that has masked the content lines and the texts of block scalars, and has decided
// for each line how to mask it. maskComments does the remaining lines. All lines of textBlocks are to become comments.
// lines are changed.
func newMasker(data []byte, lines []line, actions []action, n *nesting, textBlocks []text.Span) *masker {
	m := &masker{
		data: data, masked: bytes.Clone(data), lines: lines, actions: actions, nesting: n, outputColumns: outputColumns(actions),
		scalar: blockScalar{parent: noScalar}, maxColumn: noMaxColumn,
	}
	for i := range lines {
		l := &m.lines[i]
		for len(textBlocks) > 0 && textBlocks[0].End <= l.Start {
			textBlocks = textBlocks[1:]
		}
		if len(textBlocks) > 0 && l.End > textBlocks[0].Start {
			m.scalar.parent = noScalar
			l.maskedAs, l.isComment = asBlockText, false
			continue
		}
		m.maskLine(i)
	}
	return m
}

// maskLine decides how to mask line i, and masks it unless it becomes a comment.
func (m *masker) maskLine(i int) {
	l := &m.lines[i]
	l.maskedAs, l.isComment, l.maxColumn = asContent, l.kind == commentLine, m.maxColumn
	switch {
	case l.kind == blankLine:
		return
	case m.openQuote != 0:
		m.maskContent(i)
		return
	case m.scalar.parent != noScalar && m.isScalarText(l):
		m.maskScalarText(l)
		return
	}
	m.scalar.parent = noScalar
	if l.kind == contentLine {
		m.maxColumn = noMaxColumn
		m.maskContent(i)
		return
	}
	l.maskedAs = asComment
}

// isScalarText reports whether l is text of the current block scalar: it is right of the scalar's parent, or it is a
// directive line left of it that
//
//   - is in a block that was opened in the text,
//   - is followed by further text, or
//   - prints into the text.
func (m *masker) isScalarText(l *line) bool {
	s, output := m.scalar, m.outputAction(l)
	switch {
	case l.column > s.parent:
		return true
	case l.kind != directiveLine:
		return false
	case s.openBlocks > 0, m.nextColumn(l) > s.parent:
		return true
	case output < 0:
		return false
	case m.outputColumns[output] == noColumn:
		return s.isEmpty && m.actions[output].body != ""
	}
	return m.outputColumns[output] > s.parent
}

// outputAction returns the index of the action of l, if that is its only one and has no effect on blocks. Otherwise it
// returns -1.
func (m *masker) outputAction(l *line) int {
	if l.endAction == l.firstAction+1 && m.actions[l.firstAction].kind == kindOutput {
		return l.firstAction
	}
	return -1
}

// nextColumn returns the column of the first line after l that is neither blank nor a directive line, or -1 if there is
// none.
func (m *masker) nextColumn(l *line) int {
	if l.next == len(m.lines) {
		return -1
	}
	return m.lines[l.next].column
}

// maskScalarText masks a line in a block scalar. It indents the line if it is left of the text.
func (m *masker) maskScalarText(l *line) {
	l.maskedAs, m.scalar.isEmpty, m.maxColumn = asScalarText, false, m.scalar.column-1
	for _, a := range m.actions[l.firstAction:l.endAction] {
		switch {
		case a.kind == kindOpen:
			m.scalar.openBlocks++
		case a.kind == kindClose:
			m.scalar.openBlocks = max(m.scalar.openBlocks-1, 0)
		}
	}
	for at := l.Start; at < l.End; {
		end := lineEnd(m.data, at)
		body := bytes.TrimRight(m.data[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " "))
		if indent <= m.scalar.parent && indent < len(body) {
			width := min(m.scalar.column, len(body))
			fill(m.masked[at:at+width], ' ')
			fill(m.masked[at+width:at+len(body)], opaqueByte)
		}
		at = end
	}
}

// opaqueByte replaces each byte of an action in a key or a scalar.
const opaqueByte = 'x'

// maskContent masks the actions of line i. It sets m.openQuote if a quoted scalar continues on the next line, and
// m.scalar if the line starts a block scalar.
func (m *masker) maskContent(i int) {
	l := &m.lines[i]
	joined := l.firstAction < l.endAction && l.End != lineEnd(m.data, l.Start)
	for _, a := range m.actions[l.firstAction:l.endAction] {
		for i := a.Start; i < a.End; i++ {
			if c := m.data[i]; c != '\n' && c != '\r' && (c != ' ' || !joined) {
				m.masked[i] = opaqueByte
			}
		}
	}
	masked := m.masked[l.Start:l.End]
	if m.openQuote = quoteOpenAtEnd(masked, m.openQuote); m.openQuote != 0 {
		return
	}
	if parent, ok := blockScalarParent(masked); ok {
		column := m.scalarTextColumn(i+1, parent)
		if m.maxColumn = column - 1; column == noScalar {
			m.maxColumn, column = parent, parent+defaultIndent
		}
		m.scalar = blockScalar{parent: parent, column: column, isEmpty: true}
		return
	}
	m.commentOutValue(l)
}

// commentOutValue makes a comment of the last action of l, if it is at the place of a value but more of that value
// follows on the next lines:
//
//	labels: {{ include "labels" . | nindent 2 }}
//	  app: web
//
// After a key, it does so only if the action indents its output.
func (m *masker) commentOutValue(l *line) {
	if l.firstAction == l.endAction {
		return
	}
	a := m.actions[l.endAction-1]
	before := bytes.TrimRight(m.masked[l.Start:a.Start], " \t")
	rest := bytes.TrimSpace(m.masked[a.End:l.End])
	if len(rest) > 0 || len(before) == a.Start-l.Start || !bytes.HasSuffix(before, []byte(":")) && !bytes.HasSuffix(before, []byte("-")) {
		return
	}
	if bytes.HasSuffix(before, []byte(":")) && m.outputColumns[l.endAction-1] == noColumn {
		return
	}
	if m.nextColumn(l) > parentColumn(string(before)) {
		m.masked[a.Start] = '#'
	}
}

// defaultIndent is the indentation assumed for the text of a block scalar if no line shows it.
const defaultIndent = 2

// scalarTextColumn returns the column of the text of the block scalar that starts at line i and belongs to a key or dash
// in column parent. It returns noScalar if no line shows it.
func (m *masker) scalarTextColumn(i, parent int) int {
	for ; i < len(m.lines); i++ {
		switch l := &m.lines[i]; {
		case l.kind == blankLine:
		case l.column > parent:
			return l.column
		case l.kind != directiveLine:
			return noScalar
		case m.outputAction(l) >= 0 && m.outputColumns[l.firstAction] > parent:
			return m.outputColumns[l.firstAction]
		}
	}
	return noScalar
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// maskComments masks the lines that become comments, and returns those that are directive lines or in a block that is
// read as text. columns are the columns in which the comment should start, by action.
func (m *masker) maskComments(columns []int) (directives []line) {
	for i := range m.lines {
		l := &m.lines[i]
		switch l.maskedAs {
		case asComment:
			if l.firstAction < l.endAction {
				directives = append(directives, *l)
			}
			m.commentOut(l, min(l.maxColumn, m.commentColumn(i, columns)))
		case asBlockText:
			if l.firstAction < l.endAction || l.kind != blankLine {
				directives = append(directives, *l)
			}
			m.commentOut(l, noColumn)
		}
	}
	return directives
}

// commentColumn returns the column in which the comment for directive line i should start. It is the column after that
// of its first action with a column in columns, or the column of the next line, if that is smaller, for columnOfNext.
// Otherwise it is the column of the line; but a line that prints below a key without a value is moved right of the key,
// so that it belongs to the value.
func (m *masker) commentColumn(i int, columns []int) int {
	l := &m.lines[i]
	for _, p := range columns[l.firstAction:l.endAction] {
		if p == columnOfNext {
			return min(l.column, max(m.nextColumn(l), 0))
		}
		if p != noColumn {
			return p + 1
		}
	}
	if i > 0 && m.outputAction(l) >= 0 && m.actions[l.firstAction].body != "" {
		if before := &m.lines[i-1]; before.kind == contentLine && before.maskedAs == asContent {
			masked := bytes.TrimRight(m.masked[before.Start:before.End], " \t\r\n")
			if column := parentColumn(string(masked)); bytes.HasSuffix(masked, []byte(":")) {
				return max(l.column, column+1)
			}
		}
	}
	return l.column
}

// commentOut makes comments of the lines of l, starting in the given column or, if a line is shorter, at its last
// character. It does not change lines that are comments already.
func (m *masker) commentOut(l *line, column int) {
	if l.kind == commentLine && l.firstAction == l.endAction {
		return
	}
	for at := l.Start; at < l.End; {
		end := lineEnd(m.data, at)
		body := bytes.TrimRight(m.masked[at:end], "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " \t"))
		if indent < len(body) && (body[indent] != '#' || l.kind == directiveLine) {
			from := indent
			if column != noColumn {
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

// checkBlockColumns compares the columns of the lines in each block. firstColumn contains the column of the first
// content line of each block that has one. cut contains the blocks that cannot consist of complete entries of one
// collection, because a branch has a line left of its first line, or starts in another column than the other branches.
// The texts of block scalars are ignored. Blocks are given by the index of their opening action.
func (m *masker) checkBlockColumns() (firstColumn map[int]int, cut map[int]bool) {
	firstColumn, cut = map[int]int{}, map[int]bool{}
	type columns struct {
		block         int
		branch, first int // of the first content lines of this branch and of the first branch; -1 without lines
		misaligned    bool
	}
	var open []*columns
	for _, l := range m.lines {
		for _, c := range open {
			switch {
			case l.kind != contentLine || l.maskedAs == asScalarText:
			case c.branch >= 0:
				c.misaligned = c.misaligned || l.column < c.branch
			case c.first >= 0:
				c.misaligned = c.misaligned || l.column != c.first
				c.branch = l.column
			default:
				c.first, c.branch, firstColumn[c.block] = l.column, l.column, l.column
			}
		}
		for a := l.firstAction; a < l.endAction; a++ {
			switch k := m.actions[a].kind; {
			case k == kindOpen:
				open = append(open, &columns{block: a, branch: -1, first: -1})
			case k == kindOutput || len(open) == 0: // without its counterpart
			case k == kindDivide:
				open[len(open)-1].branch = -1
			default:
				if c := open[len(open)-1]; c.misaligned {
					cut[c.block] = true
				}
				open = open[:len(open)-1]
			}
		}
	}
	return firstColumn, cut
}
