package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// odds are inputs that could take a time out of all proportion to their size.
var odds = []input{
	{kind: "deep", edits: 10, version: deep},
	{kind: "brackets", edits: 10, version: brackets},
	{kind: "line", edits: 10, version: line},
	{kind: "items", edits: everything, version: items},
	{kind: "comments", edits: 10, version: comments},
	{kind: "crlf", edits: 10, version: crlf},
}

// everything is more edits than any file has blocks.
const everything = 1 << 30

// compareOdd times an odd input in turn with git, and in turn with an ordinary
// one of its size in which as much changed, and prints a line.
func compareOdd(in input, command string, times int) error {
	if err := in.write("input"); err != nil {
		return err
	}
	base, err := os.Stat(filepath.Join("input", "base"))
	if err != nil {
		return err
	}
	in.size = int(base.Size())
	ordinary := input{kind: "values", size: in.size, edits: in.edits}
	if err := ordinary.write("ordinary"); err != nil {
		return err
	}
	runs, toGit, err := pairs(times, [2]string{"input", "input"}, [2]string{gitCommand, command})
	if err != nil {
		return err
	}
	beside, toOrdinary, err := pairs(times, [2]string{"ordinary", "input"}, [2]string{command, command})
	if err != nil {
		return err
	}
	fmt.Printf("%-9s%10d%10.2f%10.2f%9.2fx%11.2fx%11.2fx%8.0f%6d\n", in.kind, in.size,
		median(runs[0], milliseconds), median(runs[1], milliseconds),
		toGit[len(toGit)/2], toOrdinary[len(toOrdinary)/2], median(beside[1], cpu)/median(beside[0], cpu),
		median(runs[1], megabytes), runs[1][0].code)
	return nil
}

// deep is mappings nested 10,000 levels deep, in blocks.
func deep(w *bufio.Writer, v int) {
	const levels = 10000
	blanks := strings.Repeat(" ", levels)
	for i := range levels {
		w.WriteString(blanks[:i] + "k:\n")
	}
	fmt.Fprintf(w, "%sa: %d\n%[1]sb: 1\n%[1]sc: %[3]d\n", blanks, v%2, v/2)
}

// brackets is lists nested as deep, on one line.
func brackets(w *bufio.Writer, v int) {
	w.WriteString(strings.Repeat("[", 9990) + fmt.Sprint(v) + strings.Repeat("]", 9990) + "\n")
}

// line has one of 5 MB.
func line(w *bufio.Writer, v int) {
	fmt.Fprintf(w, "a: %d\nb: ", v%2)
	for range 5 << 10 {
		w.WriteString(strings.Repeat("x", 1<<10))
	}
	fmt.Fprintf(w, "\nc: %d\n", v/2)
}

// items is 100,000 of them without keys, each changed by one side.
func items(w *bufio.Writer, v int) {
	for i := range 100000 {
		n := 0
		if i%2+1 == v {
			n = 100000
		}
		fmt.Fprintf(w, "- a: %d\n  b: %d\n", i+n, i)
	}
}

// comments is 100,000 of them, one entry above and one below.
func comments(w *bufio.Writer, v int) {
	fmt.Fprintf(w, "a: %d\n", v%2)
	for i := range 100000 {
		fmt.Fprintf(w, "# %d\n", i)
	}
	fmt.Fprintf(w, "b: %d\n", v/2)
}

// crlf is values of 1.5 MB whose lines end with CR LF.
func crlf(w *bufio.Writer, v int) {
	lf := bufio.NewWriter(returns{w})
	input{kind: "values", size: 1536 << 10, edits: 10}.content(lf, v)
	lf.Flush()
}

// returns writes a CR before each LF.
type returns struct{ to *bufio.Writer }

func (r returns) Write(b []byte) (int, error) {
	_, err := r.to.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")))
	return len(b), err
}
