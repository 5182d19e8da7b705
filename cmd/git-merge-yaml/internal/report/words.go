package report

import (
	"bytes"
	"hash/maphash"
	"math/rand"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An anonymizer replaces words, runs of letters and digits, by others of the same
// shape: a letter by one of its case, a digit by a digit, and the same word by the
// same one everywhere, no two by one. All else stays: indents, quotes, punctuation.
// So two lines, keys or values are equal if and only if they were.
type anonymizer struct {
	keep  map[string]bool
	words map[string]string
	taken map[string]bool
	seed  maphash.Seed // nobody knows it, so that words cannot be guessed
}

func newAnonymizer(seed maphash.Seed, keep map[string]bool) *anonymizer {
	return &anonymizer{keep: keep, words: map[string]string{}, taken: map[string]bool{}, seed: seed}
}

// meaning are words that mean something to YAML or to a template, or are the name of YAML files.
var meaning = lazily(`(?i)^(true|false|null|yes|no|on|off|y|n|inf|nan|if|else|elif|end|endif|endfor|for|in|range|with|define|block|template|include|set|not|and|or|yaml|yml)$`)

// fixed is what is no word of a person: an escape, a tag of YAML's own, a directive,
// the header of a block scalar.
var fixed = lazily(`\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|!![a-z]+|^%[A-Z]+ .*|[|>][0-9][-+]?$`)

// text replaces the words of a file.
func (a *anonymizer) text(b []byte) []byte {
	if b == nil {
		return nil
	}
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		a.line(&out, string(line))
	}
	return out.Bytes()
}

// marked is text for a file with conflict markers, whose labels stay.
func (a *anonymizer) marked(b []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		if label().Match(line) {
			out.Write(line)
			continue
		}
		a.line(&out, string(line))
	}
	return out.Bytes()
}

var label = lazily(`^(<{7} ours|\|{7} base|>{7} theirs)\r?\n?$`)

func (a *anonymizer) line(out *bytes.Buffer, line string) {
	at := 0
	for _, m := range fixed().FindAllStringIndex(strings.TrimRight(line, "\r\n"), -1) {
		a.plain(out, line[at:m[0]])
		out.WriteString(line[m[0]:m[1]])
		at = m[1]
	}
	a.plain(out, line[at:])
}

// plain replaces the words of a text.
func (a *anonymizer) plain(out *bytes.Buffer, s string) {
	for s != "" {
		n := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) })
		if n < 0 {
			n = len(s)
		}
		if n == 0 {
			_, size := utf8.DecodeRuneInString(s)
			out.WriteString(s[:size])
			s = s[size:]
			continue
		}
		out.WriteString(a.word(s[:n]))
		s = s[n:]
	}
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// word is the stand-in of a word.
func (a *anonymizer) word(w string) string {
	if a.keep[w] || meaning().MatchString(w) {
		return w
	}
	if s, ok := a.words[w]; ok {
		return s
	}
	random := rand.New(rand.NewSource(int64(maphash.String(a.seed, w))))
	s := ""
	for range 10_000 {
		if s = alike(w, random); !a.taken[s] && !a.keep[s] && !meaning().MatchString(s) {
			break
		}
	}
	a.words[w], a.taken[s] = s, true
	return s
}

// alike is a word of the shape of w. A leading zero stays one, and other digits are
// none, so that numbers stay numbers.
func alike(w string, random *rand.Rand) string {
	var b strings.Builder
	for i, r := range w {
		switch {
		case r == '0' && i == 0:
			b.WriteRune(r)
		case r >= '0' && r <= '9' && i == 0:
			b.WriteByte(byte('1' + random.Intn(9)))
		case r >= '0' && r <= '9':
			b.WriteByte(byte('0' + random.Intn(10)))
		case r >= 'A' && r <= 'Z':
			b.WriteByte(byte('A' + random.Intn(26)))
		case r < utf8.RuneSelf:
			b.WriteByte(byte('a' + random.Intn(26)))
		default:
			b.WriteRune([]rune("àáâãåæçèéêëìíîïñòóôõøùúûý")[random.Intn(25)])
		}
	}
	return b.String()
}
