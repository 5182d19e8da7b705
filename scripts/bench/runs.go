package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A run is the time, the peak memory and the exit code of one process.
type run struct {
	duration time.Duration
	memory   int64 // bytes
	code     int
}

// runCommand runs a command in dir and measures it. In command, %O is the file base, %A a new copy of ours and
// %B theirs. A nonzero exit code is not an error.
func runCommand(dir, command string) (run, error) {
	if err := copyFile(filepath.Join(dir, "merged.yaml"), filepath.Join(dir, "ours")); err != nil {
		return run{}, err
	}
	args := strings.Fields(strings.NewReplacer("%O", "base", "%A", "merged.yaml", "%B", "theirs").Replace(command))
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	start := time.Now()
	err := c.Run()
	if c.ProcessState == nil {
		return run{}, err
	}
	p := c.ProcessState
	return run{time.Since(start), peakMemory(p), p.ExitCode()}, nil
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		return err
	}
	return dst.Close()
}

// median returns the median of the values that get returns for runs.
func median(runs []run, get func(run) float64) float64 {
	var v []float64
	for _, r := range runs {
		v = append(v, get(r))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

const gitCommand = "git merge-file -q %A %O %B"

// runPairs runs two commands alternately in dir, times runs each after one that is not counted. It returns the
// runs of each command and, sorted, the ratio of the second command's time to the first command's in each pair.
func runPairs(times int, dir string, commands [2]string) (runs [2][]run, ratios []float64, err error) {
	for i := range times + 1 {
		var pair [2]run
		for j := range pair {
			if pair[j], err = runCommand(dir, commands[j]); err != nil {
				return runs, nil, err
			}
		}
		if i == 0 {
			continue // the first pair warms up
		}
		for j, r := range pair {
			runs[j] = append(runs[j], r)
		}
		ratios = append(ratios, pair[1].duration.Seconds()/pair[0].duration.Seconds())
	}
	slices.Sort(ratios)
	return runs, ratios, nil
}

func milliseconds(r run) float64 { return r.duration.Seconds() * 1000 }

func megabytes(r run) float64 { return float64(r.memory) / 1e6 }
