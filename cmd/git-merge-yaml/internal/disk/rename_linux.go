package disk

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// moveOver moves the file tmp to target, both beneath root, in one step. An existing target is replaced. If that fails,
// both files are unchanged.
func moveOver(root *os.Root, tmp, target string) error {
	// A temporary file of git for a merge driver is exchanged with tmp: when a file is renamed over another, ext4 writes
	// its content to the disk at once (auto_da_alloc), and git would wait, a quarter to a third of the time of a merge.
	fullPath := func(name string) string { return filepath.Join(root.Name(), name) }
	if !strings.HasPrefix(target, ".merge_file_") || // see create_temp in git's ll-merge.c
		unix.Renameat2(unix.AT_FDCWD, fullPath(tmp), unix.AT_FDCWD, fullPath(target), unix.RENAME_EXCHANGE) != nil {
		return root.Rename(tmp, target)
	}
	root.Remove(tmp) // the old content; an error does not affect the result
	return nil
}
