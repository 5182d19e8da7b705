package merge

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestAnswersOfCases answers the conflicts of every case of testdata/merge in different ways and checks three rules:
//   - Without an answer, the result is identical to that of Merge.
//   - If all answers are ours (or all are theirs), the result is that of --ours (or --theirs).
//   - After each answer, a new Resolution that resumes from the written file has the same result.
func TestAnswersOfCases(t *testing.T) {
	if testing.Short() {
		t.Skip("many merges")
	}
	files, err := filepath.Glob("../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	asked := 0
	for _, file := range files {
		c := mergetest.ReadCase(t, file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			asked += checkAnswers(t, c.Raw, optionsOf(c), []Take{TakeOurs}, []Take{TakeTheirs}, []Take{TakeOurs, TakeTheirs}, []Take{TakeTheirs, TakeBase, TakeText})
		})
	}
	if asked < 400 {
		t.Errorf("only %d questions asked", asked)
	}
}

// checkAnswers merges raw, answers its questions once with each of the rotations, and checks the rules that
// TestAnswersOfCases lists. It returns how many questions it answered.
func checkAnswers(t *testing.T, raw [3][]byte, opts engine.Options, rotations ...[]Take) (answered int) {
	x, err := newResolution(raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	res, err := engine.Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
	if err != nil || !bytes.Equal(res.Bytes, x.result().Bytes) {
		t.Fatalf("without an answer: %v\n%s", err, x.result().Bytes)
	}
	if len(x.Questions()) == 0 {
		return 0
	}
	for i, takes := range rotations {
		// A single question gets only the first answer of a rotation, which an earlier rotation may have given.
		if len(x.Questions()) > 1 || !slices.ContainsFunc(rotations[:i], func(r []Take) bool { return r[0] == takes[0] }) {
			answered += answerAll(t, raw, opts, takes)
		}
	}
	return answered
}

// answerAll answers the questions of a merge of raw with the takes in rotation, checks the last two rules of
// TestAnswersOfCases, and returns the number of questions.
func answerAll(t *testing.T, raw [3][]byte, opts engine.Options, takes []Take) int {
	x, err := newResolution(raw, opts)
	if err != nil {
		t.Fatal(err)
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
		y, err := newResolution(raw, opts)
		if err != nil {
			t.Fatal(err)
		}
		written := x.result()
		if err := y.Resume(written.Bytes); err != nil || !bytes.Equal(y.result().Bytes, written.Bytes) || len(y.result().Conflicts) != len(written.Conflicts) {
			t.Errorf("after %d answers, read back: %v\n%s\nwritten:\n%s", i+1, err, y.result().Bytes, written.Bytes)
		}
	}
	if len(takes) > 1 || !x.result().Clean() || x.result().Method == engine.Delegated {
		return len(questions)
	}
	opts.Resolve = map[Take]diff3.Favor{TakeOurs: diff3.FavorOurs, TakeTheirs: diff3.FavorTheirs}[takes[0]]
	side, err := engine.Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], opts)
	if err != nil || side.Method == engine.Structural && !bytes.Equal(side.Bytes, x.result().Bytes) {
		t.Errorf("%v\n%s\nwant\n%s", err, x.result().Bytes, side.Bytes)
	}
	return len(questions)
}

// TestMendedIsAsked checks that the user can resolve a conflict of a line merge whose defects were turned into a
// conflict, and that an answer that is not valid YAML is rejected.
func TestMendedIsAsked(t *testing.T) {
	const fields = "  # The name is that of the branch.\n  # It is also that of the image.\n  name: main\n  image: main\n  user: ci\n  cpu: 1\n  memory: 2\n  disk: 3\n  time: 4\n  swap: 5\n"
	base := "build:\n" + fields
	ours := strings.NewReplacer("  name", "- name", "disk: 3", "disk: 33").Replace(base)
	theirs := "build:\n  stage: test\n" + strings.NewReplacer("user: ci", "user: bot", "swap: 5", "swap: 55").Replace(fields)
	x, err := newResolution([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := x.result(); r.Method != engine.Delegated || r.Refused == "" || len(x.Questions()) != 1 {
		t.Fatalf("%v, %q, %d questions", r.Method, r.Refused, len(x.Questions()))
	}
	if err := x.Decide(0, Answer{Take: TakeText, Text: "  stage: test\n- name: main\n"}); err == nil {
		t.Error("what is no YAML was accepted")
	}
	if err := x.Decide(0, Answer{Take: TakeTheirs}); err != nil || string(x.result().Bytes) != strings.Replace(theirs, "disk: 3", "disk: 33", 1) {
		t.Errorf("%v\n%s", err, x.result().Bytes)
	}
}

// TestAccessAnswers answers the conflicts about access fields in the cases of testdata/merge and in
// mergetest.PresetConflicts. If all answers are ours or theirs, the result has to be that of --ours or --theirs. If they
// are both, it has to be that of a merge with rules that declare no access fields.
func TestAccessAnswers(t *testing.T) {
	files, err := filepath.Glob("../testdata/merge/access-*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	answered := 0
	for _, file := range files {
		c := mergetest.ReadCase(t, file)
		answered += answerAccess(t, c.Raw, optionsOf(c))
	}
	for _, r := range mergetest.PresetConflicts {
		if r.Want == mergetest.AccessDetail {
			answered += answerAccess(t, r.Raw(), engine.Options{Path: r.Path})
		}
	}
	if answered < 140 {
		t.Errorf("%d files were answered", answered)
	}
}

// answerAccess answers the conflicts about access fields in a file with each answer, as TestAccessAnswers says, and
// returns with how many answers no conflict remains.
func answerAccess(t *testing.T, raw [3][]byte, opts engine.Options) (answered int) {
	t.Helper()
	none, err := team.Parse("none", []byte(`rules: [{access: {".": [], "**": []}}]`), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, take := range []Take{TakeOurs, TakeTheirs, TakeBoth} {
		x, err := newResolution(raw, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range x.Questions() {
			if q.Kind != ConflictAccess || !slices.Contains(x.Offers(i), take) {
				continue
			}
			if q.Detail == "" || !strings.Contains(q.Detail, " widened by us, ") {
				t.Errorf("why: %s, for\n%s", q.Detail, raw[three.Original])
			}
			if err := x.Decide(i, Answer{Take: take}); err != nil {
				t.Errorf("%s: %v, for\n%s", take, err, raw[three.Original])
			}
		}
		res := x.result()
		if !res.Clean() || len(x.Questions()) == 0 {
			continue
		}
		answered++
		decided := opts
		switch take {
		case TakeOurs:
			decided.Resolve = diff3.FavorOurs
		case TakeTheirs:
			decided.Resolve = diff3.FavorTheirs
		case TakeBoth:
			decided.Rules = none
		}
		want, err := engine.Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], decided)
		if err != nil {
			t.Fatal(err)
		}
		if want.Clean() && string(res.Bytes) != string(want.Bytes) {
			t.Errorf("%s gives\n%s\nwant\n%s", take, res.Bytes, want.Bytes)
		}
	}
	return answered
}

// optionsOf returns the options of a case, except those that decide conflicts.
func optionsOf(c *mergetest.Case) engine.Options {
	own := map[string]three.Optional{"ours": three.Some(three.Dest), "theirs": three.Some(three.Updated)}[c.Own]
	return engine.Options{Path: c.Path, Rules: c.Rules, Markers: c.Markers, Own: own}
}

// mergeLines returns the line merge of git merge, and the number of its conflicts.
func mergeLines(base, ours, theirs []byte, m text.Markers) (merged []byte, conflicts int, err error) {
	return diff3.MergeLines(base, ours, theirs, diff3.Options{Markers: m, As: diff3.Merge})
}
