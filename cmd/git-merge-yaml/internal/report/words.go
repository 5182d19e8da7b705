package report

import (
	"bytes"
	"hash/maphash"
	"math/rand"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
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
const meaning = `^((?i:true|false|null|yes|no|on|off|y|n|inf|nan)|yaml|yml|else|elif|in|range|define|template|include|n?indent|not|and|or|` +
	`(end)?(if|for|with|block|set|macro|call|filter|autoescape|trans|raw)|end)$`

// text replaces the words of a file.
func (a *anonymizer) text(b []byte) []byte {
	g := newGrammar()
	return a.lines(&g, b)
}

// lines replaces the words of lines in which the grammar goes on.
func (a *anonymizer) lines(g *grammar, b []byte) []byte {
	if b == nil {
		return nil
	}
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		g.line(string(line), func(s string, p place) { a.piece(&out, s, p) })
	}
	return out.Bytes()
}

// required is how a team's file says which version of the program it needs.
const required = `(?m)^requires: *["']?>= *[0-9.]+`

// rules replaces the words of a team's file. The version of the program is none.
func (a *anonymizer) rules(b []byte) []byte {
	out := a.text(b)
	if at := compiled(required).FindIndex(out); at != nil {
		copy(out[at[0]:at[1]], compiled(required).Find(b))
	}
	return out
}

// path replaces the words of a path.
func (a *anonymizer) path(s string) string {
	var out bytes.Buffer
	a.piece(&out, s, data)
	return out.String()
}

// marked is text for a file with conflict markers, whose labels stay. Each version
// of a conflict goes on from what stands before the conflict.
func (a *anonymizer) marked(b []byte) []byte {
	var out []byte
	at, g := 0, newGrammar()
	for _, c := range merge.ParseConflicts(b, 0) {
		out, at = append(out, a.lines(&g, b[at:c.Start])...), c.End
		base, ours := g, g
		c.Base, c.Ours, c.Theirs = a.lines(&base, c.Base), a.lines(&ours, c.Ours), a.lines(&g, c.Theirs)
		out = c.Append(out)
	}
	return append(out, a.lines(&g, b[at:])...)
}

// piece replaces the words of a piece of text.
func (a *anonymizer) piece(out *bytes.Buffer, s string, p place) {
	if p == own {
		out.WriteString(s)
		return
	}
	var word []letter
	for s != "" {
		l := readLetter(s, p)
		s = s[len(l.text):]
		if l.inWord() {
			word = append(word, l)
			continue
		}
		a.write(out, word)
		word = word[:0]
		out.WriteString(a.escape(l))
	}
	a.write(out, word)
}

// write writes the stand-in of a word, each letter in the form of the one that it
// stands for.
func (a *anonymizer) write(out *bytes.Buffer, word []letter) {
	if len(word) == 0 {
		return
	}
	runes := make([]rune, len(word))
	for i, l := range word {
		runes[i] = l.r
	}
	for i, r := range []rune(a.word(string(runes))) {
		if r == word[i].r {
			out.WriteString(word[i].text)
			continue
		}
		out.WriteString(word[i].as(r))
	}
}

// escape is what stands for a letter that is in no word. What a backslash has
// behind it outside of YAML's double quotes is data, though likely that of JSON,
// which would have no other letters.
func (a *anonymizer) escape(l letter) string {
	if !l.foreign {
		return l.text
	}
	const letters = "bfnrt"
	last := len(l.text) - 1
	at := bytes.IndexByte([]byte(letters), l.text[last])
	by := 1 + int(maphash.String(a.seed, letters)%uint64(len(letters)-1))
	return l.text[:last] + string(letters[(at+by)%len(letters)])
}

// word is the stand-in of a word.
func (a *anonymizer) word(w string) string {
	if a.keep[w] || compiled(meaning).MatchString(w) {
		return w
	}
	if s, ok := a.words[w]; ok {
		return s
	}
	random := rand.New(rand.NewSource(int64(maphash.String(a.seed, w))))
	s := ""
	for range 10_000 {
		if s = alike(w, random); !a.taken[s] && !a.keep[s] && !compiled(meaning).MatchString(s) {
			break
		}
	}
	a.words[w], a.taken[s] = s, true
	return s
}

// alike is a word of the shape of w. A leading zero stays one, and other digits are
// none, so that numbers stay numbers. What is not ASCII takes as many bytes, and fits
// into an escape as long.
func alike(w string, random *rand.Rand) string {
	var out []rune
	between := func(first, last rune) rune { return first + rune(random.Intn(int(last-first)+1)) }
	for i, r := range []rune(w) {
		switch {
		case r == '0' && i == 0:
		case r >= '0' && r <= '9':
			r = between('0'+rune(min(1, max(0, 1-i))), '9')
		case r >= 'A' && r <= 'Z':
			r = between('A', 'Z')
		case r < utf8.RuneSelf:
			r = between('a', 'z')
		case r < 0x100:
			r = between('À', 'ö')
		case r < 0x800:
			r = between('Ā', 'ɏ')
		case r < 0x10000:
			r = between('一', '龥')
		case r >= invalid:
			r = between(invalid, invalid+0x3f)
		default:
			r = between('𐂀', '𐃺')
		}
		if r == '×' { // the only one of these that is no letter
			r = 'ø'
		}
		out = append(out, r)
	}
	return string(out)
}
