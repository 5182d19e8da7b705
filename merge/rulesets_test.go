package merge

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

// TestRuleSets runs the cases of the other rule sets: what is told is in told.
func TestRuleSets(t *testing.T) {
	files, err := filepath.Glob("../testdata/rulesets/*.txtar")
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

// byRules merges v by the rules of the case.
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

// section is a file of the case; nil if it has none of that name.
func (c *mergeCase) section(name string) []byte {
	for _, f := range c.ar.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + "\n"
}

// rewriteRules writes what comes out into the case, an error too.
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

// again holds that a merge that was made has nothing left to do.
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
