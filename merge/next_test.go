package merge

import (
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
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

// TestAnswerBesideNext checks that other conflicts can be answered if the team's policy next decided one: its version
// is the text of no side.
func TestAnswerBesideNext(t *testing.T) {
	rules, err := team.Parse("team.yaml", []byte("rules: [{fields: {version: next}}]"), "")
	if err != nil {
		t.Fatal(err)
	}
	raw := [3][]byte{[]byte("version: 1.0.0\na: 1\n"), []byte("version: 1.0.1\na: 2\n"), []byte("version: 1.1.0\na: 3\n")}
	for _, c := range []struct {
		answer Answer
		want   string // the file, or the error
	}{
		{Answer{Take: TakeOurs}, "version: 1.1.1\na: 2\n"},
		{Answer{Take: TakeTheirs}, "version: 1.1.1\na: 3\n"},
		{Answer{Take: TakeText, Text: "a: 4\n"}, "version: 1.1.1\na: 4\n"},
		{Answer{Take: TakeText, Text: "a: 4\nb: 1\n"}, "unexpected: neither ours nor theirs added b: 1"},
		{Answer{Take: TakeText, Text: "a: 4\nversion: 2.0.0\n"}, `line 2, column 1 of the text: duplicate key "version"`},
	} {
		x, err := newResolution(raw, engine.Options{Own: three.Some(three.Dest), Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := x.Decide(0, c.answer); err != nil {
			got = err.Error()
		} else {
			got = string(x.result().Bytes)
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.answer, got, c.want)
		}
	}
}
