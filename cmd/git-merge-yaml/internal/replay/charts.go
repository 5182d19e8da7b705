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

// Charts counts the conflicts of Chart.yaml, and what the rules for charts would
// have made of them.
type Charts struct {
	Conflicts int // files
	// Clean are those that the rules leave clean, Ours and Theirs those of them
	// that are as committed with ours and with theirs as one's own.
	Clean, Ours, Theirs int
}

// A chart is what the rules make of one file.
type chart struct{ clean, ours, theirs bool }

// chartRules are those that a team asks for by extends.
var chartRules = sync.OnceValues(func() (*merge.Rules, error) {
	return merge.ParseRules("the rules for charts", []byte("extends: helm\n"), "")
})

// chart merges a file that is in conflict by the rules for charts; nil if it is
// none of a chart, or the rules hold already. What is own nobody knows of a past
// merge, so that it is tried with both.
func (m *merger) chart(c *Case, in content) *chart {
	rules, err := chartRules()
	if err != nil || path.Base(c.Path) != "Chart.yaml" || m.Rules.Bumps(c.Path) {
		return nil
	}
	found := &chart{}
	for own, as := range map[merge.Own]*bool{merge.OwnOurs: &found.ours, merge.OwnTheirs: &found.theirs} {
		opts := m.options(c.Path, labels)
		opts.Rules, opts.Own = rules, func() merge.Own { return own }
		if res, err := merge.Merge(in.base, in.ours, in.theirs, opts); err == nil && res.Clean() {
			found.clean, *as = true, bytes.Equal(res.Bytes, c.Content.Committed)
		}
	}
	return found
}

func (n *Charts) add(c *chart) {
	if c == nil {
		return
	}
	n.Conflicts++
	for _, x := range []struct {
		to *int
		is bool
	}{{&n.Clean, c.clean}, {&n.Ours, c.ours}, {&n.Theirs, c.theirs}} {
		if x.is {
			*x.to++
		}
	}
}

// write tells a repository with charts that there are rules for them.
func (n Charts) write(w io.Writer) {
	if n.Conflicts > 0 {
		fmt.Fprintf(w, "\nChart.yaml: %s in conflict; by `extends: helm` in .git-merge-yaml.yaml %d would be clean, %d as committed (%d with theirs as one's own; docs/helm.md)\n",
			terminal.Count(n.Conflicts, "file"), n.Clean, n.Ours, n.Theirs)
	}
}
