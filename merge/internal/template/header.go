package template

import (
	"bytes"
	"strings"
)

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
	return word != "" && (word[0] == '|' || word[0] == '>') && len(word) <= 3 && strings.Trim(word[1:], "+-123456789") == ""
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
