package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// scratch is how the names of temporary files and folders begin; digits or capital letters follow.
const scratch = "git-merge-yaml.tmp-"

// TempFolder makes a new folder that the caller removes. It removes those that killed runs
// left a day ago or earlier.
func TempFolder() (string, error) {
	dir := os.TempDir()
	Clean(dir)
	return os.MkdirTemp(dir, scratch+"*")
}

// Clean removes the temporary files and folders in dir that killed runs left a day ago or earlier.
func Clean(dir string) {
	left, _ := fs.Glob(os.DirFS(dir), scratch+"[0-9A-Z]*")
	for _, name := range left {
		name = filepath.Join(dir, name)
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(name) // another user's stays
		}
	}
}
