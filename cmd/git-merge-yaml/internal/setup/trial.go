package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// trials are what has to come out of a merge, by the rules of each driver: a field that only
// a merge by fields can merge, and one in conflict, which theirs wins under kustomize's rules.
var trials = map[string]string{
	"":          "<<<<<<<\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>>\npaused: true\n",
	"kustomize": "replicas: 4\npaused: true\n",
}

// checkMerge makes a merge in a scratch repository with the user's
// configuration and the driver line of this repository.
func (d *checkedDriver) checkMerge() {
	dir, err := disk.TempFolder()
	if err != nil {
		d.failure("merge", "check TMPDIR", "no scratch repository: %v", err)
		return
	}
	defer os.RemoveAll(dir)
	t := trial{git: git.At(dir), dir: dir}
	if err := t.prepare(d.Name, append(d.others[:len(d.others):len(d.others)], d.line())); err != nil {
		d.failure("merge", "git init in a new folder", "no scratch repository: %v", err)
		return
	}
	got, said, err := t.merge()
	if err != nil || !merge.EqualButLabels(got, []byte(trials[d.Rules]), 0) {
		switch {
		case said != "":
		case err != nil:
			said = err.Error()
		default:
			said = fmt.Sprintf("git made %q", got)
		}
		d.failure("merge", d.install(), "a merge in a scratch repository did not come out right: %s", said)
		return
	}
	by := ""
	if d.Rules != "" {
		by = " by the rules of " + d.Rules
	}
	d.ok("merge", "a merge in a scratch repository came out right%s", by)
}

// A trial is a scratch repository with two branches to merge.
type trial struct {
	git git.Git
	dir string
}

// trialHistory is for git fast-import: ours, and what is to be merged into it.
const trialHistory = `commit refs/heads/base
committer A <a@example.com> 0 +0000
data 0
M 100644 inline web.yaml
data 26
replicas: 2
paused: false

commit refs/heads/ours
committer A <a@example.com> 0 +0000
data 0
from refs/heads/base
M 100644 inline web.yaml
data 26
replicas: 3
paused: false

commit refs/heads/theirs
committer A <a@example.com> 0 +0000
data 0
from refs/heads/base
M 100644 inline web.yaml
data 25
replicas: 4
paused: true

`

// prepare makes the repository. Its attributes name the driver, whose settings
// are those of the user's repository.
func (t *trial) prepare(name string, settings []git.ConfigValue) error {
	t.git.Env = append(t.git.Env, "GIT_MERGE_YAML=",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	if _, err := t.git.Run("init", "-q", "--template="); err != nil {
		return err
	}
	for _, s := range settings {
		if err := t.git.SetConfig(git.Local, s.Key, s.Value); err != nil {
			return err
		}
	}
	info := filepath.Join(t.dir, ".git", "info")
	if err := os.MkdirAll(info, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(info, "attributes"), []byte("*.yaml merge="+name+"\n"), 0o666); err != nil {
		return err
	}
	// Rules of its own, so that the file that the user's configuration names is not asked for.
	if err := os.WriteFile(filepath.Join(t.dir, team.File), []byte("rules: []\n"), 0o666); err != nil {
		return err
	}
	_, err := t.git.Feed([]byte(trialHistory), "fast-import", "--quiet")
	return err
}

// quietly is configuration for what the user's must not do in the trial: run
// hooks, start processes, ask for keys.
var quietly = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "rerere.enabled=false",
	"-c", "merge.verifySignatures=false", "-c", "merge.conflictStyle=merge", "-c", "core.autocrlf=false",
}

// merge merges theirs into ours, and returns the file and what was said on stderr.
func (t *trial) merge() (file []byte, said string, err error) {
	if _, err := t.git.Run(append(quietly[:len(quietly):len(quietly)], "reset", "-q", "--hard", "ours")...); err != nil {
		return nil, "", err
	}
	_, err = t.git.Run(append(quietly[:len(quietly):len(quietly)], "merge", "-q", "--no-ff", "--no-commit", "theirs")...)
	if git.ExitCode(err) == 1 {
		said, err = strings.TrimSpace(err.(*git.Error).Stderr), nil
	}
	data, rerr := os.ReadFile(filepath.Join(t.dir, "web.yaml"))
	if err == nil {
		err = rerr
	}
	return data, said, err
}
