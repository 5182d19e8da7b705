package merge

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// The three versions of a template that is not valid (it ends with fi) and is therefore
// merged by line. They have two conflicts, at replicas and at b. Outside of the conflicts
// theirs changes the condition, and ours adds a field directly after b.
const (
	chartBase = `{{- if .Values.web }}
kind: Deployment
spec:
  replicas: 2
  paused: false
  image: {{ .Values.image }}:1
  a: 1
  c: 1
  b: 1
{{- fi }}
`
	chartOurs = `{{- if .Values.web }}
kind: Deployment
spec:
  replicas: 3
  paused: false
  image: {{ .Values.image }}:1
  a: 1
  c: 1
  b: 2
  ours: 1
{{- fi }}
`
	chartTheirs = `{{- if .Values.api }}
kind: Deployment
spec:
  replicas: 4
  paused: false
  image: {{ .Values.image }}:1
  a: 1
  c: 1
  b: 3
{{- fi }}
`
)

// askLines returns the Resolution of three versions, with conflict markers of the given
// style.
func askLines(t *testing.T, base, ours, theirs string, style text.Style) *Resolution {
	t.Helper()
	x, err := newResolution([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, engine.Options{Markers: text.Markers{Style: style, Ours: "ours", Base: "base", Theirs: "theirs"}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestLineQuestions checks that a file that is merged by line has one question for each
// conflict, with the texts of all versions, and that the result before any answer has the
// same bytes as git's line merge.
func TestLineQuestions(t *testing.T) {
	for _, style := range []text.Style{text.StyleMerge, text.StyleDiff3, text.StyleZdiff3} {
		x := askLines(t, chartBase, chartOurs, chartTheirs, style)
		git, n, err := mergeLines([]byte(chartBase), []byte(chartOurs), []byte(chartTheirs), x.draft.Markers)
		res := x.result()
		if err != nil || !bytes.Equal(res.Bytes, git) || len(res.Conflicts) != n || res.Method != engine.Delegated {
			t.Errorf("style %d: %v, %d conflicts, want %d\n%s", style, err, len(res.Conflicts), n, res.Bytes)
		}
		q := x.Questions()
		if len(q) != 2 {
			t.Fatalf("%d questions", len(q))
		}
		if q[0].Kind != ConflictLine || q[0].Line != 4 || q[0].Base.Text != "  replicas: 2\n" || q[0].Ours.Text != "  replicas: 3\n" || q[0].Theirs.Text != "  replicas: 4\n" || q[0].Theirs.Line != 4 {
			t.Errorf("style %d: %+v", style, q[0])
		}
		if q[1].Base.Text != "  b: 1\n" || q[1].Ours.Text != "  b: 2\n  ours: 1\n" || !slices.Equal(q[1].Before, []string{"  image: {{ .Values.image }}:1", "  a: 1", "  c: 1"}) || q[1].Field != "" {
			t.Errorf("style %d: %+v", style, q[1])
		}
		if got := x.Offers(0); !slices.Equal(got, []Take{TakeOurs, TakeTheirs, TakeBase, TakeBoth}) {
			t.Errorf("offers %v", got)
		}
	}
}

// TestLineAnswers checks that an answer replaces its conflict and leaves the markers of the
// other conflicts as git writes them, and that Resume reads the answers back from the file
// in every style.
func TestLineAnswers(t *testing.T) {
	for _, style := range []text.Style{text.StyleMerge, text.StyleDiff3, text.StyleZdiff3} {
		x := askLines(t, chartBase, chartOurs, chartTheirs, style)
		decide(t, x, Answer{}, Answer{Take: TakeBoth})
		half := string(x.result().Bytes)
		if !strings.Contains(half, "  b: 2\n  ours: 1\n  b: 3\n{{- fi }}\n") || strings.Count(half, "<<<<<<< ours\n") != 1 || len(x.result().Conflicts) != 1 {
			t.Errorf("style %d, one answered:\n%s", style, half)
		}
		y := askLines(t, chartBase, chartOurs, chartTheirs, text.StyleMerge)
		if err := y.Resume([]byte(half)); err != nil || !slices.Equal(y.answers, x.answers) || string(y.result().Bytes) != half {
			t.Errorf("style %d: %v %v\n%s", style, err, y.answers, y.result().Bytes)
		}
		decide(t, y, Answer{Take: TakeText, Text: "  replicas: {{ .n }}"})
		want := strings.NewReplacer(".web", ".api", "replicas: 3", "replicas: {{ .n }}", "  ours: 1\n", "  ours: 1\n  b: 3\n").Replace(chartOurs)
		if res := y.result(); !res.Clean() || string(res.Bytes) != want {
			t.Errorf("style %d: %v\n%s", style, res.Conflicts, res.Bytes)
		}
	}
}

// TestLineResume checks that Resume returns ErrEdited if the file was edited outside of the
// conflicts, and ErrHalfResolved if it was edited between conflict markers.
func TestLineResume(t *testing.T) {
	for _, c := range []struct {
		name, old, to string
		want          error
	}{
		{"outside", "kind: Deployment", "kind: Job", ErrEdited},
		{"half", "  replicas: 3\n", "  replicas: 5\n", ErrHalfResolved},
	} {
		x := askLines(t, chartBase, chartOurs, chartTheirs, text.StyleMerge)
		file := strings.Replace(string(x.result().Bytes), c.old, c.to, 1)
		if err := x.Resume([]byte(file)); err != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestLineBreaks checks that an answer gets the line breaks of the file, here CRLF, and
// that Resume reads back a file whose line breaks were converted in the work tree.
func TestLineBreaks(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	x := askLines(t, crlf(chartBase), crlf(chartOurs), crlf(chartTheirs), text.StyleMerge)
	decide(t, x, Answer{Take: TakeText, Text: "  x: 1\n"}, Answer{Take: TakeOurs})
	if got := x.result(); !got.Clean() || strings.Contains(strings.ReplaceAll(string(got.Bytes), "\r\n", ""), "\n") {
		t.Errorf("%q", got.Bytes)
	}
	y := askLines(t, chartBase, chartOurs, chartTheirs, text.StyleMerge)
	decide(t, y, Answer{Take: TakeTheirs})
	file := string(y.result().Bytes)
	z := askLines(t, chartBase, chartOurs, chartTheirs, text.StyleMerge)
	if err := z.Resume([]byte(crlf(file))); err != nil || !slices.Equal(z.answers, y.answers) || string(z.result().Bytes) != file {
		t.Errorf("%v %v\n%q", err, z.answers, z.result().Bytes)
	}
}

// TestLineNoFinalBreak checks answers at the end of a file without a final line break: with
// TakeBoth the two texts are separate lines, and no line break is added at the end.
func TestLineNoFinalBreak(t *testing.T) {
	x := askLines(t, "{{ a }}: [\nb: 1", "{{ a }}: [\nb: 2", "{{ a }}: [\nb: 3", text.StyleMerge)
	decide(t, x, Answer{Take: TakeBoth})
	if got := string(x.result().Bytes); got != "{{ a }}: [\nb: 2\nb: 3" {
		t.Errorf("both: %q", got)
	}
	file := x.result().Bytes
	decide(t, x, Answer{})
	if err := x.Resume(file); err != nil || x.answers[0].Take != TakeBoth {
		t.Errorf("%v %v", err, x.answers)
	}
	decide(t, x, Answer{Take: TakeOurs})
	if got := string(x.result().Bytes); got != "{{ a }}: [\nb: 2" {
		t.Errorf("ours: %q", got)
	}
	if err := x.Resume([]byte("{{ a }}: [\nb: 5")); err != nil || x.answers[0] != (Answer{Take: TakeText, Text: "b: 5"}) {
		t.Errorf("another text: %v %v", err, x.answers)
	}
}

// TestLineAnswerRefused checks that Decide refuses a text with conflict markers, and a text
// that makes the file invalid YAML if the file is valid with either side.
func TestLineAnswerRefused(t *testing.T) {
	x := askLines(t, chartBase, chartOurs, chartTheirs, text.StyleMerge)
	if refusal, ok := errors.AsType[*AnswerError](x.Decide(0, Answer{Take: TakeText, Text: "a\n=======\n"})); !ok || refusal.Line != 2 {
		t.Errorf("%v", refusal)
	}
	broken := askLines(t, "a: [\nb: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 3\n", text.StyleMerge)
	if n := len(broken.Questions()); n != 1 || broken.result().Method != engine.Delegated {
		t.Fatalf("%d questions, %v", n, broken.result().Method)
	}
	refusal, ok := errors.AsType[*AnswerError](broken.Decide(0, Answer{Take: TakeText, Text: "b: [\n"}))
	if !ok || refusal.Line != 1 || refusal.Unproven {
		t.Errorf("%+v", refusal)
	}
	decide(t, broken, Answer{Take: TakeTheirs})
}

// TestNoVersionReadable checks a text on which other answers depend: the file cannot be read with ours, theirs or base
// in its place, so that the text can only be accepted without proof.
func TestNoVersionReadable(t *testing.T) {
	const gap = "# 1\n# 2\n# 3\n# 4\n" // so that git has three conflicts
	x := askLines(t, "bad: [\na: 1\n"+gap+"b: 1\n"+gap+"c: 1\n", "bad: 0\na: &o 2\n"+gap+"b: 2\n"+gap+"c: *o\n",
		"bad: 0\na: &t 3\n"+gap+"b: *t\n"+gap+"c: 3\n", text.StyleMerge)
	all := map[int]Answer{0: {Take: TakeText, Text: "a: [&o 2, &t 3]\n"}, 1: {Take: TakeTheirs}, 2: {Take: TakeOurs}}
	if refusal, ok := errors.AsType[*AnswerError](x.DecideAll(all)); !ok || !refusal.Unproven {
		t.Errorf("%+v", refusal)
	}
	all[0] = Answer{Take: TakeText, Text: all[0].Text, Unproven: true}
	if err := x.DecideAll(all); err != nil {
		t.Error(err)
	}
}

// TestLineQuestionsNotAsked checks that there are no questions if a version itself contains
// conflict markers, because these cannot be distinguished from the markers of a conflict.
func TestLineQuestionsNotAsked(t *testing.T) {
	const own = "<<<<<<< x\na: 1\n=======\n>>>>>>> y\n"
	x := askLines(t, own+"b: 1\n", own+"b: 2\n", own+"b: 3\n", text.StyleMerge)
	if len(x.Questions()) > 0 || x.result().Clean() {
		t.Errorf("%v", x.Questions())
	}
}

// FuzzLineAnswers checks the properties of checkAnswers for files that are merged by line:
// any three texts after a first line that is not YAML.
func FuzzLineAnswers(f *testing.F) {
	for _, v := range mergetest.FuzzVersions(f) {
		f.Add(v[three.Original], v[three.Dest], v[three.Updated], byte(0))
	}
	f.Add([]byte(chartBase), []byte(chartOurs), []byte(chartTheirs), byte(1))
	f.Add([]byte("a\nb\n"), []byte("a\nc"), []byte("d\r\nb\n"), byte(2))
	f.Fuzz(func(t *testing.T, o, d, u []byte, style byte) {
		if !mergetest.AreSmall(o, d, u) {
			return
		}
		raw := [3][]byte{o, d, u}
		for s, b := range raw {
			raw[s] = append([]byte("{{ if }}: [\n"), b...)
		}
		if _, _, err := mergeLines(raw[three.Original], raw[three.Dest], raw[three.Updated], text.Markers{}); err != nil {
			return // git does not merge binary files
		}
		opts := engine.Options{Markers: text.Markers{Style: text.Style(style % 3), Ours: "ours", Base: "base", Theirs: "theirs"}}
		checkAnswers(t, raw, opts, []Take{TakeOurs}, []Take{TakeTheirs, TakeBoth}, []Take{TakeBase, TakeNone, TakeText})
	})
}
