package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A MergedTree is what git makes of two commits, without a work tree.
type MergedTree struct {
	Tree  ID
	Clean bool
	// Touched are the paths of which git says something: that it merged their content,
	// or what is in conflict about them.
	Touched []string
	// Unmerged are the paths in conflict that have stages.
	Unmerged []Unmerged
	// Failed says why there is no merge: unrelated histories, say.
	Failed string
}

// MergeTrees merges pairs of commits, the first of each as ours, in one process as long
// as none fails, with options of git before the command. It gives each merge to each, in
// order; an error of that ends it, and is returned.
func (g Git) MergeTrees(options []string, pairs [][2]ID, each func(int, MergedTree) error) error {
	for done := 0; done < len(pairs); {
		n, failed, err := g.mergeTrees(options, pairs[done:], func(i int, m MergedTree) error { return each(done+i, m) })
		if err != nil {
			return err
		}
		if done += n; failed != "" && done < len(pairs) { // git gives up at the first
			if err := each(done, MergedTree{Failed: failed}); err != nil {
				return err
			}
			done++
		}
	}
	return nil
}

// mergeTrees runs one process, and returns how many merges it made, and what it ended
// with if those are not all.
func (g Git) mergeTrees(options []string, pairs [][2]ID, each func(int, MergedTree) error) (done int, failed string, err error) {
	var in, said bytes.Buffer
	for _, p := range pairs {
		in.WriteString(p[0].String() + " " + p[1].String() + "\n")
	}
	ctx, cancel := context.WithCancel(cmp.Or(g.Context, context.Background()))
	defer cancel()
	args := append(append([]string{}, options...), "merge-tree", "--write-tree", "--messages", "-z", "--stdin")
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr, cmd.ExtraFiles = g.Dir, g.environ(), &in, &said, g.Inherited
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, "", err
	}
	if err := cmd.Start(); err != nil {
		return 0, "", err
	}
	r := bufio.NewReader(out)
	for done < len(pairs) {
		m, err := readMerged(r)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err == nil {
			err = each(done, m)
		}
		if err != nil {
			cancel()
			_ = cmd.Wait() // what ended it is known
			return done, "", err
		}
		done++
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return done, "", ctx.Err()
	case done == len(pairs):
		return done, "", nil
	}
	failed = strings.TrimSpace(strings.TrimPrefix(said.String(), "fatal: "))
	if done == 0 && cmd.ProcessState.ExitCode() == usage {
		return 0, "", errors.New("git merge-tree has no --stdin here: git 2.39 or later is needed")
	}
	return done, cmp.Or(failed, "git merge-tree ended too early"), nil
}

// readMerged reads one merge: its status and tree, the stages that are left, and the
// messages, each with its paths.
func readMerged(r *bufio.Reader) (m MergedTree, err error) {
	var failed error
	next := func() string {
		s, err := r.ReadString(0)
		if err != nil {
			failed = cmp.Or(failed, err)
		}
		return strings.TrimSuffix(s, "\x00")
	}
	m.Clean = next() == "1"
	tree := next()
	if failed != nil {
		return m, failed
	}
	if m.Tree, err = ParseID(tree); err != nil {
		return m, errFormat
	}
	var stages strings.Builder
	for line := next(); line != "" && failed == nil; line = next() {
		stages.WriteString(line + "\x00")
	}
	for n := next(); n != "" && failed == nil; n = next() {
		paths, bad := strconv.Atoi(n)
		if bad != nil || paths < 0 {
			return m, errFormat
		}
		for range paths {
			m.Touched = append(m.Touched, next())
		}
		next() // what kind of message it is
		next() // and its text
	}
	if failed != nil {
		return m, failed
	}
	m.Unmerged, err = parseUnmerged([]byte(stages.String()))
	return m, err
}

// Scratch is g as a repository without a work tree, and without refs, made in a folder,
// with the objects and the configuration of the one that g runs in. New objects are
// written to the folder or, where that is asked for, to the repository.
func (g Git) Scratch(folder string, keep bool) (Git, error) {
	out, err := g.Run("rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "config",
		"--git-path", "info/attributes", "--git-path", "shallow", "--show-object-format")
	if err != nil {
		return g, err
	}
	of := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(of) != 5 {
		return g, errFormat
	}
	objects := of[0]
	if _, err := g.Run("init", "-q", "--bare", "--template=", "--object-format="+of[4], "--", folder); err != nil {
		return g, err
	}
	if err := os.MkdirAll(filepath.Join(folder, "info"), 0o700); err != nil {
		return g, err
	}
	for from, to := range map[string]string{of[2]: "info/attributes", of[3]: "shallow"} {
		if data, err := os.ReadFile(from); err == nil {
			if err := os.WriteFile(filepath.Join(folder, to), data, 0o600); err != nil {
				return g, err
			}
		}
	}
	config := filepath.Join(folder, "config")
	if _, err := g.Run("config", "--file", config, "include.path", of[1]); err != nil {
		return g, err
	}
	last := "[core]\n\tbare = true\n" // what comes last counts
	if !keep {
		last += "\tfsync = none\n" // nobody misses what is lost
	}
	own, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(own, last...), 0o600)
	}
	if err != nil {
		return g, err
	}
	alternates := []byte(objects + "\n")
	if err := os.WriteFile(filepath.Join(folder, "objects", "info", "alternates"), alternates, 0o600); err != nil {
		return g, err
	}
	g.Env = append(g.Env[:len(g.Env):len(g.Env)], "GIT_DIR="+folder)
	if keep {
		g.Env = append(g.Env, "GIT_OBJECT_DIRECTORY="+objects)
	}
	return g, nil
}
