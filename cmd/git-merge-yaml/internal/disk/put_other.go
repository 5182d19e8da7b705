//go:build !linux

package disk

import "os"

// put makes the file tmp the one at target.
func put(tmp, target string) error { return os.Rename(tmp, target) }
