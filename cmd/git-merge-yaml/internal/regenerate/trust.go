package regenerate

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// readTrust reads the file, in the program's folder in git's, with the rules that this clone
// was told to trust, each by a line that begins with its sum. All work trees share it.
func (r *regenerator) readTrust() error {
	_, common, err := r.session.Git.Folders()
	if err != nil {
		return err
	}
	r.trustFile = filepath.Join(common, situation.Folder, "trusted")
	data, err := disk.ReadIfAny(r.trustFile)
	r.trusted = string(data)
	return err
}

// sum is what a rule is known by: all of its text but for its form.
func sum(g merge.Generated) string {
	text, _ := json.Marshal([]any{g.Files, g.From, g.By}) // texts can always be written
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

func (r *regenerator) trusts(g merge.Generated) bool {
	return strings.Contains("\n"+r.trusted, "\n"+sum(g)+" ")
}

// Trust lets the commands of the rules, as they are now, run in this clone without asking.
func Trust(s *session.Session, out io.Writer) error {
	r, err := read(s, Options{Stdout: out})
	if err != nil {
		return err
	}
	for _, g := range r.rules {
		switch {
		case g.By == "":
			r.say("%s: no command to trust", g.Source)
		case r.trusts(g):
			r.say("%s: `%s` is trusted already", g.Source, g.By)
		default:
			r.trusted += fmt.Sprintf("%s %q\n", sum(g), g.By)
			r.say("%s: `%s` runs in this clone from now on without asking, until the rule changes", g.Source, g.By)
		}
	}
	if err := os.MkdirAll(filepath.Dir(r.trustFile), 0o777); err != nil {
		return err
	}
	return disk.ReplaceOrMake(r.trustFile, []byte(r.trusted))
}

// agree asks the person about the commands that are not trusted. Where nobody is there to be
// asked, as in hooks and jobs, and for rules that are not those of HEAD, only trust counts.
func (r *regenerator) agree() error {
	asked, committed := false, r.committed()
	for i, j := range r.jobs {
		before := fmt.Sprintf("%d. ", i+1)
		for line := range strings.SplitSeq(strings.TrimSuffix(j.by, "\n"), "\n") { // a \n in it is no new line
			r.say("%s%s", before, line)
			before = "   "
		}
		for _, g := range j.rules {
			kind := "trusted"
			if !r.trusts(g) {
				kind, asked = "not trusted", true
			}
			r.say("   %s, %s: %s, from %s", g.Source, kind, strings.Join(g.Files, ", "), cmp.Or(strings.Join(g.From, ", "), "all else"))
			if !r.trusts(g) && !committed(g) {
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

// committed tells the rules that the commit has which is merged into: others may come from
// the other side. All of a file outside of the work tree are the person's own.
func (r *regenerator) committed() func(merge.Generated) bool {
	name := cmp.Or(r.session.RulesFile(), team.File)
	if filepath.IsAbs(name) {
		rel, ok := within(r.tree.Top, name)
		if !ok {
			return func(merge.Generated) bool { return true }
		}
		name = rel
	}
	data, err := r.tree.Run("cat-file", "blob", "HEAD:"+name)
	var rules *merge.Rules
	if err == nil {
		rules, _ = merge.ParseRules(name, data, build.Version()) // with mistakes they are none
	}
	return func(g merge.Generated) bool {
		return slices.ContainsFunc(rules.Generated(), func(h merge.Generated) bool { return sum(g) == sum(h) })
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
