package preview

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// Update commits the merge of the base into a branch that is clean, and moves the branch
// to it: that of the remote, or one of this repository. It fails where the branch is
// no longer at the commit that was merged, and never moves one that is checked out.
func (p *Preview) Update(b *Branch, remote string) (git.ID, error) {
	r := p.run
	if !b.State.IsClean() {
		return "", fmt.Errorf("it is not clean: %s", b.State)
	}
	branch, local := strings.CutPrefix(b.ref, "refs/heads/")
	name, ofRemote := strings.CutPrefix(b.ref, "refs/remotes/"+remote+"/")
	switch {
	case remote == "" && !local:
		return "", errors.New("no branch of this repository: --push REMOTE updates those of a remote")
	case remote != "" && ofRemote:
		branch = name
	case remote != "" && !local:
		return "", errors.New("no branch of " + remote)
	case remote == "" && r.checkedOut(b.ref):
		return "", errors.New("it is checked out")
	}
	id, err := r.committed(b, fmt.Sprintf("Merge branch '%s' into %s", r.baseBranch(remote), branch))
	if err != nil {
		return "", err
	}
	if remote == "" {
		_, err = r.Git.Run("update-ref", "-m", "merge "+r.Base, b.ref, id.String(), b.Commit.String())
		return id, err
	}
	ref := "refs/heads/" + branch
	_, err = r.Git.Run("push", "-q", "--force-with-lease="+ref+":"+b.Commit.String(), "--", remote, id.String()+":"+ref)
	return id, err
}

// baseBranch is what people call the base: main, where it is origin/HEAD.
func (r *run) baseBranch(remote string) string {
	if r.called != "" {
		return r.called
	}
	r.called = r.Base
	full, _ := r.Git.Line("rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", r.Base)
	for _, of := range []string{"refs/heads/", "refs/remotes/" + remote + "/"} {
		if name, found := strings.CutPrefix(full, of); found {
			r.called = name
		}
	}
	return r.called
}

// checkedOut reports whether a work tree has a branch.
func (r *run) checkedOut(ref string) bool {
	out, err := r.Git.Run("worktree", "list", "--porcelain")
	return err != nil || strings.Contains(string(out), "branch "+ref+"\n")
}
