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

// A run is one process: its time, its peak memory and its exit code.
type run struct {
	took   time.Duration
	memory int64 // bytes
	code   int
}

// start runs a command in dir on a fresh copy of ours.
func start(dir, command string) (run, error) {
	if err := copyFile(filepath.Join(dir, "merged.yaml"), filepath.Join(dir, "ours")); err != nil {
		return run{}, err
	}
	args := strings.Fields(strings.NewReplacer("%O", "base", "%A", "merged.yaml", "%B", "theirs").Replace(command))
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	began := time.Now()
	err := c.Run()
	if c.ProcessState == nil {
		return run{}, err
	}
	p := c.ProcessState
	return run{time.Since(began), peak(p), p.ExitCode()}, nil
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

// median returns the middle of the values of get.
func median(runs []run, get func(run) float64) float64 {
	var v []float64
	for _, r := range runs {
		v = append(v, get(r))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

const gitCommand = "git merge-file -q %A %O %B"

// pairs runs two commands in turn in a folder, and returns their runs
// and the ratios of the second to the first.
func pairs(times int, dir string, commands [2]string) (runs [2][]run, ratios []float64, err error) {
	for i := range times + 1 {
		var pair [2]run
		for j := range pair {
			if pair[j], err = start(dir, commands[j]); err != nil {
				return runs, nil, err
			}
		}
		if i == 0 {
			continue // the first pair warms up
		}
		for j, r := range pair {
			runs[j] = append(runs[j], r)
		}
		ratios = append(ratios, pair[1].took.Seconds()/pair[0].took.Seconds())
	}
	slices.Sort(ratios)
	return runs, ratios, nil
}

func milliseconds(r run) float64 { return r.took.Seconds() * 1000 }

func megabytes(r run) float64 { return float64(r.memory) / 1e6 }
