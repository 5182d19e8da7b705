package history

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A fastImport is the input of git fast-import for a new repository.
type fastImport struct {
	strings.Builder
	commits int
}

// commit adds a commit to a branch and returns its mark. parents are the marks of its parents. files are pairs of path and
// content; the content "" deletes the file.
func (f *fastImport) commit(branch string, parents []int, files ...string) int {
	f.commits++
	fmt.Fprintf(f, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 0\n", branch, f.commits, 1700000000+60*f.commits)
	for i, p := range parents {
		fmt.Fprintf(f, "%s :%d\n", []string{"from", "merge"}[i], p)
	}
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			fmt.Fprintf(f, "D %s\n", files[i])
			continue
		}
		fmt.Fprintf(f, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
	return f.commits
}

// createRepository creates a bare repository in a temporary directory. It also makes git ignore the configuration of the
// user and the system for the rest of the test.
func (f *fastImport) createRepository(tb testing.TB) git.Git {
	tb.Helper()
	tb.Setenv("HOME", tb.TempDir())
	tb.Setenv("XDG_CONFIG_HOME", "")
	tb.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	g := git.Git{Dir: tb.TempDir()}
	if _, err := g.Run("init", "-q", "--bare", "-b", "main"); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--done")
	cmd.Dir, cmd.Stdin = g.Dir, strings.NewReader(f.String()+"done\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	return g
}

// busyHistory returns a history with about the given numbers of commits and merges, in a tree of 2,000 files. In touched of
// the merges, both sides changed the same YAML file. Five branches are open at any time.
func busyHistory(commits, merges, touched int) *fastImport {
	f := &fastImport{}
	var all []string
	for i := range 2000 {
		path := fmt.Sprintf("src/d%02d/f%04d.txt", i%40, i)
		if i%4 == 0 {
			path = fmt.Sprintf("deploy/d%02d/f%04d.yaml", i%40, i)
		}
		all = append(all, path, fileText(i, 0))
	}
	manifest := func(replicas, image int) string {
		return fmt.Sprintf("kind: Deployment\napiVersion: apps/v1\nmetadata:\n  name: web\nspec:\n  replicas: %d\n  image: web:%d\n  paused: false\n", replicas, image)
	}
	main := f.commit("main", nil, append(all, "deploy/web.yaml", manifest(0, 0))...)
	type branch struct {
		tip, shared int
		files       []string
	}
	var branches []branch
	replicas, image := 0, 0
	for n := range merges {
		for len(branches) < 5 {
			branches = append(branches, branch{tip: main, shared: -1})
		}
		b := &branches[0]
		commitsOfBranch := (commits - merges) / merges
		if n*(commits-merges)%merges < (commits-merges)%merges {
			commitsOfBranch++
		}
		for i := range max(1, commitsOfBranch) {
			k := (n*7 + i*13) % 2000
			b.files = append(b.files, all[2*k], fileText(k, n+1))
			b.tip = f.commit(fmt.Sprintf("b%d", n%5), []int{b.tip}, b.files[len(b.files)-2:]...)
		}
		if touched > 0 && n%(merges/touched) == merges/touched-1 {
			replicas++
			image++
			fork := f.commit("main", []int{main}, "deploy/web.yaml", manifest(replicas-1, image-1))
			left := f.commit("main", []int{fork}, "deploy/web.yaml", manifest(replicas, image-1))
			b.tip = f.commit("t", []int{fork}, "deploy/web.yaml", manifest(replicas-1, image))
			b.files = []string{"deploy/web.yaml", manifest(replicas, image)}
			main = left
		}
		main = f.commit("main", []int{main, b.tip}, b.files...)
		branches = branches[1:]
	}
	return f
}

// fileText returns the content of file number i. Versions differ in one line of 25.
func fileText(i, version int) string {
	var b strings.Builder
	for line := range 25 {
		fmt.Fprintf(&b, "key%d: value %d of file %d", line, line*i, i)
		if line == version%25 {
			fmt.Fprintf(&b, ", version %d", version)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
