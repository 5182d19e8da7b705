//go:build unix

package git

import (
	"os"
	"syscall"
)

// isOwnedByUser reports whether path, which may be a symbolic link, belongs to the user who runs this process. It
// reports false if path does not exist.
func isOwnedByUser(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
