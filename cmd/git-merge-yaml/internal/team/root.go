package team

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A root is where the files of a repository are.
type root interface {
	// read reads a regular file that is not larger than limit, which is an error of
	// fs.ErrNotExist if it is not there; a file that is there is not nil.
	read(name string, limit int64) ([]byte, error)
	// named reads the file that git's configuration names.
	named(name string) ([]byte, error)
	// definitions returns the files that the rules name as custom resource
	// definitions, in the order of their paths.
	definitions(rules *merge.Rules) ([]merge.File, error)
}

// A workTree is the top folder of one.
type workTree string

// read follows a symbolic link only as long as it stays in the work tree. A merge
// without the file pays for one look at the folder.
func (top workTree) read(name string, limit int64) ([]byte, error) {
	if _, err := os.Lstat(filepath.Join(string(top), name)); err != nil {
		return nil, err
	}
	within, err := os.OpenRoot(string(top))
	if err != nil {
		return nil, err
	}
	defer within.Close()
	return readWithin(within, name, limit)
}

func (top workTree) named(name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(string(top), name)
	}
	return onDisk(name)
}

func (top workTree) definitions(rules *merge.Rules) ([]merge.File, error) {
	return crdFiles(string(top), rules)
}

// SparseKey is what git is configured to where the work tree does not have all files.
const SparseKey = "core.sparseCheckout"

// A sparse work tree has files of the commit that is checked out, and the commit the others: a
// server has nothing there but what a merge changes.
type sparse struct {
	workTree
	commit *bareTree
}

func (s sparse) read(name string, limit int64) ([]byte, error) {
	data, err := s.workTree.read(name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return s.commit.read(name, limit)
	}
	return data, err
}

func (s sparse) named(name string) ([]byte, error) {
	data, err := s.workTree.named(name)
	if err != nil {
		return s.commit.named(name)
	}
	return data, nil
}

func (s sparse) definitions(rules *merge.Rules) ([]merge.File, error) {
	return s.commit.definitions(rules)
}
