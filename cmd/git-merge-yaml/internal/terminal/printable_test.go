package terminal

import "testing"

func TestPrintable(t *testing.T) {
	for _, c := range [][2]string{
		{"k8s/web.yaml", "k8s/web.yaml"},
		{`a\b "c" é 日本`, `a\b "c" é 日本`},
		{"a\nb\tc\r", `a\nb\tc\r`},
		{"\x1b[31m\x7f", `\x1b[31m\x7f`},
		{"\x80\xef", `\x80\xef`},
		{"\ufffd\xff", "\ufffd" + `\xff`},
		{"::add-mask::a.yaml:1: conflict", `\x3a:add-mask::a.yaml:1: conflict`},
		{"\u00a0 ##[error]", "\u00a0 " + `\x23#[error]`},
		{"a ##vso[x", `a \x23#vso[x`},
		{"a::b: c", "a::b: c"},
		{"\u202e\u2028\u0085", `\u202e\u2028\u0085`},
	} {
		if got := EscapeLine(c[0]); got != c[1] {
			t.Errorf("Printable(%q) = %s, want %s", c[0], got, c[1])
		}
	}
}
