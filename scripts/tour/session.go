package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A session is a shell in a scratch folder with a home of its own. Names and
// dates are fixed, so that a session prints the same on every day.
type session struct {
	top  string // of the sources
	home string
	dir  string // where commands run
	env  []string

	minute int // of the last commit
}

// newSession builds the program from the sources at top and puts it on the
// PATH of a new session. Its folder is removed by close.
func newSession(top string) (*session, error) {
	top, err := filepath.Abs(top)
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
	s := &session{top: top, home: home, dir: filepath.Join(home, "shop")}
	bin := filepath.Join(home, ".local", "bin")
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-buildvcs=false", "-o",
		bin+string(filepath.Separator), "./cmd/git-merge-yaml")
	build.Dir = top
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

// run runs a line of sh with input as what is typed, and returns what it
// prints. That it fails is part of a story; want is the exit code.
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
	return strings.NewReplacer(s.home, "~", s.top, "~/git-merge-yaml").Replace(string(out)), err
}

// commit writes files and commits them on the current branch.
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
	s.as(author)
	_, err := s.run("git add -A && git commit -q -m '"+message+"'", "", 0)
	return err
}

// as makes author the author and committer of what follows, a minute later
// than what was before.
func (s *session) as(author string) {
	email := strings.ToLower(author) + "@example.com"
	s.minute++
	at := fmt.Sprintf("2026-01-02T09:%02d:00Z", s.minute)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		s.env = append(s.env, "GIT_"+who+"_NAME="+author, "GIT_"+who+"_EMAIL="+email, "GIT_"+who+"_DATE="+at)
	}
}
