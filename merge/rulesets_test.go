package merge

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestRuleSets runs the cases of the other rule sets: what is told is in told.
func TestRuleSets(t *testing.T) {
	files, err := filepath.Glob("../testdata/rulesets/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			if c.opts.RuleSet == DefaultRules {
				t.Fatal("the case names no rules")
			}
			res, err := Merge(c.raw[original], c.raw[dest], c.raw[updated], c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				c.rewrite(t, file, res)
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
			c.again(t, res)
		})
	}
}

// again holds that a merge that was taken has nothing left to do.
func (c *mergeCase) again(t *testing.T, res Result) {
	t.Helper()
	if res.Method != Structural {
		return
	}
	twice, err := Merge(c.raw[updated], res.Bytes, c.raw[updated], c.opts)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(res.Bytes, []byte("~")) {
		return // an added resource keeps its nulls until the next merge
	}
	if !bytes.Equal(twice.Bytes, res.Bytes) {
		t.Errorf("merged once more (%s):\n%s", twice.Reason, twice.Bytes)
	}
}
