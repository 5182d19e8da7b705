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

// helpText returns the help of the program or, if words are given, of a command.
func helpText(t *testing.T, words ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := (&App{Stdout: &out, Stderr: &errs}).Run(append([]string{"help"}, words...)); code != exitClean {
		t.Fatalf("help %q: %s", words, &errs)
	}
	return strings.ReplaceAll(out.String(), "\nVERSION:\n   (devel)\n", "")
}

// TestHelp checks that the help of each command fits into helpWidth, and that it contains the exit codes and an
// example.
func TestHelp(t *testing.T) {
	for _, c := range New().commands() {
		text := helpText(t, c.Name)
		for line := range strings.Lines(text) {
			if len(line) > helpWidth+1 || strings.ContainsAny(line, "\t`") {
				t.Errorf("%s: %q", c.Name, line)
			}
		}
		if !strings.Contains(text, "Exits with 0") || !strings.Contains(text, "$ git merge-yaml "+c.Name) {
			t.Errorf("%s: no exit codes, or no examples", c.Name)
		}
	}
}

// TestManPage checks that the manual page contains the help texts of all commands. With -update, it writes the page.
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
	add("DESCRIPTION", helpText(t))
	for _, c := range New().commands() {
		add(strings.ToUpper(c.Name), helpText(t, c.Name))
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
