package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// newTestWalker returns a Walker for three versions.
func newTestWalker(t *testing.T, v ...string) *Walker {
	t.Helper()
	var streams [3]*syntax.Stream
	for s, in := range v {
		streams[s] = trees.Parse(t, in)
	}
	return New(streams, pair.NewMatcher(new(team.Rules), ""))
}

const (
	original = "m:\n  # about a\n  a: 1\n  b: &x 1\n  c: *x\nn: 1\nz: 1 # last\n"
	dest     = "m:\n  # all about a\n  a: 2\n  b: &x 1\n  c: *x\nn: 1\nz: 1 # last\n"
	updated  = "m:\n  # about a\n  a: 1 # one\n  b: &x 2\n  c: *x\n  d: 1\nn: 1\n"
)

// TestForceConflicts tests which entries are in conflict after a violation, and that a merge without forced conflicts
// is unchanged.
func TestForceConflicts(t *testing.T) {
	at := func(s string) (sp [3]text.Span) {
		start := strings.Index(dest, s)
		sp[three.Dest] = text.Span{Start: start, End: start + len(s)}
		return sp
	}
	for _, c := range []struct {
		name    string
		refused []Violation
		want    []string
	}{
		{"a place", []Violation{{Spans: at("a: 2")}}, []string{"m.a: refused"}},
		{"a place that no smaller entry contains", []Violation{{Spans: at("a: 2\n  b: &x 1")}}, []string{"m: refused"}},
		{"a comment", []Violation{{Subject: "# all about a"}}, []string{"m.a: refused"}},
		{"the comment of a deleted entry", []Violation{{Subject: "# last"}}, []string{"z: refused"}},
		{"an alias", []Violation{{Subject: "*x"}}, []string{"m.b: refused"}},
		{"the same place again", []Violation{{Spans: at("a: 2")}, {Spans: at("a: 2")}}, []string{"m.a: refused"}},
		{"one violation without a place", []Violation{{}, {Spans: at("n: 1")}}, []string{"n: refused"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTestWalker(t, original, dest, updated)
			w.Deep = true
			docs := w.Merge(nil).Documents
			set := w.ForceConflicts(nil, docs, c.refused)
			if got := conflictsOf(w.Merge(set).Documents[0]); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := conflictsOf(w.Merge(nil).Documents[0]); len(got) > 0 {
				t.Errorf("then %q without it", got)
			}
			if set[0].ByteCount() == 0 {
				t.Error("it has no size")
			}
		})
	}
}

// TestForceConflictsDocument tests that a violation at the place of a document puts only that document in conflict.
func TestForceConflictsDocument(t *testing.T) {
	other := "---\nkind: Job\nmetadata: {name: a}\n"
	w := newTestWalker(t, "kind: Role\nmetadata: {name: a}\n"+other, "kind: Role\nmetadata: {name: a}\nx: 1\n"+other, "kind: Role\nmetadata: {name: a}\ny: 1\n"+other)
	w.Deep = true
	docs := w.Merge(nil).Documents
	span := docs[0].Versions()[three.Dest].Root.Span
	set := w.ForceConflicts(nil, docs, []Violation{{Spans: [3]text.Span{three.Dest: span}}})
	if len(set) != 1 || set[0].ByteCount() == 0 {
		t.Fatalf("got %v", set)
	}
	docs = w.Merge(set).Documents
	if got := conflictsOf(docs[0]); !slices.Equal(got, []string{"refused"}) || len(conflictsOf(docs[1])) > 0 {
		t.Errorf("got %q and %q", got, conflictsOf(docs[1]))
	}
	if more := w.ForceConflicts(set, docs, []Violation{{Spans: [3]text.Span{three.Dest: span}}}); len(more) != len(set) {
		t.Errorf("then also %v", more)
	}
}

// TestEncryptedMACConflict tests the conflicts of versions that SOPS encrypted.
func TestEncryptedMACConflict(t *testing.T) {
	for _, c := range []struct{ o, d, u, want string }{
		{"a: 1\n", "a: 1\n", "a: 1\n", ""},
		{"a: 1\nsops:\n  mac: x\n  v: 1\n", "a: 1\nsops:\n  mac: x\n  v: 1\n", "a: 1\nsops:\n  mac: x\n  v: 1\n", "sops.mac: encrypted"},
		{"a: 1\n", "a: 1\nsops:\n  mac: x\n", "a: 1\nsops:\n  mac: x\n", "sops.mac: encrypted"},
		{"a: 1\n", "a: 1\nsops:\n  mac: x\n", "a: 1\n", "sops: encrypted"},
		{"sops: {mac: x}\n", "sops: {mac: x}\n", "sops: {mac: x}\n", "sops: encrypted"},
		{"sops: x\n", "sops: x\n", "sops: x\n", "sops: encrypted"},
		{"{sops: {mac: x}}\n", "{sops: {mac: x}}\n", "{sops: {mac: x}}\n", "encrypted"},
	} {
		w := newTestWalker(t, c.o, c.d, c.u)
		w.Deep, w.Encrypted = true, true
		if got := strings.Join(conflictsOf(w.Merge(nil).Documents[0]), " "); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.d, c.u, got, c.want)
		}
	}
}

// TestForceConflictsComment tests that a violation about a comment puts no entry around the commented entry in
// conflict.
func TestForceConflictsComment(t *testing.T) {
	w := newTestWalker(t, original, dest, updated)
	w.Deep = true
	about := []Violation{{Spans: [3]text.Span{three.Dest: {Start: 3, End: 10}}, Subject: "# all about a"}}
	set := w.ForceConflicts(nil, w.Merge(nil).Documents, about)
	docs := w.Merge(set).Documents
	if more := w.ForceConflicts(set, docs, about); len(set) != 1 || len(more) != 1 {
		t.Errorf("%d are forced, then %d", len(set), len(more))
	}
	about = append(about, Violation{Spans: about[0].Spans}) // a violation about something else at the same place
	if more := w.ForceConflicts(set, docs, about); len(more) != 2 {
		t.Errorf("%d are forced", len(more))
	}
}
