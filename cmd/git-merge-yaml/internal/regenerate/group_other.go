//go:build !unix

package regenerate

import "os/exec"

// asGroup leaves it to the system what becomes of what a command started.
func asGroup(*exec.Cmd) {}
