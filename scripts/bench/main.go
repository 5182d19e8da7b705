// Command bench times merges of generated YAML files. Each merge is a whole process of the given command, and
// alternates with a process of git merge-file. It prints a table of median times, ratios and peak memory.
//
// The files are in the folder input of the current folder. scripts/bench.sh builds git-merge-yaml and bench,
// and runs bench in a temporary folder.
package main

import (
	"flag"
	"fmt"
	"os"
)

// timeInput times git and command on one input, times runs each, and prints a row of the table.
func timeInput(in input, command string, times int) error {
	if err := in.write("input"); err != nil {
		return err
	}
	runs, ratios, err := runPairs(times, "input", [2]string{gitCommand, command})
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
	hostile := flag.Bool("hostile", false, "inputs that are made to be slow, one run each in three sizes")
	flag.Parse()
	var err error
	if *hostile {
		err = timeHostileInputs(*command, *only)
	} else {
		err = timeInputs(*command, *only, *times)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// timeInputs times all inputs, or those of the kind only if it is not empty, and prints a table.
func timeInputs(command, only string, times int) error {
	fmt.Printf("%s\n%-8s%10s%8s%10s%10s%10s%8s%6s\n", command, "input", "bytes", "edits", "git ms", "ms", "ratio", "MB", "exit")
	for _, in := range inputs {
		if only != "" && in.kind != only {
			continue
		}
		if err := timeInput(in, command, times); err != nil {
			return err
		}
	}
	return nil
}
