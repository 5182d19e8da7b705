package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

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
// that it returns the merge by field if only the line merge panics.
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
	m = newMerger(raw, Options{})
	m.raw = nil
	res, err := m.mergeBy(unelided)
	if err != nil || res.Method != Structural || !bytes.Equal(res.Bytes, fields.Bytes) {
		t.Errorf("%v: %q, %v\n%s", res.Method, res.Reason, err, res.Bytes)
	}
}
