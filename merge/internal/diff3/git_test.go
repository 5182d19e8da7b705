package diff3

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// git is a folder to run git in, away from the user's configuration.
type git struct {
	*testing.T
	dir string
}

func newGit(t *testing.T) git {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: ", err)
	}
	g := git{t, t.TempDir()}
	version := string(g.run("", "version"))
	var major, minor int
	if _, err := fmt.Sscanf(version, "git version %d.%d", &major, &minor); err != nil || major*100+minor < 235 {
		t.Skip("no zdiff3 in ", version)
	}
	return g
}

// run runs git and returns what it prints. Exit codes up to 127 are fine:
// conflicts.
func (g git) run(stdin string, args ...string) []byte {
	g.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = g.dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "HOME="+g.dir, "XDG_CONFIG_HOME="+g.dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(g.dir))
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 127) {
		g.Fatalf("git %v: %v", args, err)
	}
	return out
}

func (g git) write(name string, data []byte) {
	g.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, name), data, 0o600); err != nil {
		g.Fatal(err)
	}
}

var styles = [...]string{text.StyleMerge: "merge", text.StyleDiff3: "diff3", text.StyleZdiff3: "zdiff3"}

// compare fails where MergeLines does not give want.
func (tr triple) compare(t *testing.T, opts Options, want []byte) {
	t.Helper()
	got, _, err := MergeLines(tr.original, tr.dest, tr.updated, opts)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%+v: %v\n--- original\n%.2000s--- dest\n%.2000s--- updated\n%.2000s--- got\n%.2000s--- want\n%.2000s",
			opts, err, tr.original, tr.dest, tr.updated, got, want)
	}
}

func TestMergeLinesIsGitMergeFile(t *testing.T) {
	g, all := newGit(t), append(triples(200), hardTriples(24)...)
	if testing.Short() {
		all = all[:25]
	}
	flags := [...]string{FavorNone: "--quiet", FavorOurs: "--ours", FavorTheirs: "--theirs", FavorUnion: "--union"}
	for i, tr := range all {
		g.write("original", tr.original)
		g.write("dest", tr.dest)
		g.write("updated", tr.updated)
		opts := Options{Markers: labelled, Favor: Favor(max(0, i%16-12))}
		opts.Markers.Size = 5 + i%5
		for s, style := range styles {
			args := []string{"merge-file", "-p", flags[opts.Favor], fmt.Sprintf("--marker-size=%d", opts.Markers.Size)}
			if text.Style(s) != text.StyleMerge {
				args = append(args, "--"+style)
			}
			want := g.run("", append(args, "-L", "ours", "-L", "base", "-L", "theirs", "dest", "original", "updated")...)
			opts.Markers.Style = text.Style(s)
			tr.compare(t, opts, want)
		}
	}
}

func TestMergeLinesIsGitMerge(t *testing.T) {
	g, all := newGit(t), append(triples(300), hardTriples(24)...)
	if testing.Short() {
		all = all[:300]
	}
	g.run("", "init", "-q")
	g.run(history(all), "fast-import", "--quiet")
	for s, style := range styles {
		g.run("", "checkout", "-q", "-f", "dest")
		g.run("", "-c", "merge.conflictStyle="+style, "merge", "-q", "--no-commit", "-s", "ort", "updated")
		opts := Options{As: Merge, Markers: text.Markers{
			Style: text.Style(s), Ours: "HEAD", Theirs: "updated",
			Base: strings.TrimSpace(string(g.run("", "rev-parse", "--short", "original"))),
		}}
		for i, tr := range all {
			want, err := os.ReadFile(filepath.Join(g.dir, fmt.Sprint(i)))
			if err != nil {
				t.Fatal(err)
			}
			tr.compare(t, opts, want)
		}
	}
}

// history is a stream for git fast-import: a branch for each version, with a
// file for each of the triples.
func history(all []triple) string {
	var b strings.Builder
	commit := func(branch, parent string, version func(triple) []byte) {
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter A <a@example.com> 0 +0000\ndata 0\n%s", branch, parent)
		for i, tr := range all {
			data := version(tr)
			fmt.Fprintf(&b, "M 644 inline %d\ndata %d\n%s\n", i, len(data), data)
		}
	}
	commit("original", "", func(tr triple) []byte { return tr.original })
	commit("dest", "from refs/heads/original\n", func(tr triple) []byte { return tr.dest })
	commit("updated", "from refs/heads/original\n", func(tr triple) []byte { return tr.updated })
	return b.String()
}
