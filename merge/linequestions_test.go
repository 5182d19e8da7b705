package merge

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A template with two conflicts, and a change of each side outside of them.
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

func askLines(t *testing.T, base, ours, theirs string, style Style) *Resolution {
	t.Helper()
	x, err := NewResolution([]byte(base), []byte(ours), []byte(theirs), Options{Markers: func() Markers {
		return Markers{Style: style, Ours: "ours", Base: "base", Theirs: "theirs"}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestLineQuestions: what is merged by lines is asked about, with the bytes of
// git before any answer.
func TestLineQuestions(t *testing.T) {
	for _, style := range []Style{StyleMerge, StyleDiff3, StyleZdiff3} {
		x := askLines(t, chartBase, chartOurs, chartTheirs, style)
		git, n, err := MergeLines([]byte(chartBase), []byte(chartOurs), []byte(chartTheirs), x.m.markers())
		res := x.Result()
		if err != nil || !bytes.Equal(res.Bytes, git) || len(res.Conflicts) != n || res.Method != Delegated {
			t.Errorf("style %d: %v, %d conflicts, want %d\n%s", style, err, len(res.Conflicts), n, res.Bytes)
		}
		q := x.Questions()
		if len(q) != 2 {
			t.Fatalf("%d questions", len(q))
		}
		if q[0].Kind != plan.ConflictLine || q[0].Line != 4 || q[0].Base.Text != "  replicas: 2\n" || q[0].Ours.Text != "  replicas: 3\n" || q[0].Theirs.Text != "  replicas: 4\n" || q[0].Theirs.Line != 4 {
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

// TestLineAnswers: an answer stands in the place of its conflict; the others
// stay as git marks them, and what was written is read back, in any style.
func TestLineAnswers(t *testing.T) {
	for _, style := range []Style{StyleMerge, StyleDiff3, StyleZdiff3} {
		x := askLines(t, chartBase, chartOurs, chartTheirs, style)
		decide(t, x, Answer{}, Answer{Take: TakeBoth})
		half := string(x.Result().Bytes)
		if !strings.Contains(half, "  b: 2\n  ours: 1\n  b: 3\n{{- fi }}\n") || strings.Count(half, "<<<<<<< ours\n") != 1 || len(x.Result().Conflicts) != 1 {
			t.Errorf("style %d, one answered:\n%s", style, half)
		}
		y := askLines(t, chartBase, chartOurs, chartTheirs, StyleMerge)
		if err := y.Resume([]byte(half)); err != nil || !slices.Equal(y.answers, x.answers) || string(y.Result().Bytes) != half {
			t.Errorf("style %d: %v %v\n%s", style, err, y.answers, y.Result().Bytes)
		}
		decide(t, y, Answer{Take: TakeText, Text: "  replicas: {{ .n }}"})
		want := strings.NewReplacer(".web", ".api", "replicas: 3", "replicas: {{ .n }}", "  ours: 1\n", "  ours: 1\n  b: 3\n").Replace(chartOurs)
		if res := y.Result(); !res.Clean() || string(res.Bytes) != want {
			t.Errorf("style %d: %v\n%s", style, res.Conflicts, res.Bytes)
		}
	}
}

// TestLineResume: edits outside of conflicts, and markers that are left, are
// told as for other files.
func TestLineResume(t *testing.T) {
	for _, c := range []struct {
		name, old, to string
		want          error
	}{
		{"outside", "kind: Deployment", "kind: Job", ErrEdited},
		{"half", "  replicas: 3\n", "  replicas: 5\n", ErrHalfResolved},
	} {
		x := askLines(t, chartBase, chartOurs, chartTheirs, StyleMerge)
		file := strings.Replace(string(x.Result().Bytes), c.old, c.to, 1)
		if err := x.Resume([]byte(file)); err != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestLineBreaks: answers have the line breaks of the file, and a file that the
// work tree has with others is read back.
func TestLineBreaks(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	x := askLines(t, crlf(chartBase), crlf(chartOurs), crlf(chartTheirs), StyleMerge)
	decide(t, x, Answer{Take: TakeText, Text: "  x: 1\n"}, Answer{Take: TakeOurs})
	if got := x.Result(); !got.Clean() || strings.Contains(strings.ReplaceAll(string(got.Bytes), "\r\n", ""), "\n") {
		t.Errorf("%q", got.Bytes)
	}
	y := askLines(t, chartBase, chartOurs, chartTheirs, StyleMerge)
	decide(t, y, Answer{Take: TakeTheirs})
	file := string(y.Result().Bytes)
	z := askLines(t, chartBase, chartOurs, chartTheirs, StyleMerge)
	if err := z.Resume([]byte(crlf(file))); err != nil || !slices.Equal(z.answers, y.answers) || string(z.Result().Bytes) != file {
		t.Errorf("%v %v\n%q", err, z.answers, z.Result().Bytes)
	}
}

// TestLineNoFinalBreak: both sides keep lines of their own where the file does
// not end with a break.
func TestLineNoFinalBreak(t *testing.T) {
	x := askLines(t, "{{ a }}: [\nb: 1", "{{ a }}: [\nb: 2", "{{ a }}: [\nb: 3", StyleMerge)
	decide(t, x, Answer{Take: TakeBoth})
	if got := string(x.Result().Bytes); got != "{{ a }}: [\nb: 2\nb: 3" {
		t.Errorf("both: %q", got)
	}
	file := x.Result().Bytes
	decide(t, x, Answer{})
	if err := x.Resume(file); err != nil || x.answers[0].Take != TakeBoth {
		t.Errorf("%v %v", err, x.answers)
	}
	decide(t, x, Answer{Take: TakeOurs})
	if got := string(x.Result().Bytes); got != "{{ a }}: [\nb: 2" {
		t.Errorf("ours: %q", got)
	}
}

// TestLineAnswerRefused: markers are no answer; and where the file is YAML with
// either side, it has to stay so.
func TestLineAnswerRefused(t *testing.T) {
	x := askLines(t, chartBase, chartOurs, chartTheirs, StyleMerge)
	if refusal, ok := errors.AsType[*AnswerError](x.Decide(0, Answer{Take: TakeText, Text: "a\n=======\n"})); !ok || refusal.Line != 2 {
		t.Errorf("%v", refusal)
	}
	broken := askLines(t, "a: [\nb: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 3\n", StyleMerge)
	if n := len(broken.Questions()); n != 1 || broken.Result().Method != Delegated {
		t.Fatalf("%d questions, %v", n, broken.Result().Method)
	}
	refusal, ok := errors.AsType[*AnswerError](broken.Decide(0, Answer{Take: TakeText, Text: "b: [\n"}))
	if !ok || refusal.Line != 1 || refusal.Unproven {
		t.Errorf("%+v", refusal)
	}
	decide(t, broken, Answer{Take: TakeTheirs})
}

// TestLineQuestionsNotAsked: where a version has markers of its own, nobody
// could tell them from those of a conflict.
func TestLineQuestionsNotAsked(t *testing.T) {
	const own = "<<<<<<< x\na: 1\n=======\n>>>>>>> y\n"
	x := askLines(t, own+"b: 1\n", own+"b: 2\n", own+"b: 3\n", StyleMerge)
	if len(x.Questions()) > 0 || x.Result().Clean() {
		t.Errorf("%v", x.Questions())
	}
}

// FuzzLineAnswers holds the laws of answers for what is merged by lines: any
// three texts behind a line that is no YAML.
func FuzzLineAnswers(f *testing.F) {
	for _, v := range seeds(f) {
		f.Add(v[three.Original], v[three.Dest], v[three.Updated], byte(0))
	}
	f.Add([]byte(chartBase), []byte(chartOurs), []byte(chartTheirs), byte(1))
	f.Add([]byte("a\nb\n"), []byte("a\nc"), []byte("d\r\nb\n"), byte(2))
	f.Fuzz(func(t *testing.T, o, d, u []byte, style byte) {
		if !small(o, d, u) {
			return
		}
		raw := [3][]byte{o, d, u}
		for s, b := range raw {
			raw[s] = append([]byte("{{ if }}: [\n"), b...)
		}
		if _, _, err := MergeLines(raw[three.Original], raw[three.Dest], raw[three.Updated], Markers{}); err != nil {
			return // binary
		}
		opts := Options{Markers: func() Markers {
			return Markers{Style: Style(style % 3), Ours: "ours", Base: "base", Theirs: "theirs"}
		}}
		for _, takes := range [][]Take{{TakeOurs}, {TakeTheirs, TakeBoth}, {TakeBase, Undecided, TakeText}} {
			checkAnswers(t, raw, opts, takes)
		}
	})
}
