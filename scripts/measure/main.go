// Command measure repeats the table of docs/limits.md: it clones public repositories, runs git merge-yaml replay in each,
// and prints the sums as a table in Markdown.
//
//	go run ./scripts/measure [-work DIR] [-program FILE] [-max N] [REPOSITORY...]
//
// A REPOSITORY is a local path, a URL, OWNER/NAME on GitHub, or a file with such words. Without one, it is the list in
// repositories.txt, whose clones take some 100 GB and hours. With -max, only the newest N merges of each repository
// are read. Clones are bare, and are kept in DIR, so that a second run continues where the first one ended; local paths
// are not cloned. A repository that cannot be read is reported, and the others are counted.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// measured is the list of the repositories of docs/limits.md.
const measured = "scripts/measure/repositories.txt"

func main() {
	work := flag.String("work", filepath.Join(os.TempDir(), "git-merge-yaml-measure"), "the folder of the clones")
	program := flag.String("program", "", "the program; the default is built from this checkout")
	newest := flag.Int("max", 0, "read only the newest `N` merges of each repository; 0 for all")
	flag.Parse()
	if err := run(*work, *program, *newest, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// run measures the repositories that args name, the newest merges of each or, if newest is 0, all of them, and prints the
// table.
func run(work, program string, newest int, args []string) error {
	if len(args) == 0 {
		args = []string{measured}
	}
	if err := os.MkdirAll(work, 0o777); err != nil {
		return err
	}
	if program == "" {
		program = filepath.Join(work, "git-merge-yaml")
		build := exec.Command("go", "build", "-buildvcs=false", "-tags", "urfave_cli_no_docs", "-o", program, "./cmd/git-merge-yaml")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	var names []string
	for _, a := range args {
		listed, err := listRepositories(a)
		if err != nil {
			return err
		}
		names = append(names, listed...)
	}
	var t totals
	for i, name := range names {
		fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(names), name)
		dir, err := clone(work, name)
		if err == nil {
			err = t.replay(program, dir, newest)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "  not counted: %v\n", err)
		}
	}
	fmt.Print(t.table())
	return nil
}

// listRepositories returns the repositories that arg names: those in a file, one or more a line, or arg itself.
func listRepositories(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	if err != nil || info.IsDir() {
		return []string{arg}, nil
	}
	data, err := os.ReadFile(arg)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(data)), nil
}

// clone returns the folder of a repository: name itself if it is a folder, and otherwise a bare clone below work.
func clone(work, name string) (dir string, err error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return name, nil
	}
	url := name
	if !strings.Contains(name, ":") {
		url = "https://github.com/" + name
	}
	dir = filepath.Join(work, strings.NewReplacer("/", "+", ":", "+").Replace(strings.TrimSuffix(name, ".git"))+".git")
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	part := dir + ".part" // a clone that was interrupted is not used
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	cmd := exec.Command("git", "clone", "-q", "--bare", url, part)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return dir, os.Rename(part, dir)
}

// An engine has the counts of git's merge or of the driver, as replay --json prints them.
type engine struct {
	Clean     struct{ Bytes, Data, Different int }
	Conflicts int
	Lines     int
}

// A file is a line of replay --json about one file.
type file struct {
	Type        string
	Git, Driver struct{ Lines int }
}

// A summary is the last line of replay --json.
type summary struct {
	Touched, Files  int
	Git, Driver     engine
	Resolved        struct{ Bytes, Data, Different int }
	Left, Worse     int
	Defects, Mended int
}

// totals are the sums over all repositories.
type totals struct {
	repositories, merges, files               int
	gitConflicts, left, gitLines, driverLines int
	gitClean, defects, mended, worse          int
	worseFiles, worseLines                    int // with more lines in conflict than with git, and these lines
	same, different                           int
}

// replay adds the newest merges of the repository in dir or, if newest is 0, all of them.
func (t *totals) replay(program, dir string, newest int) error {
	args := []string{"replay", "--all", "--json"}
	if newest > 0 {
		args = append(args, "--max", strconv.Itoa(newest))
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	one := totals{repositories: 1}
	complete := false
	for d := json.NewDecoder(bufio.NewReader(out)); ; {
		var raw json.RawMessage
		var f file
		var l summary
		if d.Decode(&raw) != nil || json.Unmarshal(raw, &f) != nil {
			break
		}
		if f.Type != "summary" {
			if f.Driver.Lines > f.Git.Lines {
				one.worseFiles++
				one.worseLines += f.Driver.Lines - f.Git.Lines
			}
			continue
		}
		if err := json.Unmarshal(raw, &l); err != nil {
			break
		}
		complete = true
		one.merges, one.files = l.Touched, l.Files
		one.gitConflicts, one.left, one.gitLines, one.driverLines = l.Git.Conflicts, l.Left, l.Git.Lines, l.Driver.Lines
		one.gitClean = l.Git.Clean.Bytes + l.Git.Clean.Data + l.Git.Clean.Different
		one.defects, one.mended, one.worse = l.Defects, l.Mended, l.Worse
		one.same, one.different = l.Resolved.Bytes+l.Resolved.Data, l.Resolved.Different
	}
	if err := cmd.Wait(); err != nil || !complete {
		return fmt.Errorf("replay failed: %v %s", err, strings.TrimSpace(stderr.String()))
	}
	t.add(one)
	return nil
}

// add adds the counts of other to t.
func (t *totals) add(other totals) {
	t.repositories += other.repositories
	t.merges += other.merges
	t.files += other.files
	t.gitConflicts += other.gitConflicts
	t.left += other.left
	t.gitLines += other.gitLines
	t.driverLines += other.driverLines
	t.gitClean += other.gitClean
	t.defects += other.defects
	t.mended += other.mended
	t.worse += other.worse
	t.worseFiles += other.worseFiles
	t.worseLines += other.worseLines
	t.same += other.same
	t.different += other.different
}

// table returns the table of docs/limits.md. Its last column has the clean merges of git that the driver leaves as a
// conflict: because git's result is wrong, or because the merge by field grants access that neither side granted.
func (t *totals) table() string {
	n := func(i int) string { // 1234567 as 1,234,567
		s := strconv.Itoa(i)
		for at := len(s) - 3; at > 0; at -= 3 {
			s = s[:at] + "," + s[at:]
		}
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "repositories: %s; merges with files that both sides changed: %s\n\n", n(t.repositories), n(t.merges))
	fmt.Fprintln(&b, "| | git merge | git-merge-yaml | clean with git, a conflict here |\n|---|---|---|---|")
	fmt.Fprintf(&b, "| files that both sides changed | %s | %s | of %s |\n", n(t.files), n(t.files), n(t.gitClean))
	fmt.Fprintf(&b, "| files left in conflict | %s | %s | %s |\n", n(t.gitConflicts), n(t.left), n(t.defects-t.mended+t.worse))
	fmt.Fprintf(&b, "| lines of both sides between markers | %s | %s | |\n", n(t.gitLines), n(t.driverLines))
	fmt.Fprintf(&b, "| clean merges of git that are provably wrong | %s of %s | %s repaired | %s |\n", n(t.defects), n(t.gitClean), n(t.mended), n(t.defects-t.mended))
	fmt.Fprintf(&b, "| in conflict with git, clean here, and the same as the commit (in bytes or in data) | | %s | |\n", n(t.same))
	fmt.Fprintf(&b, "| in conflict with git, clean here, and different from the commit | | %s | |\n", n(t.different))
	fmt.Fprintf(&b, "| files with more lines in conflict than with git | | %s, by %s lines | |\n", n(t.worseFiles), n(t.worseLines))
	return b.String()
}
