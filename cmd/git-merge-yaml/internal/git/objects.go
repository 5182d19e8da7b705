package git

import (
	"errors"
	"sync"
)

// Objects reads the objects of a repository through `git cat-file --batch`, so
// that whatever git can read (SHA-256, alternates, a partial clone) is read. It
// is safe for concurrent use: as many processes run as goroutines read at once.
type Objects struct {
	git  Git
	lock sync.Mutex
	rest []*batch // processes that nobody uses
}

// Objects returns the object store of the repository. Nothing is started
// before the first object is read.
//
// Replacements (refs/replace) are not followed: history is told as it is.
func (g Git) Objects() *Objects { return &Objects{git: g.asIs()} }

// asIs makes git see objects as they were written, without replacements.
func (g Git) asIs() Git {
	g.Env = append(g.Env[:len(g.Env):len(g.Env)], "GIT_NO_REPLACE_OBJECTS=1")
	return g
}

// Blob returns the content of a file.
func (o *Objects) Blob(id ID) ([]byte, error) {
	blobs, err := o.Blobs(id)
	if err != nil {
		return nil, err
	}
	return blobs[0], nil
}

// Blobs returns the contents of files, in the time of one; nil of no file. A
// few at once, not hundreds: git answers while it is asked.
func (o *Objects) Blobs(ids ...ID) ([][]byte, error) {
	b := o.take()
	defer o.put(b)
	return b.blobs(ids)
}

// Named returns the contents of files by names of git's, as main:web.yaml; nil of one that
// is not there, or has a line break in its name.
func (o *Objects) Named(names ...string) ([][]byte, error) {
	b := o.take()
	defer o.put(b)
	return b.named(names)
}

// Close ends the processes. Nothing may be read while it is called, or after.
func (o *Objects) Close() (err error) {
	for _, b := range o.rest {
		err = errors.Join(err, b.close())
	}
	return err
}

// take returns the process that was used last, which exists in most cases.
func (o *Objects) take() *batch {
	o.lock.Lock()
	defer o.lock.Unlock()
	last := len(o.rest) - 1
	if last < 0 {
		return &batch{git: o.git}
	}
	b := o.rest[last]
	o.rest = o.rest[:last]
	return b
}

func (o *Objects) put(b *batch) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.rest = append(o.rest, b)
}
