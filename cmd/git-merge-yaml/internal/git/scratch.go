package git

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

// A Scratch holds objects that git sees beside those of a repository, without
// their being in it.
type Scratch struct {
	git Git
	dir string
}

// NewScratch makes an empty Scratch in a temporary folder.
func (g Git) NewScratch() (*Scratch, error) {
	dir, err := os.MkdirTemp("", "git-merge-yaml-*")
	if err != nil {
		return nil, err
	}
	others := dir
	if known := os.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"); known != "" {
		others += string(os.PathListSeparator) + known
	}
	g.Env = append(g.Env[:len(g.Env):len(g.Env)], "GIT_ALTERNATE_OBJECT_DIRECTORIES="+others)
	return &Scratch{g, dir}, nil
}

// Git is git as it sees the objects.
func (s *Scratch) Git() Git { return s.git }

// Remove removes the objects.
func (s *Scratch) Remove() error { return os.RemoveAll(s.dir) }

// AddBlob adds a file's content under its id.
func (s *Scratch) AddBlob(id ID, content []byte) error {
	return s.add(plumbing.BlobObject, id, content)
}

// AddTree adds a folder under its id.
func (s *Scratch) AddTree(id ID, t Tree) error { return s.add(plumbing.TreeObject, id, t.encode()) }

func (s *Scratch) add(t plumbing.ObjectType, id ID, content []byte) error {
	hex := id.String()
	path := filepath.Join(s.dir, hex[:2], hex[2:])
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := objfile.NewWriter(f)
	err = w.WriteHeader(t, int64(len(content)))
	if err == nil {
		_, err = w.Write(content)
	}
	return errors.Join(err, w.Close(), f.Close())
}
