package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

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
