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

// fallbackFile returns where Install writes the fallback script: a shell script that merges as git does without a
// driver, which git runs if this program is missing or fails. The file need not exist. word is the path as a word of
// sh, for the command line of the driver. The script is not beside the program, but beside git's own files, so that it
// exists as long as the settings do.
//
//	scope    path                                                word
//	global   git/merge-yaml-fallback in XDG_CONFIG_HOME, which   the path, quoted
//	         is ~/.config by default
//	system   merge-yaml-fallback beside git's configuration or   the path, quoted
//	         attributes of the machine, such as in /etc
//	local    merge-yaml-fallback in the directory of the         a command that finds it, also after the repository
//	         repository that all its work trees share            was moved
//
// It returns an error if there is no repository for the scope local, or if the folder is not known; path and word are
// then "".
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

// planFallback adds a change to p: to write the fallback script, a shell script that git runs if this program is
// missing or fails. Nothing is written yet. It adds nothing if the file already has this content. In both cases it sets
// d.FallbackFile, the word for the file in the command line of the driver. It returns an error if the place of the file
// is not known, or if the file cannot be read.
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

// planFallbackRemoval adds a change to p: to remove the fallback script, a shell script that git runs if this program
// is missing or fails. Nothing is removed yet. It adds nothing if there is no such file. It returns an error if the
// place of the file is not known, or if the file cannot be read.
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

// checkFallback checks the fallback script of a driver, a shell script that git runs if this program is missing or
// fails. It returns "" if the script is as Install writes it. Otherwise it returns a phrase about the problem: the
// place of the file is not known, or the file is missing, has another content, or cannot be read. It sets
// c.FallbackFile, the word for the file in the command line that the driver should have, "" if the place is not known.
// Nothing is printed.
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
