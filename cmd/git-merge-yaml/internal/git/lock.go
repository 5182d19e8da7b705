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

// An IndexLock holds the lock of a work tree's index, so that no other git process changes the index. It collects the
// entries to write when the lock ends with [IndexLock.Commit].
//
// The lock file belongs to a running `git update-index`, which reads the entries from a pipe. If this process is
// killed, the pipe is closed, and git exits and removes the lock.
type IndexLock struct {
	tree     *WorkTree
	lockPath string     // the lock file
	cmd      *exec.Cmd  // git update-index
	exited   chan error // receives the error of cmd when it exits
	stdin    io.WriteCloser
	stderr   bytes.Buffer
	entries  bytes.Buffer // to write, in the format of --index-info
	unmerged []Unmerged   // paths when the index was locked
}

// errLocked is returned if another process has locked the index.
var errLocked = errors.New("another git process has locked the index")

// errNotLocked is returned if git update-index exits without locking the index, or does not lock it within
// lockTimeout.
var errNotLocked = errors.New("the index was not locked")

// lockTimeout is the time after which LockIndex gives up waiting for the lock file. It is long enough for a slow
// machine.
const lockTimeout = 20 * time.Second

// LockIndex locks the index of the work tree, and reads which paths are unmerged. The caller must end the lock with
// Commit or Release. A process git update-index holds the lock; LockIndex stops it and fails if it has not locked the
// index after lockTimeout. The error wraps errLocked if there is a lock file already.
func (t *WorkTree) LockIndex() (*IndexLock, error) {
	index, err := t.Line("rev-parse", "--git-path", "index")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(index) {
		index = filepath.Join(t.Dir, index)
	}
	l := &IndexLock{tree: t, lockPath: index + ".lock", exited: make(chan error, 1)}
	if l.lockExists() {
		return nil, fmt.Errorf("%w (%s); nothing was written; wait for that process, or remove the file if the process crashed", errLocked, l.lockPath)
	}
	l.cmd = t.newCommand(cmp.Or(t.Context, context.Background()), []string{"update-index", "-z", "--index-info"})
	l.cmd.Stderr = &l.stderr
	if l.stdin, err = l.cmd.StdinPipe(); err == nil {
		err = l.cmd.Start()
	}
	if err != nil {
		return nil, l.gitError(err)
	}
	go func() { l.exited <- l.cmd.Wait() }()
	for timeout := time.After(lockTimeout); !l.lockExists(); {
		select {
		case err := <-l.exited:
			return nil, l.gitError(cmp.Or(err, errNotLocked))
		case <-timeout:
			l.Release()
			return nil, l.gitError(errNotLocked)
		case <-time.After(time.Millisecond):
		}
	}
	if l.unmerged, err = t.Unmerged(nil); err != nil {
		l.Release()
		return nil, err
	}
	return l, nil
}

// lockExists reports whether the lock file exists, whichever process created it.
func (l *IndexLock) lockExists() bool {
	_, err := os.Lstat(l.lockPath)
	return !errors.Is(err, fs.ErrNotExist)
}

// HasUnmerged reports whether u.Path was unmerged with exactly the stages of u when the index was locked.
func (l *IndexLock) HasUnmerged(u Unmerged) bool { return slices.Contains(l.unmerged, u) }

// Stage makes Commit replace the entries of the path of u by s, so that the path is not unmerged any more, as after git
// add. If s is the zero Stage, Commit removes the path from the index; u must have at least one stage then. git
// checkout -m can restore the replaced stages.
func (l *IndexLock) Stage(u Unmerged, s Stage) {
	fmt.Fprintf(&l.entries, "%o %s 0\t%s\x00", s.Mode, cmp.Or(s.ID.String(), nullID(u)), u.Path)
}

// Unstage makes a path unmerged again that was staged with Stage: when Commit is called, the entry of the path of u is
// replaced by the versions of base, ours and theirs in u. A version that is the zero Stage gets no entry. Nothing is
// written before Commit.
func (l *IndexLock) Unstage(u Unmerged) {
	l.Stage(u, Stage{})
	for i, s := range []Stage{u.Base, u.Ours, u.Theirs} {
		if s.ID != "" {
			fmt.Fprintf(&l.entries, "%o %s %d\t%s\x00", s.Mode, s.ID, i+1, u.Path)
		}
	}
}

// nullID returns the hexadecimal id of no object, with as many zeros as the ids of u have digits.
func nullID(u Unmerged) string {
	return strings.Repeat("0", len(cmp.Or(u.Base.ID, u.Ours.ID, u.Theirs.ID).String()))
}

// Commit writes the entries that Stage and Unstage have collected to the index, and removes the lock. If there are
// none, it only removes the lock. If it fails, the index is unchanged, and the lock is removed, too. l must not be used
// afterwards.
func (l *IndexLock) Commit() error {
	if l.entries.Len() == 0 {
		l.Release()
		return nil
	}
	_, err := l.stdin.Write(l.entries.Bytes())
	l.stdin.Close()
	if err = cmp.Or(<-l.exited, err); err != nil {
		return l.gitError(err)
	}
	// Saves the next git status the time to compare the files. It fails if other files were edited, which does
	// not matter.
	l.tree.Run("update-index", "-q", "--refresh")
	return nil
}

// Release ends the lock and leaves the index unchanged.
func (l *IndexLock) Release() {
	l.stdin.Close()
	<-l.exited // without an error that matters: git had nothing to write
}

// gitError returns an *Error for the git process that holds the lock. The process must have exited, or must not have
// been started. err is the underlying error.
func (l *IndexLock) gitError(err error) error {
	return &Error{Args: l.cmd.Args[1:], ExitCode: l.cmd.ProcessState.ExitCode(), Stderr: l.stderr.String(), Err: err, git: l.tree.Git}
}
