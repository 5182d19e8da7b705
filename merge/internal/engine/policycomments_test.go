package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// TestPolicyComments checks that a policy decides the value of a field, but not its comments. If one side changed the
// comment above the field or the one behind the value, the result has that change. If the sides changed it differently,
// that is a conflict which keeps both comments. It tries all combinations of comments for each policy.
func TestPolicyComments(t *testing.T) {
	states := []string{"", "why", "other", "third"}
	values := map[string][2]string{"highest": {"1.2.4", "1.2.5"}, "lowest": {"1.2.4", "1.2.4"}, "own": {"1.2.4", "1.2.4"}, "next": {"1.2.4", "1.2.6"}}
	for policy, v := range values {
		rules, err := schema.Parse("rules", []byte("rules:\n- fields: {version: "+policy+"}\n"), "")
		if err != nil {
			t.Fatal(err)
		}
		opts := Options{Rules: rules, Own: OwnOurs}
		for i := range 2 * len(states) * len(states) * len(states) {
			above := i%2 == 1
			b, o, u := states[i/2%4], states[i/8%4], states[i/32]
			file := func(version, comment string) []byte {
				switch {
				case comment == "":
					return []byte("name: a\nversion: " + version + "\nlast: 1\n")
				case above:
					return []byte("name: a\n# " + comment + "\nversion: " + version + "\nlast: 1\n")
				}
				return []byte("name: a\nversion: " + version + " # " + comment + "\nlast: 1\n")
			}
			res, err := Merge(file("1.2.3", b), file(v[0], o), file("1.2.5", u), opts)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s, above %v: base %q, ours %q, theirs %q", policy, above, b, o, u)
			want, asked := o, o != u && o != b && u != b
			if o == b {
				want = u
			}
			switch {
			case asked && res.Clean():
				t.Errorf("%s: clean:\n%s", name, res.Bytes)
			case !asked && string(res.Bytes) != string(file(v[1], want)):
				t.Errorf("%s: got\n%swant\n%s", name, res.Bytes, file(v[1], want))
			}
			if asked && strings.Count(string(res.Bytes), "# ") < min(len(o), 1)+min(len(u), 1) {
				t.Errorf("%s: a comment is lost:\n%s", name, res.Bytes)
			}
		}
	}
}
