package setup

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// fallbackName is the name of the file with gitattrs.FallbackScript.
const fallbackName = "merge-yaml-fallback"

// fallbackFile returns the path of the file with gitattrs.FallbackScript for drivers of a scope, and the word for it in
// their driver lines. The file is beside git's own files, not beside the program, so that it is there as long as the
// settings are.
//
//	scope    file                                                word
//	global   git/merge-yaml-fallback in the user's ~/.config     its absolute path
//	system   merge-yaml-fallback beside git's configuration or   its absolute path
//	         attributes of the machine, such as in /etc
//	local    merge-yaml-fallback in the directory of the         a command that finds it, also after the repository
//	         repository that all its work trees share            was moved
func fallbackFile(g git.Git, scope git.Scope) (path, word string, err error) {
	switch scope {
	case git.Local:
		dir, err := g.Line("rev-parse", "--git-common-dir")
		if err != nil {
			return "", "", git.Explain(err)
		}
		if dir = filepath.FromSlash(dir); !filepath.IsAbs(dir) {
			dir = filepath.Join(g.Dir, dir)
		}
		return filepath.Join(dir, fallbackName), `"$(git rev-parse --git-common-dir)/` + fallbackName + `"`, nil
	case git.System:
		file := os.Getenv("GIT_CONFIG_SYSTEM")
		if file == "" {
			if file, err = g.AttributesFile("system"); err != nil {
				return "", "", err
			}
		}
		path = filepath.Join(filepath.Dir(file), fallbackName)
		return path, gitattrs.QuoteForShell(filepath.ToSlash(path)), nil
	}
	dir := os.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", err
		}
		dir = filepath.Join(home, ".config")
	}
	path = filepath.Join(dir, "git", fallbackName)
	return path, gitattrs.QuoteForShell(filepath.ToSlash(path)), nil
}

// planFallback plans to write the file with gitattrs.FallbackScript, unless it is there already, and sets
// d.FallbackFile.
func (p *plan) planFallback(d *gitattrs.Driver) error {
	path, word, err := fallbackFile(p.git, p.Scope)
	if err != nil {
		return err
	}
	d.FallbackFile = word
	current, err := disk.ReadIfExists(path)
	if err == nil && !bytes.Equal(current, []byte(gitattrs.FallbackScript)) {
		p.planFile(path, "write "+path+", a script that has git merge if the program fails", []byte(gitattrs.FallbackScript))
	}
	return err
}

// planFallbackRemoval plans to remove the file that planFallback writes.
func (p *plan) planFallbackRemoval() error {
	path, _, err := fallbackFile(p.git, p.Scope)
	if err != nil {
		return err
	}
	current, err := disk.ReadIfExists(path)
	if err == nil && current != nil {
		p.planFile(path, "remove "+path, nil)
	}
	return err
}

// checkFallback sets c.FallbackFile, and returns a phrase about the file with gitattrs.FallbackScript, or "" if it is as
// Install writes it.
func (d *doctor) checkFallback(c *checkedDriver) string {
	path, word, err := fallbackFile(d.git, c.scope)
	c.FallbackFile = word
	if err != nil {
		return err.Error()
	}
	current, err := disk.ReadIfExists(path)
	switch {
	case err != nil:
		return err.Error()
	case current == nil:
		return path + ", the script that has git merge if the program fails, is missing"
	case string(current) != gitattrs.FallbackScript:
		return path + " is not what this version of install writes"
	}
	return ""
}
