package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// ErrNoObject says that the repository has no such file.
var ErrNoObject = errors.New("no such object")

// Objects reads the objects of a repository through `git cat-file --batch`, so
// that whatever git can read (SHA-256, alternates, a partial clone) is read. It
// is safe for concurrent use: as many processes run as goroutines read at once.
type Objects struct {
	git  Git
	lock sync.Mutex
	rest []*batch // processes that nobody uses; the last was used last
}

// Objects returns the object store of the repository. Nothing is started
// before the first object is read.
//
// Replacements (refs/replace) are not followed: history is told as it is.
func (g Git) Objects() *Objects { return &Objects{git: g.asIs()} }

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
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	all, err := o.Named(names...)
	for i, blob := range all {
		if blob == nil && names[i] != "" {
			return nil, fmt.Errorf("%w: %s", ErrNoObject, names[i])
		}
	}
	return all, err
}

// Named returns the contents of files by names of git's, as main:web.yaml; nil of one that
// is not there, or has a line break in its name.
func (o *Objects) Named(names ...string) (all [][]byte, err error) {
	var b *batch
	o.lock.Lock()
	if last := len(o.rest) - 1; last >= 0 {
		b, o.rest = o.rest[last], o.rest[:last]
	}
	o.lock.Unlock()
	if b == nil {
		b = &batch{}
		b.err = b.start(o.git)
	}
	if b.err == nil {
		all, b.err = b.ask(names)
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	o.rest = append(o.rest, b)
	if b.err != nil { // out of step
		return nil, fmt.Errorf("git cat-file: %w", b.err)
	}
	return all, nil
}

// Close ends the processes. Nothing may be read while it is called, or after.
func (o *Objects) Close() (err error) {
	for _, b := range o.rest {
		if b.cmd.Process != nil {
			b.err = os.ErrClosed
			b.in.Close()
			err = errors.Join(err, b.cmd.Wait())
		}
	}
	return err
}

// A batch is a process that reads objects, for one goroutine at a time.
type batch struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err error // why the process is of no more use
}

func (b *batch) start(g Git) (err error) {
	b.cmd = g.command(context.Background(), []string{"cat-file", "--batch"})
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	return b.cmd.Start()
}

// ask returns the contents of files. All are asked for before the first answer is read, so that
// git does not wait.
func (b *batch) ask(names []string) ([][]byte, error) {
	var question strings.Builder
	isName := func(name string) bool { return name != "" && !strings.Contains(name, "\n") }
	for _, n := range names {
		if isName(n) {
			question.WriteString(n + "\n")
		}
	}
	if _, err := io.WriteString(b.in, question.String()); err != nil {
		return nil, err
	}
	all := make([][]byte, len(names))
	for i, n := range names {
		if !isName(n) {
			continue
		}
		data, kind, err := b.answer()
		if err != nil {
			return nil, err
		}
		if kind == "blob" {
			all[i] = data
		}
	}
	return all, nil
}

// answer reads the answer about one object, of no type if there is none:
//
//	<id> SP <type> SP <size> LF <content> LF
func (b *batch) answer() (data []byte, kind string, err error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return nil, "", err
	}
	line = strings.TrimSuffix(line, "\n")
	if strings.HasSuffix(line, " missing") || strings.HasSuffix(line, " ambiguous") || strings.HasSuffix(line, " submodule") {
		return nil, "", nil
	}
	var id string
	var size int
	if _, err := fmt.Sscanf(line, "%s %s %d", &id, &kind, &size); err != nil {
		return nil, "", fmt.Errorf("unexpected answer %q", line)
	}
	data = make([]byte, size+1)
	_, err = io.ReadFull(b.out, data)
	return data[:size:size], kind, err
}
