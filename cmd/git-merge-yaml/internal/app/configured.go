package app

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
)

// mayNameRules reports whether git's configuration may have a key called
// config, as rulesKey is: a look at its files, since to ask git takes as long
// as most merges. Whatever is not plain (a file that includes others, a linked
// work tree) may.
func mayNameRules(dir string) bool {
	for _, name := range []string{"GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	for _, file := range configFiles(dir) {
		data, err := os.ReadFile(file)
		if err == nil && mentionsRules(data) || err != nil && !os.IsNotExist(err) {
			return true
		}
	}
	return false
}

// configKey is a key called config, in any section, or a file that is
// included. Keys may stand behind their section's header.
var configKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)(^|\])[ \t]*(config[ \t\r]*(=|$)|\[include)`)
})

func mentionsRules(config []byte) bool {
	lower := bytes.ToLower(config)
	return (bytes.Contains(lower, []byte("config")) || bytes.Contains(lower, []byte("[include"))) && configKey().Match(config)
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
