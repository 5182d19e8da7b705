package template

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An actionKind is the effect of an action on the blocks around it.
type actionKind uint8

const (
	kindOutput actionKind = iota // no effect: the action prints, assigns, includes a template or is a comment
	kindOpen                     // if, range, with, define, block
	kindDivide                   // else, else if, elif
	kindClose                    // end, endif, endfor
)

// An engine describes the syntax of a template engine.
type engine struct {
	delimiters []delimiters // the first one that matches is used
	rawQuote   byte         // the quote of strings without backslash escapes, in addition to " and '; 0 if there is none
	kindByWord map[string]actionKind
}

// delimiters are the texts at the start and the end of an action.
type delimiters struct {
	open, close string
	isStatement bool // the action may open, divide or close a block
}

var goEngine = &engine{
	delimiters: []delimiters{{"{{", "}}", true}}, rawQuote: '`',
	kindByWord: map[string]actionKind{
		"if": kindOpen, "range": kindOpen, "with": kindOpen, "define": kindOpen, "block": kindOpen, "else": kindDivide, "end": kindClose,
	},
}

var jinjaEngine = &engine{
	delimiters: []delimiters{{"{{", "}}", false}, {"{%", "%}", true}, {"{#", "#}", false}},
	kindByWord: map[string]actionKind{
		"if": kindOpen, "for": kindOpen, "macro": kindOpen, "call": kindOpen, "filter": kindOpen, "block": kindOpen, "autoescape": kindOpen,
		"trans": kindOpen, "raw": kindOpen, "with": kindOpen, "else": kindDivide, "elif": kindDivide,
	},
}

// kindOf returns whether an action opens, divides or closes a block, or is output. word is the first word of the
// action, and body the whole text between its delimiters. Any unknown word is output. In Jinja, every word that begins
// with end closes a block, and set without "=" opens one.
func (e *engine) kindOf(word, body string) actionKind {
	switch {
	case e == jinjaEngine && word == "set" && !strings.Contains(body, "="):
		return kindOpen
	case e == jinjaEngine && strings.HasPrefix(word, "end"):
		return kindClose
	}
	return e.kindByWord[word]
}

// detectEngine returns the template engine that data is written for, or nil if data contains no action. Data with {%,
// or with both {# and #}, is Jinja; other data with {{ is a Go template.
func detectEngine(data []byte) *engine {
	switch {
	case bytes.Contains(data, []byte("{%")), bytes.Contains(data, []byte("{#")) && bytes.Contains(data, []byte("#}")):
		return jinjaEngine
	case bytes.Contains(data, []byte("{{")):
		return goEngine
	}
	return nil
}

// MayHaveActions reports whether data contains the start of an action, so that it may be a template.
func MayHaveActions(data []byte) bool { return detectEngine(data) != nil }

// HasBlocksInComments reports whether a YAML comment on a line of its own contains an action of a block. Such a file is
// valid YAML and also a template:
//
//	# {{- if .Values.debug }}
//	level: debug
//	# {{- end }}
//
// An action that does not end on its line is ignored.
func HasBlocksInComments(data []byte) bool {
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) && HasBlockActions(line) {
			return true
		}
	}
	return false
}

// An action is a part of a file that the template engine evaluates. Its span includes the delimiters.
type action struct {
	text.Span
	kind actionKind
	// body is the text between the delimiters, without trim marks and with each run of blanks replaced by one space. It
	// is "" for a comment.
	body string
}

// parseActions returns the actions of data in file order. If an action does not end, the result is nil, and the error
// is a *syntax.Error at its start.
func (e *engine) parseActions(data []byte) ([]action, error) {
	all := make([]action, 0, bytes.Count(data, []byte(e.delimiters[0].open)))
	for at := 0; ; {
		start, by := e.findAction(data, at)
		if start < 0 {
			return all, nil
		}
		inside := start + len(by.open)
		afterComment := e.skipComment(data, inside, by)
		end := e.findActionEnd(data, afterComment, by.close)
		if end < 0 {
			return nil, newError(data, start, "unclosed action")
		}
		a := action{Span: text.Span{Start: start, End: end}}
		if isComment := afterComment > inside; !isComment {
			a.body = collapseBlanks(bytes.Trim(data[inside:end-len(by.close)], "-+")) // without trim marks
		}
		if word := a.firstWord(); word != "" && by.isStatement {
			a.kind = e.kindOf(word, a.body)
		}
		all, at = append(all, a), end
	}
}

// findAction returns the offset of the first action at or after from, and its delimiters. The offset is -1 if there is
// no action.
func (e *engine) findAction(data []byte, from int) (at int, by delimiters) {
	for at = from; ; at++ {
		i := bytes.IndexByte(data[at:], '{')
		if i < 0 {
			return -1, by
		}
		at += i
		for _, d := range e.delimiters {
			if bytes.HasPrefix(data[at:], []byte(d.open)) {
				return at, d
			}
		}
	}
}

// skipComment returns the offset after the text of a comment, so that delimiters in the text are not mistaken for the
// end of the action. inside is the offset after the opening delimiter, and by has the delimiters of the action. The
// result is inside if the action is not a comment, and negative if the comment does not end.
//
//	{# a #}          before #}
//	{{- /* a */}}    after */
func (e *engine) skipComment(data []byte, inside int, by delimiters) int {
	content := bytes.TrimLeft(bytes.TrimPrefix(data[inside:], []byte("-")), " \t\r\n")
	switch {
	case by.open == "{#":
		return indexAfter(data, inside, by.close) - len(by.close)
	case e == goEngine && bytes.HasPrefix(content, []byte("/*")):
		return indexAfter(data, inside, "*/")
	}
	return inside
}

// findActionEnd returns the offset after closing, the closing delimiter of an action. Delimiters within strings of the
// action do not count. from is an offset within the action, but not in a string or a comment. The result is -1 if from
// is negative, or if the action or a string in it does not end.
func (e *engine) findActionEnd(data []byte, from int, closing string) int {
	for at := from; at >= 0 && at < len(data); { // -1 after a string that does not end
		switch c := data[at]; {
		case c == closing[0] && bytes.HasPrefix(data[at:], []byte(closing)):
			return at + len(closing)
		case c == e.rawQuote && c != 0:
			at = indexAfter(data, at+1, string(c))
		case c == '"' || c == '\'':
			at = stringEnd(data, at)
		default:
			at++
		}
	}
	return -1
}

// indexAfter returns the offset after the first occurrence of text in data at or after from, or -1 if there is none.
func indexAfter(data []byte, from int, text string) int {
	i := bytes.Index(data[from:], []byte(text))
	if i < 0 {
		return -1
	}
	return from + i + len(text)
}

// stringEnd returns the offset after a string in an action, or -1 if the string does not end on its line. data[from] is
// the opening quote, ' or "; the closing one is the same character. A character after a backslash is skipped, even a
// line break.
func stringEnd(data []byte, from int) int {
	for i := from + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case data[from]:
			return i + 1
		case '\n':
			return -1
		}
	}
	return -1
}

// firstWord returns the first word of the body, which is "with" for "with.Values". It is "" if the body does not start
// with a letter, a digit or an underscore.
func (a action) firstWord() string {
	end := strings.IndexFunc(a.body, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 0 {
		return a.body
	}
	return a.body[:end]
}

// isComment reports whether a is a comment of the template engine, or empty.
func (a action) isComment() bool { return a.body == "" }

// prints reports whether a prints something: it is neither an action of a block, nor a comment or an assignment, such
// as $a := 1.
func (a action) prints() bool {
	variable, _, hasEqualSign := strings.Cut(a.body, "=")
	isOneWord := len(strings.Fields(strings.TrimRight(variable, ":"))) == 1
	isAssignment := strings.HasPrefix(a.body, "$") && hasEqualSign && isOneWord
	return a.kind == kindOutput && !a.isComment() && !isAssignment && a.firstWord() != "set"
}

// newError returns a *syntax.Error with this message about offset off of data. Its PositionsUncertain is set.
func newError(data []byte, off int, msg string) *syntax.Error {
	at := text.New(data).Position(off)
	return &syntax.Error{Line: at.Line, Column: at.Column, PositionsUncertain: true, Msg: msg}
}

// lineEnd returns the offset after the line that contains offset at, with its line break, or the length of data if it
// is the last line.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// collapseBlanks returns b without leading and trailing blanks, and with each run of blanks replaced by one space.
func collapseBlanks(b []byte) string { return string(bytes.Join(bytes.Fields(b), []byte(" "))) }

// A line is a line of a template, or several lines that are joined because an action spans them.
type line struct {
	text.Span
	firstAction, endAction int // the indexes of its actions are in [firstAction, endAction)
	column                 int // of its first character that is not blank; the length of a blank line, with its line break
	next                   int // index of the next line that is a commentLine or a contentLine; the number of lines if there is none
	maxColumn              int // if the line becomes a comment of the mask, the greatest column in which that comment may start
	kind                   lineKind
	maskedAs               maskUse // how the mask represents the line
}

// A lineKind classifies a line by its content.
type lineKind uint8

const (
	blankLine lineKind = iota
	commentLine
	directiveLine // only actions, and perhaps a comment after them
	contentLine
)

// A maskUse is how the mask represents a line of a template.
type maskUse uint8

const (
	asContent    maskUse = iota // as YAML, with its actions replaced by plain text
	asScalarText                // as text of a block scalar
	asComment                   // as a comment, which moves like a YAML comment
	asBlockText                 // as a comment, because the line is in a text block
)

// splitLines returns the lines of data with their line breaks. A line break within an action does not end a line.
// actions are the actions of data in file order. Each line has its kind, its column, the range of its actions, and the
// index of the next comment or content line.
func splitLines(data []byte, actions []action) []line {
	all := make([]line, 0, bytes.Count(data, []byte("\n"))+1)
	for at, next := 0, 0; at < len(data); {
		l := line{Span: text.Span{Start: at, End: lineEnd(data, at)}, firstAction: next, endAction: next}
		for l.endAction < len(actions) && actions[l.endAction].Start < l.End {
			if end := actions[l.endAction].End; end > l.End {
				l.End = lineEnd(data, end-1)
			}
			l.endAction++
		}
		l.kind = classifyLine(data, l, actions[l.firstAction:l.endAction])
		l.column = l.Len() - len(bytes.TrimLeft(data[l.Start:l.End], " \t\r\n"))
		all = append(all, l)
		at, next = l.End, l.endAction
	}
	for i, ahead := len(all)-1, len(all); i >= 0; i-- {
		all[i].next = ahead
		if all[i].kind == commentLine || all[i].kind == contentLine {
			ahead = i
		}
	}
	return all
}

// classifyLine returns the kind of l. actions are the actions of l.
//
//	# a, # {{ if .a }}       commentLine
//	{{ .a }}, {{ .a }} # b   directiveLine
//	a: {{ .b }}              contentLine
//	                         blankLine
func classifyLine(data []byte, l line, actions []action) (kind lineKind) {
	for at := l.Start; at < l.End; at++ {
		if len(actions) > 0 && at == actions[0].Start {
			kind = directiveLine
			at, actions = actions[0].End-1, actions[1:] // skip the action
			continue
		}
		switch data[at] {
		case ' ', '\t', '\r', '\n':
		case '#':
			if kind == blankLine { // a comment after an action does not change the kind
				kind = commentLine
			}
			return kind
		default:
			return contentLine
		}
	}
	return kind
}

// blockScalarParent returns the column of the key or dash of the block scalar whose header, such as |, ends line.
// Without such a header, ok is false. line must be neither a comment nor a part of another scalar.
//
//	line              parent
//	- key: |          2, the column of key
//	- |               0, the column of the dash
//	key: &x |- # a    0
func blockScalarParent(line []byte) (parent int, ok bool) {
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, '>') < 0 {
		return 0, false
	}
	body := string(bytes.TrimRight(line, " \t\r\n"))
	if i := strings.Index(body, " #"); i >= 0 {
		body = strings.TrimRight(body[:i], " \t")
	}
	before, header := cutLastWord(body)
	rest, word := cutLastWord(before)
	for strings.HasPrefix(word, "!") || strings.HasPrefix(word, "&") { // a tag or an anchor of the scalar
		before = rest
		rest, word = cutLastWord(before)
	}
	isValue := strings.HasSuffix(before, ":") || strings.HasSuffix(before, "-")
	if !isValue || !isBlockScalarHeader(header) {
		return 0, false
	}
	return parentColumn(before), true
}

// cutLastWord splits s, which does not end with a blank, before its last word. before is without blanks at its end.
func cutLastWord(s string) (before, word string) {
	i := strings.LastIndexAny(s, " \t") + 1
	return strings.TrimRight(s[:i], " \t"), s[i:]
}

// isBlockScalarHeader reports whether word is the header of a block scalar, such as |, >- or |2: | or >, then at most
// two of the characters +, - and 1 to 9.
func isBlockScalarHeader(word string) bool {
	indicators := strings.TrimLeft(word, "|>")
	return len(word)-len(indicators) == 1 && len(indicators) <= 2 && strings.Trim(indicators, "+-123456789") == ""
}

// parentColumn returns the column of the key or dash that ends before, the start of a line in front of a value:
//
//	"  key:"     2
//	"- key:"     2, the column of key
//	"- -"        2, the column of the second dash
//
// Without a key or dash, it is the column of the first character that is not a space.
func parentColumn(before string) int {
	at := len(before) - len(strings.TrimLeft(before, " "))
	for {
		rest, ok := strings.CutPrefix(before[at:], "-")
		if !ok || strings.TrimLeft(rest, " ") == rest {
			return at
		}
		at += 1 + len(rest) - len(strings.TrimLeft(rest, " "))
	}
}

// quoteOpenAtEnd returns the quote character of the quoted scalar that continues after line, or 0 if there is none.
// open is the same for the line before. A quote character within a plain scalar or a comment does not count.
//
//	line       open    result
//	a: "b      0       "
//	  c" # d   "       0
//	a: it's    0       0
//	a: 'it''s  0       '
func quoteOpenAtEnd(line []byte, open byte) byte {
	if open == 0 && bytes.IndexByte(line, '"') < 0 && bytes.IndexByte(line, '\'') < 0 {
		return 0
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		isQuote := c == '"' || c == '\''
		isDoubled := i+1 < len(line) && line[i+1] == c
		switch {
		case open == '"' && c == '\\', open == '\'' && c == open && isDoubled:
			i++ // the escaped character
		case c == open:
			open = 0
		case open != 0: // text of the scalar
		case c == '#' && i > 0 && line[i-1] == ' ': // a comment
			return 0
		case isQuote && (i == 0 || bytes.IndexByte([]byte(" [{,"), line[i-1]) >= 0 && canStartValue(line[:i])):
			open = c
		}
	}
	return open
}

// canStartValue reports whether a key or a value can start after before, which is the start of a line: whether before
// is empty, or its last character that is not a space is one of : - [ { and the comma.
func canStartValue(before []byte) bool {
	before = bytes.TrimRight(before, " ")
	return len(before) == 0 || bytes.IndexByte([]byte(":-[{,"), before[len(before)-1]) >= 0
}
