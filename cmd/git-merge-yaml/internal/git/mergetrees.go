package git

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A MergedTree is what git makes of two commits, without a work tree.
type MergedTree struct {
	Tree ID
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
// as none fails, with options of git before the command, and gives each merge to each, in order.
func (g Git) MergeTrees(options []string, pairs [][2]ID, each func(int, MergedTree)) error {
	args := slices.Concat(options, []string{"merge-tree", "--write-tree", "--messages", "--allow-unrelated-histories", "-z", "--stdin"})
	alone := false // merge only the next one, since git's answer was not understood from there on
	for done := 0; done < len(pairs); {
		last := len(pairs)
		if alone {
			last = done + 1
		}
		err := g.stream(inPairs(pairs[done:last]), args, func(r *bufio.Reader) error {
			for ; done < last; done++ {
				m, err := readMerged(r)
				if err != nil {
					return err
				}
				each(done, m)
			}
			return nil
		})
		failed, isGit := errors.AsType[*Error](err)
		switch {
		case done == len(pairs):
			return nil
		case done == last:
			alone = false
			continue
		case g.Context != nil && g.Context.Err() != nil:
			return g.Context.Err()
		case isGit && failed.ExitCode >= 0: // git gives up at the first
			each(done, MergedTree{Failed: strings.TrimSpace(strings.TrimPrefix(failed.Stderr, "fatal: "))})
		case errors.Is(err, io.EOF):
			each(done, MergedTree{Failed: "git merge-tree ended too early"})
		case err == errFormat && !alone:
			alone = true
			continue
		case err == errFormat:
			each(done, MergedTree{Failed: err.Error()})
		default:
			return err
		}
		done, alone = done+1, false
	}
	return nil
}

// inPairs writes a pair of ids on each line.
func inPairs(pairs [][2]ID) []byte {
	var in bytes.Buffer
	for _, p := range pairs {
		in.WriteString(p[0].String() + " " + p[1].String() + "\n")
	}
	return in.Bytes()
}

// readMerged reads one merge: its status and tree, the stages that are left, and the
// messages, each with its paths. Where git ended before, that is io.EOF.
func readMerged(r *bufio.Reader) (m MergedTree, err error) {
	next := func() string {
		s, failed := r.ReadString(0)
		err = cmp.Or(err, failed)
		return strings.TrimSuffix(s, "\x00")
	}
	status := next() // whether it is clean
	tree := next()
	if err == nil && status != "0" && status != "1" {
		return m, errFormat
	}
	var stages []string
	for line := next(); line != "" && err == nil; line = next() {
		stages = append(stages, line)
	}
	for n := next(); n != "" && err == nil; n = next() {
		paths, bad := strconv.Atoi(n)
		if bad != nil { // advice about submodules in conflict, in the place of the end
			break
		}
		var said Message
		for range paths {
			said.Paths = append(said.Paths, next())
		}
		said.Kind = next()
		next() // its text
		m.Messages = append(m.Messages, said)
	}
	if err != nil {
		return m, err
	}
	m.Tree, err = ParseID(tree)
	if err == nil {
		m.Unmerged, err = parseUnmerged(stages)
	}
	return m, err
}

// Rebased makes commits, which no ref names, of which the merges are those of picks over their
// ancestors: for each, ours and theirs.
func (g Git) Rebased(picks []Merge) (pairs [][2]ID, err error) {
	var commits []ID
	for _, m := range picks {
		commits = append(commits, m.Ours, m.Theirs)
	}
	trees, err := g.TreesOf(commits)
	if err != nil || len(trees) == 0 {
		return nil, err
	}
	var in bytes.Buffer
	for i, tree := range trees {
		fmt.Fprintf(&in, "commit refs/made\nmark :%d\ncommitter a <a> 0 +0000\ndata 0\nfrom %s\nM 040000 %s \"\"\n\n", i+1, picks[i/2].Over, tree)
		fmt.Fprintf(&in, "get-mark :%d\nreset refs/made\n\n", i+1)
	}
	made, err := g.ids(in.Bytes(), "fast-import", "--quiet", "--force", "--cat-blob-fd=1")
	if err != nil || len(made) != len(trees) {
		return nil, cmp.Or(err, errFormat)
	}
	for of := range slices.Chunk(made, 2) {
		pairs = append(pairs, [2]ID(of))
	}
	return pairs, nil
}

// Scratch is g as a repository without a work tree, refs and attributes of its own, made in
// a folder, with the objects and the configuration of the one that g runs in. New objects
// are written to the folder. In a partial clone they are written to the clone, so that what git
// fetches from its remote is there the next time.
func (g Git) Scratch(folder string) (Git, error) {
	if !g.AtLeast(2, 39) {
		return g, errors.New("git 2.39 or later is needed to merge past or coming merges anew; the merge driver itself needs 2.17")
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
	promised, _ := filepath.Glob(filepath.Join(of[0], "pack", "*.promisor"))
	isPartial := len(promised) > 0
	if isPartial {
		objects = of[0]
	}
	g = g.with("GIT_DIR="+folder, "GIT_OBJECT_DIRECTORY="+objects, "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1")
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
	err = errors.Join(err, os.WriteFile(config, made, 0o600))
	if !isPartial {
		err = errors.Join(err, os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte(of[0]+"\n"), 0o600))
	}
	if data, missing := os.ReadFile(of[2]); missing == nil {
		err = errors.Join(err, os.WriteFile(shallow, data, 0o600))
	}
	return g, err
}
