package terminal

import (
	"os/exec"
	"testing"
)

// TestQuoteForShell checks that sh reads the quoted word as the original string.
func TestQuoteForShell(t *testing.T) {
	for _, name := range []string{
		"a.yaml", "k8s/web-1.yaml", "", " ", "a b", "it's", "'", "$(touch x)", "`touch x`", "d;touch x;/a", "a&b", "a|b", "a>b", "#1-fix", "a#b", "~", "~root/a",
		"-f", "--force", "=ls", "a=b", "*.yaml", "[a]", "{a,b}", "!1", "a\\b", "a\nb", "a\tb", "é.yaml", "\"", "(", "^", "a?",
	} {
		out, err := exec.Command("sh", "-c", "printf %s "+QuoteForShell(name)).Output()
		if len(name) > 0 && name[0] == '-' {
			out, err = exec.Command("sh", "-c", "printf %s -- "+QuoteForShell(name)).Output()
			out = out[min(2, len(out)):]
		}
		if err != nil || string(out) != name {
			t.Errorf("%q is written as %s, and read as %q (%v)", name, QuoteForShell(name), out, err)
		}
	}
	for name, want := range map[string]string{"a/b-c.yaml": "a/b-c.yaml", "#a": "'#a'", "-a": "'-a'", "~a": "'~a'", "=a": "'=a'", "a b": "'a b'"} {
		if got := QuoteForShell(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
