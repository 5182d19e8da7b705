//go:build !unix

package main

import "os"

// peakMemory returns 0, because the peak memory of a process is not known on this system.
func peakMemory(*os.ProcessState) int64 { return 0 }
