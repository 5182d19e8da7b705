package template

import (
	"bytes"
	"strings"
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
	name    string
	delims  [][2]string // of actions; the first that opens at a place counts
	comment string      // what a comment starts with behind its delimiter; "" if it has delimiters of its own
	quotes  string      // of strings, with backslashes, that may hold a closing delimiter
	raw     byte        // the quote of strings without backslashes, 0 if there is none
	kind    func(word, said string) kind
}

var golang = &language{
	name: "Go", delims: [][2]string{{"{{", "}}"}}, comment: "/*", quotes: `"'`, raw: '`',
	kind: func(word, said string) kind {
		switch word {
		case "if", "range", "with", "define", "block":
			return opens
		case "else":
			return divides
		case "end":
			return closes
		}
		return output
	},
}

var jinja = &language{
	name: "Jinja", delims: [][2]string{{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}}, quotes: `"'`,
	kind: func(word, said string) kind {
		switch word {
		case "if", "for", "macro", "call", "filter", "block", "autoescape", "trans", "raw", "with":
			return opens
		case "else", "elif":
			return divides
		case "set":
			if !strings.Contains(said, "=") {
				return opens
			}
		}
		if strings.HasPrefix(word, "end") {
			return closes
		}
		return output
	},
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
