package setup

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// fallbackName is the name of the file with gitattrs.FallbackScript, a shell script that merges as git does without a
// driver. Git runs it if this program is missing or fails.
const fallbackName = "merge-yaml-fallback"

// fallbackFile returns the path of the fallback script for scope, and the same path as a word of sh for the command
// line of the driver. The file need not exist. It is beside git's own files of the scope, so that it exists as long as
// the settings do. The error is that this folder is not known.
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
		// this word finds the file even after the repository was moved
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

// planFallback adds to p the change that writes the fallback script, unless the file is up to date. It sets
// d.FallbackFile, the word for the file in the command line of the driver. The error is that the file cannot be read,
// or that its place is not known.
func (p *plan) planFallback(d *gitattrs.Driver) error {
	path, word, err := fallbackFile(p.git, p.Scope)
	if err != nil {
		return err
	}
	d.FallbackFile = word
	current, err := disk.ReadIfExists(path)
	if err == nil && !bytes.Equal(current, []byte(gitattrs.FallbackScript)) {
		p.planFile(path, "write "+path+", a script that merges with git if the program fails", []byte(gitattrs.FallbackScript))
	}
	return err
}

// planFallbackRemoval adds to p the change that removes the fallback script, if the file exists. It returns an error if
// the place of the file is not known, or if the file cannot be read.
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

// checkFallback checks the fallback script of the driver c. It returns a phrase about the problem with it, or "" if the
// file has the content that Install writes. It sets c.FallbackFile, the word for the file in the command line that the
// driver should have; it is "" if the place of the file is not known.
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
		return path + " is missing (the script that merges with git if the program fails)"
	case string(current) != gitattrs.FallbackScript:
		return path + " differs from the script of this version"
	}
	return ""
}
