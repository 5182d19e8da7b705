package regenerate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// trustFile is the file, in the program's folder in git's, with the sums of the rules that
// this clone was told to trust. All work trees of the clone share it.
const trustFile = "trusted"

// A trust is the sums of the rules that are trusted.
type trust struct {
	file string
	sums []string
}

func readTrust(s *session.Session) (t trust, err error) {
	dir, err := s.SharedFolder()
	if err != nil {
		return t, err
	}
	t.file = filepath.Join(dir, trustFile)
	data, err := os.ReadFile(t.file)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	for line := range strings.Lines(string(data)) {
		if sum, _, _ := strings.Cut(strings.TrimSpace(line), " "); len(sum) == 2*sha256.Size {
			t.sums = append(t.sums, sum)
		}
	}
	return t, err
}

// sum is what a rule is known by: all of its text but for its form.
func sum(g merge.Generated) string {
	text, _ := json.Marshal([]any{g.Files, g.From, g.By}) // texts can always be written
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

func (t trust) has(g merge.Generated) bool { return slices.Contains(t.sums, sum(g)) }

// Trust lets the commands of the rules, as they are now, run in this clone without asking.
func Trust(s *session.Session, out io.Writer) error {
	r, err := read(s, Options{Stdout: out})
	if err != nil {
		return err
	}
	lines := ""
	for _, g := range r.rules {
		switch {
		case g.By == "":
			r.say("%s: no command to trust", g.Source)
		case r.trusted.has(g):
			r.say("%s: `%s` is trusted already", g.Source, g.By)
		default:
			lines += sum(g) + " " + fmt.Sprintf("%q", g.By) + "\n"
			r.say("%s: `%s` runs in this clone from now on without asking, until the rule changes", g.Source, g.By)
		}
	}
	if lines == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(r.trusted.file), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(r.trusted.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lines)
	return errors.Join(err, f.Close())
}

// Distrust takes all trust of this clone back.
func Distrust(s *session.Session, out io.Writer) error {
	t, err := readTrust(s)
	if err != nil {
		return err
	}
	if err := os.Remove(t.file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	fmt.Fprintln(out, "no command is trusted in this clone now")
	return nil
}

// A Trusted is a rule, and whether this clone trusts its command.
type Trusted struct {
	merge.Generated
	Trusted bool
}

// Rules are the rules that count, with whether they are trusted.
func Rules(s *session.Session) (all []Trusted, err error) {
	rules, err := s.Rules()
	if err != nil || len(rules.Generated()) == 0 {
		return nil, err
	}
	t, err := readTrust(s)
	for _, g := range rules.Generated() {
		all = append(all, Trusted{g, t.has(g)})
	}
	return all, err
}

// agree asks the person about the commands that are not trusted. Where nobody is there to be
// asked, as in hooks and jobs, and for rules that are not those of HEAD, only trust counts.
func (r *regenerator) agree(jobs []*job) error {
	asked, foreign := false, r.foreign()
	for i, j := range jobs {
		r.say("%d. %s", i+1, j.by)
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
	if err != nil && !errors.Is(err, io.EOF) {
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
		rel, err := filepath.Rel(r.tree.Top, name)
		if err != nil || !filepath.IsLocal(rel) {
			return func(merge.Generated) bool { return false }
		}
		name = filepath.ToSlash(rel)
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
