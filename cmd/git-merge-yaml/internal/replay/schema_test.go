package replay

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "..", "..", "docs", "replay.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid(t *testing.T, s *jsonschema.Schema, line string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// TestSchema validates what a replay of a history prints, and an outcome of
// every kind.
func TestSchema(t *testing.T) {
	s := schema(t)
	var out bytes.Buffer
	j := JSON{&out}
	summary, err := Run(context.Background(), Options{Session: &session.Session{Git: busy(60, 20, 4).repository(t), Library: merge.Merge}}, j.Case)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Summary(summary); err != nil {
		t.Fatal(err)
	}
	id := git.BlobID(nil, git.ID(make([]byte, 20)))
	for _, c := range []*Case{
		{Number: 1, Merge: id, Parents: [2]git.ID{id, id}, Path: "a", From: "b", Kind: "other", Git: Outcome{Failed: "binary"}, Driver: Outcome{Failed: "binary"}},
		{Number: 2, Merge: id, Parents: [2]git.ID{id, id}, Bases: []git.ID{id}, Path: "a", Kind: "other",
			Git:    Outcome{Committed: Absent, Defect: "x"},
			Driver: Outcome{Conflicts: 1, Lines: 2, How: merge.Delegated, Reason: "y", Fields: []merge.Conflict{{Kind: merge.ConflictLine, Line: 1}}}},
	} {
		if err := j.Case(c); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4+1+2 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		if err := valid(t, s, l); err != nil {
			t.Errorf("%s: %v", l, err)
		}
	}
	for _, l := range []string{`{}`, strings.Replace(lines[0], `"git"`, `"gti"`, 1), strings.Replace(lines[0], `"clean":`, `"clean":"yes","x":`, 1)} {
		if valid(t, s, l) == nil {
			t.Errorf("valid: %s", l)
		}
	}
}

var errStop = errors.New("stop")

func TestRunStops(t *testing.T) {
	g := busy(60, 20, 4).repository(t)
	n := 0
	s, err := Run(context.Background(), Options{Session: &session.Session{Git: g, Library: merge.Merge}}, func(c *Case) error {
		if n++; c.Number != n {
			t.Errorf("number %d, want %d", c.Number, n)
		}
		if n == 2 {
			return errStop
		}
		return nil
	})
	if !errors.Is(err, errStop) || n != 2 || s.Files != 2 {
		t.Errorf("%d files, %+v, %v", n, s, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s, err = Run(ctx, Options{Session: &session.Session{Git: g, Library: merge.Merge}, Progress: func(seen, merges, _ int) {
		if merges != 20 {
			t.Errorf("%d merges", merges)
		}
		if seen == 3 {
			cancel()
		}
	}}, func(*Case) error { return nil })
	if !errors.Is(err, context.Canceled) || s.Merges != 3 {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}
