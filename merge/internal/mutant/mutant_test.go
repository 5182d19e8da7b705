package mutant

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const right = `a: 1 # one
# about b
b: &x
  c: 2
d: *x
e: |
  text
`

// TestEach holds that mutants parse, are unlike the file and each other, and stand at the
// line that they name.
func TestEach(t *testing.T) {
	seen := map[string]bool{}
	lines := strings.SplitAfter(right, "\n")
	Each([]byte(right), All, func(m Mutant) {
		b := string(m.Stream.File.Bytes())
		switch {
		case b == right || seen[b]:
			t.Errorf("%s at line %d: not new:\n%s", m.Way, m.Line, b)
		case m.Line < 1 || m.Line > len(lines):
			t.Errorf("%s: line %d", m.Way, m.Line)
		}
		seen[b] = true
	})
	for _, want := range []string{
		strings.Replace(right, "a: 1 # one\n", "", 1),                      // a line dropped
		strings.Replace(right, " # one", "", 1),                            // a comment lost
		strings.Replace(right, "# about b\n", "", 1),                       // likewise
		strings.Replace(right, "# about b\n", "# about b\n# about b\n", 1), // doubled
	} {
		if !seen[want] {
			t.Errorf("nothing made\n%s", want)
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d mutants", len(seen))
	}
}

// TestChosen holds that the mutants of a way and line are those of all that have them.
func TestChosen(t *testing.T) {
	var way string
	var line, all, chosen int
	Each([]byte(right), All, func(m Mutant) { way, line = m.Way, m.Line })
	Each([]byte(right), All, func(m Mutant) {
		if m.Way == way && m.Line == line {
			all++
		}
	})
	Each([]byte(right), func(w string, l int) bool { return w == way && l == line }, func(m Mutant) {
		if chosen++; m.Way != way || m.Line != line {
			t.Errorf("%s at %d", m.Way, m.Line)
		}
	})
	if all == 0 || all != chosen {
		t.Errorf("%d chosen of %d", chosen, all)
	}
}

func TestOne(t *testing.T) {
	found := 0
	for which := range 200 {
		if st := One([]byte(right), which, which); st != nil {
			if found++; string(st.File.Bytes()) == right {
				t.Errorf("%d is no mutant", which)
			}
		}
	}
	if found == 0 {
		t.Error("none")
	}
	if One([]byte("a: [\n"), 0, 0) != nil {
		t.Error("a mutant of what is not YAML")
	}
}

func TestClass(t *testing.T) {
	for _, c := range []struct{ name, spoilt, want string }{
		{"a comment elsewhere", "# c\na: 1\nb: 2\n", "place of a comment"},
		{"blanks", "a:  1\n# c\nb: 2\n", "blanks"},
		{"order", "b: 2\n# c\na: 1\n", "order"},
		{"another value", "a: 1\n# c\nb: 3\n", ""},
		{"a comment lost", "a: 1\nb: 2\n", ""},
		{"an entry lost", "a: 1\n# c\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Mutant{Stream: parsed([]byte(c.spoilt))}
			if got := Class([]byte("a: 1\n# c\nb: 2\n"), m); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestGuards(t *testing.T) {
	var ways []string
	Guards([]byte("{{ if .a }}\nx: 1\n{{ else }}\nx: 2\n{{ end }}\ny: 1\n"), func(way string, line int, spoilt []byte) {
		ways = append(ways, fmt.Sprintf("%s at %d: %s", way, line, strings.ReplaceAll(string(spoilt), "\n", " ")))
	})
	want := []string{
		"negate the guard at 1: {{ if not .a }} x: 1 {{ else }} x: 2 {{ end }} y: 1 ",
		"another guard at 1: {{ if .other.a }} x: 1 {{ else }} x: 2 {{ end }} y: 1 ",
		"lose the guard at 1: x: 1 x: 2 y: 1 ",
		"lose the else at 3: {{ if .a }} x: 1 x: 2 {{ end }} y: 1 ",
		"guard one more at 5: {{ if .a }} x: 1 {{ else }} x: 2 y: 1 {{ end }} ",
		"swap the branches at 1: {{ if .a }} x: 2 {{ else }} x: 1 {{ end }} y: 1 ",
	}
	if !slices.Equal(ways, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(ways, "\n"), strings.Join(want, "\n"))
	}
}
