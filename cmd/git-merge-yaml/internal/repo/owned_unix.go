//go:build unix

package repo

import (
	"os"
	"syscall"
)

// isOwned reports whether path is of the user who runs this.
func isOwned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
