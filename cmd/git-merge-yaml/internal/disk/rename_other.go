//go:build !linux

package disk

import "os"

// moveOver moves the file tmp to target, both beneath root. An existing target is replaced.
func moveOver(root *os.Root, tmp, target string) error { return root.Rename(tmp, target) }
