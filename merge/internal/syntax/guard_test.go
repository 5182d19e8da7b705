package syntax

import (
	"slices"
	"testing"
)

func TestGuard(t *testing.T) {
	x, y := Level{Said: "if .x", Block: 0}, Level{Said: "if .y / else", Block: 12}
	g := &Guard{Levels: []Level{x, y}, Outer: 1}
	if own := (&Entry{Guard: g}).OwnLevels(); !slices.Equal(own, []Level{y}) || g.String() != "if .x\nif .y / else" {
		t.Errorf("%v, %q", own, g)
	}
	if g = nil; new(Entry).OwnLevels() != nil || (*Entry)(nil).OwnLevels() != nil || g.String() != "" {
		t.Error("no block is around an entry without a guard")
	}
	if y.Condition() != "if .y" || x.Condition() != "if .x" {
		t.Errorf("%q, %q", y.Condition(), x.Condition())
	}
}
