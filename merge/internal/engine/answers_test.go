package engine

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestAnswersOfCases answers the conflicts of every case of testdata/merge in different ways and checks three rules:
//   - Without an answer, the result is identical to that of Merge.
//   - If all answers are ours (or all are theirs), the result is that of --ours (or --theirs).
//   - After each answer, a new Resolution that resumes from the written file has the same result.
func TestAnswersOfCases(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	asked := 0
	for _, file := range files {
		c := readCase(t, file)
		c.opts.Resolve, c.opts.RuleSet = ResolveNone, DefaultRules
		for _, takes := range [][]Take{{TakeOurs}, {TakeTheirs}, {TakeOurs, TakeTheirs}, {TakeTheirs, TakeBase, TakeText}} {
			t.Run(filepath.Base(file), func(t *testing.T) { asked += checkAnswers(t, c.raw, c.opts, takes) })
		}
	}
	if asked < 400 {
		t.Errorf("only %d questions asked", asked)
	}
}

// checkAnswers merges raw, answers its questions with the takes in rotation, and checks the rules that
// TestAnswersOfCases lists. It returns the number of questions.
func checkAnswers(t *testing.T, raw [3][]byte, opts Options, takes []Take) int {
	x, err := NewResolution(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
	if err != nil || !bytes.Equal(res.Bytes, x.Result().Bytes) {
		t.Fatalf("without an answer: %v\n%s", err, x.Result().Bytes)
	}
	questions := x.Questions()
	for i, q := range questions {
		a := Answer{Take: takes[i%len(takes)], Unproven: true}
		if a.Take == TakeText {
			a.Text = q.Theirs.Text
		}
		if err := x.Decide(i, a); err != nil {
			t.Logf("%s: %v", q.Path, err)
		}
		y, err := NewResolution(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
		if err != nil {
			t.Fatal(err)
		}
		written := x.Result()
		if err := y.Resume(written.Bytes); err != nil || !bytes.Equal(y.Result().Bytes, written.Bytes) || len(y.Result().Conflicts) != len(written.Conflicts) {
			t.Errorf("after %d answers, read back: %v\n%s\nwritten:\n%s", i+1, err, y.Result().Bytes, written.Bytes)
		}
	}
	if len(takes) > 1 || len(questions) == 0 || !x.Result().Clean() || x.Result().Method == Delegated {
		return len(questions)
	}
	opts.Resolve = map[Take]Resolve{TakeOurs: ResolveOurs, TakeTheirs: ResolveTheirs}[takes[0]]
	side, err := Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
	if err != nil || side.Method == Structural && !bytes.Equal(side.Bytes, x.Result().Bytes) {
		t.Errorf("%v\n%s\nwant\n%s", err, x.Result().Bytes, side.Bytes)
	}
	return len(questions)
}
