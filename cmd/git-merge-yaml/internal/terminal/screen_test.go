package terminal

import "testing"

func TestWrap(t *testing.T) {
	const line = "a - use one answer for all conflicts like this (all)"
	for _, tt := range []struct {
		columns int
		want    string
	}{
		{0, line},
		{len(line), line},
		{len(line) - 1, "a - use one answer for all conflicts like this\n    (all)"},
		{20, "a - use one answer\n    for all\n    conflicts like\n    this (all)"},
	} {
		if got := (Size{columns: tt.columns}).Wrap(line, 4); got != tt.want {
			t.Errorf("%d: %q, want %q", tt.columns, got, tt.want)
		}
	}
}
