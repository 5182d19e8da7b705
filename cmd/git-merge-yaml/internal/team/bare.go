package team

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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

// files are the files that the tree has, those at or below paths if any are given.
func (t *bareTree) files(paths ...string) ([]git.File, error) {
	if t.tree() == "" {
		return nil, nil
	}
	return t.git.Files(t.tree(), paths...)
}

func (t *bareTree) read(name string, limit int64) ([]byte, error) {
	found, err := t.files(name)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fs.ErrNotExist
	case found[0].Path != name || !found[0].Mode.IsFile():
		return nil, errors.New("no regular file")
	case found[0].Size > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	data, err := t.git.Run("cat-file", "blob", found[0].ID.String())
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
	all, err := t.files()
	objects := t.git.Objects()
	defer objects.Close()
	left := int64(maxCRDBytes)
	for _, f := range all {
		if !f.Mode.IsFile() || !rules.IsCRD(f.Path) {
			continue
		}
		if left -= f.Size; left < 0 || len(files) == maxCRDFiles {
			const tooMuch = "crds: more than %d files or %d bytes match; name them more narrowly"
			return nil, fmt.Errorf(tooMuch, maxCRDFiles, maxCRDBytes)
		}
		data, failed := objects.Blob(f.ID)
		err = errors.Join(err, failed)
		files = append(files, merge.File{Path: f.Path, Data: data})
	}
	return files, err
}
