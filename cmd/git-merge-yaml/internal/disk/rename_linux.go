package disk

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// moveOver moves the file tmp to target, both beneath root, in one step. An existing target is replaced.
//
// Files that git made for a merge driver are exchanged with tmp, and the old one is removed. When a file is renamed
// over another, ext4 writes its content to the disk at once, in case of a crash (auto_da_alloc). Git, which reads and
// removes the file a moment later, would wait for that: a quarter to a third of the time of a merge. Exchanging two
// files does not have this effect. After a crash, git's files for a driver are of no use.
func moveOver(root *os.Root, tmp, target string) error {
	fullPath := func(name string) string { return filepath.Join(root.Name(), name) }
	if !strings.HasPrefix(target, ".merge_file_") || // see create_temp in git's ll-merge.c
		unix.Renameat2(unix.AT_FDCWD, fullPath(tmp), unix.AT_FDCWD, fullPath(target), unix.RENAME_EXCHANGE) != nil {
		return root.Rename(tmp, target)
	}
	root.Remove(tmp) // the old content; an error does not affect the result
	return nil
}
