package git

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A WorkTree is a repository with files checked out. Its Git runs at the top,
// so that paths, slash separated, are those of the index.
type WorkTree struct {
	Git
	Top string // the absolute path of the top folder
	// Prefix leads from Top to the current directory: "" or "a/b/".
	Prefix string
}

// ErrNoWorkTree says that there are no files: a bare repository, or the inside
// of .git.
var ErrNoWorkTree = errors.New("not in a work tree")

// WorkTree returns the work tree of the current directory: that of a linked
// work tree or a submodule where it is in one, that of GIT_DIR and
// GIT_WORK_TREE where those are set.
func (g Git) WorkTree() (*WorkTree, error) {
	said, err := g.Line("rev-parse", "--is-inside-work-tree", "--show-toplevel")
	inside, top, _ := strings.Cut(said, "\n")
	switch {
	case err != nil && inside == "false": // what it says before it fails
		return nil, ErrNoWorkTree
	case err != nil:
		return nil, Explain(err)
	}
	prefix, err := g.Line("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	t := &WorkTree{Git: g, Top: filepath.FromSlash(top), Prefix: prefix}
	t.Dir = t.Top
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"} { // a relative path is to mean the same from Top
		value := os.Getenv(name)
		if path, err := filepath.Abs(value); err == nil && value != "" && !filepath.IsAbs(value) {
			t.Git = t.with(name + "=" + path)
		}
	}
	return t, nil
}

// File returns the path on disk of the file that the index calls path.
func (t *WorkTree) File(path string) string {
	return filepath.Join(t.Top, filepath.FromSlash(path))
}

// Rel returns path as seen from the current directory, as git status shows it.
func (t *WorkTree) Rel(path string) string {
	rel, _ := filepath.Rel("/"+t.Prefix, "/"+path) // there always is one
	return filepath.ToSlash(rel)
}

// Convert writes content as a blob and returns it as a checkout would write it
// to the file at path: with the line ends, the encoding and the filters that
// the path has.
func (t *WorkTree) Convert(path string, content []byte) (id ID, file []byte, err error) {
	ids, err := t.ids(content, "hash-object", "-w", "--no-filters", "--stdin")
	if err != nil {
		return "", nil, err
	}
	file, err = t.Run("cat-file", "--filters", "--path="+path, ids[0].String())
	return ids[0], file, err
}

// Clean returns content of the file at path as its blob would have it.
func (g Git) Clean(path string, content []byte) ([]byte, error) {
	ids, err := g.ids(content, "-c", "core.safecrlf=false", "hash-object", "-w", "--path="+path, "--stdin")
	if err != nil {
		return nil, err
	}
	return g.Run("cat-file", "blob", ids[0].String())
}

// Staged returns the content of the file that the index has at path, in small letters or capitals, nil if it has
// none. isFile is false if the path is unmerged, or no regular file.
func (g Git) Staged(path string) (content []byte, isFile bool, err error) {
	lines, err := g.Paths("ls-files", "-z", "--stage", "--", ":(top,literal,icase)"+path)
	if err != nil || len(lines) == 0 {
		return nil, err == nil, err
	}
	info, _, _ := strings.Cut(lines[0], "\t")
	f := strings.Fields(info)
	if len(f) != 3 {
		return nil, false, errFormat
	}
	stage, err := parseStage(f[0], f[1])
	if err != nil || len(lines) > 1 || f[2] != "0" || !stage.Mode.IsFile() {
		return nil, false, err
	}
	content, err = g.Run("cat-file", "blob", stage.ID.String())
	return append([]byte{}, content...), true, err
}

// An Unmerged is a path that the index has in stages. A stage that is not
// there is the zero value.
type Unmerged struct {
	Path               string
	Base, Ours, Theirs Stage
}

// A Stage is what one stage of the index has for a path.
type Stage struct {
	Mode Mode
	ID   ID
}

// Mode returns the mode that the merge of the stages gives: that of the side
// which changed it, ours where both did, and that of the only one which has the file.
func (u Unmerged) Mode() Mode {
	if u.Ours.Mode == 0 || u.Base.Mode == u.Ours.Mode && u.Theirs.Mode != 0 {
		return u.Theirs.Mode
	}
	return u.Ours.Mode
}

// An UnknownPathError says that a pathspec names nothing in the index.
type UnknownPathError struct{ Path string }

func (e *UnknownPathError) Error() string { return "git knows no file " + e.Path + " here" }

// noMatch is the exit code of git ls-files --error-unmatch for it.
const noMatch = 1

// Unmerged returns the unmerged paths of the index in order: those that the
// pathspecs name, as seen from the current directory, or all. A pathspec that
// names nothing in the index is an UnknownPathError.
func (t *WorkTree) Unmerged(pathspecs []string) ([]Unmerged, error) {
	from := t.Git
	if len(pathspecs) > 0 {
		from.Dir = t.File(t.Prefix)
	}
	for _, p := range pathspecs {
		if _, err := from.Run("ls-files", "-z", "--error-unmatch", "--", p); ExitCode(err) == noMatch {
			return nil, &UnknownPathError{strings.TrimPrefix(p, ":(literal)")}
		} else if err != nil {
			return nil, err
		}
	}
	lines, err := from.Paths(append([]string{"ls-files", "-u", "-z", "--full-name", "--"}, pathspecs...)...)
	if err != nil {
		return nil, err
	}
	return parseUnmerged(lines)
}

// Staged returns what the index has at paths that are not unmerged, by path.
func (t *WorkTree) Staged(paths []string) (map[string]Stage, error) {
	args := []string{"ls-files", "-s", "-z", "--full-name", "--"}
	for _, p := range paths {
		args = append(args, ":(top,literal)"+p)
	}
	lines, err := t.Paths(args...)
	if err != nil {
		return nil, err
	}
	all := map[string]Stage{}
	for _, line := range lines {
		info, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(info)
		if len(f) != 3 || path == "" {
			return nil, errFormat
		}
		if f[2] == "0" {
			if all[path], err = parseStage(f[0], f[1]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// parseUnmerged reads lines of `mode oid stage TAB path`.
func parseUnmerged(lines []string) (all []Unmerged, err error) {
	for _, line := range lines {
		info, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(info)
		if len(f) != 3 || path == "" {
			return nil, errFormat
		}
		stage, err := parseStage(f[0], f[1])
		if err != nil {
			return nil, err
		}
		if len(all) == 0 || all[len(all)-1].Path != path {
			all = append(all, Unmerged{Path: path})
		}
		u := &all[len(all)-1]
		switch f[2] {
		case "1":
			u.Base = stage
		case "2":
			u.Ours = stage
		case "3":
			u.Theirs = stage
		}
	}
	return all, nil
}

// parseStage reads a mode and an id; the zero Stage is what git writes zeroes for.
func parseStage(mode, id string) (s Stage, err error) {
	m, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return s, errFormat
	}
	if s.ID, err = ParseID(id); err != nil || m == 0 {
		return Stage{}, err
	}
	s.Mode = Mode(m)
	return s, nil
}
