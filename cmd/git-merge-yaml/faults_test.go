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

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

// A sandbox is a folder with the program and three versions of a file, and the command line that "install" writes
// to git's configuration (driverLine). Every user can read it.
type sandbox struct {
	t                        *testing.T
	dir, program, driverLine string
}

// newSandbox returns a sandbox in a new temporary folder, with the versions in the files base, ours and theirs.
func newSandbox(t *testing.T, base, ours, theirs []byte) *sandbox {
	t.Helper()
	dir, err := os.MkdirTemp("", "faults-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &sandbox{t: t, dir: dir, program: filepath.Join(dir, "git-merge-yaml")}
	program, err := scripttest.BuildProgram()
	if err == nil {
		err = copyProgram(program, s.program)
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
	s.driverLine = strings.NewReplacer("%O", "base", "%A", "ours", "%B", "theirs", "%L", "7", "%P", "ours", "%%", "%").Replace(string(line))
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

func (s *sandbox) env(home string) []string {
	return append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"PATH="+s.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func (s *sandbox) write(name string, b []byte) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), b, 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) read(name string) []byte {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// command returns a command that runs in the folder. If the tests run as root, it runs as another user.
func (s *sandbox) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.dir, s.env(filepath.Join(s.dir, "home"))
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return c
}

// expectExit runs a command. It fails the test if the exit code differs or if message is not in the output.
func (s *sandbox) expectExit(code int, message string, c *exec.Cmd) {
	s.t.Helper()
	out, _ := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), message) {
		s.t.Errorf("%v: %d and %q, want %d and %q", c.Args[1:], got, out, code, message)
	}
}

// serviceVersions returns three versions of a file with n services, and their merge. In every second service, ours
// changes one field and theirs another.
func serviceVersions(n int) (base, ours, theirs, merged []byte) {
	for i := range n {
		for to, v := range map[*[]byte][2]int{&base: {1, 80}, &ours: {1 + i%2, 80}, &theirs: {1, 80 + i%2}, &merged: {1 + i%2, 80 + i%2}} {
			*to = fmt.Appendf(*to, "service%d:\n  replicas: %d\n  port: %d\n", i, v[0], v[1])
		}
	}
	return base, ours, theirs, merged
}

// TestKilled kills the program at 30 moments of a merge, half of them near its end. The file ours must then be
// either unchanged or completely merged.
func TestKilled(t *testing.T) {
	base, ours, theirs, merged := serviceVersions(400)
	s := newSandbox(t, base, ours, theirs)
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	s.expectExit(0, "", s.command(s.program, "base", "ours", "theirs"))
	took := time.Since(start)
	if !bytes.Equal(s.read("ours"), merged) {
		t.Fatal("not merged")
	}
	random := rand.New(rand.NewPCG(1, 2))
	count := map[string]int{}
	for i := range 30 {
		name := [...]string{"ours", ".merge_file_a1B2c3"}[i/2%2] // git gives the file a name like the second one
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

// TestKilledInDriverLine kills the program that the installed driver line runs. The file must then be the line merge
// of git, or the result of the program if that was complete. If the program is killed after it wrote the file but
// before it exits, git merges the result again by lines.
func TestKilledInDriverLine(t *testing.T) {
	base, ours, theirs, merged := serviceVersions(500)
	s := newSandbox(t, base, ours, theirs)
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	byGit := s.gitMergeFile()
	s.write("ours", merged)
	again := s.gitMergeFile()
	bin := filepath.Join(s.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	const killer = "#!/bin/sh\n%s \"$@\" &\np=$!\nsleep $MOMENT\nkill -9 $p 2>/dev/null\nwait $p\n"
	if err := os.WriteFile(filepath.Join(bin, "git-merge-yaml"), fmt.Appendf(nil, killer, s.program), 0o755); err != nil {
		t.Fatal(err)
	}
	line := strings.ReplaceAll(s.driverLine, "%X %S %Y", "ours base theirs")
	for _, moment := range []string{"0", "0.01", "0.02", "0.04", "0.08", "2"} {
		s.write("ours", ours)
		c := s.command("sh", "-c", line)
		c.Env = append(c.Env, "MOMENT="+moment, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		switch got := s.read("ours"); {
		case bytes.Equal(got, merged) && (err == nil || strings.Contains(string(out), "137")):
		case (bytes.Equal(got, byGit) || bytes.Equal(got, again)) && err != nil && strings.Contains(string(out), "merged by lines, because the program exited with 137"):
		default:
			t.Errorf("killed after %s s: %v, %s\n%.300s", moment, err, out, got)
		}
	}
}

// gitMergeFile returns the result of git merge-file for the files. It uses the diff algorithm of git merge if git
// merge-file supports the option.
func (s *sandbox) gitMergeFile() []byte {
	files := []string{"-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs"}
	merged, _ := s.command("git", append([]string{"merge-file", "-p", "--diff-algorithm=histogram"}, files...)...).Output()
	if len(merged) == 0 {
		merged, _ = s.command("git", append([]string{"merge-file", "-p"}, files...)...).Output()
	}
	return merged
}

// TestPermissionDenied checks that ours is unchanged if a file cannot be read or written, both by the program and by
// the driver line.
func TestPermissionDenied(t *testing.T) {
	base, ours, theirs, merged := serviceVersions(3)
	for _, f := range []struct {
		name, file string
		mode       os.FileMode
		message    string
	}{
		{"folder that cannot be written", ".", 0o555, "cannot replace OURS, which is unchanged: "},
		{"base that cannot be read", "base", 0, "cannot read BASE: "},
		{"ours that cannot be read", "ours", 0, "cannot read OURS: "},
		{"theirs that cannot be read", "theirs", 0, "cannot read THEIRS: "},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := newSandbox(t, base, ours, theirs)
			if err := errors.Join(os.Chmod(s.dir, 0o777), os.Chmod(filepath.Join(s.dir, f.file), f.mode)); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(s.dir, 0o755)
			s.expectExit(129, f.message, s.command(s.program, "base", "ours", "theirs"))
			s.expectExit(129, "git could not merge the file either; ours is unchanged, without conflict markers", s.command("sh", "-c", s.driverLine))
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
	s := newSandbox(t, base, ours, theirs)
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s.expectExit(0, "", s.command("sh", "-c", s.driverLine))
	if !bytes.Equal(s.read("ours"), merged) {
		t.Error("with nothing denied: not merged")
	}
}

// TestPipeIsRejected checks that ours must be a regular file: a pipe without a writer is rejected immediately.
func TestPipeIsRejected(t *testing.T) {
	base, ours, theirs, _ := serviceVersions(3)
	s := newSandbox(t, base, ours, theirs)
	pipe := filepath.Join(s.dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	s.expectExit(129, "is not a regular file; use --stdout to print the result", s.command(s.program, "base", "pipe", "theirs"))
}

// TestNoSpaceLeft checks that a command fails if there is no space for its output.
func TestNoSpaceLeft(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	base, ours, theirs, _ := serviceVersions(3)
	s := newSandbox(t, base, ours, theirs)
	s.expectExit(129, "cannot print the result: ", s.command("sh", "-c", "git-merge-yaml -p base ours theirs >/dev/full"))
	if !bytes.Equal(s.read("ours"), ours) {
		t.Error("ours has changed")
	}
	for _, command := range []string{"doctor", "install --dry-run", "uninstall --dry-run", "--help", "rules --help"} {
		s.expectExit(129, "cannot print the result: ", s.command("sh", "-c", "git-merge-yaml "+command+" >/dev/full"))
	}
}

// TestEmptyAndLargeFiles merges empty inputs, and inputs of more than 64 MiB, which are merged by lines.
func TestEmptyAndLargeFiles(t *testing.T) {
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
		message                  string
	}{
		{"nothing", nil, nil, nil, nil, ""},
		{"nothing but theirs", nil, nil, []byte("a: 1\n"), []byte("a: 1\n"), ""},
		{"emptied by theirs", []byte("a: 1\n"), []byte("a: 1\n"), nil, nil, ""},
		{"66 MiB", big(1, 1), big(2, 1), big(1, 2), big(2, 2), "merged by lines: base is larger than 64 MiB"},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := newSandbox(t, f.base, f.ours, f.theirs)
			if err := os.Chmod(s.dir, 0o777); err != nil {
				t.Fatal(err)
			}
			s.expectExit(0, f.message, s.command(s.program, "base", "ours", "theirs"))
			if got := s.read("ours"); !bytes.Equal(got, f.want) {
				t.Errorf("%d bytes, want %d", len(got), len(f.want))
			}
		})
	}
}
