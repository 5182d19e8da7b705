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

// A masker makes YAML of a template, with the same length in bytes. The result is called the mask. Directive lines
// (only actions) become comments, and actions on other lines become plain text. The text of block scalars is not
// changed, except that a directive line left of the text is indented:
//
//	template              mask
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

// newMasker returns a masker whose mask, the YAML text that is parsed in place of the template data, is complete except
// for the lines that become comments; maskComments replaces these. textBlocks are the spans of the blocks that are read
// as text, in file order. newMasker sets the fields maskedAs and maxColumn of each of lines.
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
			l.maskedAs = asBlockText
			continue
		}
		m.maskLine(i)
	}
	return m
}

// maskLine masks line i, which is not in a block read as text, as one of these: text of the quoted or block scalar that
// continues on it, content, or a comment, which maskComments writes later. It sets the fields maskedAs and maxColumn of
// the line, and records in m which scalar continues on the next line.
func (m *masker) maskLine(i int) {
	l := &m.lines[i]
	l.maskedAs, l.maxColumn = asContent, m.maxColumn
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

// isScalarText reports whether line l is text of the block scalar that the line above is in. Text is indented more than
// the key or dash of the scalar. A line of actions only can be text with less indentation, as the first and the last
// one here:
//
//	a: |
//	{{ if .b }}
//	  text
//	{{ end }}
//	  more text
func (m *masker) isScalarText(l *line) bool {
	s := m.scalar
	if l.column > s.parent {
		return true
	}
	if l.kind != directiveLine {
		return false
	}
	// a block of the text is open, or more text follows
	if s.openBlocks > 0 || m.nextColumn(l) > s.parent {
		return true
	}
	output := m.outputAction(l)
	if output < 0 {
		return false
	}
	// an action that does not indent is text as the first line, and otherwise ends the scalar
	if m.outputColumns[output] == noColumn {
		return s.isEmpty && m.actions[output].body != ""
	}
	return m.outputColumns[output] > s.parent
}

// outputAction returns the index of the action of l, if it is the only one and does not open, divide or close a block,
// and otherwise -1. It may also be an assignment or a comment of the template engine.
func (m *masker) outputAction(l *line) int {
	if l.endAction == l.firstAction+1 && m.actions[l.firstAction].kind == kindOutput {
		return l.firstAction
	}
	return -1
}

// nextColumn returns the column of the first line after l that is neither blank nor a directive line (a line of actions
// only), or -1 if there is none.
func (m *masker) nextColumn(l *line) int {
	if l.next == len(m.lines) {
		return -1
	}
	return m.lines[l.next].column
}

// maskScalarText adapts l, a line within a block scalar, in the mask (the YAML text that is parsed in place of the
// template): a line that is not indented more than the key or dash, and so would end the scalar, is replaced by
// indentation and "x". It also counts the blocks that are open after
// the line (m.scalar.openBlocks).
//
//	template            mask
//	a: |                a: |
//	{{ .Values.c }}       xxxxxxxxxxxxx
//	  b                   b
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
	for body := range bytes.Lines(m.masked[l.Start:l.End]) {
		body = bytes.TrimRight(body, "\r\n")
		indent := len(body) - len(bytes.TrimLeft(body, " "))
		if indent <= m.scalar.parent && indent < len(body) {
			width := min(m.scalar.column, len(body))
			fill(body[:width], ' ')
			fill(body[width:], opaqueByte)
		}
	}
}

// opaqueByte replaces each byte of an action in a key or a scalar.
const opaqueByte = 'x'

// maskContent replaces each byte of the actions on line i by "x" in the mask (the YAML text that is parsed in place of
// the template), and an action that is only the start of a value by a comment (see commentOutValue). It sets
// m.openQuote to the quote that is open at the end of the line, and m.scalar and m.maxColumn if the line ends with the
// header of a block scalar.
func (m *masker) maskContent(i int) {
	l := &m.lines[i]
	hasSeveralLines := l.firstAction < l.endAction && l.End != lineEnd(m.data, l.Start)
	for _, a := range m.actions[l.firstAction:l.endAction] {
		for at := a.Start; at < a.End; at++ {
			// an action of several lines keeps its line breaks and indentation
			if c := m.data[at]; c != '\n' && c != '\r' && (c != ' ' || !hasSeveralLines) {
				m.masked[at] = opaqueByte
			}
		}
	}
	masked := m.masked[l.Start:l.End]
	if m.openQuote = quoteOpenAtEnd(masked, m.openQuote); m.openQuote != 0 {
		return
	}
	parent, isHeader := blockScalarParent(masked)
	if !isHeader {
		m.commentOutValue(l)
		return
	}
	column := m.scalarTextColumn(i+1, parent)
	if m.maxColumn = column - 1; column == noScalar {
		m.maxColumn, column = parent, parent+defaultIndent
	}
	m.scalar = blockScalar{parent: parent, column: column, isEmpty: true}
}

// commentOutValue makes a comment of the last action of l in the mask (the YAML text that is parsed in place of the
// template) if it is the only value after a key or dash, and further lines of the value follow. After a key, the action
// must indent its output.
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
	if !isAfterKey && !isAfterDash || !hasBlankBefore || !isLast {
		return
	}
	if isAfterKey && m.outputColumns[l.endAction-1] == noColumn {
		return
	}
	if m.nextColumn(l) > parentColumn(string(before)) {
		m.masked[a.Start] = '#'
	}
}

// defaultIndent is the indentation assumed for the text of a block scalar, relative to its key or dash, if the scalar
// has no line that shows it.
const defaultIndent = 2

// scalarTextColumn returns the column of the text of a block scalar: that of the first line, from line i on, that is
// indented more than parent, the column of the key or dash. It returns noScalar if another comment or content line
// comes first, or if there is no such line.
func (m *masker) scalarTextColumn(i, parent int) int {
	for ; i < len(m.lines); i++ {
		switch l := &m.lines[i]; {
		case l.kind == blankLine:
		case l.column > parent:
			return l.column
		case l.kind != directiveLine:
			return noScalar
		}
	}
	return noScalar
}

// fill sets each byte of b to c.
func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// maskComments completes the mask, the YAML text that is parsed in place of the template: it makes comments of the
// lines with only actions and of the lines of blocks that are read as text. directives are these lines, and the YAML
// comments with actions, in file order. places says, by the offset of a line that is in no such block, to which entry
// its comment belongs. columns are those of the actions (see commentColumns).
func (m *masker) maskComments(columns []int) (directives []line, places map[int]syntax.CommentPlace) {
	places = map[int]syntax.CommentPlace{}
	for i := range m.lines {
		l := &m.lines[i]
		hasActions := l.firstAction < l.endAction
		switch {
		case l.maskedAs == asComment && hasActions:
			place := syntax.CommentPlace{Column: m.commentColumn(i, columns), IsLead: m.isAboveContent(l)}
			for at := l.Start; at < l.End; at = lineEnd(m.data, at) {
				places[at] = place
			}
			directives = append(directives, *l)
			m.commentOut(l, l.maxColumn)
		case l.maskedAs == asComment:
			m.commentOut(l, l.maxColumn)
		case l.maskedAs == asBlockText:
			if hasActions || l.kind != blankLine {
				directives = append(directives, *l)
			}
			m.commentOut(l, noMaxColumn)
		}
	}
	return directives, places
}

// isAboveContent reports whether l, a line of actions, belongs to what follows it: whether its last action that is
// about a block opens or divides the block. A line that ends a block, or only prints, belongs to what is above it.
func (m *masker) isAboveContent(l *line) bool {
	for _, a := range slices.Backward(m.actions[l.firstAction:l.endAction]) {
		if a.kind != kindOutput {
			return a.kind == kindOpen || a.kind == kindDivide
		}
	}
	return false
}

// commentColumn returns the column in which line i, which has only actions, starts as a comment of the mask, the YAML
// text that is parsed in place of the template. The column decides the entry to which the line belongs. It is the first
// one that columns sets for an action of the line, or else that of the line itself. But what is printed below a key
// without a value belongs to the value, and so is right of the key:
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
	isOutput := m.outputAction(l) >= 0 && m.actions[l.firstAction].body != ""
	if !isOutput || i == 0 {
		return l.column
	}
	above := &m.lines[i-1]
	if above.kind != contentLine || above.maskedAs != asContent {
		return l.column
	}
	masked := bytes.TrimRight(m.masked[above.Start:above.End], " \t\r\n")
	if !bytes.HasSuffix(masked, []byte(":")) {
		return l.column
	}
	return max(l.column, parentColumn(string(masked))+1)
}

// commentOut makes comments of the lines of l in the mask (the YAML text that is parsed in place of the template). In
// each line, the first character that is not blank is replaced by "#", or the one in maxColumn if that is left of it,
// and all before it by spaces. Blank lines remain.
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

// checkBlockColumns returns three maps about the template blocks, by the index of their opening action. firstColumn has
// the column of the first content line of each. printed has, for a block without content lines, the column in which all
// of its actions print, if it is known. textBlocks are the blocks that cannot consist of complete entries of one
// mapping or list, because of their columns or because a define begins with a text.
func (m *masker) checkBlockColumns() (firstColumn, printed map[int]int, textBlocks map[int]bool) {
	c := columnChecker{masker: m, firstColumn: map[int]int{}, printed: map[int]int{}, textBlocks: map[int]bool{}}
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
	return c.firstColumn, c.printed, c.textBlocks
}

// A columnChecker reads the lines of a template in order. The maps are the results of checkBlockColumns.
type columnChecker struct {
	*masker
	firstColumn, printed map[int]int
	textBlocks           map[int]bool
	open                 []*openBlock // the blocks around the current line, the outermost first
	entries              []int        // the columns of the entries above that may continue, and of their dashes
}

// An openBlock has the columns of the lines so far in a block that is not closed yet, and in the blocks within it.
type openBlock struct {
	opening int // the index of the opening action
	first   int // of the first content line, or noColumn without lines
	// misaligned is set by c:
	//
	//	{{ if .a }}
	//	  b: 1
	//	c: 2
	//	{{ end }}
	misaligned bool
	printed    []int // of the lines that it prints, without repetition
}

// addContentLine adds the column of the content line l to the open blocks and, if l is YAML, to the columns of entries.
// A define whose first line is no entry prints a text, and is added to c.textBlocks.
func (c *columnChecker) addContentLine(l line) {
	isEntry := true
	if l.maskedAs == asContent {
		text := string(bytes.TrimRight(c.masked[l.Start:l.End], " \t\r\n"))
		isEntry = strings.HasPrefix(text[l.column:], "- ") || strings.Contains(text+" ", ": ")
		ended := func(column int) bool { return column >= l.column }
		c.entries = append(slices.DeleteFunc(c.entries, ended), l.column, parentColumn(text))
	}
	for _, b := range c.open {
		if b.first != noColumn {
			b.misaligned = b.misaligned || l.column < b.first
			continue
		}
		b.first, c.firstColumn[b.opening] = l.column, l.column
		if !isEntry && c.actions[b.opening].firstWord() == "define" {
			c.textBlocks[b.opening] = true
		}
	}
}

// addPrinted adds the column in which an action prints to the open blocks. The column is unknown (noColumn) if no entry
// above that may continue is there.
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

// closeBlock removes the innermost open block and sets its results, c.textBlocks and c.printed.
func (c *columnChecker) closeBlock() {
	last := len(c.open) - 1
	b := c.open[last]
	c.open = c.open[:last]
	if b.misaligned {
		c.textBlocks[b.opening] = true
	}
	if b.first == noColumn && len(b.printed) == 1 && b.printed[0] != noColumn {
		c.printed[b.opening] = b.printed[0]
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
