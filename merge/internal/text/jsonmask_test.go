package text

import "testing"

func TestJSON(t *testing.T) {
	const none = Dialect(1 << 7)
	for _, c := range []struct {
		src, masked string
		dialect     Dialect
	}{
		{`{"a": [1, 2.50, "x // y"]}`, `{"a": [1, 2.50, "x // y"]}`, 0},
		{"// x\n[1, // y\n2]", "#/ x\n[1, #/ y\n2]", JSONComments},
		{"\ufeff/* x */\n{}", "\ufeff#* x */\n{}", JSONComments},
		{"{\n  /* x\n\n   * y */\n}", "{\n  #* x\n\n   # y */\n}", JSONComments},
		{"[1,]", "[1,]", JSONTrailingCommas},
		{"{\"a\": 1, // x,\r\n}", "{\"a\": 1, #/ x,\r\n}", JSONComments | JSONTrailingCommas},
		{`["\ud83d\uDE00", "\u00e9", "\\ud83d"]`, "[\"\u07ffd83d\u07ffDE00\", \"\\u00e9\", \"\\\\ud83d\"]", 0},
		{"[1, /* x */ 2]", "", none},
		{"[1// x\n]", "", none},
		{"[1 /* x", "", none},
		{"// a\u2028b\n[]", "", none},
		{"// a\rb\n[]", "", none},
		{"[1,,]", "", none},
		{"[,]", "", none},
		{"{\"a\":,}", "", none},
		{"{a: 1}", "", none},
		{"{'a': 1}", "", none},
		{"# x\n{}", "", none},
		{"1", "", none},
		{"", "", none},
		{"{{ .x }}", "", none},
	} {
		masked, dialect, ok := MaskJSON([]byte(c.src))
		switch {
		case ok != (c.dialect != none):
			t.Errorf("%q: %v", c.src, ok)
		case ok && (string(masked) != c.masked || dialect != c.dialect):
			t.Errorf("%q: %q, %b", c.src, masked, dialect)
		}
	}
}
