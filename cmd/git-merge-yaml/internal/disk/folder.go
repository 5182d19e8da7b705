package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// scratch is how the names of temporary folders begin; digits follow.
const scratch = "git-merge-yaml.tmp-"

// TempFolder makes a new folder that the caller removes. It removes those that killed runs
// left a day ago or earlier.
func TempFolder() (string, error) {
	dir := os.TempDir()
	left, _ := fs.Glob(os.DirFS(dir), scratch+"[0-9]*")
	for _, name := range left {
		name = filepath.Join(dir, name)
		if info, err := os.Lstat(name); err == nil && info.IsDir() && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(name) // another user's stays
		}
	}
	return os.MkdirTemp(dir, scratch+"*")
}
