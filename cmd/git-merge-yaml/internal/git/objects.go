package git

import (
	"errors"
	"fmt"
	"sync"
)

// objectType is the type of an object, as git spells it.
type objectType string

const (
	blobObject   objectType = "blob"
	treeObject   objectType = "tree"
	commitObject objectType = "commit"
)

// Objects reads the objects of a repository: in this process where that can
// be done, else by one long-lived `git cat-file --batch`. What makes the
// difference (SHA-256, alternates, a partial clone, a pack that came while
// reading, an odd configuration) is never asked for: whatever cannot be read
// in process, git reads. It is safe for concurrent use.
type Objects struct {
	git   Git
	open  sync.Once
	packs *packs // nil where this process reads nothing
	batch batch
}

// ErrNoObject says that the repository has no such object.
var ErrNoObject = errors.New("no such object")

// Objects returns the object store of the repository. Nothing is opened
// before the first object is read.
//
// Replacements (refs/replace) are not followed: history is told as it is.
func (g Git) Objects() *Objects {
	o := &Objects{git: g}
	o.batch.git = g.asIs()
	return o
}

// asIs makes git see objects as they were written, without replacements.
func (g Git) asIs() Git {
	g.Env = append(g.Env[:len(g.Env):len(g.Env)], "GIT_NO_REPLACE_OBJECTS=1")
	return g
}

// Blob returns the content of a file. It must not be changed.
func (o *Objects) Blob(id ID) ([]byte, error) { return o.read(blobObject, id) }

// Tree returns the entries of a folder.
func (o *Objects) Tree(id ID) (Tree, error) {
	data, err := o.read(treeObject, id)
	if err != nil {
		return nil, err
	}
	t, err := parseTree(data, len(id))
	if err != nil {
		return nil, fmt.Errorf("%w %s", err, id)
	}
	return t, nil
}

// Commit returns a commit.
func (o *Objects) Commit(id ID) (Commit, error) {
	data, err := o.read(commitObject, id)
	if err != nil {
		return Commit{}, err
	}
	c, err := parseCommit(data)
	if err != nil {
		return c, fmt.Errorf("%w %s", err, id)
	}
	return c, nil
}

// Close ends the process and closes the files of the store.
func (o *Objects) Close() error {
	o.packs.close()
	return o.batch.close()
}

func (o *Objects) read(t objectType, id ID) ([]byte, error) {
	o.open.Do(func() { o.packs = openPacks(o.git) })
	if data, err := o.packs.read(t, id); err == nil {
		return data, nil
	}
	return o.batch.read(t, id)
}
