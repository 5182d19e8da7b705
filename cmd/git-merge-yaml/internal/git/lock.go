package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An IndexLock is the lock of the index of a work tree, with the entries that are to be written when it ends. No other git
// changes the index meanwhile. A git holds it that ends with this process, so that a killed run leaves no lock.
type IndexLock struct {
	tree     *WorkTree
	path     string // of the lock
	cmd      *exec.Cmd
	ended    chan error // how cmd ended
	stdin    io.WriteCloser
	stderr   bytes.Buffer
	entries  bytes.Buffer
	unmerged []Unmerged
}

// ErrLocked says that another git has the lock.
var ErrLocked = errors.New("another git process has the index; nothing was written, so run this again when it has ended")

var errNoLock = errors.New("it did not lock the index")

// lockTime is how long a git takes at most until it has the lock, on the slowest machine.
const lockTime = 20 * time.Second

// LockIndex takes the lock of the index. The caller ends it with Commit or Release.
func (t *WorkTree) LockIndex() (*IndexLock, error) {
	index, err := t.Line("rev-parse", "--git-path", "index")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(index) {
		index = filepath.Join(t.Dir, index)
	}
	l := &IndexLock{tree: t, path: index + ".lock", ended: make(chan error, 1)}
	if l.isThere() {
		return nil, fmt.Errorf("%w (%s is there)", ErrLocked, l.path)
	}
	l.cmd = t.command(cmp.Or(t.Context, context.Background()), []string{"update-index", "-z", "--index-info"})
	l.cmd.Stderr = &l.stderr
	if l.stdin, err = l.cmd.StdinPipe(); err == nil {
		err = l.cmd.Start()
	}
	if err != nil {
		return nil, l.failed(err)
	}
	go func() { l.ended <- l.cmd.Wait() }()
	for late := time.After(lockTime); !l.isThere(); {
		select {
		case err := <-l.ended:
			return nil, l.failed(cmp.Or(err, errNoLock))
		case <-late:
			l.Release()
			return nil, l.failed(errNoLock)
		case <-time.After(time.Millisecond):
		}
	}
	if l.unmerged, err = t.Unmerged(nil); err != nil {
		l.Release()
		return nil, err
	}
	return l, nil
}

func (l *IndexLock) isThere() bool {
	_, err := os.Lstat(l.path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Has reports whether the index has the stages of u now.
func (l *IndexLock) Has(u Unmerged) bool { return slices.Contains(l.unmerged, u) }

// Stage makes s the only stage of u's path; the zero Stage is that the path goes. Git remembers the stages that were there: git
// checkout -m brings them back.
func (l *IndexLock) Stage(u Unmerged, s Stage) {
	fmt.Fprintf(&l.entries, "%o %s 0\t%s\x00", s.Mode, cmp.Or(s.ID.String(), noID(u)), u.Path)
}

// Unstage gives the path of u the stages of u again, in the place of what is staged.
func (l *IndexLock) Unstage(u Unmerged) {
	l.Stage(u, Stage{})
	for i, s := range []Stage{u.Base, u.Ours, u.Theirs} {
		if s.ID != "" {
			fmt.Fprintf(&l.entries, "%o %s %d\t%s\x00", s.Mode, s.ID, i+1, u.Path)
		}
	}
}

// noID returns the id of nothing, as long as those of u.
func noID(u Unmerged) string {
	return strings.Repeat("0", len(cmp.Or(u.Base.ID, u.Ours.ID, u.Theirs.ID).String()))
}

// Commit writes the entries and ends the lock. If it fails, the index is as it was.
func (l *IndexLock) Commit() error {
	if l.entries.Len() == 0 {
		l.Release()
		return nil
	}
	_, err := l.stdin.Write(l.entries.Bytes())
	l.stdin.Close()
	if err = cmp.Or(<-l.ended, err); err != nil {
		return l.failed(err)
	}
	// Only to spare the next git status the comparison; it fails where other
	// files differ.
	l.tree.Run("update-index", "-q", "--refresh")
	return nil
}

// Release ends the lock and leaves the index as it was.
func (l *IndexLock) Release() {
	l.stdin.Close()
	<-l.ended // it had nothing to do
}

// failed returns the error of the git that has the lock, which has ended.
func (l *IndexLock) failed(err error) error {
	return &Error{Args: l.cmd.Args[1:], ExitCode: l.cmd.ProcessState.ExitCode(), Stderr: l.stderr.String(), Err: err, git: l.tree.Git}
}
