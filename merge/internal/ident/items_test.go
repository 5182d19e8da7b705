package ident

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

func TestFindNamesakes(t *testing.T) {
	items := func(texts ...string) (all []Elem) { // a blank separates the labels of an item, ? marks a guess
		for _, text := range texts {
			var labels []syntax.Label
			for _, l := range strings.Fields(text) {
				name, isGuess := strings.CutSuffix(l, "?")
				labels = append(labels, syntax.Label{Text: name, IsGuess: isGuess})
			}
			all = append(all, Elem{Labels: labels})
		}
		return all
	}
	type found = map[int][]namesake
	for _, c := range []struct {
		name               string
		original, dest     []Elem
		ofOriginal, ofSide found
	}{
		{"moved", items("x", "y"), items("y", "x"), found{0: {{1, false}}, 1: {{0, false}}}, found{0: {{1, false}}, 1: {{0, false}}}},
		{"repeated in the original", items("x", "x"), items("x"), nil, nil},
		{"repeated in dest", items("x"), items("x", "x"), nil, nil},
		{"another label is unique", items("p x"), items("p y", "p x"), found{0: {{1, false}}}, found{1: {{0, false}}}},
		{"two labels of one pair", items("x y?"), items("x y?"), found{0: {{0, false}, {0, true}}}, found{0: {{0, false}, {0, true}}}},
		{"no labels", items("", ""), items(""), nil, nil},
	} {
		a := &Items{Elems: [3][]Elem{c.original, c.dest}}
		got := a.findNamesakes(three.Dest, section{diff3.Range{End: len(c.original)}, diff3.Range{End: len(c.dest)}})
		if !maps.EqualFunc(got.ofOriginal, c.ofOriginal, slices.Equal) || !maps.EqualFunc(got.ofSide, c.ofSide, slices.Equal) {
			t.Errorf("%s: %v, want %v and %v", c.name, got, c.ofOriginal, c.ofSide)
		}
	}
}
