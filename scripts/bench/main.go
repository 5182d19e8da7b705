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
	runs, ratios, err := pairs(times, [2]string{"input", "input"}, [2]string{gitCommand, command})
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
	long := flag.Bool("series", false, "growing sizes and numbers of edits")
	odd := flag.Bool("odd", false, "odd inputs, also in turn with ordinary ones of their size")
	bad := flag.Bool("hostile", false, "inputs that somebody made to be slow, once each at three sizes")
	many := flag.Int("files", 0, "merge so many files in a repository, by the driver line and its parts")
	flag.Parse()
	var err error
	switch {
	case *many > 0:
		err = compareMany(*many, *command, *times)
	case *bad:
		err = compareHostile(*command, *only)
	default:
		err = print(*command, *only, *times, *long, *odd)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// print times the inputs of a kind, or all, and prints a table.
func print(command, only string, times int, long, odd bool) error {
	inputs, each := table, compare
	switch {
	case odd:
		inputs, each = odds, compareOdd
		fmt.Printf("%s\n%-9s%10s%10s%10s%10s%12s%12s%8s%6s\n", command, "input", "bytes", "git ms", "ms", "to git",
			"to ordinary", "by CPU", "MB", "exit")
	case long:
		inputs = series
		fallthrough
	default:
		fmt.Printf("%s\n%-8s%10s%8s%10s%10s%10s%8s%6s\n", command, "input", "bytes", "edits", "git ms", "ms", "ratio", "MB", "exit")
	}
	for _, in := range inputs {
		if only != "" && in.kind != only {
			continue
		}
		if err := each(in, command, times); err != nil {
			return err
		}
	}
	return nil
}
