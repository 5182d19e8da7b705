package replay

import (
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A store gives the objects of a repository, or of what might be in one. ""
// is an empty folder, and the nil file.
type store interface {
	Trees(...git.ID) ([]git.Tree, error)
	Blobs(...git.ID) ([][]byte, error)
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

// Trees returns folders.
func (c *treeCache) Trees(ids ...git.ID) ([]git.Tree, error) {
	trees, missing := c.known(ids)
	if missing == nil {
		return trees, nil
	}
	read, err := c.Objects.Trees(missing...)
	if err != nil {
		return nil, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	for i, id := range missing {
		if id != "" {
			trees[i] = read[i]
			c.put(id, read[i])
		}
	}
	return trees, nil
}

// known returns the folders that are remembered, and the ids of the others at
// their places, nil if there are none.
func (c *treeCache) known(ids []git.ID) (trees []git.Tree, missing []git.ID) {
	c.lock.Lock()
	defer c.lock.Unlock()
	trees = make([]git.Tree, len(ids))
	for i, id := range ids {
		if id == "" {
			continue
		}
		t, ok := c.new[id]
		if !ok {
			if t, ok = c.old[id]; ok {
				c.put(id, t)
			}
		}
		if trees[i] = t; ok {
			continue
		}
		if missing == nil {
			missing = make([]git.ID, len(ids))
		}
		missing[i] = id
	}
	return trees, missing
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
		t, err := s.Trees(root)
		if err != nil {
			return git.TreeEntry{}, err
		}
		e := t[0].Find(name)
		if !deeper || !e.Mode.IsTree() {
			if deeper {
				return git.TreeEntry{}, nil
			}
			return e, nil
		}
		root, path = e.ID, rest
	}
}

func folder(id git.ID) git.TreeEntry { return git.TreeEntry{Mode: git.ModeTree, ID: id} }
