package app

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

// rulesFile is the team's file, at the top of a work tree.
const rulesFile = ".git-merge-yaml.yaml"

// rulesKey names another one in git's configuration.
const rulesKey = "merge.yaml.config"

// maxRules is far above what people write, and far below what would be slow
// to read in every merge.
const maxRules = 1 << 20

// teamRules returns the rules of the team's file at the top of a work tree,
// nil if there is none. A merge without the file pays for one look at the
// folder.
func teamRules(top string) (*merge.Rules, error) {
	if _, err := os.Lstat(filepath.Join(top, rulesFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := readWithin(root, rulesFile, maxRules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rulesFile, err)
	}
	return parseRules(rulesFile, data, top)
}

// namedRules returns the rules of a file that the user named. CRDs are those
// of the work tree at top, "" if there is none.
func namedRules(file, top string) (*merge.Rules, error) {
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
	return parseRules(filepath.ToSlash(file), data, top)
}

func parseRules(name string, data []byte, top string) (*merge.Rules, error) {
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

// readRules reads the rules for a merge: those of --config, else the team's
// file at the top of the work tree, else those that git's configuration names.
func (m *merger) readRules() error {
	if m.team != nil {
		return nil
	}
	err := m.readTeamRules()
	if m.team == nil && err == nil && m.gitSettings().MayBeSet(rulesKey) {
		err = m.readConfiguredRules()
	}
	return err
}

// readTeamRules reads the rules of --config, else of the team's file.
func (m *merger) readTeamRules() (err error) {
	g := m.lines.git
	if m.config != "" {
		m.team, err = namedRules(m.config, workTree(g))
		return err
	}
	m.team, err = teamRules(cmp.Or(g.Dir, "."))
	if (m.team != nil || err != nil) && workTree(g) == "" {
		m.team = nil
		return nil // git was run in this folder, but for a repository elsewhere
	}
	return err
}

// readConfiguredRules reads the rules that git's configuration names, if it
// names any.
func (m *merger) readConfiguredRules() (err error) {
	file, top := m.setting(rulesKey), workTree(m.lines.git)
	if file == "" {
		return nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(top, file)
	}
	m.team, err = namedRules(file, top)
	return err
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

// setting returns what git is configured to.
func (m *merger) setting(key string) string { return m.gitSettings().Value(key) }

// gitSettings are the settings of git that a merge reads.
func (m *merger) gitSettings() *git.LazySettings {
	if m.settings == nil {
		m.settings = m.lines.git.LazySettings(rulesKey, styleKey)
	}
	return m.settings
}

// mistakes is the first of the errors that err joins, and how many there are.
func mistakes(err error) string {
	first, more, ok := strings.Cut(err.Error(), "\n")
	if !ok {
		return first
	}
	return fmt.Sprintf("%s (and %s; git merge-yaml lists --check lists all)", first, terminal.Count(1+strings.Count(more, "\n"), "more mistake"))
}
