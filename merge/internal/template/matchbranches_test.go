package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// TestMatchBranches checks which branches of a side are branches of the base under another text.
func TestMatchBranches(t *testing.T) {
	guarded := func(lines string) (all []GuardedEntry) {
		r := parseTemplate(t, strings.ReplaceAll(lines, "; ", "\n")+"\n")
		for _, e := range r.Stream.Docs[0].Root.Entries {
			key, _, _ := strings.Cut(e.Key.Value, " {{")
			all = append(all, GuardedEntry{e.OwnLevels(), syntax.CombineHashes(hashOf(key), hashOf(e.Value.Value))})
		}
		return all
	}
	for _, c := range []struct{ base, side, want string }{
		// equal texts
		{"{{ if .a }}; a: 1; {{ end }}", "{{ if .a }}; a: 2; {{ else }}; a: 1; {{ end }}", ""},
		{"{{ if .a }}; a: 1; {{ end }}; {{ if .b }}; b: 1; {{ end }}", "{{ if .b }}; a: 1; {{ end }}; {{ if .a }}; b: 1; {{ end }}", ""},
		// another condition
		{"{{ if .a }}; a: 1; {{ end }}", "{{ if .b }}; a: 1; {{ end }}", "if .b = if .a"},
		{"{{ if .a }}; a: 1; {{ end }}", "{{ if .b }}; a: 2; {{ end }}", ""},
		{"{{ if .a }}; a: 1; {{ else }}; a: 2; {{ end }}", "{{ if .b }}; a: 1; {{ else }}; a: 2; {{ end }}", "if .b = if .a; if .b / else = if .a / else"},
		{"{{ if .a }}; a: 1; {{ else }}; a: 1; {{ end }}", "{{ if .b }}; a: 1; {{ else }}; a: 1; {{ end }}", "if .b = if .a; if .b / else = if .a / else"},
		{"{{ if .a }}; a: 1; {{ else if .c }}; a: 2; {{ else }}; a: 3; {{ end }}", "{{ if .a }}; a: 1; {{ else if .d }}; a: 2; {{ else }}; a: 3; {{ end }}", "if .a / else if .d = if .a / else if .c"},
		// swapped branches
		{"{{ if .a }}; a: 1; {{ else }}; a: 2; {{ end }}", "{{ if not .a }}; a: 2; {{ else }}; a: 1; {{ end }}", "if not .a = if .a / else; if not .a / else = if .a"},
		// a new branch before it, although the copy has more in common
		{"{{ if .a }}; a: 1; b: 1; {{ end }}", "{{ if .b }}; a: 1; b: 1; {{ else if .a }}; a: 2; b: 1; {{ end }}", "if .b / else if .a = if .a"},
		// a new branch below another condition
		{"{{ if .a }}; a: 1; {{ end }}", "{{ if .b }}; a: 1; {{ else }}; b: 1; {{ end }}", "if .b = if .a; if .b / else = if .a / else"},
		// two blocks
		{"{{ if .a }}; a: 1; {{ end }}; {{ if .b }}; b: 1; {{ end }}", "{{ if .c }}; a: 1; {{ end }}; {{ if .d }}; b: 1; {{ end }}", "if .c = if .a; if .d = if .b"},
		{"{% if x %}; a: 1; {% elif y %}; b: 1; {% endif %}", "{% if z %}; c: 1; {% elif x %}; a: 1; {% elif y %}; b: 1; {% endif %}", "if z / elif x = if x; if z / elif y = if x / elif y"},
	} {
		names := MatchBranches(guarded(c.base), guarded(c.side))
		var all []string
		for _, l := range slices.SortedFunc(maps.Keys(names), func(a, b Level) int { return a.Start - b.Start }) {
			all = append(all, fmt.Sprintf("%s = %s", l.Said, names[l]))
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.base, c.side, got, c.want)
		}
	}
}

// hashOf returns a hash of s.
func hashOf(s string) (hash uint64) {
	for _, b := range []byte(s) {
		hash = syntax.CombineHashes(hash, uint64(b))
	}
	return hash
}
