package template

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A kind is what an action does to the blocks around it.
type kind uint8

const (
	output  kind = iota // nothing: it prints, sets, includes or is a comment
	opens               // if, range, with, define, block
	divides             // else, else if, elif
	closes              // end, endif, endfor
)

// A language is the words of a template engine.
type language struct {
	delims  [][2]string // of actions; the first that opens at a place counts
	comment string      // what a comment starts with behind its delimiter; "" if it has delimiters of its own
	raw     byte        // the quote of strings without backslashes, beside " and ' of those with; 0 if there is none
	kinds   map[string]kind
}

var golang = &language{
	delims: [][2]string{{"{{", "}}"}}, comment: "/*", raw: '`',
	kinds: map[string]kind{
		"if": opens, "range": opens, "with": opens, "define": opens, "block": opens, "else": divides, "end": closes,
	},
}

var jinja = &language{
	delims: [][2]string{{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}},
	kinds: map[string]kind{
		"if": opens, "for": opens, "macro": opens, "call": opens, "filter": opens, "block": opens, "autoescape": opens,
		"trans": opens, "raw": opens, "with": opens, "else": divides, "elif": divides,
	},
}

// kind is what an action does that says said, of which word is the first.
func (l *language) kind(word, said string) kind {
	switch {
	case l == jinja && word == "set" && !strings.Contains(said, "="):
		return opens
	case l == jinja && strings.HasPrefix(word, "end"):
		return closes
	}
	return l.kinds[word]
}

// languageOf returns the language of data, nil if there is no action in it.
func languageOf(data []byte) *language {
	switch {
	case bytes.Contains(data, []byte("{%")), bytes.Contains(data, []byte("{#")) && bytes.Contains(data, []byte("#}")):
		return jinja
	case bytes.Contains(data, []byte("{{")):
		return golang
	}
	return nil
}

// Holds reports whether there may be an action in data.
func Holds(data []byte) bool { return languageOf(data) != nil }

// BlocksInComments reports whether a comment on a line of its own has an action of a block, as people write
// templates that are to be YAML as they stand:
//
//	# {{- if .Values.debug }}
//	level: debug
//	# {{- end }}
func BlocksInComments(data []byte) bool {
	if !Holds(data) {
		return false
	}
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) && HasBlocks(line) {
			return true
		}
	}
	return false
}

// An action is a part of a file that the template engine takes, with its
// delimiters.
type action struct {
	text.Span
	kind kind
	// said is what it says, without delimiters and trim marks, blanks made one;
	// "" for a comment.
	said string
}

// actions returns the actions of data in their order. The error is an *Error.
func (l *language) actions(data []byte) ([]action, error) {
	all := make([]action, 0, bytes.Count(data, []byte(l.delims[0][0])))
	for at := 0; ; {
		start, delims := l.open(data, at)
		if start < 0 {
			return all, nil
		}
		inside := start + len(delims[0])
		comment := l.isComment(data[inside:], delims)
		end := l.end(data, inside, delims[1], comment)
		if end < 0 {
			return nil, fail(data, start, "an action without its end")
		}
		a := action{Span: text.Span{Start: start, End: end}}
		if !comment {
			a.said = squeezed(bytes.Trim(data[inside:end-len(delims[1])], "-+")) // without trim marks
		}
		if word := a.word(); word != "" && (l == golang || delims[0] == "{%") {
			a.kind = l.kind(word, a.said)
		}
		all, at = append(all, a), end
	}
}

// open returns where the next action starts, -1 if none does.
func (l *language) open(data []byte, from int) (at int, delims [2]string) {
	for at = from; ; at++ {
		i := bytes.IndexByte(data[at:], '{')
		if i < 0 {
			return -1, delims
		}
		at += i
		for _, d := range l.delims {
			if bytes.HasPrefix(data[at:], []byte(d[0])) {
				return at, d
			}
		}
	}
}

// isComment reports whether an action is a comment whose inside data starts with.
func (l *language) isComment(data []byte, delims [2]string) bool {
	if l.comment == "" {
		return delims[0] == "{#"
	}
	inside := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("-")), " \t\r\n")
	return bytes.HasPrefix(inside, []byte(l.comment))
}

// end returns where an action ends whose inside starts at from, -1 if it does not.
func (l *language) end(data []byte, from int, closing string, comment bool) int {
	switch {
	case comment && l.comment == "":
		return after(data, from, closing)
	case comment:
		if from = after(data, from, "*/"); from < 0 {
			return -1
		}
	}
	for i := from; i < len(data); i++ {
		switch c := data[i]; {
		case c == closing[0] && bytes.HasPrefix(data[i:], []byte(closing)):
			return i + len(closing)
		case c == l.raw && c != 0:
			if i = after(data, i+1, string(c)) - 1; i < 0 {
				return -1
			}
		case c == '"' || c == '\'':
			if i = quoted(data, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// after returns the end of the next text from from on, -1 if there is none.
func after(data []byte, from int, text string) int {
	i := bytes.Index(data[from:], []byte(text))
	if i < 0 {
		return -1
	}
	return from + i + len(text)
}

// quoted returns where the string that starts at from has its closing quote.
func quoted(data []byte, from int) int {
	for i := from + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case data[from]:
			return i
		case '\n':
			return -1
		}
	}
	return -1
}

// word is the first word of what a says: "with" of with.Values.
func (a action) word() string {
	end := strings.IndexFunc(a.said, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 0 {
		return a.said
	}
	return a.said[:end]
}

// fail is an error at off of data.
func fail(data []byte, off int, msg string) *syntax.Error {
	at := text.New(data).Position(off)
	return &syntax.Error{Line: at.Line, Column: at.Column, PositionsUncertain: true, Msg: msg}
}

// breakAfter returns the end of the line of at.
func breakAfter(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// squeezed is b without the blanks around it, and with those in it made one.
func squeezed(b []byte) string { return string(bytes.Join(bytes.Fields(b), []byte(" "))) }

// A line is a line of a file, or several that one action joins.
type line struct {
	text.Span
	first, last int // its actions, [first, last)
	column      int // of its first character
	ahead       int // the next line that is neither blank nor a directive, by its index
	limit       int // in which column it may start at most, as a comment of the mask
	shape       shape
	use         use  // what the mask makes of it
	remark      bool // it is a comment to YAML as it stands
}

// shape is what a line is.
type shape uint8

const (
	blank shape = iota
	remark
	directive
	content
)

// use is what a line is in the mask.
type use uint8

const (
	asItIs    use = iota
	asText        // of a block scalar
	asComment     // it moves as one
	asClosed      // of a block whose lines are comments, whatever they hold
)

// linesOf cuts data into lines.
func linesOf(data []byte, actions []action) []line {
	all := make([]line, 0, bytes.Count(data, []byte("\n"))+1)
	for at, next := 0, 0; at < len(data); {
		l := line{Span: text.Span{Start: at, End: breakAfter(data, at)}, first: next, last: next}
		for l.last < len(actions) && actions[l.last].Start < l.End {
			if end := actions[l.last].End; end > l.End {
				l.End = breakAfter(data, end-1)
			}
			l.last++
		}
		l.shape, l.column = shapeOf(data, l, actions[l.first:l.last])
		all = append(all, l)
		at, next = l.End, l.last
	}
	for i, ahead := len(all)-1, len(all); i >= 0; i-- {
		all[i].ahead = ahead
		if s := all[i].shape; s == remark || s == content {
			ahead = i
		}
	}
	return all
}

// shapeOf returns what l is, which has these actions, and the column of its first
// character.
func shapeOf(data []byte, l line, actions []action) (s shape, column int) {
	column = l.Len()
	for at := l.Start; at < l.End; at++ {
		if len(actions) > 0 && at == actions[0].Start {
			column = min(column, at-l.Start)
			at, actions, s = actions[0].End-1, actions[1:], directive
			continue
		}
		switch c := data[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == '#':
			if slices.ContainsFunc(actions, func(a action) bool { return a.kind != output }) {
				s = directive
			}
			return max(s, remark), min(column, at-l.Start)
		default:
			return content, min(column, at-l.Start)
		}
	}
	return s, column
}

// header returns the column of what holds the block scalar whose | or > ends a
// line; it reports false where none does.
func header(line []byte) (parent int, ok bool) {
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, '>') < 0 {
		return 0, false
	}
	body := string(bytes.TrimRight(line, " \t\r\n"))
	if i := strings.Index(body, " #"); i >= 0 {
		body = strings.TrimRight(body[:i], " \t")
	}
	i := strings.LastIndexAny(body, " \t")
	if !isHeader(body[i+1:]) || i < 0 {
		return 0, false
	}
	before := strings.TrimRight(body[:i], " \t")
	for {
		i := strings.LastIndexAny(before, " \t")
		if word := before[i+1:]; word == "" || word[0] != '!' && word[0] != '&' {
			break
		}
		before = strings.TrimRight(before[:max(i, 0)], " \t")
	}
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "-") {
		return 0, false
	}
	return holder(before), true
}

// isHeader reports whether a word is that of a block scalar: |, >-, |2.
func isHeader(word string) bool {
	indicators := strings.TrimLeft(word, "|>")
	return len(word)-len(indicators) == 1 && len(indicators) <= 2 && strings.Trim(indicators, "+-123456789") == ""
}

// holder is the column of the key or dash that holds what follows the line
// before.
func holder(before string) int {
	at := len(before) - len(strings.TrimLeft(before, " "))
	for {
		rest, ok := strings.CutPrefix(before[at:], "-")
		if !ok || strings.TrimLeft(rest, " ") == rest {
			return at
		}
		at += 1 + len(rest) - len(strings.TrimLeft(rest, " "))
	}
}

// openQuote returns the quote that is open at the end of a line, 0 if none is;
// open is the one at its start. Only quotes in which a value starts count.
func openQuote(line []byte, open byte) byte {
	if open == 0 && bytes.IndexByte(line, '"') < 0 && bytes.IndexByte(line, '\'') < 0 {
		return 0
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case open == '"' && c == '\\':
			i++
		case c == open:
			open = 0
		case open != 0 || c != '"' && c != '\'':
			if open == 0 && c == '#' && i > 0 && line[i-1] == ' ' {
				return 0
			}
		case i == 0 || bytes.IndexByte([]byte(" [{,"), line[i-1]) >= 0 && startsValue(line[:i]):
			open = c
		}
	}
	return open
}

// startsValue reports whether a value or a key starts behind the line before.
func startsValue(before []byte) bool {
	before = bytes.TrimRight(before, " ")
	return len(before) == 0 || bytes.IndexByte([]byte(":-[{,"), before[len(before)-1]) >= 0
}
