//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A scene is a folder with three versions of a file, the program and the
// installed driver line, for anybody to run.
type scene struct {
	t                  *testing.T
	dir, program, line string
}

func newScene(t *testing.T, base, ours, theirs []byte) *scene {
	t.Helper()
	dir, err := os.MkdirTemp("", "faults-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &scene{t: t, dir: dir, program: filepath.Join(dir, "git-merge-yaml")}
	self, err := os.Executable()
	if err == nil {
		err = copyProgram(self, s.program)
	}
	if err = errors.Join(err, os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	s.write("base", base)
	s.write("ours", ours)
	s.write("theirs", theirs)
	home := filepath.Join(dir, "home")
	install := exec.Command(s.program, "install")
	install.Env = s.env(home)
	config := exec.Command("git", "config", "--global", "merge.yaml.driver")
	config.Env = s.env(home)
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	line, err := config.Output()
	if err != nil {
		t.Fatal(err)
	}
	s.line = strings.NewReplacer("%O", "base", "%A", "ours", "%B", "theirs", "%L", "7", "%P", "ours", "%%", "%").Replace(string(line))
	return s
}

func copyProgram(from, to string) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

func (s *scene) env(home string) []string {
	return append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"PATH="+s.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func (s *scene) write(name string, b []byte) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), b, 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) read(name string) []byte {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// command runs in the folder; where the tests are root's, as somebody else.
func (s *scene) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.dir, s.env(filepath.Join(s.dir, "home"))
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return c
}

// exits holds how a command ends, and what it says.
func (s *scene) exits(code int, says string, c *exec.Cmd) {
	s.t.Helper()
	out, _ := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), says) {
		s.t.Errorf("%v: %d and %q, want %d and %q", c.Args[1:], got, out, code, says)
	}
}

// services is a file of n services, of which each side changes another field
// in every second one.
func services(n int) (base, ours, theirs, merged []byte) {
	for i := range n {
		for to, v := range map[*[]byte][2]int{&base: {1, 80}, &ours: {1 + i%2, 80}, &theirs: {1, 80 + i%2}, &merged: {1 + i%2, 80 + i%2}} {
			*to = fmt.Appendf(*to, "service%d:\n  replicas: %d\n  port: %d\n", i, v[0], v[1])
		}
	}
	return base, ours, theirs, merged
}

// TestKilled kills the program at 50 moments of a merge, half of them near its
// end: ours is either what it was or the merge.
func TestKilled(t *testing.T) {
	base, ours, theirs, merged := services(1000)
	s := newScene(t, base, ours, theirs)
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	s.exits(0, "", s.command(s.program, "base", "ours", "theirs"))
	took := time.Since(start)
	if !bytes.Equal(s.read("ours"), merged) {
		t.Fatal("not merged")
	}
	random := rand.New(rand.NewPCG(1, 2))
	count := map[string]int{}
	for i := range 50 {
		name := [...]string{"ours", ".merge_file_a1B2c3"}[i/2%2] // the second as git names it
		s.write(name, ours)
		c := s.command(s.program, "-q", "base", name, "theirs")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		moment := random.Float64() * 1.1
		if i%2 == 0 {
			moment = 0.8 + 0.4*random.Float64()
		}
		time.Sleep(time.Duration(moment * float64(took)))
		c.Process.Kill()
		c.Wait()
		switch got := s.read(name); {
		case bytes.Equal(got, ours):
			count["old"]++
		case bytes.Equal(got, merged):
			count["merged"]++
		default:
			t.Errorf("killed after %v of %v: ours is half written", moment, took)
		}
	}
	t.Log(count)
}

// TestKilledByLine kills the program that the installed driver line runs: what
// stands then is git's merge, or the merge if it was done. Killed when the merge
// stands in the file but before it can say so, it leaves that to be merged.
func TestKilledByLine(t *testing.T) {
	base, ours, theirs, merged := services(500)
	s := newScene(t, base, ours, theirs)
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	byGit := s.mergeFile()
	s.write("ours", merged)
	again := s.mergeFile()
	bin := filepath.Join(s.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	const killer = "#!/bin/sh\n%s \"$@\" &\np=$!\nsleep $MOMENT\nkill -9 $p 2>/dev/null\nwait $p\n"
	if err := os.WriteFile(filepath.Join(bin, "git-merge-yaml"), fmt.Appendf(nil, killer, s.program), 0o755); err != nil {
		t.Fatal(err)
	}
	line := strings.ReplaceAll(s.line, "%X %S %Y", "ours base theirs")
	for _, moment := range []string{"0", "0.01", "0.02", "0.04", "0.08", "2"} {
		s.write("ours", ours)
		c := s.command("sh", "-c", line)
		c.Env = append(c.Env, "MOMENT="+moment, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		switch got := s.read("ours"); {
		case bytes.Equal(got, merged) && (err == nil || strings.Contains(string(out), "137")):
		case (bytes.Equal(got, byGit) || bytes.Equal(got, again)) && err != nil && strings.Contains(string(out), "git-merge-yaml ended with 137: merged by lines instead"):
		default:
			t.Errorf("killed after %s s: %v, %s\n%.300s", moment, err, out, got)
		}
	}
}

// mergeFile returns what git merge-file makes of the files, as git merge would
// where it can.
func (s *scene) mergeFile() []byte {
	files := []string{"-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs"}
	merged, _ := s.command("git", append([]string{"merge-file", "-p", "--diff-algorithm=histogram"}, files...)...).Output()
	if len(merged) == 0 {
		merged, _ = s.command("git", append([]string{"merge-file", "-p"}, files...)...).Output()
	}
	return merged
}

// TestDenied holds that what may not be read or written leaves ours as it was,
// by the program and by the driver line.
func TestDenied(t *testing.T) {
	base, ours, theirs, merged := services(3)
	for _, f := range []struct {
		name, file string
		mode       os.FileMode
		says       string
	}{
		{"folder that cannot be written", ".", 0o555, "cannot replace OURS, which is left as it was: "},
		{"base that cannot be read", "base", 0, "cannot read BASE: "},
		{"ours that cannot be read", "ours", 0, "cannot read OURS: "},
		{"theirs that cannot be read", "theirs", 0, "cannot read THEIRS: "},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := newScene(t, base, ours, theirs)
			if err := errors.Join(os.Chmod(s.dir, 0o777), os.Chmod(filepath.Join(s.dir, f.file), f.mode)); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(s.dir, 0o755)
			s.exits(129, f.says, s.command(s.program, "base", "ours", "theirs"))
			s.exits(129, "git could not merge either: ours is left as it was, without markers", s.command("sh", "-c", s.line))
			if err := errors.Join(os.Chmod(s.dir, 0o755), os.Chmod(filepath.Join(s.dir, "ours"), 0o644)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(s.read("ours"), ours) {
				t.Error("ours has changed")
			}
			if _, err := os.Stat(filepath.Join(s.dir, "ours.y")); err == nil {
				t.Error("the driver line left its file behind")
			}
		})
	}
	s := newScene(t, base, ours, theirs)
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s.exits(0, "", s.command("sh", "-c", s.line))
	if !bytes.Equal(s.read("ours"), merged) {
		t.Error("with nothing denied: not merged")
	}
}

// TestPipe holds that ours has to be a file that can be replaced: a pipe that
// nobody writes to is refused at once.
func TestPipe(t *testing.T) {
	base, ours, theirs, _ := services(3)
	s := newScene(t, base, ours, theirs)
	pipe := filepath.Join(s.dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	s.exits(129, "is not a regular file; --stdout prints the result instead", s.command(s.program, "base", "pipe", "theirs"))
}

// TestFull holds that a result that finds no space is no result.
func TestFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	base, ours, theirs, _ := services(3)
	s := newScene(t, base, ours, theirs)
	s.exits(129, "cannot print the result: ", s.command("sh", "-c", "git-merge-yaml -p base ours theirs >/dev/full"))
	if !bytes.Equal(s.read("ours"), ours) {
		t.Error("ours has changed")
	}
	for _, command := range []string{"doctor", "install --dry-run", "uninstall --dry-run", "--help", "lists --help"} {
		s.exits(129, "cannot print the result: ", s.command("sh", "-c", "git-merge-yaml "+command+" >/dev/full"))
	}
}

// TestSizes merges inputs of no bytes, and of more than 64 MiB, which are
// merged by lines.
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("large files")
	}
	big := func(first, last int) []byte {
		filler := bytes.Repeat([]byte("x"), 64<<10)
		b := fmt.Appendf(nil, "first: %d\n", first)
		for i := range 1030 {
			b = fmt.Appendf(b, "k%d: %s\n", i, filler)
		}
		return fmt.Appendf(b, "last: %d\n", last)
	}
	for _, f := range []struct {
		name                     string
		base, ours, theirs, want []byte
		says                     string
	}{
		{"nothing", nil, nil, nil, nil, ""},
		{"nothing but theirs", nil, nil, []byte("a: 1\n"), []byte("a: 1\n"), ""},
		{"emptied by theirs", []byte("a: 1\n"), []byte("a: 1\n"), nil, nil, ""},
		{"66 MiB", big(1, 1), big(2, 1), big(1, 2), big(2, 2), "merged by lines: base is larger than 64 MiB"},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := newScene(t, f.base, f.ours, f.theirs)
			if err := os.Chmod(s.dir, 0o777); err != nil {
				t.Fatal(err)
			}
			s.exits(0, f.says, s.command(s.program, "base", "ours", "theirs"))
			if got := s.read("ours"); !bytes.Equal(got, f.want) {
				t.Errorf("%d bytes, want %d", len(got), len(f.want))
			}
		})
	}
}
