package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// walker is what makes the plans of three versions.
func walker(t *testing.T, v ...string) *Walker {
	t.Helper()
	var streams [3]*syntax.Stream
	for s, in := range v {
		st, err := syntax.Parse(text.New([]byte(in)))
		if err != nil {
			t.Fatal(err)
		}
		streams[s] = st
	}
	return New(streams, &pair.Matcher{Rules: new(schema.Rules), Hasher: pair.NewHasher()})
}

const (
	original = "m:\n  # about a\n  a: 1\n  b: &x 1\n  c: *x\nn: 1\nz: 1 # last\n"
	dest     = "m:\n  # all about a\n  a: 2\n  b: &x 1\n  c: *x\nn: 1\nz: 1 # last\n"
	updated  = "m:\n  # about a\n  a: 1 # one\n  b: &x 2\n  c: *x\n  d: 1\nn: 1\n"
)

// TestContest holds what is in conflict after a refusal, and that the walk without it is as before.
func TestContestRefusals(t *testing.T) {
	at := func(s string) (sp [3]text.Span) {
		start := strings.Index(dest, s)
		sp[three.Dest] = text.Span{Start: start, End: start + len(s)}
		return sp
	}
	for _, c := range []struct {
		name    string
		refused []Refusal
		want    []string
	}{
		{"a place", []Refusal{{At: at("a: 2")}}, []string{"m.a: refused"}},
		{"a place that no entry within holds", []Refusal{{At: at("a: 2\n  b: &x 1")}}, []string{"m: refused"}},
		{"a comment", []Refusal{{Subject: "# all about a"}}, []string{"m.a: refused"}},
		{"the comment of a deleted entry", []Refusal{{Subject: "# last"}}, []string{"z: refused"}},
		{"an alias", []Refusal{{Subject: "*x"}}, []string{"m.b: refused"}},
		{"one thing twice", []Refusal{{At: at("a: 2")}, {At: at("a: 2")}}, []string{"m.a: refused"}},
		{"one of them has no place", []Refusal{{}, {At: at("n: 1")}}, []string{"n: refused"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := walker(t, original, dest, updated)
			w.Deep = true
			docs := w.Merge(nil).Documents
			set := w.Contest(nil, docs, c.refused)
			if got := conflictsOf(w.Merge(set).Documents[0]); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := conflictsOf(w.Merge(nil).Documents[0]); len(got) > 0 {
				t.Errorf("then %q without it", got)
			}
			if set[0].Size() == 0 {
				t.Error("it has no size")
			}
		})
	}
}

// TestContestDocument holds that a document is contested where no entry is, and that nothing is twice.
func TestContestDocument(t *testing.T) {
	w := walker(t, original, dest, updated)
	set := w.Contest(nil, w.Merge(nil).Documents, []Refusal{{}})
	docs := w.Merge(set).Documents
	if got := conflictsOf(docs[0]); !slices.Equal(got, []string{string(ConflictRefused)}) {
		t.Fatal("the document is in no conflict")
	}
	if more := w.Contest(set, docs, []Refusal{{}}); len(more) != 1 {
		t.Errorf("%d are contested", len(more))
	}
}

// TestSeal holds what is in conflict of versions that SOPS encrypted.
func TestSeal(t *testing.T) {
	for _, c := range []struct{ o, d, u, want string }{
		{"a: 1\n", "a: 1\n", "a: 1\n", ""},
		{"a: 1\nsops:\n  mac: x\n  v: 1\n", "a: 1\nsops:\n  mac: x\n  v: 1\n", "a: 1\nsops:\n  mac: x\n  v: 1\n", "sops.mac: encrypted"},
		{"a: 1\n", "a: 1\nsops:\n  mac: x\n", "a: 1\nsops:\n  mac: x\n", "sops.mac: encrypted"},
		{"a: 1\n", "a: 1\nsops:\n  mac: x\n", "a: 1\n", "sops: encrypted"},
		{"sops: {mac: x}\n", "sops: {mac: x}\n", "sops: {mac: x}\n", "sops: encrypted"},
		{"sops: x\n", "sops: x\n", "sops: x\n", "sops: encrypted"},
		{"{sops: {mac: x}}\n", "{sops: {mac: x}}\n", "{sops: {mac: x}}\n", "encrypted"},
	} {
		w := walker(t, c.o, c.d, c.u)
		w.Deep, w.Sealed = true, true
		if got := strings.Join(conflictsOf(w.Merge(nil).Documents[0]), " "); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.d, c.u, got, c.want)
		}
	}
}

// TestContestComment holds that a comment contests nothing around the entry that holds it.
func TestContestComment(t *testing.T) {
	w := walker(t, original, dest, updated)
	w.Deep = true
	about := []Refusal{{At: [3]text.Span{three.Dest: {Start: 3, End: 10}}, Subject: "# all about a"}}
	set := w.Contest(nil, w.Merge(nil).Documents, about)
	docs := w.Merge(set).Documents
	if more := w.Contest(set, docs, about); len(set) != 1 || len(more) != 1 {
		t.Errorf("%d are contested, then %d", len(set), len(more))
	}
	about = append(about, Refusal{At: about[0].At}) // of something else there
	if more := w.Contest(set, docs, about); len(more) != 2 {
		t.Errorf("%d are contested", len(more))
	}
}
