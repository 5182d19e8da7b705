package team

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A bareTree is the files of the commit that is merged into, in a repository without
// a work tree.
type bareTree struct {
	git  git.Git
	into string // what git calls the commit, "" for HEAD
	id   string // of its tree, once that is known
}

// tree is the id of the tree, "" if there is no commit. What git calls the commit may
// have a path behind it, or be no commit at all.
func (t *bareTree) tree() string {
	name, _, _ := strings.Cut(t.into, ":")
	for _, rev := range []string{name, "HEAD"} {
		if t.id == "" && rev != "" {
			t.id, _ = t.git.Line("rev-parse", "--verify", "-q", "--end-of-options", rev+"^{tree}")
		}
	}
	return t.id
}

// An object is a file of a tree.
type object struct {
	path, id string
	size     int64
	regular  bool
}

// list lists the files that a tree has, those at paths if any are given.
func (t *bareTree) list(options ...string) (all []object, err error) {
	if t.tree() == "" {
		return nil, nil
	}
	out, err := t.git.Run(append([]string{"ls-tree", "-z", "-l", "--full-tree"}, options...)...)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		about, path, ok := strings.Cut(line, "\t")
		f := strings.Fields(about) // mode, type, id, size
		if !ok || len(f) != 4 {
			continue
		}
		size, _ := strconv.ParseInt(f[3], 10, 64)
		all = append(all, object{path, f[2], size, strings.HasPrefix(f[0], "100")})
	}
	return all, err
}

func (t *bareTree) read(name string, limit int64) ([]byte, error) {
	found, err := t.list(t.tree(), "--", name)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fs.ErrNotExist
	case !found[0].regular:
		return nil, errors.New("no regular file")
	case found[0].size > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	data, err := t.git.Run("cat-file", "blob", found[0].id)
	return append([]byte{}, data...), err
}

func (t *bareTree) named(name string) ([]byte, error) {
	if filepath.IsAbs(name) {
		return onDisk(name)
	}
	data, err := t.read(name, maxRules)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s with rules", name)
	}
	return data, err
}

func (t *bareTree) definitions(rules *merge.Rules) (files []merge.File, err error) {
	all, err := t.list("-r", t.tree())
	objects := t.git.Objects()
	defer objects.Close()
	left := int64(maxCRDBytes)
	for _, o := range all {
		if !o.regular || !rules.IsCRD(o.path) {
			continue
		}
		if left -= o.size; left < 0 || len(files) == maxCRDFiles {
			const tooMuch = "crds: more than %d files or %d bytes match; name them more narrowly"
			return nil, fmt.Errorf(tooMuch, maxCRDFiles, maxCRDBytes)
		}
		id, bad := git.ParseID(o.id)
		data, failed := objects.Blob(id)
		err = errors.Join(err, bad, failed)
		files = append(files, merge.File{Path: o.path, Data: data})
	}
	return files, err
}
