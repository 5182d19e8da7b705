// Testlog prints the events of "go test -json" like "go test" without -json does, and lists the skipped tests at the
// end, in one line: what these tests check was not checked on this machine.
//
//	go test -json ./... | go run ./scripts/testlog
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// An event is a line of "go test -json". Package and Test are empty for a build.
type event struct{ Action, Package, Test, Output string }

func main() {
	if err := printLog(os.Stdout, os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

// printLog copies to w the output of builds, packages and failing tests, and then writes the line of skipped tests. A
// line of r that is not JSON is copied unchanged.
func printLog(w io.Writer, r io.Reader) error {
	output := map[string][]string{} // of tests that have not ended, by package and test
	var skipped []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(w, lines.Text())
			continue
		}
		test := e.Package + " " + e.Test
		switch {
		case e.Output == "PASS\n" && e.Test == "": // go test only prints it for a single package
		case e.Output != "" && e.Test == "":
			fmt.Fprint(w, e.Output)
		case e.Output != "":
			output[test] = append(output[test], e.Output)
		case e.Test == "":
		case e.Action == "fail":
			fmt.Fprint(w, strings.Join(output[test], ""))
			delete(output, test)
		case e.Action == "skip":
			skipped = append(skipped, fmt.Sprintf("%s %s (%s)", path.Base(e.Package), e.Test, reasonOf(output[test])))
			delete(output, test)
		case e.Action == "pass":
			delete(output, test)
		}
	}
	for _, left := range output { // the package ended before these tests, for example with a panic
		fmt.Fprint(w, strings.Join(left, ""))
	}
	fmt.Fprintf(w, "%d tests skipped: %s\n", len(skipped), strings.Join(skipped, "; "))
	return lines.Err()
}

// reasonOf returns the message of the call of Skip in the output of a test: its last line that is not written by go test
// itself, without the position, and of a command in a script (> [!tty] skip 'there is no terminal') only the message.
func reasonOf(output []string) string {
	reason := "no reason"
	for _, l := range output {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "===") && !strings.HasPrefix(l, "---") {
			reason = l
		}
	}
	if at, text, ok := strings.Cut(reason, ": "); ok && strings.Contains(at, ".go:") {
		reason = text
	}
	if _, text, ok := strings.Cut(reason, "skip '"); ok {
		reason = strings.TrimSuffix(text, "'")
	}
	return reason
}
