package text

import "testing"

func TestMove(t *testing.T) {
	unit := func(from, to, unit, toUnit string) Move {
		return Move{[]byte(from), []byte(to), []byte(unit), []byte(toUnit)}
	}
	for _, c := range []struct {
		name     string
		move     Move
		in, want string
	}{
		{"nothing", Move{}, "a:\n  b: 1\n", "a:\n  b: 1\n"},
		{"no text", MoveColumns(0, 2), "", ""},
		{"right", MoveColumns(0, 2), "a:\n  b: 1", "  a:\n    b: 1"},
		{"left", MoveColumns(4, 2), "    a:\n      b: 1\n", "  a:\n    b: 1\n"},
		{"right of a line that is left of its owner", MoveColumns(4, 6), "# x\n", "  # x\n"},
		{"left, but not beyond the start of the line", MoveColumns(6, 2), "  a\n", "a\n"},
		{"empty lines", MoveColumns(0, 2), "a\n\n\r\nb\n", "  a\n\n\r\n  b\n"},
		{"lines of blanks", MoveColumns(0, 2), " \n", "   \n"},
		{"a tab is no column", MoveColumns(4, 2), "\ta\n", "\ta\n"},
		{"units", unit("  ", "", "  ", "\t"), "  a\n      b\n       c\n", "a\n\t\tb\n\t\t c\n"},
		{"units of tabs", unit("\t", "  ", "\t", "  "), "\ta\n\t\t\tb\n", "  a\n      b\n"},
		{"only units", unit("  ", "  ", "  ", " "), "  a\n    b\nc\n", "  a\n   b\nc\n"},
		{"less than From", unit("    ", "  ", "", ""), "   a\n b\n", "  a\n b\n"},
		{"less than From, which To is longer than", unit("  ", "    ", "", ""), " a\n", " a\n"},
		{"another indentation", unit("\t", "  ", "", ""), " a\n", " a\n"},
	} {
		if got := string(c.move.Apply([]byte(c.in))); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestMoveExceptFirst(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "a\n": "a\n", " a\n  b\n\nc": " a\n    b\n\n  c"} {
		b := []byte(in)
		if got := string(MoveColumns(0, 2).ApplyExceptFirst(b)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if string(b) != in {
			t.Errorf("%q was changed to %q", in, b)
		}
	}
}

func TestMoveIndent(t *testing.T) {
	if got := string(MoveColumns(0, 2).Indent(nil)); got != "  " {
		t.Errorf("no indentation became %q", got)
	}
}
