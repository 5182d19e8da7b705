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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// trialResults has the result that the trial merge (see checkedDriver.runTrialMerge) must have, by the rules of the
// driver: "" for the default rules, and kustomize. In the merge, one field was changed by theirs only, and one field
// has a conflict, which the rules kustomize resolve with theirs. The lines are adjacent, so git's line merge would put
// both into the conflict.
var trialResults = map[string]string{
	"":          "<<<<<<<\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>>\npaused: true\n",
	"kustomize": "replicas: 4\npaused: true\n",
}

// checkTrialMerge merges a small file in a temporary repository with the settings of the driver. It reports ok if the
// result is right, and otherwise an error with git's message or the wrong result, and with the install command as its
// fix. The labels of conflict markers are not compared.
func (d *doctor) checkTrialMerge(c *checkedDriver) {
	by := ""
	if c.Rules != "" {
		by = " (rules " + c.Rules + ")"
	}
	got, stderr, err := c.runTrialMerge()
	switch {
	case err != nil:
		stderr = err.Error()
	case driver.EqualExceptLabels(got, []byte(trialResults[c.Rules]), 0):
		d.ok("merge", "the test merge has the expected result%s", by)
		return
	}
	d.failure("merge", c.installCommand, "the test merge failed%s: %s", by, cmp.Or(stderr, fmt.Sprintf("wrong result %q", got)))
}

// runTrialMerge runs git merge with the settings of the driver in a temporary repository, and returns the merged file.
// stderr has the lines of git's messages, joined to one line, if there are conflicts, otherwise "". err is not nil if git fails in another way.
//
//	base            ours            theirs
//	replicas: 2     replicas: 3     replicas: 4
//	paused: false   paused: false   paused: true
func (c *checkedDriver) runTrialMerge() (merged []byte, stderr string, err error) {
	dir, err := disk.MakeTempFolder()
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	g := git.ForWorkTree(dir)
	g.Env = append(g.Env, "GIT_MERGE_YAML=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	// The user's configuration must not run hooks, start processes, ask for keys, or change the markers.
	options := []string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "rerere.enabled=false",
		"-c", "merge.verifySignatures=false", "-c", "merge.conflictStyle=merge", "-c", "core.autocrlf=false",
	}
	for _, s := range c.settings {
		options = append(options, "-c", s.Key+"="+s.Value)
	}
	options = append(options, "-c", session.RulesFromKey+"=") // the temporary repository does not have this commit
	var history bytes.Buffer
	for _, f := range [][4]string{
		{"base", "", ".gitattributes", "*.yaml merge=" + c.Name + "\n"},
		// Without this file, the driver may use a rules file that the user's configuration names.
		{"base", "", session.RulesFileName, "rules: []\n"},
		{"base", "", "web.yaml", "replicas: 2\npaused: false\n"},
		{"ours", "from refs/heads/base\n", "web.yaml", "replicas: 3\npaused: false\n"},
		{"theirs", "from refs/heads/base\n", "web.yaml", "replicas: 4\npaused: true\n"},
	} {
		fmt.Fprintf(&history, "commit refs/heads/%s\ncommitter A <a@example.com> 0 +0000\ndata 0\n%sM 100644 inline %s\ndata %d\n%s\n",
			f[0], f[1], f[2], len(f[3]), f[3])
	}
	if _, err = g.Run("init", "-q", "--template="); err == nil {
		_, err = g.RunInput(history.Bytes(), "fast-import", "--quiet")
	}
	for _, args := range [][]string{{"reset", "-q", "--hard", "ours"}, {"merge", "-q", "--no-ff", "--no-commit", "theirs"}} {
		if err == nil {
			_, err = g.Run(slices.Concat(options, args)...)
		}
	}
	if failed, ok := err.(*git.Error); ok && failed.ExitCode == 1 { // the merge has conflicts
		stderr, err = strings.ReplaceAll(strings.TrimSpace(failed.Stderr), "\n", "; "), nil
	}
	if err == nil {
		merged, err = os.ReadFile(filepath.Join(dir, "web.yaml"))
	}
	return merged, stderr, err
}
