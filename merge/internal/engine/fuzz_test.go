package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// scripts are the edit scripts in the seed corpus.
var scripts = [][]byte{
	{}, {0, 3, 0}, {1, 2, 0}, {2, 1, 0}, {3, 4, 0}, {4, 2, 0}, {5, 1, 3}, {5, 4, 7, 0, 1, 0}, {6, 2, 0, 6, 3, 0}, {7, 3, 1},
}

// words are the lines that an edit can insert.
var words = []string{
	"x: 1", "  x: 2", "- x", "  - name: x", "# c", "  # c", "", "x: |", "    text", "---", "x: &a 1", "y: *a", "x: [1, {a: b}]",
	"name: x", "x:", "\tx", "  - - x", "? x", "...", "x: \"a", "  b\"", "<<: *a",
}

// edited returns b after a script of line edits. Each edit has three bytes: the operation, the line, and an argument.
func edited(b, script []byte) []byte {
	lines := slices.Collect(bytes.Lines(b))
	for ; len(script) >= 3 && len(lines) < 500; script = script[3:] {
		if len(lines) == 0 {
			lines = append(lines, []byte("a: 1\n"))
		}
		at, arg := int(script[1])%len(lines), int(script[2])
		l := lines[at]
		switch script[0] % 9 {
		case 0:
			lines = slices.Delete(lines, at, at+1)
		case 1:
			lines = slices.Insert(lines, at, l)
		case 2:
			lines = slices.Insert(slices.Delete(lines, at, at+1), arg%len(lines), l)
		case 3:
			lines[at] = append([]byte("  "), l...)
		case 4:
			lines[at] = bytes.TrimPrefix(l, []byte("  "))
		case 5:
			lines = slices.Insert(lines, at, []byte(words[arg%len(words)]+"\n"))
		case 6:
			lines[at] = append(bytes.TrimRight(bytes.Clone(l), "\r\n"), fmt.Sprintf("%d\n", arg%3)...)
		case 7:
			lines[at] = append(bytes.TrimRight(bytes.Clone(l), "\r\n"), fmt.Sprintf(" # %d\n", arg%3)...)
		case 8:
			lines[at] = bytes.ReplaceAll(l, []byte("1"), []byte{'a' + byte(arg%5)})
		}
	}
	return slices.Concat(lines...)
}

// FuzzIdentity checks that a merge in which only one version differs returns that version byte for byte, with the
// normal merge and with the merge by field alone.
func FuzzIdentity(f *testing.F) {
	for i, v := range mergetest.MergeVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)])
		f.Add(v[three.Dest], scripts[(i+3)%len(scripts)])
	}
	f.Fuzz(func(t *testing.T, o, script []byte) {
		if mergetest.AreSmall(o) {
			checkIdentity(t, o, edited(o, script), Options{})
		}
	})
}

// FuzzSwap checks that swapping the sides gives the same data and as many conflicts. It skips inputs for which
// verification rejects one of the two results.
func FuzzSwap(f *testing.F) {
	addEdits(f)
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if raw := [3][]byte{o, edited(o, ours), edited(o, theirs)}; mergetest.AreSmall(o) && !refused(t, raw, Options{}) {
			checkSwap(t, raw, Options{})
		}
	})
}

// refused reports whether the merge of raw (base, ours and theirs), or that with the sides swapped, has a Reason or a
// sentence in Refused. It fails the test at once if a merge fails.
func refused(t *testing.T, raw [3][]byte, opts Options) bool {
	t.Helper()
	there, err := mergeBy(asMerge, raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	back, err := mergeBy(asMerge, [3][]byte{raw[three.Original], raw[three.Updated], raw[three.Dest]}, swapped(opts))
	if err != nil {
		t.Fatal(err)
	}
	return there.Reason+there.Refused+back.Reason+back.Refused != ""
}

// FuzzEdits runs checkResult on two edits of one file.
func FuzzEdits(f *testing.F) {
	addEdits(f)
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if mergetest.AreSmall(o) {
			checkResult(t, [3][]byte{o, edited(o, ours), edited(o, theirs)})
		}
	})
}

// FuzzMerge runs checkResult on any three inputs.
func FuzzMerge(f *testing.F) {
	for _, v := range mergetest.MergeVersions(f) {
		f.Add(v[three.Original], v[three.Dest], v[three.Updated])
	}
	f.Fuzz(func(t *testing.T, o, d, u []byte) {
		if mergetest.AreSmall(o, d, u) {
			checkResult(t, [3][]byte{o, d, u})
		}
	})
}

func addEdits(f *testing.F) {
	for i, v := range mergetest.MergeVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
		f.Add(v[three.Updated], scripts[(i+4)%len(scripts)], scripts[(i+7)%len(scripts)])
	}
}

// checkResult checks that a merge has no internal error, that each reported conflict line is an opening marker, and
// that a result merged as YAML parses with either side chosen at every conflict.
func checkResult(t *testing.T, raw [3][]byte) {
	t.Helper()
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(res.Reason, "internal error") {
			t.Fatalf("%s\n%q", res.Reason, raw)
		}
		checkMarkers(t, res)
		if res.Method == Delegated || res.Method == Trivial {
			continue
		}
		for _, s := range three.Sides {
			if b := chosen(res.Bytes, s); !parses(b) {
				t.Errorf("with %s the result does not parse:\n%s\nof\n%s\nfor %q", three.Names[s], b, res.Bytes, raw)
			}
		}
	}
}

// checkMarkers reports an error for each conflict of res whose Line is not the line of an opening marker in res.Bytes.
func checkMarkers(t *testing.T, res Result) {
	t.Helper()
	lines := bytes.Split(res.Bytes, []byte("\n"))
	for _, c := range res.Conflicts {
		if c.Line < 1 || c.Line > len(lines) || !bytes.HasPrefix(lines[c.Line-1], []byte("<<<<<<<")) {
			t.Errorf("no opening marker at line %d:\n%s", c.Line, res.Bytes)
		}
	}
}

// chosen returns the file b with its conflicts resolved to side s.
func chosen(b []byte, s three.Version) []byte {
	var out []byte
	at := three.Original // outside of any conflict
	for l := range bytes.Lines(b) {
		switch {
		case at == three.Original && bytes.HasPrefix(l, []byte("<<<<<<< ours")):
			at = three.Dest
		case at == three.Dest && bytes.HasPrefix(l, []byte("=======")):
			at = three.Updated
		case at == three.Updated && bytes.HasPrefix(l, []byte(">>>>>>> theirs")):
			at = three.Original
		case at == three.Original || at == s:
			out = append(out, l...)
		}
	}
	return out
}

func parses(b []byte) bool {
	_, err := parseFile(b)
	return err == nil
}
