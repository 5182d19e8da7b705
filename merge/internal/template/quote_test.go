package template

import "testing"

func TestQuoteOpenAtEnd(t *testing.T) {
	for _, c := range []struct {
		line       string
		open, want byte
	}{
		{`a: "b`, 0, '"'},
		{`  c" # d`, '"', 0},
		{`a: it's`, 0, 0},
		{`a: 'it''s`, 0, '\''},
		{`  it''s`, '\'', '\''},
		{`  it''s'`, '\'', 0},
		{`a: "\"`, 0, '"'},
		{`a: '' # b`, 0, 0},
	} {
		if got := quoteOpenAtEnd([]byte(c.line), c.open); got != c.want {
			t.Errorf("%s after %q: got %q, want %q", c.line, c.open, got, c.want)
		}
	}
}
