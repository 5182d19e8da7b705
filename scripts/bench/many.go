package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A way is how the files of a merge are merged: by git itself, or by a driver line. The
// lines before the program's own show what it consists of.
type way struct {
	name     string
	settings []gitattrs.Setting // none for git itself
}

// ways are all of them for a program.
func ways(program string) []way {
	line := func(script string) []gitattrs.Setting {
		return []gitattrs.Setting{{Key: "merge.yaml.driver", Value: script}}
	}
	own := gitattrs.Driver{Name: "yaml", Program: program}
	return []way{
		{"git itself", nil},
		{"a shell", line("exit 0")},
		{"a shell that runs git --version", line("git --version >/dev/null; exit 0")},
		{"the program without a shell's care", line(program + " --marker-size=%L --path=%P -L %X -L %S -L %Y -- %O %A %B")},
		{"the driver line", own.Settings()},
	}
}

// compareMany times merges of many files that both sides changed, by git merge and by
// git merge-tree, and prints a line for each way.
func compareMany(files int, command string, times int) error {
	program := strings.Fields(command)[0]
	if err := makeRepository(files); err != nil {
		return err
	}
	fmt.Printf("%d files of 2 KB, ms a file\n%-36s%12s%8s%8s%14s%8s%8s\n", files, "", "git merge", "ratio", "CPU",
		"merge-tree", "ratio", "CPU")
	all := ways(program)
	merges, trees := make([][]run, len(all)), make([][]run, len(all))
	for i := range times + 1 {
		for j, w := range all {
			m, err := w.time("merge", "-q", "--no-edit", "theirs")
			if err != nil {
				return err
			}
			if err := inRepository("reset", "-q", "--hard", "ours"); err != nil {
				return err
			}
			t, err := w.time("merge-tree", "--write-tree", "ours", "theirs")
			if err != nil {
				return err
			}
			if i > 0 { // the first round warms up
				merges[j], trees[j] = append(merges[j], m), append(trees[j], t)
			}
		}
	}
	per := func(runs []run, get func(run) float64) float64 { return median(runs, get) / float64(files) }
	for j, w := range all {
		fmt.Printf("%-36s%12.2f%7.1fx%8.2f%14.2f%7.1fx%8.2f\n", w.name,
			per(merges[j], milliseconds), ratio(merges[j], merges[0]), per(merges[j], cpu),
			per(trees[j], milliseconds), ratio(trees[j], trees[0]), per(trees[j], cpu))
	}
	return nil
}

// ratio is the median of the ratios of the times of runs to those of others in turn.
func ratio(runs, to []run) float64 {
	var all []float64
	for i := range runs {
		all = append(all, runs[i].took.Seconds()/to[i].took.Seconds())
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// time runs git with the settings of w.
func (w way) time(args ...string) (run, error) {
	var words []string
	for _, s := range w.settings {
		words = append(words, "-c", s.Key+"="+s.Value)
	}
	if w.settings == nil {
		words = []string{"-c", "core.attributesFile=" + os.DevNull}
	}
	c := exec.Command("git", append(words, args...)...)
	c.Dir = "many"
	began := time.Now()
	if err := c.Run(); err != nil {
		return run{}, fmt.Errorf("git %s, by %s: %w", args[0], w.name, err)
	}
	p := c.ProcessState
	return run{time.Since(began), p.UserTime() + p.SystemTime(), 0, 0}, nil
}

func inRepository(args ...string) error {
	c := exec.Command("git", args...)
	c.Dir = "many"
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// makeRepository makes the repository many with branches ours and theirs, which have both
// changed all files.
func makeRepository(files int) error {
	if err := os.Mkdir("many", 0o777); err != nil {
		return err
	}
	attributes, err := filepath.Abs("attributes")
	if err != nil {
		return err
	}
	steps := [][]string{
		{"init", "-q", "-b", "base"}, {"config", "user.name", "bench"}, {"config", "user.email", "bench@example.com"},
		{"config", "gc.auto", "0"}, {"config", "core.attributesFile", attributes},
	}
	for _, args := range steps {
		if err := inRepository(args...); err != nil {
			return err
		}
	}
	for v, branch := range []string{"base", "theirs", "ours"} {
		if v > 0 {
			if err := inRepository("checkout", "-q", "-b", branch, "base"); err != nil {
				return err
			}
		}
		if err := writeMany(files, []int{0, 2, 1}[v]); err != nil {
			return err
		}
		if err := inRepository("add", "."); err != nil {
			return err
		}
		if err := inRepository("commit", "-q", "-m", branch); err != nil {
			return err
		}
	}
	if err := inRepository("checkout", "-q", "--detach"); err != nil { // so that ours stays where it is
		return err
	}
	return os.WriteFile(attributes, []byte("*.yaml merge=yaml\n"), 0o666)
}

// writeMany writes version v of all files.
func writeMany(files, v int) error {
	for i := range files {
		f, err := os.Create(filepath.Join("many", strconv.Itoa(i)+".yaml"))
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		fmt.Fprintf(w, "number: %d\nours: %d\n", i, v%2)
		input{kind: "values", size: 2 << 10, edits: 1}.content(w, 0)
		fmt.Fprintf(w, "theirs: %d\n", v/2)
		if err := w.Flush(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
