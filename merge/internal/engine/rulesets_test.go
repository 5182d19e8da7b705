package engine

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

// TestRuleSets runs the cases of testdata/rulesets, which use a rule set other than the default rules. The file told of
// a case lists the differences that the rule set resolved, and how. With -update it rewrites the cases.
func TestRuleSets(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/rulesets/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			c := readCase(t, file)
			if c.rules == "" || !strings.HasPrefix(name, c.rules+"-") {
				t.Fatalf("the case is of rules %q", c.rules)
			}
			res, err := c.byRules(c.raw)
			if *update {
				c.rewriteRules(t, file, res, err)
				return
			}
			if want := c.section("error"); err != nil || want != nil {
				if got := said(err); got != string(want) {
					t.Errorf("got the error %swant %s", got, want)
				}
				return
			}
			if !bytes.Equal(res.Bytes, c.want) {
				t.Errorf("got (%s%s):\n%s\nwant:\n%s", report("how", res), report("told", res), res.Bytes, c.want)
			}
			for _, f := range c.ar.Files {
				if got := report(f.Name, res); got != "" && got != string(f.Data) {
					t.Errorf("%s: got:\n%swant:\n%s", f.Name, got, f.Data)
				}
			}
			if res.Method == Structural {
				c.again(t, res)
			}
		})
	}
}

// byRules merges the versions v with the rule set of the case: with Merge2, with Apply, with ApplyAnnotated if the case
// has no file last-applied, or with Merge.
func (c *mergeCase) byRules(v [3][]byte) (Result, error) {
	switch {
	case c.rules == "merge2":
		return Merge2(v[three.Updated], v[three.Dest], c.opts)
	case c.rules == "apply" && c.section("last-applied") == nil:
		return ApplyAnnotated(nil, v[three.Updated], v[three.Dest], c.opts)
	case c.rules == "apply":
		return Apply(v[three.Original], v[three.Updated], v[three.Dest], c.opts)
	}
	return Merge(v[three.Original], v[three.Dest], v[three.Updated], c.opts)
}

// section returns the content of a file of the case, or nil if the case has no file of that name.
func (c *mergeCase) section(name string) []byte {
	for _, f := range c.ar.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// said returns the text of an error with a newline, or "" for nil.
func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + "\n"
}

// rewriteRules writes the result of a merge, or its error, into the file of the case.
func (c *mergeCase) rewriteRules(t *testing.T, file string, res Result, err error) {
	t.Helper()
	c.ar.Files = slices.DeleteFunc(c.ar.Files, func(f txtar.File) bool {
		return f.Name == "error" || err != nil && f.Name == "want"
	})
	if err == nil {
		c.rewrite(t, file, res)
		return
	}
	c.ar.Files = append(c.ar.Files, txtar.File{Name: "error", Data: []byte(said(err))})
	c.write(t, file)
}

// again checks that merging the result once more, with theirs as base and theirs, gives an identical file.
func (c *mergeCase) again(t *testing.T, res Result) {
	t.Helper()
	twice, err := c.byRules([3][]byte{c.raw[three.Updated], res.Bytes, c.raw[three.Updated]})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(twice.Bytes, res.Bytes) {
		t.Errorf("merged once more (%s):\n%s", twice.Reason, twice.Bytes)
	}
}
