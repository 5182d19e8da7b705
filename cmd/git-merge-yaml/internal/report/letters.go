package report

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A letter is a character of a file, which may be written as an escape.
type letter struct {
	text string // as it stands there
	r    rune
	form string // how the last of text is written by fmt: "" is as the rune itself
	// word says that it may be part of a word, foreign that it is an escape of
	// another language than YAML.
	word, foreign bool
}

func (l letter) inWord() bool { return l.word && inWord(l.r) }

// invalid is what stands for a byte of 0x80 that is no UTF-8, the others follow.
// Unicode has these runes for private use.
const invalid = 0x10ff80

// Escapes of one rune, in JSON and other languages too; there, inside of YAML's
// double quotes, with more backslashes.
const (
	pairEscape   = `^(\\+u)(d[89ab][0-9a-f]{2}|D[89AB][0-9A-F]{2})(\\+u)(d[c-f][0-9a-f]{2}|D[C-F][0-9A-F]{2})`
	hexEscape    = `^(\\+)(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})`
	letterEscape = `^(\\+)([0-9A-Za-z_])`
	percents     = `^(?:%[0-9A-Fa-f]{2})+`
)

// readLetter reads the first letter of a piece of text.
func readLetter(s string, p place) letter {
	switch {
	case s[0] == '\\':
		return readEscape(s, p)
	case s[0] == '%' && p == tag:
		if l, ok := readPercents(s); ok {
			return l
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return letter{text: s[:1], r: invalid + rune(s[0]-0x80), form: "byte", word: true}
	}
	return letter{text: s[:size], r: r, word: true}
}

// readEscape reads what begins with a backslash.
func readEscape(s string, p place) letter {
	if m := compiled(pairEscape).FindStringSubmatch(s); m != nil {
		high, low := hex(m[2]), hex(m[4])
		return letter{text: m[0], r: utf16.DecodeRune(high, low), form: m[1] + digits(m[2], 4) + m[3] + digits(m[4], 4), word: true}
	}
	if m := compiled(hexEscape).FindStringSubmatch(s); m != nil && utf8.ValidRune(hex(m[2][1:])) {
		return letter{text: m[0], r: hex(m[2][1:]), form: m[1] + m[2][:1] + digits(m[2][1:], len(m[2])-1), word: true}
	}
	m := compiled(letterEscape).FindStringSubmatch(s)
	if m == nil {
		return letter{text: s[:1]}
	}
	switch own := p == quoted && len(m[1])%2 == 1; {
	case own && strings.Contains("0abtnvfreNLP_", m[2]):
		return letter{text: m[0]}
	case !own && strings.Contains("bfnrt", m[2]):
		return letter{text: m[0], foreign: true}
	}
	return letter{text: m[1]}
}

// readPercents reads a rune of a URI, and reports whether there is one.
func readPercents(s string) (letter, bool) {
	bytes, err := url.PathUnescape(compiled(percents).FindString(s))
	if err != nil || bytes == "" {
		return letter{}, false
	}
	r, size := utf8.DecodeRuneInString(bytes)
	return letter{text: s[:3*size], r: r, form: strings.Repeat("%%"+digits(s[:3*size], 2), size), word: r != utf8.RuneError}, true
}

func hex(s string) rune {
	n, _ := strconv.ParseUint(s, 16, 32)
	return rune(min(n, utf8.MaxRune+1))
}

// digits is the format of n hexadecimal digits in the case of those of s.
func digits(s string, n int) string {
	verb := "x"
	if strings.ContainsAny(s, "ABCDEF") {
		verb = "X"
	}
	return "%0" + strconv.Itoa(n) + verb
}

// as writes another rune in the form of l.
func (l letter) as(r rune) string {
	switch {
	case l.form == "":
		return string(r)
	case l.form == "byte":
		return string([]byte{byte(r - invalid + 0x80)})
	case l.text[0] == '%':
		var bytes []any
		for _, b := range []byte(string(r)) {
			bytes = append(bytes, b)
		}
		return fmt.Sprintf(l.form, bytes...)
	case strings.Count(l.form, "%") == 2:
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(l.form, high, low)
	}
	return fmt.Sprintf(l.form, r)
}

// inWord reports whether a rune is part of words: letters, digits, and what a
// script has besides, as marks, ideograms and pictures are.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
}

// compiled compiles an expression when it is needed: a merge driver starts for every
// file.
func compiled(expression string) *regexp.Regexp {
	if re, ok := expressions.Load(expression); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(expression)
	expressions.Store(expression, re)
	return re
}

var expressions sync.Map
