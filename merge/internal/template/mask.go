package template

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// noColumn is the column in which an action prints, or a comment starts, if the action does not set one: the line keeps
// its own.
const noColumn = -1

// outputColumns returns, for each action, the column to which it indents its output: 4 for
// {{ include "labels" . | nindent 4 }}. The column is noColumn for an action without indent or nindent and a number. Of
// several, the last one counts.
func outputColumns(actions []action) []int {
	all := make([]int, len(actions))
	for i, a := range actions {
		all[i] = noColumn
		words := strings.Fields(a.body)
		for k := len(words) - 2; k >= 0; k-- {
			if w := strings.TrimLeft(words[k], "("); w != "indent" && w != "nindent" {
				continue
			}
			if n, err := strconv.Atoi(strings.TrimRight(words[k+1], ")")); err == nil {
				all[i] = n
			}
			break
		}
	}
	return all
}

// A masker writes the mask of a template: YAML of the same length in bytes, which is parsed in its place. Directive
// lines become comments, and actions on other lines become plain text. In block scalars, only a directive line left of
// the text is changed: it is indented.
//
//	template              mask
//	{{- if .x }}          #{- if .x }}
//	a: {{ .y }}           a: xxxxxxxx
//	{{- end }}             #- end }}
//
// A comment starts in the column of the entry to which the directive line belongs, or right of that column.
type masker struct {
	*Template // without a tree
	masked    []byte
	scalar    blockScalar
	// openQuote is the quote character of the quoted scalar that continues after the current line, or 0.
	openQuote byte
	// maxColumn is the greatest column in which a comment after a block scalar may start without becoming a part of its
	// text.
	maxColumn int
}

// A blockScalar is the block scalar that the current line is in. parent is the column of the key or dash that it
// belongs to, or noScalar outside of block scalars. column is the column of its text.
type blockScalar struct {
	parent, column int
	isEmpty        bool // no line of it has been masked yet
	openBlocks     int  // number of blocks opened in the text and not closed yet
}

const (
	noScalar    = -1
	noMaxColumn = 1 << 30
)

// newMasker returns a masker of t with the first part of the mask: actions in content lines are replaced by plain text,
// and text of block scalars is indented where it has to be. The rest, comments and lines with only actions, is left to
// maskComments, as are the lines of text blocks; textBlocks are their spans in file order. In t.lines, newMasker sets
// maskedAs, what a line is in the mask, and outside of text blocks maxColumn, the last column in which a comment may
// start.
func newMasker(t *Template, textBlocks []text.Span) *masker {
	m := &masker{Template: t, masked: bytes.Clone(t.data), scalar: blockScalar{parent: noScalar}, maxColumn: noMaxColumn}
	for i := range m.lines {
		l := &m.lines[i]
		for len(textBlocks) > 0 && textBlocks[0].End <= l.Start {
			textBlocks = textBlocks[1:]
		}
		if len(textBlocks) > 0 && l.End > textBlocks[0].Start {
			m.scalar.parent = noScalar
			l.maskedAs = asBlockText
			continue
		}
		m.maskLine(i)
	}
	return m
}

// maskLine masks line i, which is not in a text block. It masks only content and text of scalars, and leaves directive
// lines and comments to maskComments. It also sets m.scalar and m.openQuote, which say whether a scalar continues on
// the next line.
func (m *masker) maskLine(i int) {
	l := &m.lines[i]
	l.maskedAs, l.maxColumn = asContent, m.maxColumn
	switch {
	case l.kind == blankLine:
	case m.openQuote != 0:
		m.maskContent(i)
	case m.scalar.parent != noScalar && m.isScalarText(l):
		l.maskedAs = asScalarText
		m.maskScalarText(l)
	case l.kind == contentLine:
		m.scalar.parent, m.maxColumn = noScalar, noMaxColumn
		m.maskContent(i)
	default:
		m.scalar.parent = noScalar
		l.maskedAs = asComment
	}
}

// isScalarText reports whether line l is text of the block scalar m.scalar that the lines above are in. A line right of
// the key is text. A directive line can be text even if it is not indented, as in a block that the text opens:
//
//	a: |
//	{{ if .b }}
//	  text
//	{{ end }}
func (m *masker) isScalarText(l *line) bool {
	s := m.scalar
	if l.column > s.parent {
		return true
	}
	if l.kind != directiveLine {
		return false
	}
	// within a block that the text opens, or above a line that is more text
	if s.openBlocks > 0 || m.nextColumn(l) > s.parent {
		return true
	}
	if !m.isOutputLine(l) {
		return false
	}
	// an action that does not indent is the text of the scalar if it is the first line; below other text, it ends the scalar
	if column := m.outputColumns[l.firstAction]; column != noColumn {
		return column > s.parent
	}
	return s.isEmpty && !m.actions[l.firstAction].isComment()
}

// isOutputLine reports whether l has only one action, which does not open, divide or close a block. It may also be an
// assignment or a comment of the template engine.
func (m *masker) isOutputLine(l *line) bool {
	return l.endAction == l.firstAction+1 && m.actions[l.firstAction].kind == kindOutput
}

// nextColumn returns the column of the first line after l that is neither blank nor a directive line (a line of actions
// only), or -1 if there is none.
func (m *masker) nextColumn(l *line) int {
	if l.next == len(m.lines) {
		return -1
	}
	return m.lines[l.next].column
}

// maskScalarText masks l, a line within a block scalar, so that it does not end the scalar. A line that is not indented
// enough is replaced by indentation and "x". m.scalar.openBlocks counts the blocks that the text opens.
//
//	template            mask
//	a: |                a: |
//	{{ .Values.c }}       xxxxxxxxxxxxx
//	  b                   b
func (m *masker) maskScalarText(l *line) {
	m.scalar.isEmpty = false
	m.maxColumn = m.scalar.column - 1
	for _, a := range m.actions[l.firstAction:l.endAction] {
		switch a.kind {
		case kindOpen:
			m.scalar.openBlocks++
		case kindClose:
			m.scalar.openBlocks = max(m.scalar.openBlocks-1, 0)
		}
	}
	for textLine := range bytes.Lines(m.masked[l.Start:l.End]) {
		textLine = bytes.TrimRight(textLine, "\r\n")
		indent := len(textLine) - len(bytes.TrimLeft(textLine, " "))
		if indent <= m.scalar.parent && indent < len(textLine) {
			width := min(m.scalar.column, len(textLine))
			fill(textLine[:width], ' ')
			fill(textLine[width:], opaqueByte)
		}
	}
}

// opaqueByte replaces each byte of an action in a key or a scalar.
const opaqueByte = 'x'

// maskContent masks line i, which is content. It replaces the actions of the line by "x". If the value continues on the
// lines below, it makes a comment of the last action instead (commentOutValue). If a scalar continues on the next line,
// it sets m.openQuote for a quoted one, or m.scalar and m.maxColumn for a block scalar.
func (m *masker) maskContent(i int) {
	l := &m.lines[i]
	m.maskActions(l)
	masked := m.masked[l.Start:l.End]
	if m.openQuote = quoteOpenAtEnd(masked, m.openQuote); m.openQuote != 0 {
		return
	}
	parent, isHeader := blockScalarParent(masked)
	if !isHeader {
		m.commentOutValue(l)
		return
	}
	m.scalar = blockScalar{parent: parent, column: parent + defaultIndent, isEmpty: true}
	m.maxColumn = parent
	if column, ok := scalarTextColumn(m.lines[i+1:], parent); ok {
		m.scalar.column, m.maxColumn = column, column-1
	}
}

// maskActions replaces the actions of l, a content line, by "x" in the mask.
func (m *masker) maskActions(l *line) {
	hasSeveralLines := l.firstAction < l.endAction && l.End != lineEnd(m.data, l.Start)
	for _, a := range m.actions[l.firstAction:l.endAction] {
		for at := a.Start; at < a.End; at++ {
			// so that the lines below the first one remain lines of the same value
			isKept := m.data[at] == '\n' || m.data[at] == '\r' || m.data[at] == ' ' && hasSeveralLines
			if !isKept {
				m.masked[at] = opaqueByte
			}
		}
	}
}

// commentOutValue makes a comment of the last action of l in the mask if the value continues on the lines below: as
// plain text, the action would be invalid YAML there. It does so after a dash or, if the action indents its output, as
// with nindent, after a key.
//
//	template                                         mask
//	labels: {{ include "labels" . | nindent 2 }}     labels: #xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
//	  app: web                                         app: web
func (m *masker) commentOutValue(l *line) {
	if l.firstAction == l.endAction {
		return
	}
	a := m.actions[l.endAction-1]
	before := bytes.TrimRight(m.masked[l.Start:a.Start], " \t")
	isAfterKey, isAfterDash := bytes.HasSuffix(before, []byte(":")), bytes.HasSuffix(before, []byte("-"))
	hasBlankBefore := len(before) < a.Start-l.Start
	isLast := len(bytes.TrimSpace(m.masked[a.End:l.End])) == 0
	isStart := isAfterDash || isAfterKey && m.outputColumns[l.endAction-1] != noColumn
	if isStart && hasBlankBefore && isLast && m.nextColumn(l) > parentColumn(string(before)) {
		m.masked[a.Start] = '#'
	}
}

// defaultIndent is the indentation assumed for the text of a block scalar, relative to its key or dash, if the scalar
// has no line that shows it.
const defaultIndent = 2

// scalarTextColumn returns the column of the text of a block scalar whose header is directly above lines. parent is the
// column of its key or dash. ok is false if the scalar has no text.
func scalarTextColumn(lines []line, parent int) (column int, ok bool) {
	for _, l := range lines {
		switch {
		case l.kind == blankLine:
		case l.column > parent:
			return l.column, true
		case l.kind != directiveLine:
			return 0, false
		}
	}
	return 0, false
}

// fill sets each byte of b to c.
func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// maskComments completes the mask: directive lines, lines of text blocks and comments become comments of the mask. It
// sets m.directives to the lines of the first two kinds. places tells the parser, by the offset of the line, to which
// entry each directive line outside of text blocks belongs. A comment without actions is only moved if it would become
// text of a block scalar.
func (m *masker) maskComments() (places map[int]syntax.CommentPlace) {
	places = map[int]syntax.CommentPlace{}
	m.directives = nil
	columns := m.commentColumns()
	for i := range m.lines {
		l := &m.lines[i]
		hasActions := l.firstAction < l.endAction
		switch {
		case l.maskedAs == asComment && hasActions:
			place := syntax.CommentPlace{Column: m.commentColumn(i, columns), IsLead: m.isAboveContent(l)}
			for at := l.Start; at < l.End; at = lineEnd(m.data, at) {
				places[at] = place
			}
			m.directives = append(m.directives, *l)
			m.commentOut(l, l.maxColumn)
		case l.maskedAs == asComment:
			m.commentOut(l, l.maxColumn)
		case l.maskedAs == asBlockText:
			if hasActions || l.kind != blankLine {
				m.directives = append(m.directives, *l)
			}
			m.commentOut(l, noMaxColumn)
		}
	}
	return places
}

// isAboveContent reports whether l, a line with actions, belongs to the entry that follows it. The last action of a
// block in l decides: if or else belongs to what follows, end to what is above. A line with output only belongs to what
// is above.
func (m *masker) isAboveContent(l *line) bool {
	for _, a := range slices.Backward(m.actions[l.firstAction:l.endAction]) {
		if a.kind != kindOutput {
			return a.kind == kindOpen || a.kind == kindDivide
		}
	}
	return false
}

// commentColumn returns the column in which line i, a line of actions, starts as a comment of the mask. columns has a
// column for each action, or noColumn; the first action with a column decides. Otherwise it is the column of the line.
// Output below a key without a value is moved right of the key, so that it belongs to the value:
//
//	labels:
//	{{ include "x" . }}
func (m *masker) commentColumn(i int, columns []int) int {
	l := &m.lines[i]
	for _, column := range columns[l.firstAction:l.endAction] {
		if column != noColumn {
			return column
		}
	}
	above := &m.lines[max(i-1, 0)]
	masked := bytes.TrimRight(m.masked[above.Start:above.End], " \t\r\n")
	isBelowKey := above.kind == contentLine && above.maskedAs == asContent && bytes.HasSuffix(masked, []byte(":"))
	if isBelowKey && m.isOutputLine(l) && !m.actions[l.firstAction].isComment() {
		return max(l.column, parentColumn(string(masked))+1)
	}
	return l.column
}

// commentOut makes a comment of each line of l in the mask: # replaces its first character that is not blank. If this
// is right of maxColumn, # is put there instead, because the comment would become text of the block scalar above. What
// is before # becomes spaces. Blank lines remain.
//
//	"  {{ if .a }}" becomes " #{{ if .a }}" if maxColumn is 1
func (m *masker) commentOut(l *line, maxColumn int) {
	for body := range bytes.Lines(m.masked[l.Start:l.End]) {
		body = bytes.TrimRight(body, "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " \t"))
		if indent < len(body) {
			column := min(indent, maxColumn)
			_, size := utf8.DecodeRune(body[column:])
			fill(body[:column], ' ')
			fill(body[column:column+size], '#')
		}
	}
}

// blockColumns are what the columns of lines show of blocks, each by the index of its opening action. firstColumns and
// printColumns decide to which entries the actions of a block belong.
type blockColumns struct {
	firstColumns map[int]int // the column of the first content line of the block, unless it has none
	// printColumns has the column in which all actions of the block print, for a block without content lines. It lacks
	// the block if an action prints elsewhere, or in no column of an entry.
	printColumns map[int]int
	textBlocks   map[int]bool // blocks that are read as text, because they contain parts of entries
}

// findBlockColumns sets m.blockColumns: the columns in which the content and the output of each block start, and the
// blocks that become text blocks. A block becomes a text block if lines of it are left of its first line, or if it is a
// define that begins with plain text.
func (m *masker) findBlockColumns() {
	m.blockColumns = blockColumns{firstColumns: map[int]int{}, printColumns: map[int]int{}, textBlocks: map[int]bool{}}
	c := columnChecker{masker: m}
	for _, l := range m.lines {
		if l.kind == contentLine && l.maskedAs != asScalarText {
			c.addContentLine(l)
		}
		for a := l.firstAction; a < l.endAction; a++ {
			switch action := m.actions[a]; {
			case action.kind == kindOpen:
				c.open = append(c.open, &openBlock{opening: a, first: noColumn})
			case action.prints():
				c.addPrinted(printColumn(m.data, l, action, m.outputColumns[a]))
			case action.kind == kindClose && len(c.open) > 0: // otherwise without its counterpart
				c.closeBlock()
			}
		}
	}
}

// A columnChecker reads the lines of a template in order, and collects the results of findBlockColumns.
type columnChecker struct {
	*masker
	open    []*openBlock // the blocks around the current line, the outermost first
	entries []int        // the columns of the entries above to which a line below can belong, and of their dashes
}

// An openBlock has the columns of the lines so far in a block that is not closed yet, and in the blocks within it.
type openBlock struct {
	opening int // the index of the opening action
	first   int // the column of the first content line, or noColumn without lines
	// misaligned is whether a content line is left of the first one:
	//
	//	{{ if .a }}
	//	  b: 1
	//	c: 2
	//	{{ end }}
	misaligned bool
	printed    []int // the columns in which actions print, without repetition
}

// addContentLine records the content line l in the blocks that are open there, to find blocks that contain parts of
// entries. A block is misaligned if l is left of its first line. A define becomes a text block if its first line is not
// an entry. addContentLine also updates c.entries.
func (c *columnChecker) addContentLine(l line) {
	text := string(bytes.TrimRight(c.masked[l.Start:l.End], " \t\r\n"))
	// l ends the entries in its column and right of it
	c.entries = slices.DeleteFunc(c.entries, func(column int) bool { return column >= l.column })
	c.entries = append(c.entries, l.column, parentColumn(text))
	isEntry := strings.HasPrefix(text[l.column:], "- ") || strings.Contains(text+" ", ": ")
	for _, b := range c.open {
		switch {
		case b.first == noColumn: // the first line of the block
			b.first, c.firstColumns[b.opening] = l.column, l.column
			if !isEntry && c.actions[b.opening].firstWord() == "define" {
				c.textBlocks[b.opening] = true
			}
		case l.column < b.first:
			b.misaligned = true
		}
	}
}

// addPrinted records in each open block that an action prints in this column. If no entry above is in that column, it
// is not known to which entry the output belongs, and noColumn is recorded.
func (c *columnChecker) addPrinted(column int) {
	if !slices.Contains(c.entries, column) {
		column = noColumn
	}
	for _, b := range c.open {
		if !slices.Contains(b.printed, column) {
			b.printed = append(b.printed, column)
		}
	}
}

// closeBlock removes the innermost open block, after all of its lines have been read. A misaligned block becomes a text
// block. If a block has no content lines, and all of its actions print in one known column, c.printColumns gets this
// column.
func (c *columnChecker) closeBlock() {
	last := len(c.open) - 1
	b := c.open[last]
	c.open = c.open[:last]
	if b.misaligned {
		c.textBlocks[b.opening] = true
	}
	if b.first == noColumn && len(b.printed) == 1 && b.printed[0] != noColumn {
		c.printColumns[b.opening] = b.printed[0]
	}
}

// printColumn returns the column in which a, an action of the directive line l, starts to print: outputColumn, the
// column to which it indents its output, or else its own column if only blanks are before it and it does not trim them.
// Otherwise it returns noColumn.
func printColumn(data []byte, l line, a action, outputColumn int) int {
	if outputColumn == noColumn && a.Start == l.Start+l.column && !bytes.HasPrefix(data[a.Start+len("{{"):], []byte("-")) {
		return l.column
	}
	return outputColumn
}
