package syntax

import (
	"bytes"
	"testing"
)

func TestMakeAcceptable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: 1\n", ""},
		{"%YAML 1.2\n---\na\n", "%YAML 1.1\n---\na\n"},
		{"\ufeff# c\r\n\r\n%TAG ! x\r\n%YAML \t1.2 # d\r\n---\r\n", "\ufeff# c\r\n\r\n%TAG ! x\r\n%YAML \t1.1 # d\r\n---\r\n"},
		{"a\n...\n%YAML 1.2\n---\nb\n", "a\n...\n%YAML 1.1\n---\nb\n"},
		{"%YAML 1.2", "%YAML 1.1"},
		{"%YAML 1.1\n---\na\n", ""},
		{"%YAML 1.20\n---\na\n", ""},
		{"%YAML1.2\n---\na\n", ""},
		{"--- \"\n%YAML 1.2\n\"\n", ""},
		{"a: |\n  ...\n%YAML 1.2\n", ""},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		in := []byte(c.in)
		if got := makeAcceptable(in); string(got) != want || !bytes.Equal(in, []byte(c.in)) {
			t.Errorf("acceptable(%q) = %q, want %q", c.in, got, want)
		}
	}
}
