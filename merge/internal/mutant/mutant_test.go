package mutant

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// original is the file that the tests mutate.
const original = `a: 1 # one
# about b
b: &x
  c: 2
d: *x
e: |
  text
`

// TestEach checks that mutants differ from the file and from each other, that their lines exist, and that some
// expected mutants are among them.
func TestEach(t *testing.T) {
	seen := map[string]bool{}
	lines := strings.SplitAfter(original, "\n")
	Each([]byte(original), ChooseAll, func(m Mutant) {
		b := string(m.Stream.File.Bytes())
		switch {
		case b == original || seen[b]:
			t.Errorf("%s at line %d: not new:\n%s", m.Mutation, m.Line, b)
		case m.Line < 1 || m.Line > len(lines):
			t.Errorf("%s: line %d", m.Mutation, m.Line)
		}
		seen[b] = true
	})
	for _, want := range []string{
		strings.Replace(original, "a: 1 # one\n", "", 1),                      // a line is dropped
		strings.Replace(original, " # one", "", 1),                            // a comment is lost
		strings.Replace(original, "# about b\n", "", 1),                       // a comment with its own line is lost
		strings.Replace(original, "# about b\n", "# about b\n# about b\n", 1), // that comment is doubled
	} {
		if !seen[want] {
			t.Errorf("no mutant\n%s", want)
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d mutants", len(seen))
	}
}

// TestChoose checks that Each calls f only for chosen mutants, and that choosing a mutation and line gives all
// mutants that have them.
func TestChoose(t *testing.T) {
	var mutation string
	var line, all, chosen int
	Each([]byte(original), ChooseAll, func(m Mutant) { mutation, line = m.Mutation, m.Line })
	Each([]byte(original), ChooseAll, func(m Mutant) {
		if m.Mutation == mutation && m.Line == line {
			all++
		}
	})
	Each([]byte(original), func(name string, l int) bool { return name == mutation && l == line }, func(m Mutant) {
		if chosen++; m.Mutation != mutation || m.Line != line {
			t.Errorf("%s at %d", m.Mutation, m.Line)
		}
	})
	if all == 0 || all != chosen {
		t.Errorf("%d chosen of %d", chosen, all)
	}
}

func TestPick(t *testing.T) {
	found := 0
	for which := range 200 {
		if st := Pick([]byte(original), which, which); st != nil {
			if found++; string(st.File.Bytes()) == original {
				t.Errorf("%d is no mutant", which)
			}
		}
	}
	if found == 0 {
		t.Error("no mutants")
	}
	if Pick([]byte("a: [\n"), 0, 0) != nil {
		t.Error("a mutant of a file that is not YAML")
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct{ name, mutated, want string }{
		{"a comment in another place", "# c\na: 1\nb: 2\n", "place of a comment"},
		{"blanks", "a:  1\n# c\nb: 2\n", "blanks"},
		{"order", "b: 2\n# c\na: 1\n", "order"},
		{"another value", "a: 1\n# c\nb: 3\n", ""},
		{"a comment lost", "a: 1\nb: 2\n", ""},
		{"an entry lost", "a: 1\n# c\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Mutant{Stream: parse([]byte(c.mutated))}
			if got := Classify([]byte("a: 1\n# c\nb: 2\n"), m); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestEachGuardMutant(t *testing.T) {
	var got []string
	EachGuardMutant([]byte("{{ if .a }}\nx: 1\n{{ else }}\nx: 2\n{{ end }}\ny: 1\n"), func(mutation string, line int, mutated []byte) {
		got = append(got, fmt.Sprintf("%s at %d: %s", mutation, line, strings.ReplaceAll(string(mutated), "\n", " ")))
	})
	want := []string{
		"negate the guard at 1: {{ if not .a }} x: 1 {{ else }} x: 2 {{ end }} y: 1 ",
		"another guard at 1: {{ if .other.a }} x: 1 {{ else }} x: 2 {{ end }} y: 1 ",
		"lose the guard at 1: x: 1 x: 2 y: 1 ",
		"lose the else at 3: {{ if .a }} x: 1 x: 2 {{ end }} y: 1 ",
		"guard one more at 5: {{ if .a }} x: 1 {{ else }} x: 2 y: 1 {{ end }} ",
		"swap the branches at 1: {{ if .a }} x: 2 {{ else }} x: 1 {{ end }} y: 1 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
