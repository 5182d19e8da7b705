// Package regenerate takes the files that a merge left to be made again, and has the programs
// make them that the team's rules name.
//
// A command comes from a file that anybody may have committed. So none runs that a person did
// not agree to, here and now or once for its very text in this clone; it sees of the
// environment what a login would have, and nothing is staged until all of them succeeded.
package regenerate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Options say what is made, and who is asked.
type Options struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Yes            bool // the person at the terminal agrees without being asked
	All            bool // make all files of all rules, whether a merge left them or not
}

// A regenerator makes files again in a work tree.
type regenerator struct {
	Options
	session  *session.Session
	tree     *git.WorkTree
	rules    []merge.Generated
	unmerged []git.Unmerged
	again    session.Again
	trusted  trust
}

// Files makes the files that are to be made again, and stages them.
func Files(s *session.Session, o Options) error {
	r, err := read(s, o)
	if err != nil {
		return err
	}
	if r.unmerged, err = r.tree.Unmerged(nil); err != nil {
		return err
	}
	if r.again, err = s.Again(); err != nil {
		return err
	}
	files, err := s.Files()
	if err != nil {
		return err
	}
	jobs, err := plan(r.due(files), files)
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		r.say("nothing is to be made again here (--all makes all that the rules name)")
		return nil
	}
	if err := r.check(jobs); err != nil {
		return err
	}
	if err := r.agree(jobs); err != nil {
		return err
	}
	return r.make(jobs)
}

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

func read(s *session.Session, o Options) (*regenerator, error) {
	tree, err := s.WorkTree()
	if err != nil {
		return nil, err
	}
	rules, err := s.Rules()
	if err != nil {
		return nil, s.FirstMistake()
	}
	r := &regenerator{Options: o, session: s, tree: tree, rules: rules.Generated()}
	if len(r.rules) == 0 {
		return nil, errors.New("no rule says what is generated here: there is no entry under generated in the team's file")
	}
	r.trusted, err = readTrust(s)
	return r, err
}

// due are the rules that have something to make, in the order of the team's file.
func (r *regenerator) due(files []string) []merge.Generated {
	open := slices.Concat(r.again.Left, r.again.Clean)
	for _, u := range r.unmerged {
		open = append(open, u.Path)
	}
	due := make([]bool, len(r.rules))
	for _, p := range open {
		if i := r.ruleOf(p); i >= 0 {
			due[i] = true
		}
	}
	for again := true; again; { // what is made from what is made
		again = false
		for i, g := range r.rules {
			if !due[i] && (r.All || len(g.From) > 0 && slices.ContainsFunc(files, func(p string) bool {
				by := r.ruleOf(p)
				return by >= 0 && due[by] && g.Needs(p)
			})) {
				due[i], again = true, true
			}
		}
	}
	var all []merge.Generated
	for i, g := range r.rules {
		if due[i] {
			all = append(all, g)
		}
	}
	return all
}

// ruleOf is the first rule that makes a file, -1 if none does.
func (r *regenerator) ruleOf(path string) int {
	return slices.IndexFunc(r.rules, func(g merge.Generated) bool { return g.Makes(path) })
}

// check refuses what cannot be made right now.
func (r *regenerator) check(jobs []*job) error {
	made := func(p string) bool { return slices.ContainsFunc(jobs, func(j *job) bool { return j.makes(p) }) }
	refused := false
	for _, j := range jobs {
		if j.by == "" {
			return fmt.Errorf("%s: nothing says what makes %s: write its command behind by: there", j.rules[0].Source, strings.Join(j.rules[0].Files, ", "))
		}
		for _, u := range r.unmerged {
			if j.needs(u.Path) && !made(u.Path) {
				refused = true
				fmt.Fprintln(r.Stderr, terminal.Printable(fmt.Sprintf("%s: unmerged, and `%s` makes files from it: resolve it first", u.Path, j.by)))
			}
		}
	}
	if refused {
		return ErrLeft
	}
	return nil
}

// make runs the commands, then stages what they made.
func (r *regenerator) make(jobs []*job) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w := &work{tree: r.tree, jobs: jobs, unmerged: r.unmerged, clean: r.again.Clean}
	if err := w.prepare(); err != nil {
		return err
	}
	for i, j := range jobs {
		if err := run(ctx, r.Stderr, r.tree.Top, j.by, i+1, len(jobs), environment(r.session)); err != nil {
			return errors.Join(err, w.putBack())
		}
	}
	done, err := w.stage()
	if err != nil {
		return fmt.Errorf("the files are made, but not staged: %w", err)
	}
	for _, line := range done {
		r.say("%s", line)
	}
	return r.session.ForgetAgain()
}
