package merge

import (
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestTakeNext checks for which conflicts the answer next is offered, and the version that it writes.
func TestTakeNext(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs string
		own                      three.Optional
		want                     string // "" if the answer is not offered
	}{
		{"theirs is one's own", "version: 1.2.0\n", "version: 1.3.0\n", "version: 1.2.1\n", three.Some(three.Updated), "version: 1.3.1\n"},
		{"ours is one's own", "version: \"1.2.0\" # a\n", "version: \"1.2.1\" # a\n", "version: \"1.3.0\" # a\n", three.Some(three.Dest), "version: \"1.3.1\" # a\n"},
		{"one's own is higher", "version: 1.2.0\n", "version: 2.0.0\n", "version: 1.2.1\n", three.Some(three.Dest), "version: 2.0.0\n"},
		{"the own side is not known", "version: 1.2.0\n", "version: 1.3.0\n", "version: 1.2.1\n", three.Optional{}, ""},
		{"a side went back", "version: 1.2.0\n", "version: 1.1.0\n", "version: 1.2.1\n", three.Some(three.Dest), ""},
		{"numbers", "replicas: 1\n", "replicas: 2\n", "replicas: 3\n", three.Some(three.Dest), ""},
		{"words", "a: b\n", "a: c\n", "a: d\n", three.Some(three.Dest), ""},
		{"an added version", "a: 1\n", "a: 1\nversion: 1.2.0\n", "a: 1\nversion: 1.3.0\n", three.Some(three.Dest), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := newResolution([3][]byte{[]byte(c.base), []byte(c.ours), []byte(c.theirs)}, engine.Options{Own: c.own})
			if err != nil {
				t.Fatal(err)
			}
			if offered := slices.Contains(x.Offers(0), TakeNext); offered != (c.want != "") {
				t.Fatalf("offered: %v", offered)
			}
			switch err = x.Decide(0, Answer{Take: TakeNext}); {
			case c.want == "":
				if err == nil {
					t.Error("accepted")
				}
			case err != nil:
				t.Error(err)
			case string(x.result().Bytes) != c.want || !x.HasAnswer(0, Answer{Take: TakeText, Text: c.want}):
				t.Errorf("got %q, want %q", x.result().Bytes, c.want)
			}
		})
	}
}
