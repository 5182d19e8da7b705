package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// tempPrefix is the start of the names of temporary files and folders. A digit or a capital letter follows.
const tempPrefix = "git-merge-yaml.tmp-"

// MakeTempFolder creates a folder in the system's folder for temporary files and returns its path, such as
// /tmp/git-merge-yaml.tmp-1234. The caller removes it. It first removes temporary files and folders of this program
// there that were modified more than a day ago (RemoveStaleTemps).
func MakeTempFolder() (string, error) {
	dir := os.TempDir()
	RemoveStaleTemps(dir)
	return os.MkdirTemp(dir, tempPrefix+"*")
}

// RemoveStaleTemps removes temporary files and folders of runs that were killed from the folder dir: those that were
// modified more than a day ago. Errors are ignored, even if dir does not exist.
//
//	git-merge-yaml.tmp-1234         removed
//	.git-merge-yaml.tmp-1234-abc    removed
//	git-merge-yaml.tmp-mine         kept
func RemoveStaleTemps(dir string) {
	temps, _ := fs.Glob(os.DirFS(dir), tempPrefix+"[0-9A-Z]*")
	besideTargets, _ := fs.Glob(os.DirFS(dir), "."+tempPrefix+"[0-9A-Z]*") // see tempPaths
	for _, name := range append(temps, besideTargets...) {
		name = filepath.Join(dir, name)
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(name) // fails for those of other users
		}
	}
}
