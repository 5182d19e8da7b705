package terminal

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestEncodeJSON checks that the result decodes to the same string and contains no unprintable characters.
func TestEncodeJSON(t *testing.T) {
	for _, s := range []string{"", "plain <b> ü 😀", "\x00\x1b[31m\x7f\u0085\u009b\u200b\u202e\u2028\ufeff", "\U000e0001 tags"} {
		out, err := EncodeJSON(s)
		if err != nil {
			t.Fatal(err)
		}
		if line := strings.TrimSuffix(string(out), "\n"); strings.ContainsFunc(line, IsUnprintable) {
			t.Errorf("%q: %q", s, line)
		}
		var back string
		if err := json.Unmarshal(out, &back); err != nil || back != s {
			t.Errorf("%q: back to %q, %v", s, back, err)
		}
	}
}
