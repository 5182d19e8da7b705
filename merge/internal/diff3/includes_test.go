package diff3

import (
	"strings"
	"testing"
)

func TestUpdatedIncludesDest(t *testing.T) {
	for _, c := range []struct {
		original, dest, updated string
		want                    bool
	}{
		{"a b", "a x b", "a x b", true},
		{"a b", "a x b", "z a x b y", true},
		{"a b", "a x b", "a b", false},
		{"a b", "a x b", "a b x", false},
		{"a b c", "a c", "a c d", true},
		{"a b c", "a c", "a b c d", false},
		{"a b c", "a c", "a x c", false}, // deleted and changed
		{"a b c", "a c", "b a c", false},
		{"a - b - c", "a - c", "a - c - d", true},
		{"a b c", "c a b", "c a b d", false}, // moved
		{"", "x", "x y", true},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		if got := NewVersions(lines(c.original), lines(c.dest), lines(c.updated)).UpdatedIncludesDest(); got != c.want {
			t.Errorf("UpdatedIncludesDest(%q, %q, %q) = %v", c.original, c.dest, c.updated, got)
		}
	}
}

func TestCountMissingAdditions(t *testing.T) {
	for _, c := range []struct {
		original, dest, updated string
		missing, added          int
		ok                      bool
	}{
		{"a b", "a x b", "a x b", 0, 1, true},
		{"a b", "a x b", "x a", 0, 1, true},
		{"a b", "a x b", "a b", 0, 0, false},
		{"a b", "a x b", "a -x b", 0, 1, true}, // the first line of an item
		{"a b c", "a c", "a c d", 0, 0, true},
		{"a b b", "a b b b", "a x b b", 1, 1, true},
		{"a b b", "a b b b", "a x b", 1, 1, true},
		{"a b", "a b x a y z", "y a x z", 1, 4, true}, // updated edited one of two copies of a line
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		missing, added, ok := NewVersions(lines(c.original), lines(c.dest), lines(c.updated)).CountMissingAdditions()
		if missing != c.missing || added != c.added || ok != c.ok {
			t.Errorf("CountMissingAdditions(%q, %q, %q) = %d, %d, %v", c.original, c.dest, c.updated, missing, added, ok)
		}
	}
}

func TestUpdatedEditsDeleted(t *testing.T) {
	for _, c := range []struct {
		original, dest, updated string
		want                    bool
	}{
		{"a b c", "a c", "a c d", false},
		{"a b c", "a c", "a b c", false},
		{"a web:1 c", "a c", "a web:2 c", true}, // deleted and changed
		{"a web:1 c", "a c", "a db:2 c", false},
		{"a b c", "a y c", "a x c", false},
		{"a b c", "a y c", "a y x c", false},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		if got := NewVersions(lines(c.original), lines(c.dest), lines(c.updated)).UpdatedEditsDeleted(); got != c.want {
			t.Errorf("UpdatedEditsDeleted(%q, %q, %q) = %v", c.original, c.dest, c.updated, got)
		}
	}
}

func TestRevertDest(t *testing.T) {
	for _, c := range []struct {
		original, dest, updated, want string
		ok                            bool
	}{
		{"a b c", "a x b c", "a x b y c", "a b y c", true},
		{"a b c", "a c", "z a c", "z a b c", true},
		{"a b c", "a x b c", "a y b c", "", false}, // updated edited the line that dest added
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		got, ok := NewVersions(lines(c.original), lines(c.dest), lines(c.updated)).RevertDest()
		if ok != c.ok || ok && string(got) != string(lines(c.want)) {
			t.Errorf("RevertDest(%q, %q, %q) = %q, %v", c.original, c.dest, c.updated, got, ok)
		}
	}
}

func TestCountRetainedDeletions(t *testing.T) {
	for _, c := range []struct {
		name                    string
		original, dest, updated string
		retained, deleted       int
	}{
		{"nothing deleted", "a\n", "a\nb\n", "a\n", 0, 0},
		{"retained in a block", "a\nb\nc\n", "c\n", "if\n  a\n  b\nc\n", 2, 2},
		{"one of two retained", "a\nb\n", "", "b\n", 1, 2},
		{"a line and a blank line", "a\n\nb\n", "b\n", "\nb\n", 0, 1},
		{"only a blank line, retained", "a\n\n\nb\n", "a\n\nb\n", "a\nx\n\n\nb\n", 1, 1},
		{"only a blank line, deleted by both", "a\n\n\nb\n", "a\n\nb\n", "a\nx\n\nb\n", 0, 1},
	} {
		v := NewVersions([]byte(c.original), []byte(c.dest), []byte(c.updated))
		if retained, deleted := v.CountRetainedDeletions(); retained != c.retained || deleted != c.deleted {
			t.Errorf("%s: %d of %d retained, want %d of %d", c.name, retained, deleted, c.retained, c.deleted)
		}
	}
}
