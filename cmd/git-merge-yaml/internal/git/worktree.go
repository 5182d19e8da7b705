package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A WorkTree is a repository with a work tree. Its Git runs at the top of the work tree, so that paths in git's
// arguments and output are relative to the top, as in the index. They are slash-separated on all systems.
type WorkTree struct {
	Git
	Top string // absolute path of the top folder
	// Prefix is the path from Top to the directory in which this program was started: "" or, for example, "a/b/".
	Prefix string
}

// ErrNoWorkTree is returned in a bare repository and inside a .git folder.
var ErrNoWorkTree = errors.New("not in a work tree")

// WorkTree returns the work tree that contains the current directory of g, which may be a linked work tree or a
// submodule. The error is ErrNoWorkTree in a bare repository and inside of a .git folder, and ErrNoRepository outside
// of repositories. It wraps ErrNotOwned in a repository of another user. GIT_DIR and GIT_WORK_TREE are obeyed.
func (g Git) WorkTree() (*WorkTree, error) {
	output, err := g.Line("rev-parse", "--is-inside-work-tree", "--show-prefix", "--show-toplevel")
	inside, paths, _ := strings.Cut(output, "\n")
	switch {
	case err != nil && inside == "false": // printed before git fails for want of a work tree
		return nil, ErrNoWorkTree
	case err != nil:
		return nil, Explain(err)
	}
	prefix, top, _ := strings.Cut(paths, "\n")
	if strings.Contains(top, "\n") { // the name of a folder has a line break
		if prefix, err = g.Line("rev-parse", "--show-prefix"); err != nil {
			return nil, err
		}
		top = strings.TrimPrefix(paths, prefix+"\n")
	}
	t := &WorkTree{Git: g, Top: filepath.FromSlash(top), Prefix: prefix}
	t.Dir = t.Top
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"} { // relative paths are relative to the old directory, not to Top
		value := os.Getenv(name)
		if path, err := filepath.Abs(value); err == nil && value != "" && !filepath.IsAbs(value) {
			t.Git = t.withEnv(name + "=" + path)
		}
	}
	return t, nil
}

// DiskPath returns the absolute path on disk of the file at path in the index.
func (t *WorkTree) DiskPath(path string) string {
	return filepath.Join(t.Top, filepath.FromSlash(path))
}

// Rel returns the path in the index relative to the directory in which this program was started, as git status shows
// it. The result has slashes on all systems.
//
//	Prefix   path       relative
//	""       a/x.yaml   a/x.yaml
//	a/b/     a/x.yaml   ../x.yaml
func (t *WorkTree) Rel(path string) string {
	rel, _ := filepath.Rel("/"+t.Prefix, "/"+path) // cannot fail: both are absolute
	return filepath.ToSlash(rel)
}

// Smudge returns the bytes that git checkout would write for content to the file at path: with the line ends, the
// encoding and the smudge filter that its attributes demand. path is relative to the top. It also stores content,
// unchanged, as a blob in git's object store, and returns its id. The file itself is not written.
func (t *WorkTree) Smudge(path string, content []byte) (id ID, file []byte, err error) {
	ids, err := t.runIDs(content, "hash-object", "-w", "--no-filters", "--stdin")
	if err != nil {
		return "", nil, err
	}
	file, err = t.Run("cat-file", "--filters", "--path="+path, ids[0].String())
	return ids[0], file, err
}

// Clean returns the content of the blob that git add would create from content at path, which is relative to g.Dir:
// after the clean filter, and with the line ends and the encoding of the repository. It stores the blob, but does not
// change the index. It returns an error if git or a filter fails.
func (g Git) Clean(path string, content []byte) ([]byte, error) {
	ids, err := g.runIDs(content, "-c", "core.safecrlf=false", "hash-object", "-w", "--path="+path, "--stdin")
	if err != nil {
		return nil, err
	}
	return g.Run("cat-file", "blob", ids[0].String())
}

// IndexContent returns the content of the file at path in the index. The path is relative to the top and matched
// without regard to case. The content is nil, and ok is true, if the index has no such path. ok is false for anything
// that has no single content: an unmerged path, several matches, a symbolic link or a submodule.
func (g Git) IndexContent(path string) (content []byte, ok bool, err error) {
	lines, err := g.Paths("ls-files", "-z", "--stage", "--", ":(top,literal,icase)"+path)
	if err != nil || len(lines) == 0 {
		return nil, err == nil, err
	}
	info, _, _ := strings.Cut(lines[0], "\t")
	f := strings.Fields(info)
	if len(f) != 3 {
		return nil, false, errUnexpectedOutput
	}
	stage, err := parseStage(f[0], f[1])
	if err != nil || len(lines) > 1 || f[2] != "0" || !stage.Mode.IsFile() {
		return nil, false, err
	}
	content, err = g.Run("cat-file", "blob", stage.ID.String())
	return append([]byte{}, content...), true, err
}

// An Unmerged is an unmerged path of the index with its stages. A stage that does not exist is the zero Stage.
type Unmerged struct {
	Path               string
	Base, Ours, Theirs Stage
}

// A Stage is the mode and the object of a path in the index, in one stage, or in a tree. The zero Stage is no entry.
type Stage struct {
	Mode Mode
	ID   ID
}

// Mode returns the mode of the merged file. It merges the modes of the stages like any value, except that ours wins a
// conflict. A side that does not exist is ignored. The result is 0 if neither side exists.
//
//	base     ours     theirs   merged
//	100644   100644   100755   100755
//	100644   100755   100644   100755
//	none     100755   100644   100755
//	100644   none     100755   100755
func (u Unmerged) Mode() Mode {
	if u.Ours.Mode == 0 || u.Base.Mode == u.Ours.Mode && u.Theirs.Mode != 0 {
		return u.Theirs.Mode
	}
	return u.Ours.Mode
}

// An UnknownPathError is returned for a pathspec that matches no path in the index. Path is the pathspec without
// ":(literal)".
type UnknownPathError struct{ Path string }

func (e *UnknownPathError) Error() string {
	return fmt.Sprintf("pathspec %q did not match any file known to git", e.Path)
}

// exitNoMatch is the exit code of git ls-files --error-unmatch if a pathspec matches nothing.
const exitNoMatch = 1

// Unmerged returns the unmerged paths of the index, sorted by path. If pathspecs are given, it returns only the paths
// that match one of them; they are relative to the directory in which this program was started. If one matches no path
// of the index, merged or unmerged, the error is an *UnknownPathError.
func (t *WorkTree) Unmerged(pathspecs []string) ([]Unmerged, error) {
	runner := t.Git
	if len(pathspecs) > 0 {
		runner.Dir = t.DiskPath(t.Prefix)
	}
	for _, p := range pathspecs {
		if _, err := runner.Run("ls-files", "-z", "--error-unmatch", "--", p); ExitCode(err) == exitNoMatch {
			return nil, &UnknownPathError{strings.TrimPrefix(p, ":(literal)")}
		} else if err != nil {
			return nil, err
		}
	}
	lines, err := runner.Paths(append([]string{"ls-files", "-u", "-z", "--full-name", "--"}, pathspecs...)...)
	if err != nil {
		return nil, err
	}
	return parseUnmerged(lines)
}

// StagedEntries returns the entries that the index has for paths, by path, or all entries if paths is empty. Paths are
// from the top, and not patterns; a folder selects all files below it. Paths that are unmerged or not in the index are
// omitted. All paths are arguments of one git process.
func (t *WorkTree) StagedEntries(paths []string) (map[string]Stage, error) {
	args := []string{"ls-files", "-s", "-z", "--full-name", "--"}
	for _, p := range paths {
		args = append(args, ":(top,literal)"+p)
	}
	lines, err := t.Paths(args...)
	if err != nil {
		return nil, err
	}
	entries := map[string]Stage{}
	for _, line := range lines {
		info, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(info)
		if len(f) != 3 || path == "" {
			return nil, errUnexpectedOutput
		}
		if f[2] == "0" {
			if entries[path], err = parseStage(f[0], f[1]); err != nil {
				return nil, err
			}
		}
	}
	return entries, nil
}

// TreeEntry returns the mode and the object id of the file or folder at path in a commit; path is from the top of the
// repository. It returns the zero Stage and no error if the commit has nothing there. It returns the zero Stage and the
// error of git if the commit does not exist.
func (g Git) TreeEntry(commit ID, path string) (Stage, error) {
	lines, err := g.Paths("ls-tree", "-z", "--full-tree", commit.String(), "--", path)
	if err != nil || len(lines) == 0 {
		return Stage{}, err
	}
	info, _, _ := strings.Cut(lines[0], "\t")
	f := strings.Fields(info)
	if len(f) != 3 {
		return Stage{}, errUnexpectedOutput
	}
	return parseStage(f[0], f[2])
}

// parseUnmerged parses lines of the form MODE SP ID SP STAGE TAB PATH, as git ls-files -u prints them. Lines with the
// same path must follow each other; they become one Unmerged. The result is nil if there are no lines. It returns an
// error if a line has another form.
func parseUnmerged(lines []string) (unmerged []Unmerged, err error) {
	for _, line := range lines {
		info, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(info)
		if len(f) != 3 || path == "" {
			return nil, errUnexpectedOutput
		}
		stage, err := parseStage(f[0], f[1])
		if err != nil {
			return nil, err
		}
		if len(unmerged) == 0 || unmerged[len(unmerged)-1].Path != path {
			unmerged = append(unmerged, Unmerged{Path: path})
		}
		u := &unmerged[len(unmerged)-1]
		switch f[2] {
		case "1":
			u.Base = stage
		case "2":
			u.Ours = stage
		case "3":
			u.Theirs = stage
		}
	}
	return unmerged, nil
}

// parseStage parses a mode in octal and an object id in hexadecimal. For a mode of zeros, which git prints for no
// entry, it returns the zero Stage. It returns the zero Stage and an error if one of the two has another form.
func parseStage(mode, id string) (s Stage, err error) {
	m, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return s, errUnexpectedOutput
	}
	if s.ID, err = ParseID(id); err != nil || m == 0 {
		return Stage{}, err
	}
	s.Mode = Mode(m)
	return s, nil
}
