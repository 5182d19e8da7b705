package merge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Three versions of a file with three conflicts. Each side also has a change outside of the conflicts.
const (
	askedBase = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  paused: false
  template:
    spec:
      containers:
      - name: web
        image: web:1.8.0
      - name: log
        image: log:1
  notes:
  - a
`
	askedOurs = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  paused: true
  template:
    spec:
      containers:
      - name: web
        image: web:1.9.0
      - name: log
        image: log:1
  notes:
  - a
  - ours
`
	askedTheirs = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  paused: false
  template:
    spec:
      containers:
      - name: web
        image: web:1.10.0
      - name: log
        image: log:2
  notes:
  - a
  - ours 2
`
)

// answered returns the merged file with three texts in place of the conflicts.
func answered(replicas, image, notes string) string {
	head, rest, _ := strings.Cut(askedOurs, "  replicas: 3\n")
	middle, rest, _ := strings.Cut(rest, "        image: web:1.9.0\n")
	tail, _, _ := strings.Cut(rest, "  - ours\n")
	return head + replicas + middle + image + strings.Replace(tail, "log:1", "log:2", 1) + notes
}

// ask returns the Resolution of askedBase, askedOurs and askedTheirs, without answers. It fails the test at once if
// there is an error.
func ask(t *testing.T, opts engine.Options) *Resolution {
	t.Helper()
	x, err := newResolution([3][]byte{[]byte(askedBase), []byte(askedOurs), []byte(askedTheirs)}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// decide gives answers to the questions of x, from question 0 on. It fails the test at once if one is not accepted.
func decide(t *testing.T, x *Resolution, answers ...Answer) {
	t.Helper()
	for i, a := range answers {
		if err := x.Decide(i, a); err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
	}
}

func TestQuestions(t *testing.T) {
	x := ask(t, engine.Options{})
	whole, err := engine.Merge([]byte(askedBase), []byte(askedOurs), []byte(askedTheirs), engine.Options{})
	if err != nil || string(x.result().Bytes) != string(whole.Bytes) {
		t.Errorf("before any answer, the result is\n%s", x.result().Bytes)
	}
	var got []string
	for i, q := range x.Questions() {
		got = append(got, fmt.Sprintf("%s: %s %s %s, line %d, behind %q, before %q, %v", q.Path, q.Kind, q.Resource, q.Field, q.Line, q.Before[2:], q.After, x.Offers(i)))
	}
	want := []string{
		`spec.replicas: value apps/Deployment spec.replicas, line 6, behind ["spec:"], before ["  paused: true" "  template:" "    spec:"], [ours theirs base highest lowest]`,
		`spec.template.spec.containers[name=web].image: value apps/Deployment spec.template.spec.containers[*].image, line 16, behind ["      - name: web"], before ["      - name: log" "        image: log:2" "  notes:"], [ours theirs base highest lowest]`,
		`spec.notes[1]: add/add apps/Deployment spec.notes[*], line 25, behind ["  - a"], before [], [ours theirs base both]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDecide(t *testing.T) {
	const ours, theirs = "  replicas: 3\n", "        image: web:1.10.0\n"
	for _, c := range []struct {
		answers []Answer
		want    string
	}{
		{[]Answer{{Take: TakeOurs}, {Take: TakeTheirs}, {Take: TakeBoth}}, answered(ours, theirs, "  - ours\n  - ours 2\n")},
		{[]Answer{{Take: TakeLowest}, {Take: TakeHighest}, {Take: TakeBase}}, answered(ours, theirs, "")},
		{
			[]Answer{{Take: TakeText, Text: "  replicas: 9 # as agreed"}, {Take: TakeText, Text: ""}, {Take: TakeText, Text: "  - x: 1\r\n    y: 2\r\n"}},
			answered("  replicas: 9 # as agreed\n", "", "  - x: 1\n    y: 2\n"),
		},
	} {
		x := ask(t, engine.Options{})
		decide(t, x, c.answers...)
		res := x.result()
		if !res.Clean() || string(res.Bytes) != c.want {
			t.Errorf("%v: %d conflicts\n%s", c.answers, len(res.Conflicts), res.Bytes)
		}
		if len(res.Resolved) != 3 || res.Resolved[0].By.Side != string(c.answers[0].Take) {
			t.Errorf("%v: resolved %+v", c.answers, res.Resolved)
		}
	}
}

// TestDecideAgain checks that an answer can be changed and withdrawn.
func TestDecideAgain(t *testing.T) {
	x := ask(t, engine.Options{})
	before := string(x.result().Bytes)
	decide(t, x, Answer{Take: TakeOurs}, Answer{Take: TakeOurs})
	decide(t, x, Answer{Take: TakeTheirs}, Answer{})
	if qs := x.Questions(); qs[0].Answer.Take != TakeTheirs || qs[0].Line != 0 || qs[1].Answer.Take != TakeNone || qs[1].Line != 12 {
		t.Errorf("questions %+v", qs)
	}
	decide(t, x, Answer{})
	if got := string(x.result().Bytes); got != before {
		t.Errorf("all taken back:\n%s", got)
	}
}

func TestDecideRefuses(t *testing.T) {
	for _, c := range []struct {
		question int
		a        Answer
		want     AnswerError
	}{
		{0, Answer{Take: TakeText, Text: "  replicas: [1\n"}, AnswerError{Line: 1, Column: 3}},
		{0, Answer{Take: TakeText, Text: "  replicas: 1\n  a: b: c\n"}, AnswerError{Line: 2, Column: 3, Msg: "mapping values are not allowed in this context"}},
		{0, Answer{Take: TakeText, Text: "  replicas: 1\n  \"a\n"}, AnswerError{Line: 2, Column: 3}},
		// the lines of the quoted text cannot be parsed one by one, but the error is in the last line
		{0, Answer{Take: TakeText, Text: "  replicas: \"1\n    2\n    3\"\n  a: [\n"}, AnswerError{Line: 4, Column: 3}},
		{0, Answer{Take: TakeText, Text: "  replicas: 1\n  kind: x\n  kind: y\n"}, AnswerError{Line: 3, Column: 3, Msg: `duplicate key "kind"`}},
		{0, Answer{Take: TakeText, Text: "  paused: 1\n"}, AnswerError{FileLine: 7, Msg: `duplicate key "paused"`}},
		{0, Answer{Take: TakeText, Text: "replicas: 1\n"}, AnswerError{Line: 1, Column: 1, Msg: "invalid YAML after this line: mapping values are not allowed in this context"}},
		{0, Answer{Take: TakeText, Text: "<<<<<<< a\n  replicas: 1\n"}, AnswerError{Line: 1, Column: 1, Msg: "unresolved conflict marker"}},
		{2, Answer{Take: TakeText, Text: "  - <<<<<<<\n=======\n"}, AnswerError{Line: 2, Column: 1, Msg: "unresolved conflict marker"}},
		{0, Answer{Take: TakeBoth}, AnswerError{Line: 2, Column: 3, Msg: `duplicate key "replicas"`}},
		{2, Answer{Take: TakeHighest}, AnswerError{Msg: "cannot compare the two values, so the highest is not known"}},
		{0, Answer{Take: TakeText, Text: "  replicas: 1\nspec2:\n"}, AnswerError{Unproven: true}},
	} {
		x := ask(t, engine.Options{})
		err := x.Decide(c.question, c.a)
		got, ok := errors.AsType[*AnswerError](err)
		if !ok {
			t.Errorf("%q: %v", c.a.Text, err)
			continue
		}
		if c.want.Msg == "" {
			c.want.Msg = got.Msg
		}
		if *got != c.want {
			t.Errorf("%v %q: %+v, want %+v", c.a.Take, c.a.Text, *got, c.want)
		}
		if x.Questions()[c.question].Answer.Take != TakeNone {
			t.Errorf("%q: refused, but kept", c.a.Text)
		}
		c.a.Unproven = true
		if err := x.Decide(c.question, c.a); (err == nil) != c.want.Unproven {
			t.Errorf("%q, knowing that it is not proven: %v", c.a.Text, err)
		}
	}
}

// TestUnreadableInLargeFile checks that a large file before an answer does not keep the first attempts from finding the
// line of an error, but that the search ends.
func TestUnreadableInLargeFile(t *testing.T) {
	before := "# " + strings.Repeat("x", maxBytesToLocate) + "\n"
	for _, c := range []struct {
		answer string
		line   int // 0 if it is not found
	}{
		{"a: [\n", 1},
		{"a: 1\nb: [\n", 0},
	} {
		file := []byte(before + c.answer)
		_, err := parseFile(file)
		e := newUnreadableError(err, file, text.Span{Start: len(before), End: len(file)})
		if e.Line != c.line || (e.FileLine > 0) != (c.line == 0) {
			t.Errorf("%q: %+v", c.answer, *e)
		}
	}
}

// TestUnreadableWithSide checks that an answer is refused with which the file cannot be parsed with theirs at the open
// conflicts, even if the user accepts that the file has a duplicate key.
func TestUnreadableWithSide(t *testing.T) {
	version := func(a, b string) []byte { return []byte("k: 1\nk: 2\na: " + a + "\nm: 0\nn: 0\nb: " + b + "\n") }
	x, err := newResolution([3][]byte{version("1", "1"), version("&x 2", "2"), version("3", "3")}, engine.Options{})
	if err != nil || len(x.questions) != 2 {
		t.Fatal(err, len(x.questions))
	}
	if err := x.Decide(1, Answer{Take: TakeText, Text: "b: *x\n", Unproven: true}); err == nil {
		t.Error("accepted, although *x has no anchor with theirs")
	}
}

// TestDecideAll checks that answers to conflicts of an anchor and its alias are accepted only together and from the
// same side. If they are refused, no conflict is resolved.
func TestDecideAll(t *testing.T) {
	const file = "a: &%[1]s\n  k: 1\nx: 0\ny: 0\nz: 0\nb: %[2]s\n"
	x, err := newResolution([3][]byte{fmt.Appendf(nil, file, "o", "1"), fmt.Appendf(nil, file, "d", "*d"), fmt.Appendf(nil, file, "u", "*u")}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, refused := range []map[int]Answer{{0: {Take: TakeTheirs}}, {1: {Take: TakeTheirs}}, {0: {Take: TakeTheirs}, 1: {Take: TakeOurs}}} {
		if err := x.DecideAll(refused); err == nil || len(x.result().Conflicts) != 2 {
			t.Errorf("%v: %v, %d conflicts left", refused, err, len(x.result().Conflicts))
		}
	}
	err = x.DecideAll(map[int]Answer{0: {Take: TakeTheirs}, 1: {Take: TakeTheirs}})
	if got, want := string(x.result().Bytes), fmt.Sprintf(file, "u", "*u"); err != nil || got != want {
		t.Errorf("%v:\n%s", err, got)
	}
}

// TestResume checks that Resume recovers the answers from the file that Result returned, in every conflict style and
// with text answers.
func TestResume(t *testing.T) {
	for _, style := range []text.Style{text.StyleMerge, text.StyleDiff3, text.StyleZdiff3} {
		k := text.Markers{Style: style, Ours: "HEAD", Base: "1234", Theirs: "side"}
		opts := engine.Options{Markers: k}
		for _, answers := range [][]Answer{
			{{}, {}, {}},
			{{Take: TakeOurs}, {}, {}},
			{{}, {Take: TakeTheirs}, {Take: TakeBase}},
			{{Take: TakeText, Text: "  replicas: 7\n"}, {}, {Take: TakeBoth}},
			{{Take: TakeOurs}, {Take: TakeText}, {Take: TakeTheirs}},
		} {
			x := ask(t, opts)
			decide(t, x, answers...)
			file := x.result().Bytes
			plain := opts
			plain.Markers = text.Markers{Ours: "HEAD", Base: "1234", Theirs: "side"}
			y := ask(t, plain)
			if err := y.Resume(file); err != nil {
				t.Errorf("style %d, %v: %v", style, answers, err)
				continue
			}
			if !slices.Equal(y.answers, answers) {
				t.Errorf("style %d: %v, want %v", style, y.answers, answers)
			}
			if got := string(y.result().Bytes); got != string(file) {
				t.Errorf("style %d, %v:\n%s", style, answers, got)
			}
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{"metadata:", "metadata: # ok", ErrEdited},
		{"log:2", "log:3", ErrEdited},
		{"<<<<<<< ours\n  replicas", "  replicas", ErrHalfResolved},
		{"=======\n  replicas: 4\n>>>>>>> theirs\n", "", ErrHalfResolved},
		{"replicas: 3", "replicas: 5", ErrHalfResolved},
	} {
		x := ask(t, engine.Options{})
		file := string(x.result().Bytes)
		if !strings.Contains(file, c.old) {
			t.Fatalf("%q is not in\n%s", c.old, file)
		}
		if err := x.Resume([]byte(strings.Replace(file, c.old, c.new, 1))); !errors.Is(err, c.want) {
			t.Errorf("%q to %q: %v, want %v", c.old, c.new, err, c.want)
		}
	}
	x := ask(t, engine.Options{})
	_, rest, _ := strings.Cut(string(x.result().Bytes), ">>>>>>> theirs\n")
	head, _, _ := strings.Cut(askedOurs, "  replicas")
	err := x.Resume([]byte(head + "  replicas: [\n" + rest))
	if e, ok := errors.AsType[*AnswerError](err); !ok || e.FileLine == 0 {
		t.Errorf("no YAML: %v", err)
	}
}

// TestResumeAdjacent checks that Resume assigns lines to the right conflict if conflicts are next to each other.
func TestResumeAdjacent(t *testing.T) {
	v := [3]string{"l:\n- a\nm:\n  x: 1\nz: 1\n", "l:\n- a\n- ours\nz: 2\n", "l:\n- a\n- ours 2\nm:\n  x: 2\nz: 3\n"}
	for _, answers := range [][]Answer{
		{{Take: TakeBoth}, {}, {Take: TakeTheirs}},
		{{Take: TakeBase}, {Take: TakeOurs}, {}},
		{{}, {Take: TakeTheirs}, {Take: TakeOurs}},
	} {
		x, err := newResolution([3][]byte{[]byte(v[0]), []byte(v[1]), []byte(v[2])}, engine.Options{})
		if err != nil || len(x.questions) != 3 {
			t.Fatal(err, len(x.questions))
		}
		decide(t, x, answers...)
		file := x.result().Bytes
		decide(t, x, Answer{}, Answer{}, Answer{})
		if err := x.Resume(file); err != nil || !slices.Equal(x.answers, answers) {
			t.Errorf("%v: %v %v\n%s", answers, err, x.answers, file)
		}
	}
}

// TestResumeJoined checks that Resume accepts any lines in place of several conflicts that are marked as one hunk, also
// if one of these conflicts is already decided.
func TestResumeJoined(t *testing.T) {
	const base, ours, theirs = "a: 1\nb: 1\nc: 1\nz: 1\n", "a: 2\nb: 2\nc: 2\nz: 1\n", "a: 3\nb: 3\nc: 3\nz: 1\n"
	joined := "<<<<<<< ours\nb: 2\nc: 2\n=======\nb: 3\nc: 3\n>>>>>>> theirs\n"
	for _, c := range []struct {
		file string
		want []Answer
	}{
		{"a: 3\n" + joined + "z: 1\n", []Answer{{Take: TakeTheirs}, {}, {}}},
		{"a: 2\nb: 3\nc: 2\nz: 1\n", []Answer{{Take: TakeOurs}, {Take: TakeTheirs}, {Take: TakeOurs}}},
		{"a: 2\nb: 4\n# new\nc: 5\nz: 1\n", []Answer{{Take: TakeOurs}, {Take: TakeText, Text: "b: 4\n# new\nc: 5\n"}, {Take: TakeText}}},
	} {
		x, err := newResolution([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, engine.Options{})
		if err != nil || len(x.Questions()) != 3 || x.Questions()[2].Line != 1 {
			t.Fatal(err, x.Questions())
		}
		if err := x.Resume([]byte(c.file)); err != nil || !slices.Equal(x.answers, c.want) {
			t.Errorf("%q: %v %v", c.file, err, x.answers)
		}
		if got := string(x.result().Bytes); got != c.file {
			t.Errorf("%q came back as %q", c.file, got)
		}
	}
}

// TestPoliciesComeFirst checks that conflicts that the team's rules resolve are not asked.
func TestPoliciesComeFirst(t *testing.T) {
	rules, err := team.Parse("team", []byte("rules:\n- kinds: [apps/Deployment]\n  fields: {spec.replicas: theirs}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	x := ask(t, engine.Options{Rules: rules})
	if n := len(x.Questions()); n != 2 {
		t.Fatalf("%d questions", n)
	}
	decide(t, x, Answer{Take: TakeTheirs}, Answer{Take: TakeOurs})
	if got := string(x.result().Bytes); got != answered("  replicas: 4\n", "        image: web:1.10.0\n", "  - ours\n") {
		t.Errorf("got\n%s", got)
	}
	y := ask(t, engine.Options{Rules: rules})
	if err := y.Resume(x.result().Bytes); err != nil || !slices.Equal(x.answers, y.answers) {
		t.Errorf("%v %v", err, y.answers)
	}

	// The user decided against the policy, or the policy is newer than the markers in the file.
	z := ask(t, engine.Options{})
	marked := z.result().Bytes
	decide(t, z, Answer{Take: TakeOurs}, Answer{Take: TakeTheirs}, Answer{Take: TakeOurs})
	file := z.result().Bytes
	z = ask(t, engine.Options{Rules: rules})
	if err := z.Resume(file); err != nil || string(z.result().Bytes) != string(file) || len(z.Questions()) != 3 {
		t.Errorf("%v\n%s", err, z.result().Bytes)
	}
	z = ask(t, engine.Options{Rules: rules})
	if err := z.Resume(marked); err != nil || len(z.Questions()) != 2 || len(z.result().Conflicts) != 2 {
		t.Errorf("%v\n%s", err, z.result().Bytes)
	}
}

// TestNoFinalBreak checks that a marker at the end of a file without a final newline does not change the answer: the
// resolved file has no final newline either.
func TestNoFinalBreak(t *testing.T) {
	x, err := newResolution([3][]byte{[]byte("a: 1"), []byte("a: 2"), []byte("a: 3")}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	marked := x.result().Bytes
	if err := x.Resume(marked); err != nil || x.answers[0].Take != TakeNone {
		t.Errorf("%q: %v", marked, err)
	}
	decide(t, x, Answer{Take: TakeTheirs})
	if got := string(x.result().Bytes); got != "a: 3" {
		t.Errorf("got %q", got)
	}
	if err := x.Resume([]byte("a: 3")); err != nil || x.answers[0].Take != TakeTheirs {
		t.Errorf("%v %v", err, x.answers)
	}
}

// TestByteOrderMark checks that the byte order mark is at the start of the file after a conflict in the first line is
// resolved.
func TestByteOrderMark(t *testing.T) {
	const bom = "\ufeff"
	x, err := newResolution([3][]byte{[]byte(bom + "a: 1\nb: 1\n"), []byte(bom + "a: 2\nb: 1\n"), []byte(bom + "a: 3\nb: 1\n")}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Resume(x.result().Bytes); err != nil || x.answers[0].Take != TakeNone {
		t.Errorf("%q: %v %v", x.result().Bytes, err, x.answers)
	}
	decide(t, x, Answer{Take: TakeTheirs})
	if got := string(x.result().Bytes); got != bom+"a: 3\nb: 1\n" {
		t.Errorf("got %q", got)
	}
}

// TestNothingToAsk checks that there are no questions for clean merges, and for inputs that already have conflict
// markers.
func TestNothingToAsk(t *testing.T) {
	for _, v := range [][3]string{
		{"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n"},
		{"a: 1\n", "a: 1\n", "a: 2\n"},
		{"<<<<<<< x\n>>>>>>> y\na: 1\n", "<<<<<<< x\n>>>>>>> y\na: 2\n", "<<<<<<< x\n>>>>>>> y\na: 3\n"},
	} {
		want, err := engine.Merge([]byte(v[0]), []byte(v[1]), []byte(v[2]), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x, err := newResolution([3][]byte{[]byte(v[0]), []byte(v[1]), []byte(v[2])}, engine.Options{})
		if err != nil || len(x.Questions()) > 0 || string(x.result().Bytes) != string(want.Bytes) || x.result().Clean() != want.Clean() {
			t.Errorf("%q: %v %v\n%s", v, err, x.Questions(), x.result().Bytes)
		}
		if err := x.Resume([]byte("c: 1\n")); err != ErrEdited {
			t.Errorf("%q: %v", v, err)
		}
	}
}

// TestResumeUnedited checks that Resume accepts the bytes of Result if there is nothing to decide.
func TestResumeUnedited(t *testing.T) {
	for name, v := range map[string][3]string{
		"by lines":           {"a: 1\nb: 1\nc: 1\nd: 1\n", "a: 2\nb: 1\nc: 1\nd: 1\n", "a: 1\nb: 1\nc: 1\nd: 2\n"},
		"by field":           {"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n"},
		"one side":           {"a: 1\n", "a: 1\n", "a: 2"},
		"CRLF and LF":        {"a: 1\n", "a: 1\n", "\ufeffa: 2\r\n"},
		"not YAML":           {"a: 1\n", "a: [\n", "a: 1\n"},
		"empty":              {"a: 1\n", "", ""},
		"markers in base":    {"<<<<<<< x\n=======\n>>>>>>> y\na: 1\n", "a: 2\n", "a: 3\n"},
		"markers everywhere": {"<<<<<<< x\n=======\n>>>>>>> y\na: 1\n", "<<<<<<< x\n=======\n>>>>>>> y\na: 2\n", "<<<<<<< x\n=======\n>>>>>>> y\na: 3\n"},
	} {
		x, err := newResolution([3][]byte{[]byte(v[0]), []byte(v[1]), []byte(v[2])}, engine.Options{})
		if err != nil || len(x.Questions()) > 0 {
			t.Fatalf("%s: %v, %d questions", name, err, len(x.Questions()))
		}
		before := x.result()
		if err := x.Resume(before.Bytes); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := x.result(); !bytes.Equal(after.Bytes, before.Bytes) || len(after.Conflicts) != len(before.Conflicts) {
			t.Errorf("%s: became %q", name, after.Bytes)
		}
		if err := x.Resume(append(before.Bytes[:len(before.Bytes):len(before.Bytes)], "z: 1\n"...)); err != ErrEdited {
			t.Errorf("%s, edited: %v", name, err)
		}
	}
}

// TestEncryptedOffers checks that no answer is offered or accepted for the field mac, which only SOPS can write.
func TestEncryptedOffers(t *testing.T) {
	file := func(a, b, mac string) []byte {
		return fmt.Appendf(nil, "a: %s\nb: %s\nsops:\n  mac: %s\n", a, b, mac)
	}
	x, err := newResolution([3][]byte{file("1", "1", "m"), file("2", "1", "n"), file("1", "2", "o")}, engine.Options{})
	if err != nil || len(x.Questions()) != 1 {
		t.Fatalf("%v, %d questions", err, len(x.Questions()))
	}
	if offers := x.Offers(0); len(offers) > 0 {
		t.Errorf("it offers %v", offers)
	}
	for _, a := range []Answer{{Take: TakeOurs}, {Take: TakeTheirs}, {Take: TakeBase}, {Take: TakeText, Text: "  mac: p\n", Unproven: true}} {
		if x.Decide(0, a) == nil {
			t.Errorf("it accepts %v", a)
		}
	}
}
