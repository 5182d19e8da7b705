package regenerate

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ErrLeft says that nothing was made, since something has to be done first; that was told.
var ErrLeft = errors.New("nothing was made")

func (r *regenerator) say(format string, args ...any) {
	fmt.Fprintln(r.Stdout, terminal.Printable(fmt.Sprintf(format, args...)))
}

// agree asks the person about the commands that are not trusted. Where nobody is there to be
// asked, as in hooks and jobs, and for rules that are not those of HEAD, only trust counts.
func (r *regenerator) agree(jobs []*job) error {
	asked, foreign := false, r.foreign()
	for i, j := range jobs {
		for n, line := range strings.Split(strings.TrimSuffix(j.by, "\n"), "\n") { // a \n in it is no new line
			if n == 0 {
				line = fmt.Sprintf("%d. %s", i+1, line)
			} else {
				line = "   " + line
			}
			r.say("%s", line)
		}
		for _, g := range j.rules {
			kind := "trusted"
			if !r.trusted.has(g) {
				kind, asked = "not trusted", true
			}
			r.say("   %s, %s: %s, from %s", g.Source, kind, strings.Join(g.Files, ", "), cmp.Or(strings.Join(g.From, ", "), "all else"))
			if !r.trusted.has(g) && foreign(g) {
				return fmt.Errorf("%s: this rule is not that of HEAD, so that it may have come with what is merged: read it, and what it runs; then git merge-yaml regenerate --trust", g.Source)
			}
		}
	}
	switch {
	case !asked:
		return nil
	case !terminal.Is(r.Stdin):
		return errors.New("a command that is not trusted runs only if somebody at a terminal agrees to it (git merge-yaml regenerate --trust lets this clone run these rules without)")
	case r.Yes:
		return nil
	}
	a := &terminal.Asker{In: r.Stdin, Out: &terminal.Painter{W: r.Stdout}}
	ok, err := a.Yes("Run that here")
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, terminal.ErrQuit) {
		return err
	}
	if !ok {
		r.say("nothing was run")
		return ErrLeft
	}
	return nil
}

// foreign tells rules that the commit which is merged into does not have: they may come from
// the other side. A file outside of the work tree is the person's own.
func (r *regenerator) foreign() func(merge.Generated) bool {
	name := r.session.RulesFile()
	if filepath.IsAbs(name) {
		rel, ok := within(r.tree.Top, name)
		if !ok {
			return func(merge.Generated) bool { return false }
		}
		name = rel
	}
	data, err := r.tree.Run("cat-file", "blob", "HEAD:"+cmp.Or(name, team.File))
	if err != nil {
		return func(merge.Generated) bool { return true }
	}
	rules, err := merge.ParseRules(name, data, build.Version())
	if err != nil {
		return func(merge.Generated) bool { return true }
	}
	return func(g merge.Generated) bool {
		return !slices.ContainsFunc(rules.Generated(), func(h merge.Generated) bool { return sum(g) == sum(h) })
	}
}

// within is the path in a work tree of a file that is named by an absolute path, through whatever links.
func within(top, file string) (rel string, ok bool) {
	folder, err := os.Stat(top)
	if err != nil {
		return "", false
	}
	names := []string{file}
	if led, err := filepath.EvalSymlinks(file); err == nil {
		names = append(names, led)
	}
	for _, name := range names {
		for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil && os.SameFile(info, folder) {
				return filepath.ToSlash(strings.TrimPrefix(name[len(dir):], string(filepath.Separator))), true
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", false
}
