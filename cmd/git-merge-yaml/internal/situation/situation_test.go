package situation

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// TestReadFileOutsideOfRepository checks that files of the current directory are not taken for those of git if there is
// no repository.
func TestReadFileOutsideOfRepository(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	t.Setenv("GIT_REFLOG_ACTION", "")
	if err := os.MkdirAll("rebase-merge", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"rebase-merge/done": "pick 8ca51e7 # x\n", "FETCH_HEAD": "x\n", "SQUASH_MSG": "x\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := Read(git.Git{}, git.Open(git.Git{}), [3]string{})
	if command, _ := s.currentTodo(); command != "" || s.readFile("FETCH_HEAD") != "" || s.Operation != None || s.ContinueCommand() != "" {
		t.Errorf("command %q, operation %v: read from the current directory", command, s.Operation)
	}
}

// TestFilesOfTwoOperations asks one Situation about a file of another operation, and about one of the merge that
// stopped.
func TestFilesOfTwoOperations(t *testing.T) {
	t.Setenv("GIT_REFLOG_ACTION", "")
	g := git.Git{Dir: t.TempDir()}
	run := func(args ...string) {
		if _, err := g.Run(append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(content string) {
		if err := os.WriteFile(filepath.Join(g.Dir, "a.yaml"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		run("add", ".")
		run("commit", "-q", "-m", content)
	}
	run("init", "-q", "-b", "main")
	commit("a: 1\n")
	run("checkout", "-q", "-b", "topic")
	commit("a: 2\n")
	run("checkout", "-q", "main")
	commit("a: 3\n")
	run("merge", "-q", "--no-commit", "-s", "ours", "topic")
	s := Read(g, git.Open(g), [3]string{})
	for _, c := range []struct {
		path, theirs string
		want         bool
	}{{"a.yaml", "a: 9\n", false}, {"a.yaml", "a: 2\n", true}, {"b.yaml", "a: 2\n", false}} {
		if m, ok := s.RunningMerge(File{Path: c.path, Theirs: []byte(c.theirs)}); ok != c.want {
			t.Errorf("%s with %q: %v, %v", c.path, c.theirs, m, ok)
		}
	}
}
