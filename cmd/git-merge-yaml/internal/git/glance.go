package git

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A glance is a look at the files of git's configuration, since to ask git
// takes as long as most merges.
type glance struct {
	sure  bool // these are all that git reads
	files [][]byte
	// given are the keys that the environment sets, as git -c does, in lower case and
	// with whatever stands beside them.
	given []string
}

// glanceAt reads the files for the repository in dir.
func glanceAt(dir string) *glance {
	own, common, sure := repositoryAt(dir)
	given, known := givenKeys()
	if !sure || !known {
		return &glance{}
	}
	g := &glance{sure: true, given: given}
	for _, file := range configFiles(own, common) {
		data, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			return &glance{}
		}
		g.files = append(g.files, bytes.ToLower(data))
	}
	return g
}

// givenKeys returns the keys that the environment sets; false if that is not certain.
func givenKeys() (keys []string, sure bool) {
	if params := os.Getenv("GIT_CONFIG_PARAMETERS"); params != "" {
		keys = append(keys, strings.ToLower(params))
	}
	count := os.Getenv("GIT_CONFIG_COUNT")
	if count == "" {
		return keys, true
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > 1000 {
		return nil, false
	}
	for i := range n {
		keys = append(keys, strings.ToLower(os.Getenv("GIT_CONFIG_KEY_"+strconv.Itoa(i))))
	}
	return keys, true
}

// may reports whether key may be set: whether any section has one of its name,
// or a file includes others.
func (g *glance) may(key string) bool {
	key = strings.ToLower(key)
	name := key[strings.LastIndexByte(key, '.')+1:]
	given := func(keys string) bool { return strings.Contains(keys, key) || strings.Contains(keys, "include") }
	return !g.sure || slices.ContainsFunc(g.given, given) ||
		slices.ContainsFunc(g.files, func(file []byte) bool { return mayName(file, name) })
}

// mayName reports whether a file in lower case may set a key of that name.
// Keys may stand behind their section's header.
func mayName(config []byte, name string) bool {
	if !bytes.Contains(config, []byte(name)) && !bytes.Contains(config, []byte("[include")) {
		return false
	}
	return regexp.MustCompile(`(?m)(^|\])[ \t]*(` + name + `[ \t\r]*(=|$)|\[include)`).Match(config)
}

// configFiles are the files that git reads for a repository, which may be none.
func configFiles(own, common string) (files []string) {
	home, _ := os.UserHomeDir()
	if own != "" {
		files = append(files, filepath.Join(common, "config"), filepath.Join(own, "config.worktree"))
	}
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
