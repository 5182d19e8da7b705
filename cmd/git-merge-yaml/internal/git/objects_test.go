package git

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newRepository creates a repository from a stream for git fast-import. options are options of git init. The test is
// skipped if git does not know them.
func newRepository(t *testing.T, stream string, options ...string) Git {
	t.Helper()
	ignoreUserConfig(t)
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

// twoFiles is a stream for git fast-import: one commit on main with dir/a.yaml and the executable file dir-x.
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
		name string
		make func(t *testing.T) Git
	}{
		{"packed", func(t *testing.T) Git { return newRepository(t, twoFiles) }},
		{"loose", func(t *testing.T) Git {
			g := newRepository(t, twoFiles)
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
		}},
		{"bare", func(t *testing.T) Git { return newRepository(t, twoFiles, "--bare") }},
		{"subfolder", func(t *testing.T) Git {
			g := newRepository(t, twoFiles)
			g.Dir = filepath.Join(g.Dir, "sub")
			if err := os.Mkdir(g.Dir, 0o777); err != nil {
				t.Fatal(err)
			}
			return g
		}},
		{"sha256", func(t *testing.T) Git { return newRepository(t, twoFiles, "--object-format=sha256") }},
		{"alternates", func(t *testing.T) Git {
			g := newRepository(t, twoFiles)
			clone := Git{Dir: t.TempDir()}
			if _, err := clone.Run("clone", "-q", "--shared", "--bare", g.Dir, "."); err != nil {
				t.Fatal(err)
			}
			return clone
		}},
		{"worktree", func(t *testing.T) Git {
			g := newRepository(t, twoFiles)
			linked := Git{Dir: t.TempDir()}
			if _, err := g.Run("worktree", "add", "-q", "--detach", linked.Dir, "main"); err != nil {
				t.Fatal(err)
			}
			return linked
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkObjects(t, c.make(t))
		})
	}
}

// checkObjects reads the objects of twoFiles by each way of reading that there is. main is the only branch.
func checkObjects(t *testing.T, g Git) {
	o := g.Objects()
	defer o.Close()
	id := idOf(t, g, "main^{tree}")
	trees, err := g.TreesOf([]ID{idOf(t, g, "main")})
	if err != nil || len(trees) != 1 || trees[0] != id {
		t.Fatalf("%v, %v", trees, err)
	}
	a, x := Stage{0o100644, idOf(t, g, "main:dir/a.yaml")}, Stage{ModeExecutable, idOf(t, g, "main:dir-x")}
	empty, err := g.RunInput(nil, "mktree")
	if err != nil {
		t.Fatal(err)
	}
	emptyTree, _ := ParseID(strings.TrimSpace(string(empty)))
	diffs, err := g.DiffTrees([][2]ID{{emptyTree, id}, {id, id}, {id, emptyTree}})
	want := map[string]Difference{"dir-x": {To: x}, "dir/a.yaml": {To: a}}
	if err != nil || len(diffs) != 3 || !maps.Equal(diffs[0], want) || len(diffs[1]) != 0 || diffs[2]["dir-x"] != (Difference{From: x}) {
		t.Errorf("%v, %v", diffs, err)
	}
	ids := g.ParseRevisions("main:dir/a.yaml", "main...main", "main:none", "main")
	if want := []ID{a.ID, idOf(t, g, "main"), idOf(t, g, "main"), idOf(t, g, "main")}; !slices.Equal(ids, want) {
		t.Errorf("ParseRevisions: %v, want %v", ids, want)
	}
	if !a.ID.IsBlob([]byte("a: 1\n")) || a.ID.IsBlob([]byte("a: 2\n")) || ID("").IsBlob(nil) {
		t.Error("IsBlob is wrong")
	}
	if data, err := o.BlobsByName("main:dir/a.yaml", "main:none", "main:dir", "main:a\nb"); err != nil || string(data[0]) != "a: 1\n" || data[1] != nil || data[2] != nil || data[3] != nil {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := o.Blobs(a.ID, "", x.ID); err != nil || string(data[0]) != "a: 1\n" || data[1] != nil || string(data[2]) != "x\n" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := o.Blobs(a.ID, ID(strings.Repeat("1", len(id))), x.ID); !errors.Is(err, errNoObject) {
		t.Errorf("missing object: %v", err)
	}
	if _, err := o.Blobs(id, a.ID); err == nil {
		t.Error("a tree was read as a blob")
	}
	if data, err := o.Blobs(a.ID); string(slices.Concat(data...)) != "a: 1\n" || err != nil {
		t.Errorf("after a mistake: %q, %v", data, err)
	}
}

// TestChangedByBoth compares two branches that change, add, delete and replace files. No other paths than those whose
// content git merges are expected.
func TestChangedByBoth(t *testing.T) {
	commit := func(branch, from string, files ...string) string {
		text := "commit refs/heads/" + branch + "\ncommitter A <a@example.com> 1700000000 +0000\ndata 0\n" + from
		for _, f := range files {
			mode, rest, _ := strings.Cut(f, " ")
			name, content, _ := strings.Cut(rest, "=")
			text += fmt.Sprintf("M %s inline %s\ndata %d\n%s\n", mode, name, len(content), content)
		}
		return text
	}
	g := newRepository(t, commit("base", "", "644 both=1", "644 dir/b c=1", "644 mode=1", "644 ours=1", "644 same=1", "644 deleted=1", "644 link=1")+
		commit("ours", "from refs/heads/base\n", "644 both=2", "644 dir/b c=2", "755 mode=1", "644 ours=2", "644 same=2", "644 added=2", "644 equal=1", "644 deleted=2", "120000 link=a")+
		commit("theirs", "from refs/heads/base\n", "644 both=3", "755 dir/b c=3", "644 mode=3", "644 same=2", "644 added=3", "644 equal=1", "120000 link=b")+
		"D deleted\n")
	m, err := g.MergeOf("ours", "theirs", "base")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := g.ChangedByBoth(m)
	if want := []string{"added", "both", "dir/b c"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("%q, %v, want %q", paths, err, want)
	}
	m.Ours = m.Base
	if paths, err := g.ChangedByBoth(m); err != nil || len(paths) != 0 {
		t.Errorf("without changes of ours: %q, %v", paths, err)
	}
	m.Ours = ID(strings.Repeat("1", len(m.Base)))
	if paths, err := g.ChangedByBoth(m); err == nil {
		t.Errorf("without the commit of ours: %q", paths)
	}
}

// idOf returns the object id of a revision.
func idOf(t *testing.T, g Git, rev string) ID {
	t.Helper()
	line, err := g.Line("rev-parse", rev)
	if err != nil {
		t.Fatal(err)
	}
	id, err := ParseID(line)
	if err != nil || id.String() != line {
		t.Fatalf("%v, %v", id, err)
	}
	return id
}

// TestObjectsAfterKill kills git cat-file between two reads. All further reads and Close have to fail.
func TestObjectsAfterKill(t *testing.T) {
	g := newRepository(t, twoFiles)
	o := g.Objects()
	id := idOf(t, g, "main:dir/a.yaml")
	if _, err := o.Blobs(id); err != nil {
		t.Fatal(err)
	}
	if err := o.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if data, err := o.Blobs(id); err == nil {
			t.Errorf("read %q", data)
		}
	}
	if o.Close() == nil {
		t.Error("closed as if nothing was")
	}
}

// TestMergeBases compares with git merge-base, on random histories in which commits may be older than their parents.
func TestMergeBases(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		const n = 60
		g := newRepository(t, randomHistory(r, n))
		var ids []ID
		if err := g.WalkCommits([]string{"--all"}, nil, func(c Commit) bool { ids = append(ids, c.ID); return true }); err != nil || len(ids) != n {
			t.Fatalf("%d commits, %v", len(ids), err)
		}
		var pairs [][2]ID
		for range 40 {
			pairs = append(pairs, [2]ID{ids[r.IntN(n)], ids[r.IntN(n)]})
		}
		all, err := g.MergeBases(pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range pairs {
			out, _ := g.Run("merge-base", "--all", p[0].String(), p[1].String())
			want := strings.Fields(string(out))
			var got []string
			for _, id := range all[i] {
				got = append(got, id.String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: bases of %s and %s: %v, want %v", seed, p[0], p[1], got, want)
			}
		}
	}
}

// randomHistory returns a stream for git fast-import with n commits. Each is on a branch of its own and has up to two
// parents among the six commits before it.
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
