package outline

import (
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string // the frame of the file, and those of the pieces; none if it is to be read whole
	}{
		{"nothing to cut", "a: 1\nb: 2\n", []string{"0: 0\n", "a: 1\n", "b: 2\n"}},
		{"fields of a field", "a:\n  b: 1\n  c: 2\n", []string{"a:\n  0: 0\n", "  b: 1\n", "  c: 2\n"}},
		{"a list below its key", "a:\n- 1\nb: 2\n", []string{"0: 0\n", "a:\n- 0\n", "- 1\n", "b: 2\n"}},
		{"fields of an item", "- a: 1\n  b:\n    c: 2\n", []string{"- a: 1\n  b:\n    0: 0\n", "    c: 2\n"}},
		{"documents", "---\na: 1\n---\n# b\n- c\n", []string{"---\n0: 0\n---\n# b\n- 0\n", "a: 1\n", "- c\n"}},
		{"a text", "a: |\n  b:\n    c: 1\nd: 2\n", []string{"0: 0\n", "a: |\n  b:\n    c: 1\n", "d: 2\n"}},
		{"comments stay with what is above", "a:\n  b: 1\n# c\nd: 2\n", []string{"0: 0\n", "a:\n  0: 0\n", "  b: 1\n# c\n", "d: 2\n"}},
		{"an explicit key", "? a\n: b\n", []string{"? a\n: b\n"}},
		{"a directive", "%YAML 1.2\n---\na: 1\n", nil},
		{"an alias", "a: &x 1\nb: *x\n", []string{"0: 0\n", "a: &x 1\n", "b: *x\n"}},
		{"a tab", "a:\n\tb: 1\n", nil},
		{"a byte order mark", "\ufeffa: 1\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.in)
			var got []string
			if file, ok := Of(src, Grain{}); ok {
				got = append(got, string(file.Frame(src)))
				for p := range Each(file.Runs) {
					if p.Index != len(got)-1 {
						t.Errorf("piece %d says that it is piece %d", len(got)-1, p.Index)
					}
					got = append(got, string(p.Frame(src)))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestGrain holds that what is small is not cut, and that a piece does not grow for ever.
func TestGrain(t *testing.T) {
	const field = "a: 1\n"
	small, _ := Of([]byte("x:\n  a: 1\n  b: 2\n"), Grain{Run: 100, Piece: 100})
	if len(small.Runs) != 0 {
		t.Errorf("%d runs, want none", len(small.Runs))
	}
	var in []byte
	for range 1000 {
		in = append(in, field...)
	}
	large, _ := Of(in, Grain{Run: 50, Piece: 50})
	if len(large.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(large.Runs))
	}
	for _, p := range large.Runs[0].Pieces {
		if p.Size() > 4*50+len(field) {
			t.Errorf("a piece has %d bytes", p.Size())
		}
	}
}
