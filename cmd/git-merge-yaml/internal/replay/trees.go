package replay

import (
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A store gives the objects of a repository, or of what might be in one.
type store interface {
	Tree(git.ID) (git.Tree, error)
	Blob(git.ID) ([]byte, error)
	// Renames returns the files that were renamed between two folders.
	Renames(old, new git.ID) ([]git.Rename, error)
}

// treeCache remembers folders: a merge shares nearly all of its folders with
// its parents, and with the merges around it. It keeps two generations; what
// is still in use moves from the old to the new one.
type treeCache struct {
	*git.Objects
	git      git.Git
	lock     sync.Mutex
	new, old map[git.ID]git.Tree
	entries  int // in new
}

// maxEntries is the number of entries of one generation, of about 100 bytes.
const maxEntries = 300_000

func newTreeCache(g git.Git) *treeCache {
	return &treeCache{Objects: g.Objects(), git: g, new: map[git.ID]git.Tree{}}
}

func (c *treeCache) Renames(old, new git.ID) ([]git.Rename, error) { return c.git.Renames(old, new) }

// Tree returns a folder; "" is an empty one.
func (c *treeCache) Tree(id git.ID) (git.Tree, error) {
	if id == "" {
		return nil, nil
	}
	c.lock.Lock()
	t, ok := c.new[id]
	if !ok {
		if t, ok = c.old[id]; ok {
			c.put(id, t)
		}
	}
	c.lock.Unlock()
	if ok {
		return t, nil
	}
	t, err := c.Objects.Tree(id)
	if err != nil {
		return nil, err
	}
	c.lock.Lock()
	c.put(id, t)
	c.lock.Unlock()
	return t, nil
}

func (c *treeCache) put(id git.ID, t git.Tree) {
	if c.entries += len(t) + 1; c.entries > maxEntries {
		c.old, c.new, c.entries = c.new, map[git.ID]git.Tree{}, len(t)+1
	}
	c.new[id] = t
}

// lookup returns what stands at a path below the folder root, the zero value
// for nothing.
func lookup(s store, root git.ID, path string) (git.TreeEntry, error) {
	for {
		name, rest, deeper := strings.Cut(path, "/")
		t, err := s.Tree(root)
		if err != nil {
			return git.TreeEntry{}, err
		}
		e := t.Find(name)
		if !deeper || !e.Mode.IsTree() {
			if deeper {
				return git.TreeEntry{}, nil
			}
			return e, nil
		}
		root, path = e.ID, rest
	}
}
