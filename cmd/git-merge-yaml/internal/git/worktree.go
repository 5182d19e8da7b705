package git

import (
	"errors"
	"os"
	"path/filepath"
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
	t.Env = append(t.Env[:len(t.Env):len(t.Env)], absolute("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")...)
	t.Dir = t.Top
	return t, nil
}

// absolute returns those of the variables that hold paths relative to the
// current directory, to mean the same from another one.
func absolute(names ...string) (env []string) {
	for _, name := range names {
		value := os.Getenv(name)
		if value == "" || filepath.IsAbs(value) {
			continue
		}
		if path, err := filepath.Abs(value); err == nil {
			env = append(env, name+"="+path)
		}
	}
	return env
}

// File returns the path on disk of the file that the index calls path.
func (t *WorkTree) File(path string) string {
	return filepath.Join(t.Top, filepath.FromSlash(path))
}

// Rel returns path as seen from the current directory, as git status shows it.
func (t *WorkTree) Rel(path string) string {
	rel, err := filepath.Rel("/"+t.Prefix, "/"+path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// Convert writes content as a blob and returns it as a checkout would write it
// to the file at path: with the line ends, the encoding and the filters that
// the path has.
func (t *WorkTree) Convert(path string, content []byte) (id ID, file []byte, err error) {
	id, err = t.writeBlob(content, "hash-object", "-w", "--no-filters", "--stdin")
	if err != nil {
		return "", nil, err
	}
	file, err = t.Run("cat-file", "--filters", "--path="+path, id.String())
	return id, file, err
}

// Clean returns content of the file at path as its blob would have it.
func (t *WorkTree) Clean(path string, content []byte) ([]byte, error) {
	id, err := t.writeBlob(content, "-c", "core.safecrlf=false", "hash-object", "-w", "--path="+path, "--stdin")
	if err != nil {
		return nil, err
	}
	return t.Run("cat-file", "blob", id.String())
}

func (t *WorkTree) writeBlob(content []byte, args ...string) (ID, error) {
	out, err := t.Feed(content, args...)
	if err != nil {
		return "", err
	}
	return ParseID(strings.TrimSpace(string(out)))
}
