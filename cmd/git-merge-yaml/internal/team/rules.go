// Package team finds and reads the rules that a team gives its lists and
// fields: those of a file in the work tree, or of one that git's configuration
// or the user names. What they mean is the business of package merge.
package team

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
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

// atTop returns the rules of the team's file at the top of a work tree, nil if
// there is none. A merge without the file pays for one look at the folder.
func atTop(top string) (*merge.Rules, error) {
	if _, err := os.Lstat(filepath.Join(top, File)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := readWithin(root, File, maxRules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	return parse(File, data, top)
}

// named returns the rules of a file that the user named. CRDs are those
// of the work tree at top, "" if there is none.
func named(file, top string) (*merge.Rules, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s with rules", file)
	case err != nil:
		return nil, err
	case info.Size() > maxRules:
		return nil, fmt.Errorf("%s: larger than %d bytes", file, maxRules)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parse(filepath.ToSlash(file), data, top)
}

func parse(name string, data []byte, top string) (*merge.Rules, error) {
	r, err := merge.ParseRules(name, data, build.Version())
	if err == nil && top != "" && len(r.CRDs()) > 0 {
		r.ReadCRDs(func() ([]merge.File, error) { return crdFiles(top, r) })
	}
	return r, err
}

// readWithin reads a regular file that is not larger than limit. A symbolic
// link is followed only as long as it stays below root.
func readWithin(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// ForMerge returns the rules of a merge that git asks for, nil if there are
// none, and the name of their file: those of config unless it is "", else the
// team's file at the top of the work tree, else those that git's configuration
// names. Settings has Key among its keys.
func ForMerge(g git.Git, config string, settings *git.LazySettings) (rules *merge.Rules, name string, err error) {
	if config != "" {
		rules, err = named(config, workTree(g))
		return rules, config, err
	}
	rules, err = atTop(cmp.Or(g.Dir, "."))
	if (rules != nil || err != nil) && workTree(g) == "" {
		rules, err = nil, nil // git was run in this folder, but for a repository elsewhere
	}
	if rules != nil || err != nil || !settings.MayBeSet(Key) {
		return rules, File, err
	}
	return configured(g, settings)
}

// configured returns the rules that git's configuration names, if it names any.
func configured(g git.Git, settings *git.LazySettings) (rules *merge.Rules, name string, err error) {
	name = settings.Value(Key)
	if name == "" {
		return nil, "", nil
	}
	file, top := name, workTree(g)
	if !filepath.IsAbs(file) {
		file = filepath.Join(top, file)
	}
	rules, err = named(file, top)
	return rules, name, err
}

// workTree returns the top of the work tree as a driver knows it: where git
// is run, or "" in a bare repository. Git tells a driver where the repository
// is (GIT_DIR) unless that is in the work tree, as nearly always.
func workTree(g git.Git) string {
	if os.Getenv("GIT_DIR") != "" {
		if bare, err := g.IsBare(); err != nil || bare {
			return ""
		}
	}
	return cmp.Or(g.Dir, ".")
}

// Mistakes is the first of the errors that err joins, and how many there are.
func Mistakes(err error) string {
	first, more, ok := strings.Cut(err.Error(), "\n")
	if !ok {
		return first
	}
	return fmt.Sprintf("%s (and %s; git merge-yaml lists --check lists all)", first, terminal.Count(1+strings.Count(more, "\n"), "more mistake"))
}
