package history

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A stream is a repository in the making, as git fast-import reads it.
type stream struct {
	strings.Builder
	commits int
}

// commit adds a commit to a branch, with the parents and the files given as
// path and content by turns; content "" deletes the file. It returns its mark.
func (h *stream) commit(branch string, parents []int, files ...string) int {
	h.commits++
	fmt.Fprintf(h, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 0\n", branch, h.commits, 1700000000+60*h.commits)
	for i, p := range parents {
		fmt.Fprintf(h, "%s :%d\n", []string{"from", "merge"}[i], p)
	}
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			fmt.Fprintf(h, "D %s\n", files[i])
			continue
		}
		fmt.Fprintf(h, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
	return h.commits
}

// repository makes the repository, bare.
func (h *stream) repository(tb testing.TB) git.Git {
	tb.Helper()
	tb.Setenv("HOME", tb.TempDir())
	tb.Setenv("XDG_CONFIG_HOME", "")
	tb.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	g := git.Git{Dir: tb.TempDir()}
	if _, err := g.Run("init", "-q", "--bare", "-b", "main"); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--done")
	cmd.Dir, cmd.Stdin = g.Dir, strings.NewReader(h.String()+"done\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	return g
}

// busy is a history of about the given numbers of commits and merges, of
// which touched changed a YAML file on both sides, in a tree of 2,000 files.
// Five branches are open at any time.
func busy(commits, merges, touched int) *stream {
	h := &stream{}
	var all []string
	for i := range 2000 {
		path := fmt.Sprintf("src/d%02d/f%04d.txt", i%40, i)
		if i%4 == 0 {
			path = fmt.Sprintf("deploy/d%02d/f%04d.yaml", i%40, i)
		}
		all = append(all, path, text(i, 0))
	}
	manifest := func(replicas, image int) string {
		return fmt.Sprintf("kind: Deployment\napiVersion: apps/v1\nmetadata:\n  name: web\nspec:\n  replicas: %d\n  image: web:%d\n  paused: false\n", replicas, image)
	}
	main := h.commit("main", nil, append(all, "deploy/web.yaml", manifest(0, 0))...)
	type open struct {
		tip, shared int
		files       []string
	}
	var branches []open
	replicas, image := 0, 0
	for n := range merges {
		for len(branches) < 5 {
			branches = append(branches, open{tip: main, shared: -1})
		}
		b := &branches[0]
		own := (commits - merges) / merges
		if n*(commits-merges)%merges < (commits-merges)%merges {
			own++
		}
		for i := range max(1, own) {
			k := (n*7 + i*13) % 2000
			b.files = append(b.files, all[2*k], text(k, n+1))
			b.tip = h.commit(fmt.Sprintf("b%d", n%5), []int{b.tip}, b.files[len(b.files)-2:]...)
		}
		if touched > 0 && n%(merges/touched) == merges/touched-1 {
			replicas++
			image++
			fork := h.commit("main", []int{main}, "deploy/web.yaml", manifest(replicas-1, image-1))
			left := h.commit("main", []int{fork}, "deploy/web.yaml", manifest(replicas, image-1))
			b.tip = h.commit("t", []int{fork}, "deploy/web.yaml", manifest(replicas-1, image))
			b.files = []string{"deploy/web.yaml", manifest(replicas, image)}
			main = left
		}
		main = h.commit("main", []int{main, b.tip}, b.files...)
		branches = branches[1:]
	}
	return h
}

// text is version v of file number i.
func text(i, v int) string {
	var b strings.Builder
	for line := range 25 {
		fmt.Fprintf(&b, "key%d: value %d of file %d", line, line*i, i)
		if line == v%25 {
			fmt.Fprintf(&b, ", version %d", v)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
