package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestRemoveStaleTempsOfWriteInRoot checks that the temporary files of WriteInRoot are removed, whether they are in the
// folder .git or beside the target.
func TestRemoveStaleTempsOfWriteInRoot(t *testing.T) {
	for _, withGit := range []bool{false, true} {
		dir := t.TempDir()
		if withGit {
			if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		names := tempPaths(root, "web.yaml")
		root.Close()
		if withGit != (len(names) == 2) {
			t.Errorf("%q, with .git: %v", names, withGit)
		}
		old := time.Now().Add(-25 * time.Hour)
		for _, name := range names {
			temp := filepath.Join(dir, name)
			if err := os.WriteFile(temp, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(temp, old, old); err != nil {
				t.Fatal(err)
			}
			RemoveStaleTemps(filepath.Dir(temp))
			if _, err := os.Lstat(temp); err == nil {
				t.Errorf("%s is left", name)
			}
		}
	}
}

// TestMakeTempFolder checks that MakeTempFolder removes old temporary folders of killed runs, and nothing else.
func TestMakeTempFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} { // TMP on Windows
		t.Setenv(name, dir)
	}
	old := time.Now().Add(-25 * time.Hour)
	for name, modified := range map[string]time.Time{
		tempPrefix + "1": old, tempPrefix + "2": time.Now(), tempPrefix + "mine": old, "git-merge-yaml": old,
	} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
	created, err := MakeTempFolder()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := []string{"git-merge-yaml", tempPrefix + "2", tempPrefix + "mine", filepath.Base(created)}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
