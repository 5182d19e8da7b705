package differential

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A class is a kind of difference between this program and another. The table in README.md has the reason for each.
type class struct {
	name  string
	holds func(*difference) bool
}

// A classifier counts differences by the first class whose predicate is true. The test fails if a difference has no
// class or if a class never occurs.
type classifier struct {
	classes []class
	counts  map[string]int
	equal   int // cases without a difference
}

func newClassifier(classes []class) *classifier {
	return &classifier{classes: classes, counts: map[string]int{}}
}

// compare finds and classifies the differences in the n-th case.
func (c *classifier) compare(t *testing.T, n int, whole *difference) {
	t.Helper()
	all := differences(whole)
	if len(all) == 0 {
		c.equal++
	}
	for _, d := range all {
		i := slices.IndexFunc(c.classes, func(k class) bool { return k.holds(d) })
		if i < 0 {
			t.Errorf("case %d, of no class: %s", n, d)
			continue
		}
		c.counts[c.classes[i].name]++
	}
}

// report logs the counts. The test fails if a class never occurred or is not in README.md.
func (c *classifier) report(t *testing.T) {
	t.Helper()
	t.Logf("%5d cases without a difference; differences:", c.equal)
	for _, k := range c.classes {
		t.Logf("%5d %s", c.counts[k.name], k.name)
		if c.counts[k.name] == 0 {
			t.Errorf("the class never occurs: %s", k.name)
		}
		documented(t, k.name)
	}
}

// documented checks that README.md has a table row that begins with name.
func documented(t *testing.T, name string) {
	t.Helper()
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "\n| "+name+" |") {
		t.Errorf("README.md has no row for: %s", name)
	}
}
