//go:build unix

package regenerate

import (
	"os/exec"
	"syscall"
)

// killGroupOnCancel prepares a command, which must not have been started, so that it runs in a process group of its
// own. If the context of cmd is cancelled, the whole group is killed: the command and the processes that it started. It
// sets cmd.SysProcAttr and cmd.Cancel; cmd must have been created with a context.
func killGroupOnCancel(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
