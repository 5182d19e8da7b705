package disk

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// put makes the file tmp the one at target, in one step.
//
// Where a file is renamed over another, ext4 starts to write its content to the disk, in case that
// the machine dies (auto_da_alloc), and git, which reads what a driver wrote and deletes
// it, has to wait for that. It does not where two files are exchanged. So that is done with
// the files that git makes for a driver, which nobody wants after a crash.
func put(tmp, target string) error {
	if !strings.HasPrefix(filepath.Base(target), ".merge_file_") || // create_temp in git's ll-merge.c
		unix.Renameat2(unix.AT_FDCWD, tmp, unix.AT_FDCWD, target, unix.RENAME_EXCHANGE) != nil {
		return os.Rename(tmp, target)
	}
	os.Remove(tmp) // the old content; what is written stands, whether it can be removed or not
	return nil
}
