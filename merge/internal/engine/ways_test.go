package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestWaysAreDocumented checks that the table in docs/how-it-merges.md has a row for each of the ways, in the order in
// which Merge tries them.
func TestWaysAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/how-it-merges.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## The decision")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows, want []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(section, -1) {
		rows = append(rows, m[1])
	}
	for _, w := range ways {
		want = append(want, w.name)
	}
	if len(rows) == 0 || !slices.Equal(rows[1:], want) {
		t.Errorf("the table has the rows %q, want %q", rows, want)
	}
}

// fieldMerger returns a merger after it has merged the three versions by field.
func fieldMerger(t *testing.T, base, ours, theirs string) *merger {
	t.Helper()
	m := newMerger([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, Options{})
	if _, err := m.mergeBy(unelided); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMend checks which changes of a line merge with a defect (such as a duplicate key) addConflictsUntilNoDefect puts
// in conflict.
func TestMend(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs string
		fewest                   int
		want                     []int // nil if the defects cannot be turned into conflicts
	}{
		{"both added a key", "a: 1\nb: 1\nc: 1\n", "k: 1\na: 1\nb: 1\nc: 2\n", "a: 1\nk: 2\nb: 1\nc: 1\n", 9, []int{0, 1}},
		{"an alias without its anchor, and a change between", "a: &x 1\nb: 1\nc: 1\nd: 1\ne: 1\n", "a: 1\nb: 1\nc: 2\nd: 1\ne: 1\n", "a: &x 1\nb: 1\nc: 1\nd: 1\ne: *x\n", 9, []int{0, 2}},
		{"as many lines as another page", "a: 1\nb: 1\nc: 1\n", "k: 1\na: 1\nb: 1\nc: 2\n", "a: 1\nk: 2\nb: 1\nc: 1\n", 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := fieldMerger(t, c.base, c.ours, c.theirs)
			l := m.newLineCandidate(diff3.Merge)
			var got []int
			build := l.buildPage
			l.buildPage = func(forced []int) *page.Page {
				got = forced
				return build(forced)
			}
			p := m.addConflictsUntilNoDefect(l, c.fewest)
			slices.Sort(got)
			if (p != nil) != (c.want != nil) || p != nil && !slices.Equal(got, c.want) {
				t.Errorf("%v of %v", got, p != nil)
			}
		})
	}
}

// TestAnswersThatAreSides checks that git's page has no defect if all changes of one side are in conflicts, so that each
// answer is the whole file of a side.
func TestAnswersThatAreSides(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		c := readCase(t, file)
		m := newMerger(c.Raw, c.opts)
		if m.parse() != nil {
			continue // not YAML
		}
		l := m.newLineCandidate(diff3.Merge)
		var all []int
		for i := range l.oneSided {
			all = append(all, i)
		}
		p := l.buildPage(all)
		if defect, isUsable := m.proof.PageDefect(p); defect != nil || !isUsable || m.proof.VerifyLineMerge(p) != nil {
			t.Errorf("%s: a defect where each answer is a side", filepath.Base(file))
		}
	}
}

// TestEncryptedWithoutMergeByField checks that a file encrypted by SOPS is in conflict as a whole if the merge by field
// cannot be verified, even if git's line merge is clean.
func TestEncryptedWithoutMergeByField(t *testing.T) {
	base, ours, theirs := "a: 1\nx: 1\ny: 1\nb: 1\nsops:\n  mac: m\n", "a: 2\nx: 1\ny: 1\nb: 1\nsops:\n  mac: m\n", "a: 1\nx: 1\ny: 1\nb: 2\nsops:\n  mac: m\n"
	m := newMerger([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, Options{})
	o, err := m.merge([]*way{{"none", true, func(*merger) (outcome, error) { return outcome{}, errors.New("not verified") }}})
	want := "<<<<<<< ours\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
	if err != nil || string(o.Bytes) != want || len(o.Conflicts) != 1 || o.Conflicts[0].Kind != plan.ConflictEncrypted {
		t.Errorf("%v, %v\n%s", err, o.Conflicts, o.Bytes)
	}
}

// TestCauses checks the cause of each reason for a delegation that a caller can tell apart.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		base, ours, theirs string
		opts               Options
		want               Cause
	}{
		{"a: [\n", "a: [1\n", "a: [2\n", Options{}, CauseSyntax},
		{"a: 1\n", "<<<<<<< x\na: 2\n=======\na: 3\n>>>>>>> y\n", "a: 4\n", Options{}, CauseMarkers},
		{"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", Options{Limits: Limits{MaxBytes: 5}}, CauseSize},
		{"a: 1\n", "a: 1\nb: 1\nb: 2\n", "a: 2\n", Options{}, CauseKeys},
		{"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", Options{}, ""},
	} {
		res, err := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), c.opts)
		if err != nil || res.Cause != c.want || (res.Cause == "") != (res.Method != Delegated) {
			t.Errorf("%q, %q: cause %q (%s, %s), want %q, %v", c.ours, c.theirs, res.Cause, res.Method, res.Reason, c.want, err)
		}
	}
}

// captured returns versions whose merge by field fails verification n times. Ours defines each of n anchors a second
// time, and theirs adds an alias below that place, which would then refer to another value.
func captured(n int) (raw [3][]byte) {
	for i := range n {
		raw[three.Original] = fmt.Appendf(raw[three.Original], "a%d: &x%d 1\nb%d: 1\nc%d: 1\n", i, i, i, i)
		raw[three.Dest] = fmt.Appendf(raw[three.Dest], "a%d: &x%d 1\nb%d: &x%d 2\nc%d: 1\n", i, i, i, i, i)
		raw[three.Updated] = fmt.Appendf(raw[three.Updated], "a%d: &x%d 1\nb%d: 1\nc%d: *x%d\n", i, i, i, i, i)
	}
	return raw
}

// TestSteps checks that Merge falls back to the line merge, and gives the reason, if verification needs more steps than
// MaxSteps. It runs several times, since the limit counts steps and not time: the result has to be the same every time.
func TestSteps(t *testing.T) {
	raw := captured(20)
	lines, conflicts, err := mergeLines(raw[three.Original], raw[three.Dest], raw[three.Updated], text.Markers{Size: 7, Base: "base", Ours: "ours", Theirs: "theirs"})
	if err != nil {
		t.Fatal(err)
	}
	free := newMerger(raw, Options{})
	if res, err := free.mergeBy(asMerge); err != nil || res.Method != Structural {
		t.Fatalf("without a bound: %v %s, %v", res.Method, res.Reason, err)
	}
	for range 3 {
		m := newMerger(raw, Options{})
		m.proof.MaxSteps = int(free.proof.Steps / 8)
		res, err := m.mergeBy(asMerge)
		if err != nil {
			t.Fatal(err)
		}
		if res.Method != Delegated || !strings.HasPrefix(res.Reason, tooManyReplannings+": ") {
			t.Errorf("%v: %q", res.Method, res.Reason)
		}
		if !bytes.Equal(res.Bytes, lines) || len(res.Conflicts) != conflicts {
			t.Errorf("got\n%s\nwant the line merge\n%s", res.Bytes, lines)
		}
	}
}

// TestManyConflicts checks that a file with 2000 conflicts is still merged by field.
func TestManyConflicts(t *testing.T) {
	const n = 2000
	var raw [3][]byte
	for i := range n {
		for s := range raw {
			raw[s] = fmt.Appendf(raw[s], "a%d:\n  x: %d\n  y: 1\n  z: %d\n", i, s, s/2) // only theirs changes z
		}
	}
	if res, err := mergeBy(asMerge, raw, Options{}); err != nil || res.Method != Structural || len(res.Conflicts) != n {
		t.Errorf("%v with %d conflicts, %q, %v", res.Method, len(res.Conflicts), res.Reason, err)
	}
}

// TestPanics checks that Merge falls back to the line merge, and gives the reason, if the merge by field panics, and
// that it returns the merge by field if only the line merge panics, or only its verification.
func TestPanics(t *testing.T) {
	raw := captured(2)
	lines, _, err := mergeLines(raw[three.Original], raw[three.Dest], raw[three.Updated], text.Markers{Size: 7, Base: "base", Ours: "ours", Theirs: "theirs"})
	if err != nil {
		t.Fatal(err)
	}
	m := newMerger(raw, Options{})
	m.proof = nil
	if o, err := m.mergeBy(asMerge); err != nil || o.Method != Delegated || !strings.HasPrefix(o.Reason, "internal error: ") || !bytes.Equal(o.Bytes, lines) {
		t.Errorf("%v: %q, %v\n%s", o.Method, o.Reason, err, o.Bytes)
	}
	fields, err := mergeBy(fieldsOnly, raw, Options{})
	if err != nil {
		t.Fatal(err)
	}
	panicking := newMerger(raw, Options{})
	panicking.raw = nil
	unverifiable := newMerger(raw, Options{})
	unverifiable.raw, unverifiable.lines = nil, &lineResult{bytes: lines} // as if it were clean
	for m, by := range map[*merger]order{panicking: unelided, unverifiable: {[]*way{cleanLineMerge, cleanFieldMerge, fewestLines}, nil}} {
		res, err := m.mergeBy(by)
		if err != nil || res.Method != Structural || !bytes.Equal(res.Bytes, fields.Bytes) {
			t.Errorf("%v: %q, %v\n%s", res.Method, res.Reason, err, res.Bytes)
		}
	}
}
