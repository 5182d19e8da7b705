package report

import "strings"

// A place says what YAML's grammar makes of a piece of text.
type place int

const (
	data   place = iota // words, and no escapes of YAML's
	quoted              // between double quotes
	tag                 // a tag or its prefix, where %41 is A
	own                 // YAML's own, no word in it is a person's
)

// A grammar reads YAML line by line, as far as it takes to tell which text is no
// person's, and where escapes are. So it needs no tree, and reads parts of a file, and
// files that are no YAML.
type grammar struct {
	quote  byte // the quote that is open, 0 if there is none
	plain  bool // a plain scalar is open, which goes on in lines indented more than parent
	text   bool // a block scalar is open
	least  int  // the indent of its text, -1 if that is not known yet
	parent int  // the column of the key or dash in front of a scalar, -1 if there is none
	start  int  // the column where the node begins that may be a key, -1 if none does yet
	json   bool // what stands before is a key that needs no space behind its colon
	flow   int  // how many flow collections are open
}

func newGrammar() grammar { return grammar{parent: -1, start: -1} }

const (
	documentMark = `^(?:---|\.\.\.)(?:[ \t]|$)`
	directive    = `^%(?:YAML[ \t]+[0-9]+\.[0-9]+|TAG[ \t])`
	tagToken     = `^!(?:<[^ \t>]*>|[^ \t,\[\]{}]*)`
	ownTag       = `^(?:!!|!<tag:yaml\.org,2002:)(?:str|int|float|bool|null|map|seq|set|omap|pairs|binary|timestamp|merge|value|yaml)>?$`
	blockHeader  = `^([|>][-+0-9]*)[ \t]*(?:[ \t]#.*)?$`
	indicator    = `^[-?](?:[ \t]|$)`
	named        = `^[&*][^ \t,\[\]{}]*`
)

// line gives the pieces of a line.
func (g *grammar) line(line string, give func(string, place)) {
	s := strings.TrimRight(line, "\r\n")
	switch d := compiled(directive).FindString(s); {
	case compiled(documentMark).MatchString(s):
		*g = newGrammar()
		give(s[:3], own)
		g.tokens(s, 3, give)
	case d != "" && g.quote == 0 && !g.text:
		give(d, own)
		give(s[len(d):], tag)
	case g.text && g.inText(s), s == "":
		give(s, data)
	default:
		g.tokens(s, g.open(s, give), give)
	}
	give(line[len(s):], own)
}

// inText reports whether a line belongs to the block scalar that is open.
func (g *grammar) inText(s string) bool {
	indent := indentOf(s)
	if indent == len(s) {
		return true
	}
	if g.least < 0 {
		g.least = max(indent, g.parent+1)
	}
	g.text = indent >= g.least
	return g.text
}

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// open gives what a line has of a plain scalar that is open, and returns where that
// ends.
func (g *grammar) open(s string, give func(string, place)) int {
	if g.quote != 0 {
		return 0
	}
	if g.plain && (g.flow > 0 || indentOf(s) > g.parent) {
		end := g.endOfPlain(s, 0)
		give(s[:end], data)
		return end
	}
	g.plain, g.parent, g.start = false, -1, -1
	return 0
}

// tokens gives the tokens of a line from a column on.
func (g *grammar) tokens(s string, at int, give func(string, place)) {
	for at < len(s) {
		end, p := g.token(s, at)
		give(s[at:end], p)
		at = end
	}
}

// token returns where the token ends that begins in a column, and what it is.
func (g *grammar) token(s string, at int) (end int, p place) {
	rest := s[at:]
	if c := rest[0]; g.quote != 0 {
		return g.endOfQuoted(s, at)
	} else if isBlank(c) {
		return at + 1, data
	} else if c == '#' && (at == 0 || isBlank(s[at-1])) {
		g.plain = false
		return len(s), data
	} else if g.isColon(s, at) || compiled(indicator).MatchString(rest) || g.isFlow(c) {
		g.structure(c, at)
		return at + 1, data
	}
	if g.start < 0 {
		g.start = at
	}
	g.json = false
	return g.scalar(s, at)
}

// structure notes an indicator of a collection.
func (g *grammar) structure(c byte, at int) {
	switch c {
	case '[', '{':
		g.flow++
	case ']', '}':
		g.flow--
	case ':':
		g.parent = g.start
		if g.start < 0 {
			g.parent = at
		}
	default:
		g.parent = at
	}
	g.start, g.json = -1, c == ']' || c == '}'
}

// isColon reports whether there is the colon behind a key.
func (g *grammar) isColon(s string, at int) bool {
	if s[at] != ':' {
		return false
	}
	return at+1 == len(s) || isBlank(s[at+1]) || g.flow > 0 && (g.json || isFlow(s[at+1]))
}

// isFlow reports whether an indicator opens, parts or ends a flow collection.
func (g *grammar) isFlow(c byte) bool { return c == '[' || c == '{' || g.flow > 0 && isFlow(c) }

func isFlow(c byte) bool { return strings.IndexByte(",[]{}", c) >= 0 }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// scalar returns where a scalar ends, or one of its properties, and what it is.
func (g *grammar) scalar(s string, at int) (end int, p place) {
	rest := s[at:]
	switch c := rest[0]; c {
	case '"', '\'':
		g.quote = c
		return g.endOfQuoted(s, at+1)
	case '!':
		t := compiled(tagToken).FindString(rest)
		if compiled(ownTag).MatchString(t) {
			return at + len(t), own
		}
		return at + len(t), tag
	case '&', '*':
		return at + len(compiled(named).FindString(rest)), data
	case '|', '>':
		if header := compiled(blockHeader).FindStringSubmatch(rest); header != nil && g.flow == 0 {
			g.startText(header[1])
			return at + len(header[1]), own
		}
	}
	return g.endOfPlain(s, at), data
}

// startText opens a block scalar.
func (g *grammar) startText(header string) {
	g.text, g.least = true, -1
	if i := strings.IndexAny(header, "123456789"); i >= 0 {
		g.least = max(g.parent, 0) + int(header[i]-'0')
	}
}

// endOfQuoted returns where the quoted scalar ends that is open, at most the line.
func (g *grammar) endOfQuoted(s string, at int) (end int, p place) {
	if g.quote == '"' {
		p = quoted
	}
	for ; at < len(s); at++ {
		switch {
		case s[at] == '\\' && p == quoted, s[at] == '\'' && p == data && strings.HasPrefix(s[at+1:], "'"):
			at++
		case s[at] == g.quote:
			g.quote, g.json = 0, true
			return at + 1, p
		}
	}
	return len(s), p
}

// endOfPlain returns where a plain scalar ends, at most the line.
func (g *grammar) endOfPlain(s string, at int) int {
	for g.plain = false; at < len(s); at++ {
		if g.isColon(s, at) || s[at] == '#' && at > 0 && isBlank(s[at-1]) || g.flow > 0 && isFlow(s[at]) {
			return at
		}
	}
	g.plain = true
	if g.parent < 0 && g.start > 0 {
		g.parent = g.start - 1
	}
	return at
}
