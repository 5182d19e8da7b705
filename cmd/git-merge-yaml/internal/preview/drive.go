package preview

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// The driver lines that git is given here ask this process, which knows the rules already,
// over two pipes that sh inherits; where this process ends, so do they. On Windows, where
// nothing is inherited so, they start the program.

// linesOnly is the name of the rule set that is git's merge by lines.
const linesOnly = "lines"

// line is a driver line for one run of git.
func (r *run) line(name, rules string) []string {
	d := gitattrs.Driver{Name: name, Program: r.Program, Rules: rules, Into: r.base.String(), Own: r.own(), Config: r.Config}
	line := `printf '%%s\0' '` + rules + `' %O %A %B %L %P >&3; read -r r <&4; exit ${r:-129}`
	if runtime.GOOS == "windows" {
		if rules == linesOnly { // GIT_MERGE_YAML is off then
			d.Rules = ""
		}
		line = d.Quiet()
	}
	return []string{"-c", d.Key("driver") + "=" + line}
}

// own is the side that is one's own: the branch.
func (r *run) own() string {
	if r.Into {
		return "ours"
	}
	return "theirs"
}

// serve answers driver lines until stop is called.
func (r *run) serve() (stop func(), err error) {
	var pipes [4]*os.File
	stop = func() {
		for _, f := range pipes {
			f.Close() // nil is an error that nobody needs
		}
	}
	if runtime.GOOS == "windows" {
		return stop, nil
	}
	requests, ask, err := os.Pipe()
	if err == nil {
		pipes[0], pipes[1] = requests, ask
		pipes[2], pipes[3], err = os.Pipe()
	}
	if err != nil {
		stop()
		return nil, err
	}
	r.git.Inherited = []*os.File{ask, pipes[2]}
	go r.answer(bufio.NewReader(requests), pipes[3])
	return stop, nil
}

// answer merges what is asked for, and says what the program would exit with.
func (r *run) answer(requests *bufio.Reader, replies io.Writer) {
	for {
		var words [6]string
		for i := range words {
			word, err := requests.ReadString(0)
			if err != nil {
				return
			}
			words[i] = strings.TrimSuffix(word, "\x00")
		}
		code := 0
		if clean, err := r.drive(words); err != nil {
			code = 129
		} else if !clean {
			code = 1
		}
		fmt.Fprintln(replies, code)
	}
}

// drive merges three files as the driver does: the rules, base, ours, theirs, the size of
// markers and the path. It puts the result in the place of ours.
func (r *run) drive(words [6]string) (clean bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = driver.Bug(p)
		}
	}()
	size, err := strconv.Atoi(words[4])
	if err != nil || size <= 0 || size > driver.MaxMarkerSize {
		return false, errors.New("no size of markers")
	}
	m := &driver.Merger{Session: r.session, Alone: true, Options: driver.Options{
		Path: words[5], MarkerSize: size, Labels: [3]string{r.base.String(), "base", "theirs"},
	}}
	off := words[0] == linesOnly || strings.EqualFold(os.Getenv("GIT_MERGE_YAML"), "off")
	if !off {
		m.RuleSet = words[0]
	}
	for i, f := range []*disk.File{&m.In.Base, &m.In.Ours, &m.In.Theirs} {
		if *f, err = disk.Read(filepath.Join(r.git.Dir, words[1+i])); err != nil {
			return false, err
		}
	}
	res, err := m.Run(off)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.git.Dir, words[2]), res.Bytes, 0o600)
	}
	return res.Clean(), err
}
