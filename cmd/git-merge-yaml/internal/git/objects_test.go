package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository makes a repository of what git fast-import reads.
func repository(t *testing.T, stream string, options ...string) Git {
	t.Helper()
	noConfiguration(t)
	dir := t.TempDir()
	g := Git{Dir: dir}
	if _, err := g.Run(append([]string{"init", "-q", "-b", "main"}, options...)...); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--done")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stream+"done\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return g
}

const twoFiles = `commit refs/heads/main
mark :1
committer A <a@example.com> 1700000000 +0000
data 1
a
M 100644 inline dir/a.yaml
data 5
a: 1

M 100755 inline dir-x
data 2
x

`

func TestObjects(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(t *testing.T) Git
		batch bool // whether git has to read
	}{
		{"packed", func(t *testing.T) Git { return repository(t, twoFiles) }, false},
		{"loose", func(t *testing.T) Git {
			g := repository(t, twoFiles)
			packs, _ := filepath.Glob(filepath.Join(g.Dir, ".git/objects/pack/*.pack"))
			for _, p := range packs {
				data, err := os.ReadFile(p)
				if err != nil || os.Remove(p) != nil || os.Remove(strings.TrimSuffix(p, "pack")+"idx") != nil {
					t.Fatal("cannot remove the pack")
				}
				cmd := exec.Command("git", "unpack-objects", "-q")
				cmd.Dir, cmd.Stdin = g.Dir, bytes.NewReader(data)
				if err := cmd.Run(); err != nil {
					t.Fatal(err)
				}
			}
			return g
		}, false},
		{"bare", func(t *testing.T) Git { return repository(t, twoFiles, "--bare") }, false},
		{"subfolder", func(t *testing.T) Git {
			g := repository(t, twoFiles)
			g.Dir = filepath.Join(g.Dir, "sub")
			if err := os.Mkdir(g.Dir, 0o777); err != nil {
				t.Fatal(err)
			}
			return g
		}, false},
		{"sha256", func(t *testing.T) Git { return repository(t, twoFiles, "--object-format=sha256") }, true},
		{"alternates", func(t *testing.T) Git {
			g := repository(t, twoFiles)
			clone := Git{Dir: t.TempDir()}
			if _, err := clone.Run("clone", "-q", "--shared", "--bare", g.Dir, "."); err != nil {
				t.Fatal(err)
			}
			return clone
		}, true},
		{"worktree", func(t *testing.T) Git {
			g := repository(t, twoFiles)
			linked := Git{Dir: t.TempDir()}
			if _, err := g.Run("worktree", "add", "-q", "--detach", linked.Dir, "main"); err != nil {
				t.Fatal(err)
			}
			return linked
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := c.make(t)
			checkObjects(t, g, c.batch)
		})
	}
}

// checkObjects reads all that stands below main.
func checkObjects(t *testing.T, g Git, batch bool) {
	head, err := g.Line("rev-parse", "main")
	if err != nil {
		t.Fatal(err)
	}
	o := g.Objects()
	defer o.Close()
	id, err := ParseID(head)
	if err != nil || id.String() != head {
		t.Fatalf("%v, %v", id, err)
	}
	commit, err := o.Commit(id)
	if err != nil {
		t.Fatal(err)
	}
	root, err := o.Tree(commit.Tree)
	if err != nil || len(root) != 2 {
		t.Fatalf("%v, %v", root, err)
	}
	if got := root.ID(id); got != commit.Tree {
		t.Errorf("tree id %s, want %s", got, commit.Tree)
	}
	if x := root.Find("dir-x"); x.Mode != ModeExecutable || !x.Mode.IsFile() {
		t.Errorf("%+v", x)
	}
	dir, err := o.Tree(root.Find("dir").ID)
	if err != nil {
		t.Fatal(err)
	}
	a := dir.Find("a.yaml")
	if data, err := o.Blob(a.ID); string(data) != "a: 1\n" || err != nil || BlobID(data, id) != a.ID {
		t.Errorf("%q, %v", data, err)
	}
	if got := o.batch.cmd != nil; got != batch {
		t.Errorf("git was asked: %v, want %v", got, batch)
	}
	if _, err := o.Blob(BlobID([]byte("none"), id)); !errors.Is(err, ErrNoObject) {
		t.Errorf("missing object: %v", err)
	}
	if _, err := o.Blob(commit.Tree); err == nil {
		t.Error("a tree was read as a blob")
	}
	if data, err := o.Blob(a.ID); string(data) != "a: 1\n" || err != nil {
		t.Errorf("again: %q, %v", data, err)
	}
}

// TestNewPack reads what came into the repository after the store was opened.
func TestNewPack(t *testing.T) {
	g := repository(t, twoFiles)
	o := g.Objects()
	defer o.Close()
	head, _ := g.Line("rev-parse", "main")
	id, _ := ParseID(head)
	if _, err := o.Commit(id); err != nil {
		t.Fatal(err)
	}
	tree, _ := g.Line("rev-parse", "main^{tree}")
	line, err := Git{Dir: g.Dir, Env: identity}.Line("commit-tree", "-m", "new", "-p", head, tree)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Run("update-ref", "refs/heads/main", line); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Run("repack", "-adq"); err != nil {
		t.Fatal(err)
	}
	if id, err = ParseID(line); err != nil {
		t.Fatal(err)
	}
	if c, err := o.Commit(id); err != nil || c.Tree.String() != tree || len(c.Parents) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

var identity = []string{"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com"}

// TestBases compares with git, on random histories with clocks that go wrong.
func TestBases(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		const n = 60
		g := repository(t, randomHistory(r, n))
		tips, _, err := g.Revisions("--all")
		if err != nil {
			t.Fatal(err)
		}
		graph, err := g.Graph(context.Background(), tips...)
		if err != nil || graph.Len() != n {
			t.Fatalf("%d commits, %v", graph.Len(), err)
		}
		b := graph.NewBases()
		for range 40 {
			x, y := r.IntN(n), r.IntN(n)
			out, _ := g.Run("merge-base", "--all", graph.ID(x).String(), graph.ID(y).String())
			want := strings.Fields(string(out))
			var got []string
			for _, c := range b.Of([]int{x}, []int{y}) {
				got = append(got, graph.ID(c).String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: bases of %s and %s: %v, want %v", seed, graph.ID(x), graph.ID(y), got, want)
			}
		}
	}
}

// randomHistory is n commits, each a branch of its own, with up to two
// parents among those shortly before.
func randomHistory(r *rand.Rand, n int) string {
	var s strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&s, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 0\n", i, i, 1700000000+r.IntN(1000))
		first := 0
		for p, word := range []string{"from", "merge"} {
			if i <= 2 || p == 1 && r.IntN(2) == 0 {
				continue
			}
			parent := max(1, i-1-r.IntN(6))
			if parent != first {
				fmt.Fprintf(&s, "%s :%d\n", word, parent)
			}
			first = parent
		}
		fmt.Fprintf(&s, "M 100644 inline f\ndata %d\n%d\n", len(fmt.Sprint(i)), i)
	}
	return s.String()
}

func TestTreeErrors(t *testing.T) {
	for _, s := range []string{"100644", "100644 a", "100644 a\x00short", "x a\x0012345678901234567890"} {
		if _, err := parseTree([]byte(s), 20); !errors.Is(err, errTree) {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{"", "parent x\n", "author a\n", "tree " + strings.Repeat("a", 40) + "\n"} {
		if _, err := parseCommit([]byte(s)); err == nil {
			t.Errorf("%q: no error", s)
		}
	}
}
