// Package team finds and reads the rules that a team gives its lists and
// fields: those of a file in the work tree or, in a bare repository, in the commit
// that is merged into; or of one that git's configuration or the user names. What
// they mean is the business of package merge.
package team

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// File is the name of the team's file, at the top of a work tree.
const File = ".git-merge-yaml.yaml"

// Key names another one in git's configuration.
const Key = "merge.yaml.config"

// maxRules is far above what people write, and far below what would be slow
// to read in every merge.
const maxRules = 1 << 20

// onDisk reads a file with rules that somebody named.
func onDisk(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s with rules", file)
	case err != nil:
		return nil, err
	case info.Size() > maxRules:
		return nil, tooLarge(file, maxRules)
	}
	data, err := os.ReadFile(file)
	return append([]byte{}, data...), err
}

func tooLarge(file string, limit int64) error {
	return fmt.Errorf("%s: larger than %d bytes", file, limit)
}

func parse(name string, data []byte, at root) (*merge.Rules, error) {
	r, err := merge.ParseRules(name, data, build.Version())
	if err == nil && at != nil && len(r.CRDs()) > 0 {
		err = r.ReadCRDs(func() ([]merge.File, error) { return at.definitions(r) })
	}
	return r, err
}

// Mistakes is the first of the errors that err joins, and how many there are.
func Mistakes(err error) string {
	first, more, ok := strings.Cut(err.Error(), "\n")
	if !ok {
		return first
	}
	return fmt.Sprintf("%s (and %s; git merge-yaml rules check lists all)", first,
		terminal.Count(1+strings.Count(more, "\n"), "more mistake"))
}
