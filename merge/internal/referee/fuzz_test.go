package referee

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func seeds(f *testing.F, add func(o, x string)) {
	for _, m := range right {
		add(m.o, m.d)
		add(m.u, m.r)
	}
	for _, m := range wrong {
		add(m.d, m.r)
		add(m.o, m.u)
	}
}

func parsed(s string) *syntax.Stream {
	st, err := syntax.Parse(text.New([]byte(s)))
	if err != nil {
		return nil
	}
	return st
}

// What merges trivially is never refused, whatever it is.
func FuzzTrivial(f *testing.F) {
	seeds(f, func(o, x string) { f.Add(o, x) })
	f.Fuzz(func(t *testing.T, o, x string) {
		so, sx := parsed(o), parsed(x)
		if so == nil || sx == nil {
			return
		}
		for _, c := range []Claim{
			{Original: so, Dest: sx, Updated: so, Result: sx},
			{Original: so, Dest: so, Updated: sx, Result: sx},
			{Original: so, Dest: sx, Updated: sx, Result: sx},
		} {
			if r := Check(c); r != nil {
				t.Errorf("refused: %v", r)
			}
		}
	})
}

// What only one side changed is refused if anything was done to it.
func FuzzMutant(f *testing.F) {
	seeds(f, func(o, x string) {
		for way := range uint8(50) {
			f.Add(o, x, way, way/3)
		}
	})
	f.Fuzz(func(t *testing.T, o, x string, way, place uint8) {
		so, sx := parsed(o), parsed(x)
		if so == nil || sx == nil {
			return
		}
		sm := mutant.One([]byte(x), int(way), int(place))
		if sm == nil || sameButForm(sx, sm) {
			return
		}
		if Check(Claim{Original: so, Dest: sx, Updated: so, Result: sm}) == nil {
			t.Errorf("accepted:\n%s\nfor:\n%s", sm.File.Bytes(), x)
		}
		if Check(Claim{Original: so, Dest: so, Updated: sx, Result: sm}) == nil {
			t.Errorf("accepted as updated's:\n%s\nfor:\n%s", sm.File.Bytes(), x)
		}
	})
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// sameButForm reports whether two files differ only in blank lines, in the
// indents of what is not data, in where comments stand that have a line of
// their own, and in the --- of a file without data: the form that the contract
// leaves open.
func sameButForm(a, b *syntax.Stream) bool {
	da, db := content(a), content(b)
	if !slices.EqualFunc(da, db, func(x, y *node) bool { return x.full == y.full }) {
		return false
	}
	return slices.Equal(loose(a), loose(b))
}

// content returns the documents of s; a single one in which nothing is written
// is none.
func content(s *syntax.Stream) []*node {
	docs := readDocs(s, result, nil, nil, nil)
	if len(docs) == 1 && docs[0].isBlank() {
		return nil
	}
	return docs
}

func loose(s *syntax.Stream) []string {
	bare := len(content(s)) == 0
	var content, comments []string
	for _, l := range splitLines(string(s.File.Bytes())) {
		switch l = strings.TrimSpace(l); {
		case bare && l == "---": // of a file without data
		case strings.HasPrefix(l, "#"):
			comments = append(comments, l)
		case l != "":
			content = append(content, l)
		}
	}
	slices.Sort(comments)
	return append(content, comments...)
}
