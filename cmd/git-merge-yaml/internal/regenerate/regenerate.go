// Package regenerate takes the files that a merge left to be made again, and has the programs
// make them that the team's rules name.
//
// A command comes from a file that anybody may have committed. So none runs but for a rule
// whose very text this clone was told to trust; it sees of the environment what a login would
// have, and nothing is staged until all of them succeeded.
package regenerate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Options say what is made, and who is told.
type Options struct {
	Stdout, Stderr io.Writer
	All            bool // make all files of all rules, whether a merge left them or not
}

// A regenerator makes files again in a work tree.
type regenerator struct {
	Options
	session  *session.Session
	tree     *git.WorkTree
	rules    []merge.Generated
	unmerged []git.Unmerged
	jobs     []*job

	trustFile, trusted string // what it says

	before map[string]string // the files that are not as staged, when the first command runs
	aside  map[string]file   // taken out of the work tree
}

func read(s *session.Session, o Options) (*regenerator, error) {
	tree, err := s.WorkTree()
	if err != nil {
		return nil, err
	}
	if err := s.FirstMistake(); err != nil {
		return nil, err
	}
	rules, _ := s.Rules()
	r := &regenerator{Options: o, session: s, tree: tree, rules: rules.Generated(), aside: map[string]file{}}
	if len(r.rules) == 0 {
		return nil, errors.New("no rule says what is generated here: there is no entry under generated in the team's file")
	}
	return r, r.readTrust()
}

func (r *regenerator) makes(path string) bool {
	return slices.ContainsFunc(r.jobs, func(j *job) bool { return j.makes(path) })
}

// Files makes the files that are to be made again, and stages them. It reports whether all is done:
// it makes nothing, and says so, where something has to be merged before.
func Files(s *session.Session, o Options) (done bool, err error) {
	r, err := read(s, o)
	if err != nil {
		return false, err
	}
	open, err := r.readIndex()
	if err != nil {
		return false, err
	}
	files, err := r.tree.Paths("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return false, err
	}
	if r.jobs, err = plan(r.rules, open, files, r.All); err != nil {
		return false, err
	}
	if len(r.jobs) == 0 {
		terminal.Say(r.Stdout, "nothing is to be made again here (--all makes all that the rules name)")
		return true, nil
	}
	refused := false
	for _, j := range r.jobs {
		if j.by == "" {
			return false, fmt.Errorf("%s: nothing says what makes %s: write its command behind by: there", j.rules[0].Source, strings.Join(j.rules[0].Files, ", "))
		}
		for _, u := range r.unmerged {
			if j.needs(u.Path) && !r.makes(u.Path) {
				refused = true
				terminal.Say(r.Stderr, "%s: unmerged, and `%s` makes files from it: resolve it first", u.Path, j.by)
			}
		}
	}
	if refused {
		return false, nil
	}
	if err := r.agree(); err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = r.prepare()
	for i := 0; i < len(r.jobs) && err == nil; i++ {
		err = r.run(ctx, i)
	}
	if err != nil {
		return false, errors.Join(err, r.putBack())
	}
	if err := r.stage(); err != nil {
		return false, fmt.Errorf("the files are made, but not staged: %w", err)
	}
	return true, nil
}

// readIndex reads what the merge that is open here left in conflict, and returns what it merged:
// the files of the index that neither side has so. Of a stash, git does not say the other side.
func (r *regenerator) readIndex() (open []string, err error) {
	if r.unmerged, err = r.tree.Unmerged(nil); err != nil {
		return nil, err
	}
	sides := []string{"HEAD"}
	if m, ok := r.session.Situation([3]string{}).Stopped(); ok {
		sides = append(sides, m.Theirs.String())
	} else if len(r.unmerged) == 0 {
		return nil, nil
	}
	differ := map[string]int{}
	for _, side := range sides {
		paths, err := r.tree.Paths("diff-index", "--cached", "--name-only", "--no-renames", "-z", side)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if differ[path]++; differ[path] == len(sides) {
				open = append(open, path)
			}
		}
	}
	return open, nil
}

// run runs a job by sh at the top of the work tree, and says on stderr that it does, with what
// the command says. Where ctx is done before, the command is killed with all that it started.
func (r *regenerator) run(ctx context.Context, i int) error {
	by, of := r.jobs[i].by, fmt.Sprintf("[%d/%d]", i+1, len(r.jobs))
	terminal.Say(r.Stderr, "%s %s ...", of, by)
	start := time.Now()
	cmd := exec.CommandContext(ctx, "sh", "-c", by)
	cmd.Dir, cmd.Env = r.tree.Top, environment()
	cmd.Stdout, cmd.Stderr = r.Stderr, r.Stderr
	cmd.WaitDelay = 5 * time.Second
	asGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		terminal.Say(r.Stderr, "ended; nothing was staged")
		return terminal.ErrInterrupted
	case err != nil:
		return fmt.Errorf("`%s` failed: %w; nothing was staged", by, err)
	}
	terminal.Say(r.Stderr, "%s done in %.1f s", of, time.Since(start).Seconds())
	return nil
}

// passed are the variables that a command sees. What git, a hook or a job sets is none of
// them, and no token.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles",
}

// environment is the environment of a command.
func environment() (env []string) {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(passed, name) || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
			env = append(env, v)
		}
	}
	return append(env, "TERM=dumb")
}
