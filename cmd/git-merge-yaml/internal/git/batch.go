package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A batch reads objects through one process, started for the first of them. It
// is used by one goroutine at a time.
type batch struct {
	git Git
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err error // why the process is of no more use
}

// blobs returns the contents of files; nil for the id of none.
func (b *batch) blobs(ids []ID) ([][]byte, error) {
	names := make([]string, len(ids))
	for i, id := range ids {
		if id != "" {
			names[i] = id.String()
		}
	}
	all, types, err := b.ask(names)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		switch {
		case id == "" || types[i] == "blob":
		case types[i] == "":
			return nil, fmt.Errorf("%w: %s", ErrNoObject, id)
		default:
			return nil, fmt.Errorf("%s is a %s, not a blob", id, types[i])
		}
	}
	return all, nil
}

// named returns the contents of the files that names name.
func (b *batch) named(names []string) ([][]byte, error) {
	names = slices.Clone(names)
	for i, n := range names {
		if strings.Contains(n, "\n") {
			names[i] = ""
		}
	}
	all, types, err := b.ask(names)
	for i, t := range types {
		if t != "blob" {
			all[i] = nil
		}
	}
	return all, err
}

// ask returns the contents and types of objects, without a type for what is none; "" is not
// asked for. All are asked for before the first answer is read, so that git does not wait.
func (b *batch) ask(names []string) (all [][]byte, types []string, err error) {
	if b.cmd == nil && b.err == nil {
		b.err = b.start()
	}
	var question strings.Builder
	for _, n := range names {
		if n != "" {
			question.WriteString(n + "\n")
		}
	}
	if b.err == nil {
		_, b.err = io.WriteString(b.in, question.String())
	}
	all, types = make([][]byte, len(names)), make([]string, len(names))
	for i, n := range names {
		if n != "" && b.err == nil {
			all[i], types[i], b.err = b.answer()
		}
	}
	if b.err != nil { // out of step
		return nil, nil, fmt.Errorf("git cat-file: %w", b.err)
	}
	return all, types, nil
}

func (b *batch) start() (err error) {
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir, cmd.Env = b.git.Dir, b.git.environ()
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

// answer reads the answer about one object, of no type if there is none:
//
//	<id> SP <type> SP <size> LF <content> LF
func (b *batch) answer() ([]byte, string, error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return nil, "", err
	}
	line = strings.TrimSuffix(line, "\n")
	if strings.HasSuffix(line, " missing") || strings.HasSuffix(line, " ambiguous") || strings.HasSuffix(line, " submodule") {
		return nil, "", nil
	}
	f := strings.Fields(line)
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
	return data[:size:size], f[1], nil
}

func (b *batch) close() error {
	if b.cmd == nil || b.cmd.Process == nil {
		return nil
	}
	b.err = errors.Join(b.err, os.ErrClosed)
	b.in.Close()
	return b.cmd.Wait()
}

// ErrNoObject says that the repository has no such object.
var ErrNoObject = errors.New("no such object")
