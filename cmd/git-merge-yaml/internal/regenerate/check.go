package regenerate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An Otherwise is a file of a commit that its command makes otherwise there.
type Otherwise struct{ Path, By string }

// Check has the programs make all files of the rules again in a work tree of the commit that
// is of its own and removed at the end, and returns those that come out otherwise. All rules
// have to be trusted: nobody is asked.
func Check(s *session.Session, commit string, out io.Writer) (all []Otherwise, err error) {
	r, err := read(s, Options{})
	if err != nil {
		return nil, err
	}
	rules := slices.DeleteFunc(slices.Clone(r.rules), func(g merge.Generated) bool { return g.By == "" })
	for _, g := range rules {
		if !r.trusted.has(g) {
			return nil, fmt.Errorf("%s: `%s` is not trusted in this clone, and nobody is asked here (git merge-yaml regenerate --trust)", g.Source, g.By)
		}
	}
	dir, err := os.MkdirTemp("", "git-merge-yaml-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	top := filepath.Join(dir, "tree")
	if _, err := r.tree.Run("worktree", "add", "--quiet", "--detach", top, commit); err != nil {
		return nil, err
	}
	defer func() {
		_, removed := r.tree.Run("worktree", "remove", "--force", top)
		err = errors.Join(err, removed)
	}()
	return r.otherwise(rules, top, out)
}

// otherwise makes the files in the work tree at top.
func (r *regenerator) otherwise(rules []merge.Generated, top string, out io.Writer) (all []Otherwise, err error) {
	w := &work{tree: &git.WorkTree{Git: git.In(top), Top: top}}
	files, err := session.At(top, session.Options{}).Files()
	if err != nil {
		return nil, err
	}
	if w.jobs, err = plan(rules, files); err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for i, j := range w.jobs {
		if err := run(ctx, out, top, j.by, i+1, len(w.jobs), environment(r.session)); err != nil {
			return nil, err
		}
	}
	changed, err := w.changed()
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		if i := r.ruleOf(path); i >= 0 {
			all = append(all, Otherwise{path, r.rules[i].By})
		}
	}
	return all, err
}
