package widen

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// widener is what widens conflicts of the plan of three versions.
func widener(t *testing.T, v ...string) *Widener {
	t.Helper()
	var streams [3]*syntax.Stream
	for s, in := range v {
		st, err := syntax.Parse(text.New([]byte(in)))
		if err != nil {
			t.Fatal(err)
		}
		streams[s] = st
	}
	w := walk.New(streams, &pair.Matcher{Rules: new(schema.Rules), Sums: pair.NewSums()})
	return New(w, w.Merge().Documents)
}

const (
	base   = "m:\n  # about a\n  a: 1\n  b: &x 1\n  c: *x\nn: 1\n"
	ours   = "m:\n  # all about a\n  a: 2\n  b: &x 1\n  c: *x\nn: 1\n"
	theirs = "m:\n  # about a\n  a: 1 # one\n  b: &x 2\n  c: *x\n  d: 1\nn: 1\n"
)

// TestWiden holds what is in conflict after a refusal, and that it merges again.
func TestWiden(t *testing.T) {
	at := func(s string) (sp [3]text.Span) {
		start := strings.Index(ours, s)
		sp[three.Dest] = text.Span{Start: start, End: start + len(s)}
		return sp
	}
	for _, c := range []struct {
		name, subject, want string
		at                  [3]text.Span
	}{
		{name: "a place", at: at("a: 2"), want: "m.a"},
		{name: "a place that no entry within holds", at: at("a: 2\n  b: &x 1"), want: "m"},
		{name: "a comment", subject: "# all about a", want: "m.a"},
		{name: "an alias", subject: "*x", want: "m.b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := widener(t, base, ours, theirs)
			if !g.Widen(c.at, false, c.subject) || len(g.Widened) != 1 {
				t.Fatalf("widened %d", len(g.Widened))
			}
			w := g.Widened[0]
			if got := w.child.Path.String(); got != c.want || w.child.Clash == nil || w.Size() == 0 {
				t.Errorf("got %s of %d bytes, want %s", got, w.Size(), c.want)
			}
			if w.Swap(); w.child.Clash != nil {
				t.Error("it does not merge again")
			}
		})
	}
}

func TestDocument(t *testing.T) {
	g := widener(t, base, ours, theirs)
	if !g.Document([3]text.Span{}) || g.documents[0].Clash == nil {
		t.Error("the document is in no conflict")
	}
	if g.Document([3]text.Span{}) {
		t.Error("it was put into conflict twice")
	}
}

func TestSettled(t *testing.T) {
	g := widener(t, base, ours, theirs)
	g.Widen([3]text.Span{}, false, "# all about a")
	for file, want := range map[string]bool{ours: true, strings.ReplaceAll(ours, "# all about a", ""): false} {
		if got := g.Settled(func(three.Side) []byte { return []byte(file) }); got != want {
			t.Errorf("got %t of\n%s", got, file)
		}
	}
}
