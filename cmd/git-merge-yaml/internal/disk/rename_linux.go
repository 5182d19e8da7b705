package disk

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// moveOver moves the file tmp to target, both beneath root, in one step. An existing target is replaced. If that fails,
// it returns an error, and both files are unchanged.
//
// If the name of target begins with .merge_file_, it is a temporary file of git for a merge driver. The two files are
// then exchanged, and the old one is removed; if they cannot be exchanged, tmp is renamed as usual. The reason is
// speed. When a file is renamed over another, ext4 writes its content to the disk at once, in case of a crash
// (auto_da_alloc). Git, which reads and removes the file a moment later, would wait for that: a quarter to a third of
// the time of a merge. Exchanging two files does not have this effect. After a crash, git's files for a driver are of
// no use.
func moveOver(root *os.Root, tmp, target string) error {
	fullPath := func(name string) string { return filepath.Join(root.Name(), name) }
	if !strings.HasPrefix(target, ".merge_file_") || // see create_temp in git's ll-merge.c
		unix.Renameat2(unix.AT_FDCWD, fullPath(tmp), unix.AT_FDCWD, fullPath(target), unix.RENAME_EXCHANGE) != nil {
		return root.Rename(tmp, target)
	}
	root.Remove(tmp) // the old content; an error does not affect the result
	return nil
}
