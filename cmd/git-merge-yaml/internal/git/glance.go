package git

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A glance is a look at the files of git's configuration, since to ask git
// takes as long as most merges.
type glance struct {
	sure  bool // these are all that git reads
	files [][]byte
}

// glanceAt reads the files for the repository in dir.
func glanceAt(dir string) *glance {
	for _, name := range []string{"GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"} {
		if os.Getenv(name) != "" {
			return &glance{}
		}
	}
	dir, sure := workTreeAt(dir)
	if !sure {
		return &glance{}
	}
	g := &glance{sure: true}
	for _, file := range configFiles(dir) {
		data, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			return &glance{}
		}
		g.files = append(g.files, bytes.ToLower(data))
	}
	return g
}

// workTreeAt returns the folder with the .git that git finds from dir on, or dir
// if there is none. It is not sure about any other kind of repository.
func workTreeAt(dir string) (top string, sure bool) {
	for at, err := filepath.Abs(dir); err == nil; at = filepath.Dir(at) {
		switch {
		case exists(at, ".git", "HEAD") && exists(at, ".git", "config"):
			return at, true
		case exists(at, ".git"), exists(at, "HEAD"): // of a linked work tree; a bare one
			return "", false
		case at == filepath.Dir(at):
			return dir, true
		}
	}
	return "", false
}

// exists reports whether there is, or may be, a file.
func exists(path ...string) bool {
	_, err := os.Lstat(filepath.Join(path...))
	return !os.IsNotExist(err)
}

// may reports whether key may be set: whether any section has one of its name,
// or a file includes others.
func (g *glance) may(key string) bool {
	name := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	return !g.sure || slices.ContainsFunc(g.files, func(file []byte) bool { return mayName(file, name) })
}

// mayName reports whether a file in lower case may set a key of that name.
// Keys may stand behind their section's header.
func mayName(config []byte, name string) bool {
	if !bytes.Contains(config, []byte(name)) && !bytes.Contains(config, []byte("[include")) {
		return false
	}
	return regexp.MustCompile(`(?m)(^|\])[ \t]*(` + name + `[ \t\r]*(=|$)|\[include)`).Match(config)
}

// configFiles are the files that git reads for the repository in dir.
func configFiles(dir string) []string {
	home, _ := os.UserHomeDir()
	files := []string{filepath.Join(dir, ".git", "config"), filepath.Join(dir, ".git", "config.worktree")}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		files = append(files, global)
	} else {
		xdg := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
		files = append(files, filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig"))
	}
	if system, ok := os.LookupEnv("GIT_CONFIG_SYSTEM"); ok {
		return append(files, system)
	}
	files = append(files, "/etc/gitconfig")
	if git, err := exec.LookPath("git"); err == nil {
		files = append(files, filepath.Join(filepath.Dir(git), "..", "etc", "gitconfig"))
	}
	return files
}
