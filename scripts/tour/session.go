package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A session runs commands in a temporary folder, with a separate home folder. Names, dates and the language are
// fixed, so that the output is the same in each run.
type session struct {
	sources string // the top of the repository
	home    string
	dir     string // the working directory of commands, below home
	env     []string

	minute int // the minute in the date of the last author
}

// newSession builds git-merge-yaml from the repository at sources and returns a session with the program on the
// PATH. It creates a temporary folder; call close to remove it.
func newSession(sources string) (*session, error) {
	sources, err := filepath.Abs(sources)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "tour")
	if err != nil {
		return nil, err
	}
	caches, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return nil, err
	}
	mod, cache, _ := strings.Cut(strings.TrimSpace(string(caches)), "\n")
	s := &session{sources: sources, home: home, dir: filepath.Join(home, "shop")}
	bin := filepath.Join(home, ".local", "bin")
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-pgo=off", "-buildvcs=false", "-ldflags=-s -w", "-o",
		bin+string(filepath.Separator), "./cmd/git-merge-yaml")
	build.Dir = sources
	if out, err := build.CombinedOutput(); err != nil {
		s.close()
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	s.env = append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"LC_ALL=C", "TZ=UTC", "COLUMNS=80", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_EDITOR=true",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(home, ".gitconfig"), "GIT_MERGE_YAML=", "CI=",
		"GOBIN=", "GOMODCACHE="+mod, "GOCACHE="+cache)
	return s, os.MkdirAll(s.dir, 0o777)
}

func (s *session) close() { os.RemoveAll(s.home) }

// run runs a shell command with input as its standard input. It returns the standard output and the standard
// error together, with the home folder written as ~ and the repository as ~/git-merge-yaml. It returns an
// error if the exit code is not want.
func (s *session) run(line, input string, want int) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.env, strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code, err = exit.ExitCode(), nil
	}
	if err == nil && code != want {
		err = fmt.Errorf("%s: exit code %d, want %d:\n%s", line, code, want, out)
	}
	return strings.NewReplacer(s.home, "~", s.sources, "~/git-merge-yaml").Replace(string(out)), err
}

// commit writes files, by their path, and commits them on the current branch.
func (s *session) commit(author, message string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(s.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	s.setAuthor(author)
	_, err := s.run("git add -A && git commit -q -m '"+message+"'", "", 0)
	return err
}

// setAuthor sets the author and the committer of the next commits. Their date is one minute after the date of
// the last call.
func (s *session) setAuthor(author string) {
	email := strings.ToLower(author) + "@example.com"
	s.minute++
	at := fmt.Sprintf("2026-01-02T09:%02d:00Z", s.minute)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		s.env = append(s.env, "GIT_"+who+"_NAME="+author, "GIT_"+who+"_EMAIL="+email, "GIT_"+who+"_DATE="+at)
	}
}
