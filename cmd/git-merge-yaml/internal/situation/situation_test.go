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
