// Package push brings commits to a branch that others push to as well: where a push is
// refused because the branch has moved, the commits are put on it anew, with the driver,
// and pushed again.
//
// Goals: nothing of anybody is overwritten; what is checked out stays as it is until the
// push has succeeded, so that an end at any moment leaves no branch half moved.
package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/explain"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Options say what is pushed.
type Options struct {
	Remote, Branch string
	Tries          int    // pushes at most
	Program        string // this one, as sh finds it
	Report         io.Writer
}

// ErrConflict says that something is in conflict; the report has been written.
var ErrConflict = errors.New("in conflict")

// Run pushes HEAD, and returns what the branch is at then, and after how many pushes.
func Run(ctx context.Context, o Options) (head string, tries int, err error) {
	tree, err := git.Git{Context: ctx}.WorkTree()
	if err != nil {
		return "", 0, err
	}
	p := &pusher{Options: o, git: tree.Git}
	if p.head, err = p.git.Line("rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		return "", 0, err
	}
	before := p.head
	defer p.close()
	for tries = 1; ; tries++ {
		moved, err := p.push()
		switch {
		case err != nil:
			return "", tries, err
		case !moved && p.head == before:
			return p.head, tries, nil
		case !moved:
			if _, err := p.git.Run("reset", "-q", "--keep", p.head); err != nil {
				return p.head, tries, fmt.Errorf("it is pushed as %s, but what is checked out stays: %w", p.head, err)
			}
			return p.head, tries, nil
		case tries >= o.Tries:
			return "", tries, fmt.Errorf("%s of %s has moved before each of %d pushes: nothing is pushed; run it again", o.Branch, o.Remote, tries)
		}
		if err := p.again(ctx, tries); err != nil {
			return "", tries, err
		}
	}
}

// A pusher is a push on its way.
type pusher struct {
	Options
	git     git.Git // where the commits are checked out
	scratch string  // a folder with a work tree of its own; "" before it is needed
	tree    git.Git // in that
	head    string  // what is to be pushed
}

// push pushes, and reports whether the branch has moved before.
func (p *pusher) push() (moved bool, err error) {
	out, err := p.git.Run("push", "-q", "--porcelain", "--", p.Remote, p.head+":refs/heads/"+p.Branch)
	if err == nil {
		return false, nil
	}
	said := string(out) + err.Error()
	for _, race := range []string{"[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value", "reference already exists"} {
		if strings.Contains(said, race) {
			return true, nil
		}
	}
	return false, err
}

// again waits a while, and puts the commits on what the branch is now.
func (p *pusher) again(ctx context.Context, tries int) error {
	longest := min(100*time.Millisecond<<min(tries, 6), 3*time.Second)
	select {
	case <-time.After(time.Duration(rand.Int63n(int64(longest)))):
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := p.open(); err != nil {
		return err
	}
	if _, err := p.tree.Run("fetch", "-q", "--no-tags", "--", p.Remote, "refs/heads/"+p.Branch); err != nil {
		return err
	}
	tip, err := p.tree.Line("rev-parse", "--verify", "FETCH_HEAD^{commit}")
	if err != nil {
		return err
	}
	if _, err := p.tree.Run("checkout", "-q", "--detach", p.head); err != nil {
		return err
	}
	if _, err := p.tree.Run(append(p.driver(), "rebase", "-q", "--no-autostash", tip)...); err != nil {
		return p.stopped(err)
	}
	p.head, err = p.tree.Line("rev-parse", "--verify", "HEAD^{commit}")
	return err
}

// open makes the work tree in which commits are put on others.
func (p *pusher) open() (err error) {
	if p.scratch != "" {
		return nil
	}
	if p.scratch, err = os.MkdirTemp("", "git-merge-yaml-push-"); err != nil {
		return err
	}
	dir := filepath.Join(p.scratch, "tree")
	if _, err = p.git.Run("worktree", "add", "-q", "--detach", "--", dir, p.head); err != nil {
		return err
	}
	p.tree = git.In(dir)
	p.tree.Context = p.git.Context
	attributes := "*.yaml merge=yaml\n*.yml merge=yaml\n"
	if own, err := p.git.Line("config", "--type=path", "--get", "core.attributesFile"); err == nil && own != "" {
		if data, err := os.ReadFile(own); err == nil {
			attributes += string(data)
		}
	}
	return os.WriteFile(p.attributes(), []byte(attributes), 0o600)
}

func (p *pusher) attributes() string { return filepath.Join(p.scratch, "attributes") }

// driver are the options of git that have it call the driver, as it is installed or
// without that; hooks are for what people commit.
func (p *pusher) driver() []string {
	options := []string{"-c", "core.attributesFile=" + p.attributes(), "-c", "core.hooksPath=" + os.DevNull}
	if _, err := p.git.Line("config", "--get", "merge.yaml.driver"); err != nil {
		options = append(options, "-c", "merge.yaml.driver="+gitattrs.Driver{Program: p.Program}.Quiet())
	}
	return options
}

// stopped writes the report about a rebase that stopped, unless it never started.
func (p *pusher) stopped(failed error) error {
	out, err := p.tree.Run("ls-files", "-u")
	if err != nil || len(out) == 0 {
		return failed
	}
	if err := explain.WriteUnmergedMarkdown(p.Report, session.At(p.tree.Dir, session.Options{})); err != nil {
		return err
	}
	return ErrConflict
}

// close takes the work tree away.
func (p *pusher) close() {
	if p.scratch == "" {
		return
	}
	g := p.git
	g.Context = context.Background() // also after an interrupt
	_, _ = g.Run("worktree", "remove", "--force", "--", filepath.Join(p.scratch, "tree"))
	os.RemoveAll(p.scratch)
}
