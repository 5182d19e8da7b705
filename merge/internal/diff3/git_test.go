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

// A gitRepo is a directory in which git runs without the user's configuration.
type gitRepo struct {
	*testing.T
	dir string
}

func newGit(t *testing.T) gitRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: ", err)
	}
	g := gitRepo{t, t.TempDir()}
	version := string(g.run("", "version"))
	var major, minor int
	if _, err := fmt.Sscanf(version, "git version %d.%d", &major, &minor); err != nil || major*100+minor < 235 {
		t.Skip("no zdiff3 in ", version)
	}
	return g
}

// run runs git and returns its standard output. Exit codes up to 127 are not an error,
// because git uses them for conflicts.
func (g gitRepo) run(stdin string, args ...string) []byte {
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

func (g gitRepo) write(name string, data []byte) {
	g.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, name), data, 0o600); err != nil {
		g.Fatal(err)
	}
}

var styles = [...]string{text.StyleMerge: "merge", text.StyleDiff3: "diff3", text.StyleZdiff3: "zdiff3"}

// checkMerge fails the test if MergeLines does not return want.
func (tr triple) checkMerge(t *testing.T, opts Options, want []byte) {
	t.Helper()
	got, _, err := MergeLines(tr.original, tr.dest, tr.updated, opts)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%+v: %v\n--- original\n%.2000s--- dest\n%.2000s--- updated\n%.2000s--- got\n%.2000s--- want\n%.2000s",
			opts, err, tr.original, tr.dest, tr.updated, got, want)
	}
}

func TestMergeLinesEqualsGitMergeFile(t *testing.T) {
	g, all := newGit(t), append(randomTriples(60), randomHardTriples(24)...)
	if testing.Short() {
		all = all[:25]
	}
	flags := [...]string{FavorNone: "--quiet", FavorOurs: "--ours", FavorTheirs: "--theirs", FavorUnion: "--union"}
	for i, tr := range all {
		g.write("original", tr.original)
		g.write("dest", tr.dest)
		g.write("updated", tr.updated)
		opts := Options{Markers: gitMarkers, Favor: Favor(max(0, i%16-12))}
		opts.Markers.Size = 5 + i%5
		for s, style := range styles {
			args := []string{"merge-file", "-p", flags[opts.Favor], fmt.Sprintf("--marker-size=%d", opts.Markers.Size)}
			if text.Style(s) != text.StyleMerge {
				args = append(args, "--"+style)
			}
			want := g.run("", append(args, "-L", "ours", "-L", "base", "-L", "theirs", "dest", "original", "updated")...)
			opts.Markers.Style = text.Style(s)
			tr.checkMerge(t, opts, want)
		}
	}
}

func TestMergeLinesEqualsGitMerge(t *testing.T) {
	g, all := newGit(t), append(randomTriples(300), randomHardTriples(24)...)
	if testing.Short() {
		all = all[:300]
	}
	g.run("", "init", "-q")
	g.run(fastImportStream(all), "fast-import", "--quiet")
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
			tr.checkMerge(t, opts, want)
		}
	}
}

// fastImportStream returns the input of git fast-import for a repository that has a
// branch for each version, and in it a file for each triple.
func fastImportStream(all []triple) string {
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
