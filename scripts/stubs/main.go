// Command stubs stubs each function of a package in turn and reports those with
// which all tests stay green: what no test pins may be dropped, or needs a case.
//
//	stubs PACKAGE [PACKAGE=TESTS]...
//
// The tests of the first package are those that are asked first; of others only
// TESTS, as -run takes them, and only where all before stay green. It exits with 1 if
// a function is pinned by nothing.
//
// A stub returns zero values; of a function that returns a bool there is another
// one, with true. All are built into one program, in an overlay of the sources, which
// takes one of them by its environment: the work tree never changes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// most is how long the tests of a package may take with a stub: it may never end.
const most = 5 * time.Minute

// A suite is tests of one package, built.
type suite struct {
	name, run, binary, dir string
	pins                   int // the stubs that it was first to fail with
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: stubs PACKAGE [PACKAGE=TESTS]...")
		os.Exit(2)
	}
	tmp, err := os.MkdirTemp("", "stubs")
	if err == nil {
		var free int
		free, err = try(os.Args[1:], tmp)
		err = errors.Join(err, os.RemoveAll(tmp))
		if err == nil && free > 0 {
			err = fmt.Errorf("%d stubs with which every test stays green", free)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "stubs:", err)
		os.Exit(1)
	}
}

// try runs the tests with every stub and returns how many stubs nothing fails with.
func try(packages []string, tmp string) (free int, err error) {
	dir, err := output("go", "list", "-f", "{{.Dir}}", packages[0])
	if err != nil {
		return 0, err
	}
	stubs, files, err := instrument(dir)
	if err != nil {
		return 0, err
	}
	overlay, err := writeOverlay(files, tmp)
	if err != nil {
		return 0, err
	}
	suites, err := build(packages, overlay, tmp)
	if err != nil {
		return 0, err
	}
	for i, s := range stubs {
		switch first := firstFailing(suites, i+1); first {
		case nil:
			free++
			fmt.Printf("%s: %s: every test stays green\n", s.at, s)
		default:
			first.pins++
			if first != &suites[0] {
				fmt.Printf("%s: %s: pinned by %s\n", s.at, s, first.name)
			}
		}
	}
	fmt.Printf("%d functions, %d stubs", functions(stubs), len(stubs))
	for _, s := range suites {
		fmt.Printf(", %d pinned by %s", s.pins, s.name)
	}
	fmt.Printf(", %d by nothing\n", free)
	return free, nil
}

// functions is how many functions stubs are of.
func functions(stubs []stub) (n int) {
	for _, s := range stubs {
		if !s.yes {
			n++
		}
	}
	return n
}

// firstFailing returns the first of suites that fails with the stub of that number.
func firstFailing(suites []suite, number int) *suite {
	for i := range suites {
		if suites[i].test(number) != nil {
			return &suites[i]
		}
	}
	return nil
}

// test runs s with a stub; with number 0, as it is.
func (s suite) test(number int) error {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, "-test.failfast", "-test.run", s.run)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), variable+"="+strconv.Itoa(number))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", s.name, err, out)
	}
	return nil
}

// build builds the tests of packages, and sees that they pass without a stub.
func build(packages []string, overlay, tmp string) ([]suite, error) {
	var all []suite
	for i, p := range packages {
		name, run, _ := strings.Cut(p, "=")
		dir, err := output("go", "list", "-f", "{{.Dir}}", name)
		if err != nil {
			return nil, err
		}
		s := suite{name: name, run: run, dir: dir, binary: filepath.Join(tmp, strconv.Itoa(i)+".test")}
		if _, err := output("go", "test", "-c", "-overlay", overlay, "-o", s.binary, name); err != nil {
			return nil, err
		}
		if err := s.test(0); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// writeOverlay writes files, by the paths that they stand for, and returns the file
// that tells the go command of them.
func writeOverlay(files map[string][]byte, tmp string) (string, error) {
	replace := map[string]string{}
	for path, src := range files {
		replace[path] = filepath.Join(tmp, filepath.Base(path))
		if err := os.WriteFile(replace[path], src, 0o600); err != nil {
			return "", err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(tmp, "overlay.json")
	return name, os.WriteFile(name, b, 0o600)
}

func output(name string, args ...string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
