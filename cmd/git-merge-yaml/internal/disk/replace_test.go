package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadChangingFile checks that a file that is rewritten, truncated or removed while it is read is an error.
func TestReadChangingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ours.yaml")
	for name, change := range map[string]func() error{
		"rewritten": func() error {
			if err := os.WriteFile(path, []byte("a: 2\n"), 0o600); err != nil {
				return err
			}
			later := time.Now().Add(time.Hour)
			return os.Chtimes(path, later, later)
		},
		"truncated": func() error { return os.Truncate(path, 2) },
		"removed":   func() error { return os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte("a: 1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := readUnchanged(func(path string) ([]byte, error) {
				b, err := os.ReadFile(path)
				if err == nil {
					err = change()
				}
				return b, err
			}, path)
			if err == nil || !strings.Contains(err.Error(), "file changed while reading; try again") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestReplace checks the content and the permissions after Replace, and that no temporary file remains.
func TestReplace(t *testing.T) {
	for _, name := range []string{"values.yaml", ".merge_file_a1B2c3"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte("a: 1\n"), 0o640); err != nil {
				t.Fatal(err)
			}
			if err := Replace(path, []byte("a: 2\nb: 1\n")); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); string(got) != "a: 2\nb: 1\n" {
				t.Errorf("got %q (%v)", got, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o600 != 0o600 {
				t.Errorf("the permissions are %v (%v)", info.Mode(), err)
			}
			if left, err := os.ReadDir(dir); len(left) != 1 {
				t.Errorf("%v are in the folder (%v)", left, err)
			}
		})
	}
}

// TestWriteByRenameMissing checks that writeByRename creates one of git's files for a driver if it is missing.
func TestWriteByRenameMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".merge_file_a1B2c3")
	if err := writeByRename(path, []byte("a: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "a: 2\n" {
		t.Errorf("got %q (%v)", got, err)
	}
}

// TestReplaceOrCreate checks that only ReplaceOrCreate creates a missing file: a merge must not restore a file that the
// user deleted in the meantime.
func TestReplaceOrCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.yaml")
	if err := Replace(path, []byte("a: 2\n")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("replaced: %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
		t.Errorf("%v are in the folder (%v)", left, err)
	}
	if err := ReplaceOrCreate(path, []byte("a: 2\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "a: 2\n" {
		t.Errorf("got %q (%v)", got, err)
	}
}
