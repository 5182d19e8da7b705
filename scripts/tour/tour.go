package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed shop.txtar
var shop []byte

// A moment of the tour: what is said, then what is typed.
type moment struct {
	says  string
	types []command
}

// A command is a line of sh. Lines of input are answers to what it asks.
type command struct {
	line  string
	input string
	code  int
}

// moments are the tour in order.
var moments = []moment{
	{`# The first ten minutes

A repository with ten files of YAML, in which main and the branch release changed all
ten. This page was written by ` + "`go run ./scripts/tour`" + `, which did all of it with git %s; only
times and versions are left out.

## Without the driver

Git finds a conflict in each file:`, []command{
		{line: "git merge -q release", code: 1},
		{line: "git merge --abort"},
	}},
	{`## Install`, []command{{line: "~/git-merge-yaml/scripts/install.sh"}}},
	{"Is everything in its place?", []command{{line: "git merge-yaml doctor"}}},
	{`## The merge

Seven files need nobody. In the other three both sides changed the same field:`, []command{
		{line: "git merge -q release", code: 1},
		{line: "cat k8s/web.yaml"},
		{line: "git diff k8s/settings.yaml"},
	}},
	{`What happened in a file, and by which rule?`, []command{{line: "git merge-yaml explain k8s/settings.yaml"}}},
	{`## The three questions

They can be answered in an editor, as ever. Or one key at a time: here **h** for the higher version,
**t** for theirs, and **o** for ours.`, []command{
		{line: "git merge-yaml resolve -i", input: "h\nt\no\n"},
		{line: "git status --short"},
		{line: "git commit -q -m 'Merge release'"},
	}},
	{`## Afterwards

Did the merge lose anything that it should have kept?`, []command{{line: "git merge-yaml check --merge HEAD"}}},
	{`It did not. And what would git alone have done?`, []command{{line: "git merge-yaml replay"}}},
	{`## Undo

The configuration and the attributes are as they were before:`, []command{{line: "git merge-yaml uninstall"}}},
}

// tour writes a newcomer's first minutes as Markdown.
func tour(s *session) (string, error) {
	if err := shopRepository(s); err != nil {
		return "", err
	}
	if err := os.Symlink(s.top, filepath.Join(s.home, "git-merge-yaml")); err != nil {
		return "", err
	}
	if err := os.RemoveAll(filepath.Join(s.home, ".local")); err != nil {
		return "", err // the tour installs it
	}
	version, err := s.run("git version | grep -o '[0-9]*[.][0-9]*' | head -n 1", "", 0)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, m := range moments {
		b.WriteString(m.says + "\n\n<!-- not run: scripts/tour ran it -->\n```console\n")
		for _, c := range m.types {
			out, err := s.run(c.line, c.input, c.code)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "$ %s\n%s", c.line, timeless(out))
		}
		b.WriteString("```\n\n")
	}
	return fmt.Sprintf(strings.TrimSuffix(b.String(), "\n"), strings.TrimSpace(version)), nil
}

// shopRepository makes the history: a commit, and one on each of two branches.
func shopRepository(s *session) error {
	if _, err := s.run("git init -q -b main", "", 0); err != nil {
		return err
	}
	for _, c := range []struct{ branch, author, message, versions string }{
		{"main", "Ada", "Open the shop", "base"},
		{"release", "Ben", "Release 1.5", "theirs"},
		{"main", "Ada", "Prepare the sale", "ours"},
	} {
		if c.versions != "base" {
			if _, err := s.run("git checkout -q main && git checkout -q -B "+c.branch, "", 0); err != nil {
				return err
			}
		}
		files := map[string]string{}
		for _, f := range txtar.Parse(shop).Files {
			if name, ok := strings.CutPrefix(f.Name, c.versions+"/"); ok {
				files[name] = string(f.Data)
			}
		}
		if err := s.commit(c.author, c.message, files); err != nil {
			return err
		}
	}
	s.as("Ada")
	return nil
}

// varying is what differs between machines and days.
var varying = regexp.MustCompile(`(?m)^(took |ok +git: version |ok +program: \S+ version ).*$`)

func timeless(out string) string { return varying.ReplaceAllString(out, "${1}…") }
