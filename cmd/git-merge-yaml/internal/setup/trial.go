package setup

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// trials are what has to come out of a merge, by the rules of each driver: a field that only
// a merge by fields can merge, and one in conflict, which theirs wins under kustomize's rules.
var trials = map[string]string{
	"":          "<<<<<<<\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>>\npaused: true\n",
	"kustomize": "replicas: 4\npaused: true\n",
}

// checkMerge tries a driver.
func (d *doctor) checkMerge(c *checkedDriver) {
	by := ""
	if c.Rules != "" {
		by = " by the rules of " + c.Rules
	}
	got, said, err := c.try()
	switch {
	case err != nil:
		said = err.Error()
	case merge.EqualButLabels(got, []byte(trials[c.Rules]), 0):
		d.ok("merge", "a merge in a scratch repository came out right%s", by)
		return
	}
	d.failure("merge", c.fix, "a merge in a scratch repository did not come out right: %s", cmp.Or(said, fmt.Sprintf("git made %q", got)))
}

// try makes a merge in a scratch repository, whose attributes name a driver, with the settings
// of that, and returns what came out, and what git said. The rules there are empty, so that no
// file is asked for that the user's configuration names.
func (c *checkedDriver) try() (got []byte, said string, err error) {
	dir, err := disk.TempFolder()
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	g := git.At(dir)
	g.Env = append(g.Env, "GIT_MERGE_YAML=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	// What the user's configuration must not do here: run hooks, start processes, ask for keys.
	options := []string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "rerere.enabled=false",
		"-c", "merge.verifySignatures=false", "-c", "merge.conflictStyle=merge", "-c", "core.autocrlf=false",
	}
	for _, s := range c.settings {
		options = append(options, "-c", s.Key+"="+s.Value)
	}
	var history bytes.Buffer
	for _, f := range [][4]string{
		{"base", "", ".gitattributes", "*.yaml merge=" + c.Name + "\n"},
		{"base", "", session.RulesFileName, "rules: []\n"},
		{"base", "", "web.yaml", "replicas: 2\npaused: false\n"},
		{"ours", "from refs/heads/base\n", "web.yaml", "replicas: 3\npaused: false\n"},
		{"theirs", "from refs/heads/base\n", "web.yaml", "replicas: 4\npaused: true\n"},
	} {
		fmt.Fprintf(&history, "commit refs/heads/%s\ncommitter A <a@example.com> 0 +0000\ndata 0\n%sM 100644 inline %s\ndata %d\n%s\n",
			f[0], f[1], f[2], len(f[3]), f[3])
	}
	if _, err = g.Run("init", "-q", "--template="); err == nil {
		_, err = g.Feed(history.Bytes(), "fast-import", "--quiet")
	}
	for _, args := range [][]string{{"reset", "-q", "--hard", "ours"}, {"merge", "-q", "--no-ff", "--no-commit", "theirs"}} {
		if err == nil {
			_, err = g.Run(slices.Concat(options, args)...)
		}
	}
	if failed, ok := err.(*git.Error); ok && failed.ExitCode == 1 { // in conflict
		said, err = strings.TrimSpace(failed.Stderr), nil
	}
	if err == nil {
		got, err = os.ReadFile(filepath.Join(dir, "web.yaml"))
	}
	return got, said, err
}
