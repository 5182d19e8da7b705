package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/features"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestFeatures runs the checks of checkFeature for every YAML feature in testdata/features. A feature must be merged as
// YAML, or be left to the line merge for the reason that its file states.
func TestFeatures(t *testing.T) {
	all, err := features.Read("../../../testdata/features")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		t.Run(f.Topic+"/"+f.Name, func(t *testing.T) {
			left := checkFeature(t, f.Data)
			if (f.LineMergeReason == "") != (left == "") || !strings.Contains(left, f.LineMergeReason) {
				t.Errorf("left to the line merge: %q, not %q", left, f.LineMergeReason)
			}
		})
	}
}

// TestSuite runs the same checks for the files *.yaml in the folder that the environment variable YAML_TEST_SUITE
// names, for example the inputs of the public yaml-test-suite. Names of files that are not valid YAML must end with
// .invalid.yaml. The test logs how many files of each class are left to the line merge.
func TestSuite(t *testing.T) {
	dir := os.Getenv("YAML_TEST_SUITE")
	if dir == "" {
		t.Skip("YAML_TEST_SUITE names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	count := map[string]int{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			class := "valid"
			if strings.HasSuffix(file, ".invalid.yaml") {
				class = "invalid"
			}
			if left := checkFeature(t, b); left != "" {
				t.Log(left)
				class += ", left to the line merge"
			}
			count[class]++
		})
	}
	t.Log(count)
}

// checkFeature checks merges of b with edits of itself: each edit with one of mergesOfOne and one of three further checks
// in turn, or with all with -long. It returns the reason why b is left to the line merge, or "" if b is merged as YAML.
func checkFeature(t *testing.T, b []byte) (left string) {
	t.Helper()
	res, err := mergeBy(fieldsOnly, [3][]byte{b, b, b}, Options{})
	if err != nil {
		return err.Error() // git treats it as binary
	}
	if !bytes.Equal(res.Bytes, b) {
		t.Errorf("merged with itself: %q", res.Bytes)
	}
	edits, single := editsOf(b), !hasDuplicateKey(b)
	for i, x := range edits {
		single := single && !hasDuplicateKey(x) // a merge by field is never clean otherwise
		raw := [3][]byte{b, x, edits[(i+1)%len(edits)]}
		if single {
			checkOneChange(t, inTurn(mergesOfOne(b, x), i), x, Options{})
		}
		if single && (*long || i%3 == 0) {
			checkOneChange(t, inTurn(mergesOfOne(x, b), i/3), b, Options{})
		}
		if *long || i%3 == 1 {
			checkResult(t, raw)
		}
		if *long || i%3 == 2 {
			checkSwap(t, raw, Options{})
		}
	}
	if res.Method == Delegated {
		left = res.Reason
	}
	return left
}

// editsOf returns versions of b with a comment added, an entry added, or an entry removed, and finally b itself. It
// leaves out versions that do not parse.
func editsOf(b []byte) [][]byte {
	broken := b
	if len(b) > 0 && b[len(b)-1] != '\n' {
		broken = append(bytes.Clone(b), '\n')
	}
	all := [][]byte{
		append(bytes.Clone(broken), "# added\n"...),
		append([]byte("# added\n"), b...),
	}
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return all
	}
	for _, d := range st.Docs {
		all = append(all, editsBelow(b, d.Root)...)
	}
	kept := all[:0]
	for _, x := range all {
		if parses(x) && !bytes.Equal(x, b) {
			kept = append(kept, x)
		}
	}
	return append(kept, b)
}

// editsBelow returns versions of b in which n has an added entry or lacks one of its entries, and does the same for all
// descendants of n. It adds entries only to block collections.
func editsBelow(b []byte, n *syntax.Node) [][]byte {
	var all [][]byte
	if n.Style == syntax.Block {
		last := n.Entries[len(n.Entries)-1].Span.End
		all = append(all, spliced(b, last, last, added(n)))
	}
	for _, e := range n.Entries {
		all = append(all, spliced(b, e.Span.Start, e.Span.End, ""))
		all = append(all, editsBelow(b, e.Value)...)
	}
	return all
}

// added returns a line that adds an entry to n.
func added(n *syntax.Node) string {
	line := "- added\n"
	if n.Kind == syntax.Mapping {
		line = "zz-added: 1\n"
	}
	return strings.Repeat(" ", n.Indent) + line
}

func spliced(b []byte, start, end int, with string) []byte {
	return fmt.Appendf(nil, "%s%s%s", b[:start], with, b[end:])
}
