//go:build !linux

package disk

import "os"

// put makes the file tmp the one at target, both beneath root.
func put(root *os.Root, tmp, target string) error { return root.Rename(tmp, target) }
