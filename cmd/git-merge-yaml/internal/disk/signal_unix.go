//go:build unix

package disk

import (
	"os/signal"
	"syscall"
)

// ignoreFileSizeSignal turns the signal of `ulimit -f`, which ends a process,
// into an error of the write.
func ignoreFileSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }
