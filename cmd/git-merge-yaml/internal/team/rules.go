// Package team finds and reads the rules that a team gives its lists and fields: those of a
// file in the work tree or, in a bare repository, in the commit that is merged into; or of one
// that git's configuration or the user names. What they mean is the business of package merge.
package team

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// File is the name of the team's file, at the top of a work tree.
const File = ".git-merge-yaml.yaml"

// Key names another one in git's configuration.
const Key = "merge.yaml.config"

// maxRules is far above what people write, and far below what is slow to read in every merge.
const maxRules = 1 << 20

// A Place is where rules are looked for.
type Place struct {
	Git    git.Git // at the top of a work tree, or in a bare repository
	Config string  // the file that the user named, "" for none; it comes first
	// Into names the commit that is merged into, which has the rules of a bare
	// repository. "" is HEAD, and so is what is no commit.
	Into string
	// Bare says that there is no work tree, and Outside that there is no repository, so
	// that nothing but Config counts. A driver knows neither.
	Bare, Outside bool
	// Committed says that the rules are those of HEAD, whatever the work tree has.
	Committed bool
	Repo      *repo.Repo // of Git
}

// Rules returns the rules that count, nil if there are none, and the name of their
// file. The error joins all mistakes in them.
func (p Place) Rules() (*merge.Rules, string, error) {
	data, name, err := p.Source()
	if err != nil || data == nil {
		return nil, name, err
	}
	rules, err := merge.ParseRules(name, data, build.Version())
	if err == nil && len(rules.CRDs()) > 0 {
		if f := p.files(); f != nil {
			err = rules.ReadCRDs(func() ([]merge.File, error) { return f.definitions(rules) })
		}
	}
	if err != nil {
		return nil, name, err
	}
	return rules, name, nil
}

// Source is the file with the rules that count, nil if there is none, and its name: that of
// Config, else the team's, else the one that git's configuration names.
func (p Place) Source() (data []byte, name string, err error) {
	if p.Config != "" {
		data, err = readNamed(p.Config)
		return data, filepath.ToSlash(p.Config), err
	}
	f := p.files()
	if f == nil {
		return nil, "", nil
	}
	data, err = f.read(File, maxRules)
	if err == nil {
		return data, File, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, File, fmt.Errorf("%s: %w", File, err)
	}
	if name = p.Repo.Path(Key); name == "" {
		return nil, File, nil
	}
	data, err = f.named(name)
	return data, name, err
}

// readNamed reads a file with rules that somebody named, wherever it is.
func readNamed(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s with rules", file)
	case err != nil:
		return nil, err
	case info.Size() > maxRules:
		return nil, fmt.Errorf("%s: larger than %d bytes", file, maxRules)
	}
	return os.ReadFile(file)
}

// CheckDefinitions reads the definitions of custom resources that rules name, and
// returns in how many files they are. Outside of repositories, and where no file matches,
// there are none. The error joins all mistakes in them.
func (p Place) CheckDefinitions(rules *merge.Rules) (int, error) {
	f := p.files()
	if len(rules.CRDs()) == 0 || f == nil {
		return 0, nil
	}
	files, err := f.definitions(rules)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, rules.AddCRD(f.Path, f.Data))
	}
	return len(files), errors.Join(errs...)
}

// Unmatched is what rules name and no file of the work tree has, or none of the commit.
func (p Place) Unmatched(rules *merge.Rules) ([]string, error) {
	f := p.files()
	if f == nil {
		return nil, nil
	}
	paths, read, done, err := f.list()
	if err != nil {
		return nil, err
	}
	defer done()
	return rules.Unmatched(paths, func(path string) ([]byte, error) {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".yaml", ".yml", ".json":
		default:
			return nil, fs.ErrInvalid
		}
		data, err := read(path, maxCRDBytes)
		if err == nil && len(merge.ParseConflicts(data, 0)) > 0 { // it says what it said before the merge
			return p.Git.Run("show", "HEAD:"+path)
		}
		return data, err
	}), nil
}

// files are those of the repository, nil where there is none. Git tells a driver where the
// repository is (GIT_DIR) unless that is in the work tree, as nearly always.
func (p Place) files() *files {
	f := &files{git: p.Git, committed: p.Committed}
	if p.Outside {
		return nil
	} else if p.Committed {
		return f
	}
	dir := os.Getenv("GIT_DIR")
	if !p.Bare && (p.Git.Dir != "" || dir == "" || isLinked(dir)) {
		f.top = cmp.Or(p.Git.Dir, ".")
	} else {
		switch bare, err := p.Repo.IsBare(); {
		case err != nil || p.Bare && !bare:
			return nil
		case bare:
			f.into, f.committed = p.Into, true
			return f
		}
		f.top = "."
	}
	f.committed = p.Repo.Value("core.sparseCheckout") == "true"
	return f
}

// isLinked reports whether the current directory is the top of a work tree that is
// linked to a git directory.
func isLinked(gitDir string) bool {
	link, err := os.ReadFile(".git")
	return err == nil && strings.TrimSpace(strings.TrimPrefix(string(link), "gitdir: ")) == gitDir
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
