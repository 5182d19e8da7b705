package git

import (
	"os"
	"path/filepath"
	"strings"
)

// Locate returns the folder of the repository that git finds from dir on, that of
// its work tree and the one that all its work trees share; both are "" where there is no
// repository. It is not sure of what does not look as git makes it.
func Locate(dir string) (own, common string, sure bool) {
	if os.Getenv("GIT_COMMON_DIR") != "" {
		return "", "", false
	}
	if own = os.Getenv("GIT_DIR"); own != "" {
		if !filepath.IsAbs(own) {
			own = filepath.Join(dir, own)
		}
		return withCommon(own)
	}
	for at, err := filepath.Abs(dir); err == nil; at = filepath.Dir(at) {
		git := filepath.Join(at, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return withCommon(git)
		case !os.IsNotExist(err):
			return linked(at)
		case exists(at, "HEAD"):
			return withCommon(at)
		case at == filepath.Dir(at):
			return "", "", true
		}
	}
	return "", "", false
}

// linked is Locate for a folder whose .git is a file that names the repository: a
// linked work tree or a submodule.
func linked(at string) (own, common string, sure bool) {
	data, err := os.ReadFile(filepath.Join(at, ".git"))
	own, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if err != nil || !ok {
		return "", "", false
	}
	if !filepath.IsAbs(own) {
		own = filepath.Join(at, own)
	}
	return withCommon(own)
}

// withCommon returns own with the folder that it shares with other work trees, if they are
// a repository.
func withCommon(own string) (_, common string, sure bool) {
	common = own
	data, err := os.ReadFile(filepath.Join(own, "commondir"))
	if err == nil {
		common = strings.TrimRight(string(data), "\r\n")
		if !filepath.IsAbs(common) {
			common = filepath.Join(own, common)
		}
	}
	sure = err == nil || os.IsNotExist(err)
	return own, common, sure && exists(own, "HEAD") && exists(common, "config") && exists(common, "objects")
}

// exists reports whether there is, or may be, a file.
func exists(path ...string) bool {
	_, err := os.Lstat(filepath.Join(path...))
	return !os.IsNotExist(err)
}
