// Command bench writes versions of YAML files to the current folder and times
// merges of them by whole processes, each in turn with git merge-file. It
// prints medians; scripts/bench.sh builds what it needs.
package main

import (
	"flag"
	"fmt"
	"os"
)

// compare times one input and prints a line.
func compare(in input, command string, times int) error {
	if err := in.write("input"); err != nil {
		return err
	}
	runs, ratios, err := pairs(times, "input", [2]string{gitCommand, command})
	if err != nil {
		return err
	}
	fmt.Printf("%-8s%10d%8d%10.2f%10.2f%9.2fx%8.0f%6d\n", in.kind, in.size, in.edits,
		median(runs[0], milliseconds), median(runs[1], milliseconds), ratios[len(ratios)/2], median(runs[1], megabytes), runs[1][0].code)
	return nil
}

func main() {
	command := flag.String("cmd", "", "the program, with %O %A %B as git gives them")
	times := flag.Int("runs", 21, "runs of each, in turn")
	only := flag.String("only", "", "only the inputs of this kind")
	bad := flag.Bool("hostile", false, "inputs that somebody made to be slow, once each at three sizes")
	flag.Parse()
	var err error
	if *bad {
		err = compareHostile(*command, *only)
	} else {
		err = compareAll(*command, *only, *times)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// compareAll times the inputs of a kind, or all, and prints a table.
func compareAll(command, only string, times int) error {
	fmt.Printf("%s\n%-8s%10s%8s%10s%10s%10s%8s%6s\n", command, "input", "bytes", "edits", "git ms", "ms", "ratio", "MB", "exit")
	for _, in := range table {
		if only != "" && in.kind != only {
			continue
		}
		if err := compare(in, command, times); err != nil {
			return err
		}
	}
	return nil
}
