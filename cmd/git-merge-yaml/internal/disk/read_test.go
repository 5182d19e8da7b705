package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInputChanges holds that a file that changes, grows or goes away while it
// is read is refused.
func TestInputChanges(t *testing.T) {
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
			_, err := readBy(func(path string) ([]byte, error) {
				b, err := os.ReadFile(path)
				if err == nil {
					err = change()
				}
				return b, err
			}, path)
			if err == nil || !strings.Contains(err.Error(), "changed while it was read; merge again") {
				t.Errorf("got %v", err)
			}
		})
	}
}
