package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An answerCase is a case of testdata/merge as a finished merge.
type answerCase struct {
	name, path, rules, crd, set, subject string

	versions [3][]byte // base, ours and theirs; nil for none
	want     merge.Result
}

// answerCases reads the cases of testdata/merge; what they say of markers and of the
// option that decides conflicts is left out, since a finished merge knows neither.
func answerCases(t *testing.T) (all []*answerCase) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "merge", "*.txtar"))
	if err != nil || len(files) < 400 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := &answerCase{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), path: "file.yaml", subject: "One of many"}
		at := map[string]*[]byte{"base": &c.versions[0], "ours": &c.versions[1], "theirs": &c.versions[2]}
		for _, f := range ar.Files {
			if to, ok := at[f.Name]; ok {
				*to = append([]byte{}, f.Data...)
			}
			switch f.Name {
			case "rules":
				c.rules = string(f.Data)
			case "crd":
				c.crd = string(f.Data)
			}
		}
		for line := range strings.Lines(string(ar.Comment)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			c.say(key, value, at)
		}
		v := c.versions
		if !bytes.Equal(v[0], v[1]) && !bytes.Equal(v[0], v[2]) && !bytes.Equal(v[1], v[2]) {
			all = append(all, c)
		}
	}
	return all
}

// say takes what the comment of a case says.
func (c *answerCase) say(key, value string, at map[string]*[]byte) {
	for name := range strings.FieldsSeq(value) {
		to, ok := at[name]
		switch {
		case !ok:
		case key == "crlf":
			*to = bytes.ReplaceAll(*to, []byte("\n"), []byte("\r\n"))
		case key == "nofinal":
			*to = bytes.TrimRight(*to, "\r\n")
		case key == "bom":
			*to = append([]byte("\ufeff"), *to...)
		}
	}
	switch key {
	case "path":
		c.path = value
	case "rules":
		c.set = value
	case "own": // as the message of the merge tells it
		c.subject = map[string]string{"ours": "Merge branch 'main' into topic", "theirs": "Merge branch 'topic'"}[value]
	}
}

// session is that of the case in a repository.
func (c *answerCase) session(t *testing.T, g git.Git) *session.Session {
	s := &session.Session{Options: session.Options{RuleSet: c.set}, Git: g, Library: merge.Merge}
	if c.rules != "" {
		s.Config = filepath.Join(t.TempDir(), "rules")
		if err := os.WriteFile(s.Config, []byte(c.rules), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules, err := s.Rules()
	if err == nil && c.crd != "" && rules != nil {
		err = rules.AddCRD("crd", []byte(c.crd))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// commits are the commits of the case for git fast-import: its merge is branch merged/NAME.
func (c *answerCase) commits(b *strings.Builder, committed []byte) {
	for i, v := range []struct {
		name, from string
		data       []byte
	}{
		{"base", "", c.versions[0]}, {"ours", "base", c.versions[1]}, {"theirs", "base", c.versions[2]},
		{"merged", "ours", committed},
	} {
		message := v.name
		if v.name == "merged" {
			message = c.subject
		}
		fmt.Fprintf(b, "commit refs/heads/%s/%s\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n",
			v.name, c.name, 1767225600+i, len(message), message)
		if v.from != "" {
			fmt.Fprintf(b, "from refs/heads/%s/%s\n", v.from, c.name)
		}
		if v.name == "merged" {
			fmt.Fprintf(b, "merge refs/heads/theirs/%s\n", c.name)
		}
		if v.data != nil {
			fmt.Fprintf(b, "M 100644 inline %s\ndata %d\n%s\n", c.path, len(v.data), v.data)
		} else {
			b.WriteString("M 100644 inline other\ndata 0\n\n")
		}
	}
}

// TestEveryCommandAnswersAlike merges every case of testdata/merge as the driver does,
// commits that, and asks the commands that tell of merges about it.
func TestEveryCommandAnswersAlike(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	g := git.Git{Dir: t.TempDir()}
	if _, err := g.Run("init", "-q", "--bare", "-b", "main"); err != nil {
		t.Fatal(err)
	}
	cases := answerCases(t)
	sessions := map[*answerCase]*session.Session{}
	var stream strings.Builder
	for _, c := range cases {
		s := c.session(t, g)
		sessions[c] = s
		s.Own = map[string]string{"Merge branch 'main' into topic": "ours", "Merge branch 'topic'": "theirs"}[c.subject]
		f := s.NewFile(c.path, c.versions[0], c.versions[1], c.versions[2])
		f.RuleSet = c.set
		var err error
		if c.want, err = driver.New(f, driver.Options{Labels: [3]string{"ours", "base", "theirs"}, MarkerSize: 7}).Run(false); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		s.Own = "" // the history has to tell it
		committed := c.want.Bytes
		if !c.want.Clean() {
			committed = c.versions[1]
		}
		c.commits(&stream, committed)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--done")
	cmd.Dir, cmd.Stdin = g.Dir, strings.NewReader(stream.String()+"done\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for s, group := range bySession(cases, sessions) {
		askAll(t, s, group)
	}
}

// bySession puts the cases without rules together, which have one session.
func bySession(cases []*answerCase, sessions map[*answerCase]*session.Session) map[*session.Session][]*answerCase {
	plain := map[string]*session.Session{}
	groups := map[*session.Session][]*answerCase{}
	for _, c := range cases {
		s := sessions[c]
		if c.rules == "" && plain[c.set] == nil {
			plain[c.set] = s
		}
		if c.rules == "" {
			s = plain[c.set]
		}
		groups[s] = append(groups[s], c)
	}
	return groups
}

// askAll asks the commands about cases that have one session.
func askAll(t *testing.T, s *session.Session, cases []*answerCase) {
	o := history.Options{Session: s, AllFiles: true}
	for _, c := range cases {
		o.Revisions = append(o.Revisions, "merged/"+c.name)
	}
	told, found := map[git.ID]*history.Case{}, map[git.ID][]merge.Finding{}
	_, err := history.Replay(context.Background(), o, func(x *history.Case) error { told[x.Merge] = x; return nil })
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	_, err = history.Check(context.Background(), o, func(x history.CheckResult) error {
		found[x.Merge] = append(found[x.Merge], x.Findings...)
		return nil
	})
	if err != nil {
		t.Fatalf("check: %v", err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := s.Git.MergesOf("merged/" + c.name)
			if err != nil || told[m[0].Commit] == nil {
				t.Fatalf("replay: %v, %v", m, err)
			}
			c.ask(t, told[m[0].Commit], found[m[0].Commit])
		})
	}
}

// ask compares what the commands say of a case with what the driver made of it.
func (c *answerCase) ask(t *testing.T, told *history.Case, found []merge.Finding) {
	if !bytes.Equal(told.Content.Driver, c.want.Bytes) || told.Result.Reason != c.want.Reason {
		t.Errorf("replay:\n%s(%s)\nthe driver:\n%s(%s)", told.Content.Driver, told.Result.Reason, c.want.Bytes, c.want.Reason)
	}
	if c.want.Clean() && told.Driver.Committed != history.EqualBytes {
		t.Errorf("replay: %q", told.Driver.Committed)
	}
	var said bytes.Buffer
	all := history.Explanation{Cases: []*history.Case{told}}
	if err := show.PrintOverview(&terminal.Painter{W: &said}, all, true); err != nil || c.want.Clean() != strings.Contains(said.String(), ", as committed") {
		t.Errorf("explain: %v\n%s", err, &said)
	}
	c.askExplain(t, told)
	if c.want.Method == merge.Delegated || !c.want.Clean() {
		return // check judges what is clean
	}
	alone, err := told.File.Findings(c.want.Bytes)
	if found = append(found, alone...); len(found) > 0 {
		t.Errorf("check: %v\n%s", found, c.want.Bytes)
	}
	if err != nil {
		t.Errorf("not checked: %v", err)
	}
}

// askExplain compares the conflicts and decisions of an account with those of the driver.
func (c *answerCase) askExplain(t *testing.T, told *history.Case) {
	type item struct {
		Path, By, Took, Wrote string
		Line                  int
	}
	var got struct{ Decided, Conflicts []item }
	var out bytes.Buffer
	if err := (&show.JSON{W: &out}).WriteCase(told); err != nil || json.Unmarshal(out.Bytes(), &got) != nil {
		t.Fatalf("explain: %v\n%s", err, &out)
	}
	for _, x := range []struct {
		got  []item
		want []merge.Conflict
	}{{got.Decided, c.want.Resolved}, {got.Conflicts, c.want.Conflicts}} {
		same := func(a item, b merge.Conflict) bool { return a == item{b.Path, b.By.String(), b.Took, b.Wrote, b.Line} }
		if !slices.EqualFunc(x.got, x.want, same) {
			t.Errorf("explain: %+v\nthe driver: %+v", x.got, x.want)
		}
	}
}
