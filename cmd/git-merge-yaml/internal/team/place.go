package team

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Place is where a command that is no merge driver runs: which rules count
// there, and what the files there are called in the repository.
type Place struct {
	tree   *git.WorkTree // nil outside of work trees
	config string        // the file with rules that the user named, "" for none
}

// Here is the current directory, with the file of rules that the user named,
// if any.
func Here(config string) Place {
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		tree = nil
	}
	return Place{tree, config}
}

// top is the top of the work tree, "" outside of one.
func (p Place) top() string {
	if p.tree == nil {
		return ""
	}
	return p.tree.Top
}

// Rules returns the rules of a merge here, nil if there are none, and the name
// of their file. The error joins all mistakes in them.
func (p Place) Rules() (*merge.Rules, string, error) {
	if p.config != "" {
		r, err := named(p.config, p.top())
		return r, p.config, err
	}
	if p.tree == nil {
		return nil, "", nil
	}
	if r, err := atTop(p.tree.Top); r != nil || err != nil {
		return r, File, err
	}
	return configured(p.tree.Git, p.tree.LazySettings(Key))
}

// Source returns the file with the rules of a merge here as it is, nil if there is
// none.
func (p Place) Source() ([]byte, error) {
	rules, name, err := p.Rules()
	switch {
	case err != nil || rules == nil:
		return nil, err
	case p.config == "" && !filepath.IsAbs(name):
		name = filepath.Join(p.top(), name)
	}
	return os.ReadFile(name)
}

// RulesOrFirstMistake is Rules for what does not list mistakes: it tells the
// first, and how many there are.
func (p Place) RulesOrFirstMistake() (*merge.Rules, error) {
	rules, _, err := p.Rules()
	if err != nil {
		return nil, errors.New(Mistakes(err))
	}
	return rules, nil
}

// PathOf returns the path of a file in the repository; outside of it the file's
// own.
func (p Place) PathOf(file string) string {
	slashed := path.Clean(filepath.ToSlash(file))
	if p.tree == nil || filepath.IsAbs(file) {
		return slashed
	}
	return path.Join(p.tree.Prefix, slashed)
}

// CheckDefinitions reads the definitions of custom resources that rules name,
// and returns in how many files they are. Outside of work trees there are none.
// The error joins all mistakes in them.
func (p Place) CheckDefinitions(rules *merge.Rules) (int, error) {
	if len(rules.CRDs()) == 0 || p.tree == nil {
		return 0, nil
	}
	files, err := crdFiles(p.tree.Top, rules)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("crds: no file matches %s", strings.Join(rules.CRDs(), " "))
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, rules.AddCRD(f.Path, f.Data))
	}
	return len(files), errors.Join(errs...)
}
