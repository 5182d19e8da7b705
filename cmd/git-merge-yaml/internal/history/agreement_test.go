package history_test

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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A mergeCase is a case of testdata/merge as a finished merge.
type mergeCase struct {
	name, path, rules, crd, ruleSet, subject string

	versions [3][]byte    // base, ours and theirs; nil if the version does not exist
	want     merge.Result // the result of the driver
}

// readMergeCases returns the cases of testdata/merge with three different versions. It ignores the options of a case
// for markers and for resolving conflicts, because they are not recorded in a finished merge.
func readMergeCases(t *testing.T) (all []*mergeCase) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "testdata", "merge", "*.txtar"))
	if err != nil || len(files) < 400 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := &mergeCase{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), path: "file.yaml", subject: "One of many"}
		versions := map[string]*[]byte{"base": &c.versions[0], "ours": &c.versions[1], "theirs": &c.versions[2]}
		for _, f := range ar.Files {
			if version, ok := versions[f.Name]; ok {
				*version = append([]byte{}, f.Data...)
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
			c.applyDirective(key, value, versions)
		}
		v := c.versions
		if !bytes.Equal(v[0], v[1]) && !bytes.Equal(v[0], v[2]) && !bytes.Equal(v[1], v[2]) {
			all = append(all, c)
		}
	}
	return all
}

// applyDirective applies a line "key: value" of the comment of a case. Some keys have names of versions as their
// value: crlf, nofinal and bom change the bytes of these versions. Unknown keys are ignored.
func (c *mergeCase) applyDirective(key, value string, versions map[string]*[]byte) {
	for name := range strings.FieldsSeq(value) {
		version, ok := versions[name]
		switch {
		case !ok:
		case key == "crlf":
			*version = bytes.ReplaceAll(*version, []byte("\n"), []byte("\r\n"))
		case key == "nofinal":
			*version = bytes.TrimRight(*version, "\r\n")
		case key == "bom":
			*version = append([]byte("\ufeff"), *version...)
		}
	}
	switch key {
	case "path":
		c.path = value
	case "rules":
		c.ruleSet = value
	case "own": // commands derive the own side from the message of the merge
		c.subject = map[string]string{"ours": "Merge branch 'main' into topic", "theirs": "Merge branch 'topic'"}[value]
	}
}

// newSession returns a session in the repository g with the rules and the CRD of the case.
func (c *mergeCase) newSession(t *testing.T, g git.Git) *session.Session {
	s := &session.Session{Options: session.Options{RuleSet: c.ruleSet}, Git: g, Library: merge.Merge}
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

// writeCommits writes the commits of the case to b, in the format of git fast-import. The merge commit, with the
// content committed, is the branch merged/NAME.
func (c *mergeCase) writeCommits(b *strings.Builder, committed []byte) {
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

// TestCommandsAgreeWithDriver merges a quarter of the cases of testdata/merge, or all with -long, with the driver and
// commits the results. Then it compares the results of replay, check and explain for these commits with the driver's result.
func TestCommandsAgreeWithDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("many merges")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	g := git.Git{Dir: t.TempDir()}
	if _, err := g.Run("init", "-q", "--bare", "-b", "main"); err != nil {
		t.Fatal(err)
	}
	cases := readMergeCases(t)
	if !scripttest.Long() {
		for i := range len(cases) / 4 {
			cases[i] = cases[4*i]
		}
		cases = cases[:len(cases)/4]
	}
	sessions := map[*mergeCase]*session.Session{}
	var stream strings.Builder
	for _, c := range cases {
		s := c.newSession(t, g)
		sessions[c] = s
		s.Own = map[string]string{"Merge branch 'main' into topic": "ours", "Merge branch 'topic'": "theirs"}[c.subject]
		f := s.NewFile(c.path, c.versions[0], c.versions[1], c.versions[2])
		f.RuleSet = c.ruleSet
		var err error
		if c.want, err = driver.New(f, driver.Options{Labels: [3]string{"ours", "base", "theirs"}, MarkerSize: 7}).Run(false); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		s.Own = "" // the commands have to derive it from the history
		committed := c.want.Bytes
		if !c.want.Clean() {
			committed = c.versions[1]
		}
		c.writeCommits(&stream, committed)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--done")
	cmd.Dir, cmd.Stdin = g.Dir, strings.NewReader(stream.String()+"done\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	commits := readBranches(t, g)
	for s, group := range groupBySession(cases, sessions) {
		compareCommands(t, s, commits, group)
	}
}

// readBranches returns the commit of each branch, by its full name.
func readBranches(t *testing.T, g git.Git) map[string]git.ID {
	lines, err := g.Run("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]git.ID{}
	for line := range strings.Lines(string(lines)) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if all[name], err = git.ParseID(id); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// groupBySession returns the cases by session. Cases without rules share a session if they have the same rule set.
func groupBySession(cases []*mergeCase, sessions map[*mergeCase]*session.Session) map[*session.Session][]*mergeCase {
	sharedSessions := map[string]*session.Session{}
	groups := map[*session.Session][]*mergeCase{}
	for _, c := range cases {
		s := sessions[c]
		if c.rules == "" && sharedSessions[c.ruleSet] == nil {
			sharedSessions[c.ruleSet] = s
		}
		if c.rules == "" {
			s = sharedSessions[c.ruleSet]
		}
		groups[s] = append(groups[s], c)
	}
	return groups
}

// compareCommands runs replay and check for the commits of cases, and compares the results for each case. commits has
// the commit of each branch.
func compareCommands(t *testing.T, s *session.Session, commits map[string]git.ID, cases []*mergeCase) {
	o := history.Options{Session: s, AllFiles: true}
	for _, c := range cases {
		o.Revisions = append(o.Revisions, "merged/"+c.name)
	}
	replayed, findings := map[git.ID]*history.Case{}, map[git.ID][]merge.Finding{}
	_, err := history.Replay(context.Background(), o, func(x *history.Case) error { replayed[x.Merge] = x; return nil })
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	_, err = history.Check(context.Background(), o, func(x history.CheckResult) error {
		findings[x.Merge] = append(findings[x.Merge], x.Findings...)
		return nil
	})
	if err != nil {
		t.Fatalf("check: %v", err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			commit := commits["refs/heads/merged/"+c.name]
			if replayed[commit] == nil {
				t.Fatalf("no replay of %s", commit)
			}
			c.compare(t, replayed[commit], findings[commit])
		})
	}
}

// compare compares the results of replay, check and explain for a case with the driver's result.
func (c *mergeCase) compare(t *testing.T, replayed *history.Case, findings []merge.Finding) {
	if !bytes.Equal(replayed.Content.Driver, c.want.Bytes) || replayed.Result.Reason != c.want.Reason {
		t.Errorf("replay:\n%s(%s)\nthe driver:\n%s(%s)", replayed.Content.Driver, replayed.Result.Reason, c.want.Bytes, c.want.Reason)
	}
	if c.want.Clean() && replayed.Driver.Committed != history.EqualBytes {
		t.Errorf("replay: %q", replayed.Driver.Committed)
	}
	var overview bytes.Buffer
	all := history.Explanation{Cases: []*history.Case{replayed}}
	err := show.PrintOverview(&terminal.Painter{W: &overview}, all, true)
	_, ofDriver, _ := strings.Cut(overview.String(), "; driver: ") // git's clean merge can be as committed, too
	ofDriver, _, _ = strings.Cut(ofDriver, "\n")
	if err != nil || c.want.Clean() != strings.Contains(ofDriver, ", as committed") {
		t.Errorf("explain: %v\n%s", err, &overview)
	}
	c.compareExplain(t, replayed)
	if c.want.Method == merge.MethodDelegated || !c.want.Clean() {
		return // check is only for clean merges by field
	}
	fileFindings, err := replayed.File.Findings(c.want.Bytes)
	if findings = append(findings, fileFindings...); len(findings) > 0 {
		t.Errorf("check: %v\n%s", findings, c.want.Bytes)
	}
	if err != nil {
		t.Errorf("not checked: %v", err)
	}
}

// compareExplain compares the conflicts and decisions that explain writes as JSON with those of the driver.
func (c *mergeCase) compareExplain(t *testing.T, replayed *history.Case) {
	type item struct {
		Path, By, Took, Wrote string
		Line                  int
	}
	var got struct{ Decided, Conflicts []item }
	var out bytes.Buffer
	if err := (&show.JSON{W: &out}).WriteCase(replayed); err != nil || json.Unmarshal(out.Bytes(), &got) != nil {
		t.Fatalf("explain: %v\n%s", err, &out)
	}
	for _, x := range []struct {
		got  []item
		want []merge.Conflict
	}{{got.Decided, c.want.Resolved}, {got.Conflicts, c.want.Conflicts}} {
		same := func(a item, b merge.Conflict) bool {
			return a == item{b.Path, b.By.String(), string(b.Took), b.Wrote, b.Line}
		}
		if !slices.EqualFunc(x.got, x.want, same) {
			t.Errorf("explain: %+v\nthe driver: %+v", x.got, x.want)
		}
	}
}
