package disk

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// scratch is how the names of temporary folders begin; digits follow.
const scratch = "git-merge-yaml.tmp-"

// leftAfter is the age at which a temporary folder is that of a run that was killed.
const leftAfter = 24 * time.Hour

// TempFolder makes a new folder that the caller removes. It removes those that killed runs
// left a day ago or earlier.
func TempFolder() (string, error) {
	dir := os.TempDir()
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if of, ok := strings.CutPrefix(e.Name(), scratch); !ok || strings.Trim(of, "0123456789") != "" || !e.IsDir() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftAfter {
			os.RemoveAll(filepath.Join(dir, e.Name())) // another user's stays
		}
	}
	return os.MkdirTemp(dir, scratch+"*")
}
