package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A MergedTree is what git makes of two commits, without a work tree.
type MergedTree struct {
	Tree  ID
	Clean bool
	// Messages are what git says of paths: that it merged their content, or what is in
	// conflict about them.
	Messages []Message
	// Unmerged are the paths in conflict that have stages.
	Unmerged []Unmerged
	// Failed says why there is no merge: unrelated histories, say.
	Failed string
}

// A Message is a kind of message, as "CONFLICT (modify/delete)", and the paths it is about.
type Message struct {
	Kind  string
	Paths []string
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
	args := append(append([]string{}, options...), "merge-tree", "--write-tree", "--messages", "--allow-unrelated-histories", "-z", "--stdin")
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
		var said Message
		for range paths {
			said.Paths = append(said.Paths, next())
		}
		said.Kind = next()
		next() // its text
		m.Messages = append(m.Messages, said)
	}
	if failed != nil {
		return m, failed
	}
	m.Unmerged, err = parseUnmerged([]byte(stages.String()))
	return m, err
}

// A NewCommit is one to make: the tree with other files in it.
type NewCommit struct {
	Parents []ID
	Tree    ID
	Files   map[string]NewFile
}

// A NewFile is one of a new commit.
type NewFile struct {
	Mode    Mode
	Content []byte
}

// Commit makes commits that no ref names, in one process.
func (g Git) Commit(all []NewCommit) ([]ID, error) {
	var in bytes.Buffer
	for i, c := range all {
		fmt.Fprintf(&in, "commit refs/made\nmark :%d\ncommitter a <a> 0 +0000\ndata 0\n", i+1)
		for i, p := range c.Parents {
			fmt.Fprintf(&in, "%s %s\n", []string{"from", "merge"}[min(i, 1)], p)
		}
		fmt.Fprintf(&in, "M 040000 %s \"\"\n", c.Tree)
		for path, f := range c.Files {
			fmt.Fprintf(&in, "M %o inline %s\ndata %d\n%s\n", f.Mode, quotedPath(path), len(f.Content), f.Content)
		}
		fmt.Fprintf(&in, "\nget-mark :%d\nreset refs/made\n\n", i+1)
	}
	out, err := g.Feed(in.Bytes(), "fast-import", "--quiet", "--force", "--cat-blob-fd=1")
	if err != nil {
		return nil, err
	}
	ids, err := parseIDs(string(out))
	if err == nil && len(ids) != len(all) {
		err = errFormat
	}
	return ids, err
}

// quotedPath is a path as git fast-import reads it.
func quotedPath(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

// Rebased returns commits of which the merges are those of picks over their ancestors: for
// each, ours and theirs.
func (g Git) Rebased(picks []Merge) (pairs [][2]ID, err error) {
	var commits []ID
	for _, m := range picks {
		commits = append(commits, m.Over, m.Ours, m.Theirs)
	}
	trees, err := g.TreesOf(commits)
	if err != nil {
		return nil, err
	}
	var made []NewCommit
	for i := 0; i < len(trees); i += 3 {
		made = append(made, NewCommit{Tree: trees[i]})
	}
	bases, err := g.Commit(made)
	if err != nil {
		return nil, err
	}
	made = nil
	for i, base := range bases {
		made = append(made, NewCommit{Parents: []ID{base}, Tree: trees[3*i+1]}, NewCommit{Parents: []ID{base}, Tree: trees[3*i+2]})
	}
	sides, err := g.Commit(made)
	for pair := range slices.Chunk(sides, 2) {
		pairs = append(pairs, [2]ID(pair))
	}
	return pairs, err
}

// ErrOld says that git is too old for the commands that merge anew.
var ErrOld = errors.New("git 2.39 or later is needed to merge past or coming merges anew; the merge driver itself needs 2.17")

// Scratch is g as a repository without a work tree, refs and attributes of its own, made in
// a folder, with the objects and the configuration of the one that g runs in. New objects
// are written to the folder.
func (g Git) Scratch(folder string) (Git, error) {
	if !g.AtLeast(2, 39) {
		return g, ErrOld
	}
	out, err := g.Run("rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "config",
		"--git-path", "shallow", "--show-object-format")
	if err != nil {
		return g, err
	}
	of := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(of) != 4 {
		return g, errFormat
	}
	objects, config, shallow := filepath.Join(folder, "objects"), filepath.Join(folder, "config"), filepath.Join(folder, "shallow")
	g.Env = append(g.Env[:len(g.Env):len(g.Env)], "GIT_DIR="+folder, "GIT_OBJECT_DIRECTORY="+objects, "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1")
	g.Dir = folder // where git has its files while it merges them
	if err := os.Mkdir(folder, 0o700); err != nil {
		return g, err
	}
	if _, err := g.Run("init", "-q", "--bare", "--template=", "--object-format="+of[3]); err != nil {
		return g, err
	}
	if _, err := g.Run("config", "--file", config, "include.path", of[1]); err != nil {
		return g, err
	}
	made, err := os.ReadFile(config)
	// What comes last counts, and nobody misses what is lost, nor its room.
	made = append(made, "[core]\n\tbare = true\n\tfsync = none\n\tlooseCompression = 0\n\tattributesFile = "+os.DevNull+"\n"...)
	err = errors.Join(err, os.WriteFile(config, made, 0o600),
		os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte(of[0]+"\n"), 0o600))
	if data, missing := os.ReadFile(of[2]); missing == nil {
		err = errors.Join(err, os.WriteFile(shallow, data, 0o600))
	}
	return g, err
}
