package team

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Place is where rules are looked for.
type Place struct {
	Git git.Git // at the top of a work tree, or in a bare repository
	// Config is the file that the user named, "" for none. It comes first.
	Config string
	// Into names the commit that is merged into, which has the rules of a bare
	// repository. "" is HEAD, and so is what is no commit.
	Into string
	// Committed says that the rules are those of Into also where there is a work tree.
	Committed bool
	// Bare says that there is no work tree, and Outside that there is no repository, so
	// that nothing but Config counts. A driver knows neither.
	Bare, Outside bool
	Repo          *repo.Repo // of Git
}

// Rules returns the rules that count, nil if there are none, and the name of their
// file: those of Config, else the team's file, else those that git's configuration
// names; but for Config with the presets that it names behind them. The error joins all
// mistakes in them.
func (p Place) Rules() (rules *merge.Rules, name string, err error) {
	at := p.root()
	data, name, err := p.source(at)
	if err != nil {
		return nil, name, err
	}
	if data != nil {
		if rules, err = parse(name, data, at); err != nil {
			return nil, name, err
		}
	}
	if at == nil {
		return rules, name, nil
	}
	more, err := p.personal()
	if err != nil || rules == nil && more != nil {
		name = ExtendsKey
	}
	return rules.Then(more), name, err
}

// Source returns the file with the rules as it is, with the presets that git's
// configuration names; nil if there is neither.
func (p Place) Source() ([]byte, error) {
	at := p.root()
	data, _, err := p.source(at)
	if err != nil || at == nil {
		return data, err
	}
	if more, err := p.personal(); err == nil && more != nil {
		data, _, err = withPresets(data, more.Extended(), true)
		return data, err
	}
	return data, nil
}

func (p Place) source(at root) (data []byte, name string, err error) {
	if p.Config != "" {
		data, err = onDisk(p.Config)
		return data, filepath.ToSlash(p.Config), err
	}
	if at == nil {
		return nil, "", nil
	}
	data, err = at.read(File, maxRules)
	if !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			err = fmt.Errorf("%s: %w", File, err)
		}
		return data, File, err
	}
	if name = p.Repo.Path(Key); name == "" {
		return nil, File, nil
	}
	data, err = at.named(name)
	return data, name, err
}

// root is where the files of the repository are, nil where there is none. Git tells a
// driver where the repository is (GIT_DIR) unless that is in the work tree, as nearly
// always.
func (p Place) root() root {
	dir := os.Getenv("GIT_DIR")
	switch {
	case p.Outside:
		return nil
	case p.Committed:
		return &bareTree{git: p.Git, into: p.Into}
	case !p.Bare && (p.Git.Dir != "" || dir == "" || isLinked(dir)):
		return p.workTree(cmp.Or(p.Git.Dir, "."))
	}
	switch bare, err := p.Repo.IsBare(); {
	case err != nil || p.Bare && !bare:
		return nil
	case bare:
		return &bareTree{git: p.Git, into: p.Into}
	}
	return p.workTree(".")
}

// workTree is the one whose top is a folder.
func (p Place) workTree(top string) root {
	if p.Repo.Value(SparseKey) == "true" {
		return sparse{workTree(top), &bareTree{git: p.Git}}
	}
	return workTree(top)
}

// isLinked reports whether the current directory is the top of a work tree that is
// linked to a git directory.
func isLinked(gitDir string) bool {
	link, err := os.ReadFile(".git")
	return err == nil && strings.TrimSpace(strings.TrimPrefix(string(link), "gitdir: ")) == gitDir
}

// CheckDefinitions reads the definitions of custom resources that rules name, and
// returns in how many files they are. Outside of repositories, and where no file matches,
// there are none. The error joins all mistakes in them.
func (p Place) CheckDefinitions(rules *merge.Rules) (int, error) {
	at := p.root()
	if len(rules.CRDs()) == 0 || at == nil {
		return 0, nil
	}
	files, err := at.definitions(rules)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, rules.AddCRD(f.Path, f.Data))
	}
	return len(files), errors.Join(errs...)
}
