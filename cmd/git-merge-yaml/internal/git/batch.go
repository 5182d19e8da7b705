package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// A batch reads objects through one process, started for the first of them.
type batch struct {
	git  Git
	lock sync.Mutex
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	err  error // why the process is of no more use
}

func (b *batch) read(t objectType, id ID) ([]byte, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.cmd == nil && b.err == nil {
		b.err = b.start()
	}
	if b.err != nil {
		return nil, b.err
	}
	data, got, err := b.ask(id)
	if err != nil && !errors.Is(err, ErrNoObject) {
		b.err = fmt.Errorf("git cat-file: %w", err) // out of step
	}
	if err == nil && got != t {
		err = fmt.Errorf("%s is a %s, not a %s", id, got, t)
	}
	return data, err
}

func (b *batch) start() (err error) {
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir, cmd.Env = b.git.Dir, append(os.Environ(), b.git.Env...)
	if b.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	b.out = bufio.NewReaderSize(out, 64<<10)
	b.cmd = cmd
	return cmd.Start()
}

// ask asks for one object and reads the answer:
//
//	<id> SP <type> SP <size> LF <content> LF
func (b *batch) ask(id ID) ([]byte, objectType, error) {
	if _, err := io.WriteString(b.in, id.String()+"\n"); err != nil {
		return nil, "", err
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return nil, "", err
	}
	f := strings.Fields(line)
	if len(f) == 2 { // missing, or submodule
		return nil, "", fmt.Errorf("%w: %s", ErrNoObject, id)
	}
	if len(f) != 3 {
		return nil, "", fmt.Errorf("unexpected answer %q", line)
	}
	size, err := strconv.Atoi(f[2])
	if err != nil {
		return nil, "", err
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, "", err
	}
	return data[:size], objectType(f[1]), nil
}

func (b *batch) close() error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.cmd == nil || b.cmd.Process == nil {
		return nil
	}
	b.err = os.ErrClosed
	b.in.Close()
	return b.cmd.Wait()
}
