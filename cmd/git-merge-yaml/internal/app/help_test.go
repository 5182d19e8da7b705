package app

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

//go:generate go test -run ^TestManPage$ -update

var update = flag.Bool("update", false, "write docs/git-merge-yaml.1")

// help is what the program says of itself, or of a command.
func help(t *testing.T, words ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := (&App{Stdout: &out, Stderr: &errs}).Run(append([]string{"help"}, words...)); code != exitClean {
		t.Fatalf("help %q: %s", words, &errs)
	}
	return strings.ReplaceAll(out.String(), "\nVERSION:\n   (devel)\n", "")
}

// TestHelp: each help fits, and says of each option what it does, and the exit codes.
func TestHelp(t *testing.T) {
	for _, c := range New().commands() {
		text := help(t, c.Name)
		for line := range strings.Lines(text) {
			if len(line) > width+1 || strings.ContainsAny(line, "\t`") {
				t.Errorf("%s: %q", c.Name, line)
			}
		}
		if !strings.Contains(text, "Exits with 0") || !strings.Contains(text, "$ git merge-yaml "+c.Name) {
			t.Errorf("%s: no exit codes, or no examples", c.Name)
		}
	}
}

// TestManPage: the manual is the helps, as they are.
func TestManPage(t *testing.T) {
	page := ".\\\" Written by go generate ./cmd/git-merge-yaml/internal/app\n.TH GIT-MERGE-YAML 1 \"\" git-merge-yaml \"Git Manual\"\n"
	add := func(title, text string) {
		page += ".SH " + title + "\n.nf\n"
		for line := range strings.Lines(strings.ReplaceAll(text, `\`, `\e`)) {
			page += strings.ReplaceAll(`\&`+line, "-", `\-`)
		}
		page += ".fi\n"
	}
	add("NAME", "git-merge-yaml - merge YAML manifests field by field\n")
	add("DESCRIPTION", help(t))
	for _, c := range New().commands() {
		add(strings.ToUpper(c.Name), help(t, c.Name))
	}
	add("FILES", ".git-merge-yaml.yaml\n   the rules of the team, at the top of the work tree\n"+
		".gitattributes, .git/info/attributes, ~/.config/git/attributes\n   say which files git merges with the driver: *.yaml merge=yaml\n")
	add("SEE ALSO", "git-merge(1), git-rebase(1), gitattributes(5)\n")
	file := filepath.Join("..", "..", "..", "..", "docs", "git-merge-yaml.1")
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != page {
		t.Errorf("docs/git-merge-yaml.1 is not what the help says; fix it with: go generate ./cmd/git-merge-yaml/internal/app")
	}
}
