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

// A MergedTree is the result of git merge-tree: a merge of two commits without a work tree.
type MergedTree struct {
	// Tree is the merged tree. Files with conflicts contain conflict markers.
	Tree ID
	// Messages are git's messages about paths, for example that a file was merged or that it has a conflict.
	Messages []Message
	// Unmerged are the paths with conflicts that would have stages in the index.
	Unmerged []Unmerged
	// Failure is git's error message if the commits could not be merged, otherwise "". All other fields are then
	// zero.
	Failure string
}

// A Message is a message of git merge-tree about paths, without its text.
type Message struct {
	Kind  string // such as "Auto-merging" or "CONFLICT (modify/delete)"
	Paths []string
}

// MergeTrees merges pairs of commits, ours and theirs, with git merge-tree, which determines the base. It calls visit
// for each pair, in order, with its index and the result; if git fails at the pair, the result has a Failure. options
// are options of git itself, such as -c KEY=VALUE. If git cannot be started or is killed, it returns an error, and the
// remaining pairs are not visited.
func (g Git) MergeTrees(options []string, pairs [][2]ID, visit func(int, MergedTree)) error {
	args := slices.Concat(options, []string{"merge-tree", "--write-tree", "--messages", "--allow-unrelated-histories", "-z", "--stdin"})
	single := false // whether to merge only the next pair, because the output could not be parsed at that pair
	for next := 0; next < len(pairs); {
		end := len(pairs)
		if single {
			end = next + 1
		}
		err := g.runStreaming(formatPairs(pairs[next:end]), args, func(r *bufio.Reader) error {
			for ; next < end; next++ {
				m, err := readMergedTree(r)
				if err != nil {
					return err
				}
				visit(next, m)
			}
			return nil
		})
		gitErr, isGitErr := errors.AsType[*Error](err)
		switch {
		case next == len(pairs):
			return nil
		case next == end:
			single = false
			continue
		case g.Context != nil && g.Context.Err() != nil:
			return g.Context.Err()
		case isGitErr && gitErr.ExitCode >= 0: // git exits at the first pair that it cannot merge
			visit(next, MergedTree{Failure: strings.TrimSpace(strings.TrimPrefix(gitErr.Stderr, "fatal: "))})
		case errors.Is(err, io.EOF):
			visit(next, MergedTree{Failure: "git merge-tree exited early"})
		// The cause may be the output of an earlier pair, so a process of its own merges this pair again.
		case err == errUnexpectedOutput && !single:
			single = true
			continue
		case err == errUnexpectedOutput:
			visit(next, MergedTree{Failure: err.Error()})
		default:
			return err
		}
		next, single = next+1, false
	}
	return nil
}

// formatPairs returns one line for each pair, the two ids in hexadecimal separated by a space, or nil without pairs.
func formatPairs(pairs [][2]ID) []byte {
	var in bytes.Buffer
	for _, p := range pairs {
		in.WriteString(p[0].String() + " " + p[1].String() + "\n")
	}
	return in.Bytes()
}

// readMergedTree reads one merge from the output of git merge-tree -z --stdin: status, tree, unmerged stages, and
// messages with their paths. The error is io.EOF if the output ends before the end of the merge. It is
// errUnexpectedOutput or that of an id if the output has another form. m must not be used then.
func readMergedTree(r *bufio.Reader) (m MergedTree, err error) {
	readField := func() string {
		s, readErr := r.ReadString(0)
		err = cmp.Or(err, readErr)
		return strings.TrimSuffix(s, "\x00")
	}
	status := readField() // "1" for a merge without conflicts, "0" for one with conflicts
	tree := readField()
	if err == nil && status != "0" && status != "1" {
		return m, errUnexpectedOutput
	}
	var stages []string
	for line := readField(); line != "" && err == nil; line = readField() {
		stages = append(stages, line)
	}
	for n := readField(); n != "" && err == nil; n = readField() {
		pathCount, countErr := strconv.Atoi(n)
		// Instead of the empty field at the end, git prints advice about submodules with conflicts. The next field is
		// the status of the next merge, which is checked.
		if countErr != nil {
			break
		}
		var message Message
		for range pathCount {
			message.Paths = append(message.Paths, readField())
		}
		message.Kind = readField()
		readField() // the text
		m.Messages = append(m.Messages, message)
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

// ReparentOntoBase makes it possible to merge with a given base, as a cherry-pick does, in git before 2.40. For each of
// picks, it creates two commits in the repository of g. They have the trees of Ours and Theirs, and Base as their only
// parent, so that a merge of the two has that base. It returns their ids as pairs, in order. No ref points to them.
func (g Git) ReparentOntoBase(picks []Merge) (pairs [][2]ID, err error) {
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
		fmt.Fprintf(&in, "commit refs/made\nmark :%d\ncommitter a <a> 0 +0000\ndata 0\nfrom %s\nM 040000 %s \"\"\n\n", i+1, picks[i/2].Base, tree)
		fmt.Fprintf(&in, "get-mark :%d\nreset refs/made\n\n", i+1)
	}
	created, err := g.runIDs(in.Bytes(), "fast-import", "--quiet", "--force", "--cat-blob-fd=1")
	if err != nil || len(created) != len(trees) {
		return nil, cmp.Or(err, errUnexpectedOutput)
	}
	for pair := range slices.Chunk(created, 2) {
		pairs = append(pairs, [2]ID(pair))
	}
	return pairs, nil
}

// CreateScratchRepository creates a bare repository at dir, which must not exist, and returns a Git that runs there,
// for merges that do not change the refs and the index of g. The new repository has the objects and the configuration
// of g, but no refs, replacements (refs/replace) or attributes files. The caller removes dir. It fails if git is older
// than 2.39.
func (g Git) CreateScratchRepository(dir string) (Git, error) {
	if !g.IsAtLeast(2, 39) {
		return g, errors.New("this command needs git 2.39 or later (the merge driver needs git 2.17 or later)")
	}
	out, err := g.Run("rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "config",
		"--git-path", "shallow", "--show-object-format")
	if err != nil {
		return g, err
	}
	origin := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(origin) != 4 {
		return g, errUnexpectedOutput
	}
	objects, config, shallow := filepath.Join(dir, "objects"), filepath.Join(dir, "config"), filepath.Join(dir, "shallow")
	promisors, _ := filepath.Glob(filepath.Join(origin[0], "pack", "*.promisor"))
	isPartial := len(promisors) > 0
	// Objects that git fetches from the remote of a partial clone are kept there, so that they are fetched only
	// once. The objects of merges are written there, too.
	if isPartial {
		objects = origin[0]
	}
	g = g.withEnv("GIT_DIR="+dir, "GIT_OBJECT_DIRECTORY="+objects, "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1")
	g.Dir = dir // git writes temporary files here while it merges
	if err := os.Mkdir(dir, 0o700); err != nil {
		return g, err
	}
	if _, err := g.Run("init", "-q", "--bare", "--template=", "--object-format="+origin[3]); err != nil {
		return g, err
	}
	content, err := os.ReadFile(config)
	path := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(origin[1])
	content = append(content, "[include]\n\tpath = \""+path+"\"\n"...)
	// The last value of a key is the effective one. Objects that are lost or large do not matter: dir is temporary.
	content = append(content, "[core]\n\tbare = true\n\tfsync = none\n\tlooseCompression = 0\n\tattributesFile = "+os.DevNull+"\n"...)
	err = errors.Join(err, os.WriteFile(config, content, 0o600))
	if !isPartial {
		err = errors.Join(err, os.WriteFile(filepath.Join(objects, "info", "alternates"), []byte(origin[0]+"\n"), 0o600))
	}
	if data, readErr := os.ReadFile(origin[2]); readErr == nil {
		err = errors.Join(err, os.WriteFile(shallow, data, 0o600))
	}
	return g, err
}
