//go:build !unix

package regenerate

import "os/exec"

// killGroupOnCancel does nothing on this system. If the context of cmd is cancelled, only the command itself is killed;
// processes that it started may continue.
func killGroupOnCancel(*exec.Cmd) {}
