package replay

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Charts counts what the rules for charts would have made of Chart.yaml.
type Charts struct {
	Conflicts int // files in conflict
	// Clean are those that the rules leave clean, Committed those of them that are as
	// committed.
	Clean, Committed int
	// Bumped are files that are clean without the rules, and get another version by them:
	// both sides gave one version to two releases.
	Bumped int
}

// A chart is what the rules make of one file.
type chart struct{ open, clean, committed, bumped bool }

// chartRules are those that a team asks for by extends.
var chartRules = sync.OnceValues(func() (*merge.Rules, error) {
	return merge.ParseRules("the rules for charts", []byte("extends: helm\n"), "")
})

// charted merges a file by the rules for charts, where res is the merge without; nil if
// it is none of a chart, or the rules hold already.
func (c *Case) charted(res merge.Result) *chart {
	rules, err := chartRules()
	opts := c.File.Merging()
	if err != nil || path.Base(c.Path) != "Chart.yaml" || opts.Rules.Bumps(c.Path) {
		return nil
	}
	opts.Rules = rules
	by, err := merge.Merge(c.File.Base, c.File.Ours, c.File.Theirs, opts)
	clean := err == nil && by.Clean()
	return &chart{
		open: !res.Clean(), clean: clean && !res.Clean(),
		committed: clean && !res.Clean() && bytes.Equal(by.Bytes, c.Content.Committed),
		bumped:    clean && res.Clean() && !bytes.Equal(by.Bytes, res.Bytes),
	}
}

func (n *Charts) add(c *chart) {
	if c == nil {
		return
	}
	for _, x := range []struct {
		to *int
		is bool
	}{{&n.Conflicts, c.open}, {&n.Clean, c.clean}, {&n.Committed, c.committed}, {&n.Bumped, c.bumped}} {
		if x.is {
			*x.to++
		}
	}
}

// write tells a repository with charts that there are rules for them.
func (n Charts) write(w io.Writer) {
	if n.Conflicts+n.Bumped == 0 {
		return
	}
	more := ""
	if n.Bumped > 0 {
		more = fmt.Sprintf("; %d more with one version for two releases would get the next one", n.Bumped)
	}
	fmt.Fprintf(w, "\nChart.yaml: %s in conflict; by `extends: helm` in .git-merge-yaml.yaml %d would be clean, %d as committed%s\n",
		terminal.Count(n.Conflicts, "file"), n.Clean, n.Committed, more)
}
