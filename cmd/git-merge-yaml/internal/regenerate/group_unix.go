//go:build unix

package regenerate

import (
	"os/exec"
	"syscall"
)

// asGroup makes a command a group of its own, so that what it started ends with it.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
