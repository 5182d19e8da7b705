// Package regenerate runs the commands that generate files from merged sources, and stages the files. A generated file
// is not merged well line by line or by field: after a merge of its sources, it has to be generated again. The rules
// file of the team names such files, their sources and the command:
//
//	generated:
//	  - files: [README.md]
//	    from: [out/**]
//	    by: make readme
//	  - files: [out/**]
//	    from: [chart/**]
//	    by: make render
//
// If both sides of a merge changed files below chart, Run runs "make render", then "make readme", because the second
// command reads the outputs of the first. It then stages README.md and the files below out, as far as they changed.
//
// The rules file may have come from any branch that was merged. For this reason a command runs only if the user has
// trusted the exact text of its rule in this clone (see Trust). Commands see few variables of the environment: none of
// git, and no tokens. Nothing is staged until all commands have succeeded. Run does not merge anything, and refuses
// to start while a source that is not generated is unmerged.
//
// Terms:
//
//	job              a command, with all rules that name it; it runs once
//	output           a file that a rule says is generated
//	declared source  a file that matches the field from of a rule
//	trusted rule     a rule that the user has allowed to run its command in this clone
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
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// Options are the options of Run. Trust uses none of them but Stdout.
type Options struct {
	Stdout, Stderr io.Writer
	All            bool // generate the files of all rules, not only those that a merge affects
}

// A regenerator runs the commands of the rules in one work tree.
type regenerator struct {
	Options
	session  *session.Session
	tree     *git.WorkTree
	rules    []program.Generated
	unmerged []git.Unmerged
	jobs     []*job // the jobs to run, in this order

	trustFile, trustList string // the path of the file of trusted rules, and its content

	statesBefore map[string]string      // result of changedFiles before the first command
	removed      map[string]removedFile // files that prepareWorkTree removed or overwrote, by path
}

// newRegenerator returns a regenerator without jobs. It has all rules for generated files in the team's rules, even
// those without a command, and the list of rules that the user has trusted in this clone. It fails if the team's rules
// cannot be used or have no such rules, if there is no work tree, or if the list cannot be read.
func newRegenerator(s *session.Session, o Options) (*regenerator, error) {
	tree, err := s.WorkTree()
	if err != nil {
		return nil, err
	}
	if err := s.FirstRulesError(); err != nil {
		return nil, err
	}
	rules, _ := s.Rules()
	r := &regenerator{Options: o, session: s, tree: tree, rules: program.GeneratedRules(rules), removed: map[string]removedFile{}}
	if len(r.rules) == 0 {
		return nil, fmt.Errorf("%s has no rules for generated files (\"generated\")", s.RulesFile())
	}
	return r, r.readTrust()
}

// isOutput reports whether one of the commands that have to run generates the file at path.
func (r *regenerator) isOutput(path string) bool {
	return slices.ContainsFunc(r.jobs, func(j *job) bool { return j.isOutput(path) })
}

// Run runs, with sh at the top of the work tree, the commands that generate files after a merge (see planJobs), and
// stages these files. done is false without an error if a source has unresolved conflicts. After an error, such as a
// rule without the user's trust, nothing is staged, and files that Run changed are restored, except if staging failed.
// The error wraps terminal.ErrInterrupted after Ctrl-C.
func Run(s *session.Session, o Options) (done bool, err error) {
	r, err := newRegenerator(s, o)
	if err != nil {
		return false, err
	}
	contributions, err := r.readMergeState()
	if err != nil {
		return false, err
	}
	files, err := r.tree.Paths("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return false, err
	}
	if r.jobs, err = planJobs(r.rules, contributions, files, r.All); err != nil {
		return false, err
	}
	if len(r.jobs) == 0 {
		terminal.PrintLine(r.Stdout, "no files to regenerate; use --all to regenerate the files of all rules")
		return true, nil
	}
	refused := false
	for _, j := range r.jobs {
		if j.command == "" {
			return false, fmt.Errorf("%s: no command generates %s; add one to the rule (by: COMMAND)", j.rules[0].Source, strings.Join(j.rules[0].Files, ", "))
		}
		for _, u := range r.unmerged {
			if j.isSource(u.Path) && !r.isOutput(u.Path) {
				refused = true
				terminal.PrintLine(r.Stderr, "%s: unmerged; resolve the file first, because `%s` generates files from it", u.Path, j.command)
			}
		}
	}
	if refused {
		return false, nil
	}
	if err := r.checkTrust(); err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = r.prepareWorkTree()
	for i := 0; i < len(r.jobs) && err == nil; i++ {
		err = r.runJob(ctx, i)
	}
	if err != nil {
		return false, errors.Join(err, r.restoreFiles())
	}
	if err := r.stageOutputs(); err != nil {
		return false, fmt.Errorf("cannot stage the generated files: %w", err)
	}
	return true, nil
}

// readMergeState stores the unmerged files in r.unmerged, and returns, for each side of the merge, the paths of the
// files that it contributed: those that differ in the index from the other side. The merge is the operation that
// stopped, or HEAD if it is a merge commit. The result is nil without a merge, and has only one list after a stash.
func (r *regenerator) readMergeState() (contributions [][]string, err error) {
	if r.unmerged, err = r.tree.Unmerged(nil); err != nil {
		return nil, err
	}
	sides := []string{"HEAD"} // the only one if files are unmerged, but git does not record theirs, as for a stash
	if m, ok := r.session.Situation([3]string{}).StoppedMerge(); ok {
		sides = append(sides, m.Theirs.String())
	} else if len(r.unmerged) == 0 {
		parents, err := r.tree.Run("rev-list", "--parents", "--max-count=1", "HEAD", "--")
		if sides = strings.Fields(string(parents)); err != nil || len(sides) < 3 {
			return nil, nil // HEAD is no merge, or there is none yet
		}
		sides = sides[1:]
	}
	for _, side := range sides {
		paths, err := r.tree.Paths("diff-index", "--cached", "--name-only", "--no-renames", "-z", side)
		if err != nil {
			return nil, err
		}
		contributions = append(contributions, paths)
	}
	return contributions, nil
}

// runJob runs r.jobs[i] with sh, at the top of the work tree, and writes its progress and output to r.Stderr. The
// command has no input and few variables of the environment. If ctx is cancelled, the command is killed, with all
// processes that it started where the system permits that, and the error is terminal.ErrInterrupted. If the command
// fails, the error names it.
func (r *regenerator) runJob(ctx context.Context, i int) error {
	command, counter := r.jobs[i].command, fmt.Sprintf("[%d/%d]", i+1, len(r.jobs))
	terminal.PrintLine(r.Stderr, "%s %s ...", counter, command)
	start := time.Now()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = r.tree.Top, commandEnvironment()
	cmd.Stdout, cmd.Stderr = r.Stderr, r.Stderr
	cmd.WaitDelay = 5 * time.Second
	killGroupOnCancel(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		terminal.PrintLine(r.Stderr, "interrupted; nothing was staged")
		return terminal.ErrInterrupted
	case err != nil:
		return fmt.Errorf("`%s` failed: %w; nothing was staged", command, err)
	}
	terminal.PrintLine(r.Stderr, "%s done in %.1f s", counter, time.Since(start).Seconds())
	return nil
}

// passedVariables are the names of environment variables that a command sees, besides LC_* and XDG_*. Variables of git,
// of hooks and of CI jobs are not among them, and neither are tokens.
var passedVariables = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles",
}

// commandEnvironment returns the environment for the commands that generate files, in the form NAME=value: those
// variables of this process that are in passedVariables or begin with LC_ or XDG_, and TERM=dumb. Other variables, such
// as tokens and those of git, are left out.
func commandEnvironment() (env []string) {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(passedVariables, name) || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
			env = append(env, v)
		}
	}
	return append(env, "TERM=dumb")
}
