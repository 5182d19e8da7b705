package disk

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// put makes the file tmp the one at target, both beneath root, in one step.
//
// Where a file is renamed over another, ext4 starts to write its content to the disk, in case that
// the machine dies (auto_da_alloc), and git, which reads what a driver wrote and deletes
// it, has to wait for that. It does not where two files are exchanged. So that is done with
// the files that git makes for a driver, which nobody wants after a crash.
func put(root *os.Root, tmp, target string) error {
	in := func(name string) string { return filepath.Join(root.Name(), name) }
	if !strings.HasPrefix(target, ".merge_file_") || // create_temp in git's ll-merge.c
		unix.Renameat2(unix.AT_FDCWD, in(tmp), unix.AT_FDCWD, in(target), unix.RENAME_EXCHANGE) != nil {
		return root.Rename(tmp, target)
	}
	root.Remove(tmp) // the old content; what is written stands, whether it can be removed or not
	return nil
}
