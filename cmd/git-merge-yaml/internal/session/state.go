package session

import (
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// state is what git left to be seen.
type state struct {
	git    git.Git
	dir    string // the git directory of this work tree
	labels [3]string
	// configured is what OwnKey says, unknown if it is not set.
	configured merge.Own
}

func (s state) has(name string) bool { return exists(filepath.Join(s.dir, name)) }

// read is a file of the git directory, "" if there is none.
func (s state) read(name string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return ""
	}
	return string(b)
}
