package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// fastimport DIR FILE makes the repository that FILE describes, as git
// fast-import reads it.
func fastImport(ts *testscript.TestScript, _ bool, args []string) {
	importHistory(ts, ts.MkAbs(args[0]), ts.ReadFile(args[1]))
}

func importHistory(ts *testscript.TestScript, dir, stream string) {
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main", dir))
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet", "--done")
	cmd.Stdin = strings.NewReader(stream + "\ndone\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("%v: %s", err, out)
	}
}

// randomhistory DIR SEED [crisscross] [renames] [deletes] makes a repository with
// edits on three branches; with deletes, they also add files of the same names.
func randomHistory(ts *testscript.TestScript, _ bool, args []string) {
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	t := &tangle{Rand: rand.New(rand.NewPCG(seed, 7)), crisscross: slices.Contains(args, "crisscross"), renames: slices.Contains(args, "renames"), deletes: slices.Contains(args, "deletes")}
	importHistory(ts, ts.MkAbs(args[0]), t.stream(32))
}

// sameasgit DIR replays the history of DIR, has explain save each of its merges, and does these anew
// with git, with the driver and, but for merges of several bases, without: the same files must be
// merged, to the same bytes but for the labels.
func sameAsGit(ts *testscript.TestScript, _ bool, args []string) {
	dir, saved := ts.MkAbs(args[0]), ts.MkAbs(args[0]+".saved")
	ts.Setenv("LC_ALL", "C") // which files git merges is read from what it says
	ts.Check(ts.Exec("git-merge-yaml", "install"))
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "-f", "main"))
	ts.Check(ts.Exec("sh", "-c", `cd "$1" && git-merge-yaml replay --json`, "sh", dir))
	cases := replayedCases(ts, dir, saved)
	ts.Check(ts.Exec("git", "-C", dir, "rev-list", "--min-parents=2", "--parents", "HEAD"))
	merges := strings.Fields(ts.ReadFile("stdout"))
	if len(cases) == 0 || len(merges) == 0 {
		ts.Fatalf("nothing to compare: %d cases, %d merges", len(cases), len(merges)/3)
	}
	for m := range slices.Chunk(merges, 3) {
		ts.Check(ts.Exec("git", "-C", dir, "merge-base", "--all", m[1], m[2]))
		severalBases := len(strings.Fields(ts.ReadFile("stdout"))) > 1 // the driver's is for both
		var merged []string
		for _, e := range []struct {
			name, driver string
			options      []string
		}{
			{"git", "git.yaml", []string{"-c", "core.attributesFile="}},
			{"driver", "driver.yaml", nil},
		} {
			if severalBases && e.name == "git" {
				continue
			}
			ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "-f", "--detach", m[1]))
			run := append([]string{"-C", dir}, e.options...)
			_ = ts.Exec("git", append(run, "merge", "--no-commit", "--no-ff", m[2])...)
			said := mergedFiles(ts.ReadFile("stdout"))
			merged = append(merged, said...)
			compareMerge(ts, dir, m[0], e.name, e.driver, cases, said)
			ts.Check(ts.Exec("git", "-C", dir, "reset", "-q", "--hard"))
		}
		slices.Sort(merged)
		if got, want := replayedFiles(cases, m[0]), slices.Compact(merged); !slices.Equal(got, want) {
			ts.Fatalf("%s: git merged %q, the replay %q", m[0], want, got)
		}
	}
}

type savedCase struct{ folder, merge, path string }

// replayedCases are the files that replay has told of the history of dir, each as explain saves it.
func replayedCases(ts *testscript.TestScript, dir, saved string) (cases []savedCase) {
	told := ts.ReadFile("stdout")
	for line := range strings.Lines(told) {
		var c struct{ Type, Merge, Path string }
		ts.Check(json.Unmarshal([]byte(line), &c))
		if c.Type != "file" {
			continue
		}
		to := filepath.Join(saved, c.Merge)
		if _, err := os.Stat(to); err != nil {
			ts.Check(ts.Exec("sh", "-c", `cd "$1" && mkdir -p "$2" && git-merge-yaml explain --save "$2/$3" "$3"`, "sh", dir, saved, c.Merge))
		}
		folder := ""
		for _, pattern := range []string{"case.json", "*/case.json"} {
			objects, err := filepath.Glob(filepath.Join(to, pattern))
			ts.Check(err)
			for _, file := range objects {
				var of struct{ Path string }
				ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &of))
				if of.Path == c.Path {
					folder = filepath.Dir(file)
				}
			}
		}
		if folder == "" {
			ts.Fatalf("%s: explain saves no %s", c.Merge, c.Path)
		}
		cases = append(cases, savedCase{folder, c.Merge, c.Path})
	}
	return cases
}

// mergedFiles are the files that git says it has merged. Where both sides
// renamed a file differently, nothing decides its content.
func mergedFiles(said string) (merged []string) {
	for line := range strings.Lines(said) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "Auto-merging ")
		if ok && !strings.Contains(said, "CONFLICT (rename/rename): "+path) {
			merged = append(merged, path)
		}
	}
	return merged
}

func replayedFiles(cases []savedCase, merge string) (paths []string) {
	for _, c := range cases {
		if c.merge == merge {
			paths = append(paths, c.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// compareMerge compares what git left of one merge with the cases. What it has
// not merged is no result of the replay either.
func compareMerge(ts *testscript.TestScript, dir, merge, engine, file string, cases []savedCase, said []string) {
	for _, c := range cases {
		if c.merge != merge {
			continue
		}
		result := filepath.Join(c.folder, file)
		if _, err := os.Stat(result); err != nil {
			if slices.Contains(said, c.path) {
				ts.Fatalf("%s: %s: %s merged it, the replay did not", merge, c.path, engine)
			}
			continue
		}
		got, want := ts.ReadFile(result), ts.ReadFile(filepath.Join(dir, c.path))
		if label.ReplaceAllString(got, "$1") != label.ReplaceAllString(want, "$1") {
			ts.Fatalf("%s: %s: %s has\n%s\nthe replay\n%s", merge, c.path, engine, want, got)
		}
	}
}

// A tangle is a history in the making: a few branches that edit and rename a
// few files, and merge each other in both directions.
type tangle struct {
	*rand.Rand
	crisscross, renames, deletes bool
	out                          strings.Builder
	mark                         int
	tips                         []tip
}

// A tip is the newest commit of a branch with its files by path.
type tip struct {
	mark  int
	files map[string][]int
}

func (t *tangle) stream(commits int) string {
	first := map[string][]int{"web.yaml": make([]int, 12), "k8s/api.yaml": make([]int, 12), "k8s/db.yaml": make([]int, 12)}
	root := t.commit(first, 0, 0)
	t.tips = []tip{root, root, root}
	for t.mark < commits {
		i := t.IntN(len(t.tips))
		if j := t.IntN(len(t.tips)); j != i && t.tips[i].mark != t.tips[j].mark && t.IntN(3) == 0 {
			t.merge(i, j)
			continue
		}
		t.tips[i] = t.commit(t.edited(t.tips[i].files), t.tips[i].mark, 0)
	}
	for len(t.tips) > 1 {
		t.merge(0, len(t.tips)-1)
		t.tips = t.tips[:len(t.tips)-1]
	}
	fmt.Fprintf(&t.out, "reset refs/heads/main\nfrom :%d\n", t.tips[0].mark)
	return t.out.String()
}

// merge merges branch j into branch i, sometimes both ways at once.
func (t *tangle) merge(i, j int) {
	ours, theirs := t.tips[i], t.tips[j]
	merged := t.mixed(ours.files, theirs.files)
	t.tips[i] = t.commit(merged, ours.mark, theirs.mark)
	if t.crisscross && t.IntN(2) == 0 {
		t.tips[j] = t.commit(t.mixed(theirs.files, ours.files), theirs.mark, ours.mark)
	}
}

// mixed takes the name and each field of a file from one of the two sides.
func (t *tangle) mixed(a, b map[string][]int) map[string][]int {
	out := map[string][]int{}
	other := map[string]string{}
	for path := range b {
		other[filepath.Base(path)] = path
	}
	for _, path := range sorted(a) {
		theirs := other[filepath.Base(path)]
		values := slices.Clone(a[path])
		for k, v := range b[theirs] {
			if t.IntN(2) == 0 {
				values[k] = v
			}
		}
		if strings.HasPrefix(theirs, "moved") {
			path = theirs
		}
		out[path] = values
	}
	return out
}

// edited changes a field or two, or renames a file.
func (t *tangle) edited(files map[string][]int) map[string][]int {
	out := map[string][]int{}
	for _, path := range sorted(files) {
		out[path] = slices.Clone(files[path])
	}
	paths := sorted(out)
	for range 1 + t.IntN(3) {
		values := out[paths[t.IntN(len(paths))]]
		values[t.IntN(len(values))] = t.mark
	}
	if t.renames && t.IntN(8) == 0 {
		old := paths[t.IntN(len(paths))]
		out[fmt.Sprintf("moved%d/%s", t.mark, filepath.Base(old))] = out[old]
		delete(out, old)
	}
	if t.deletes && t.IntN(6) == 0 && len(out) > 1 {
		delete(out, sorted(out)[t.IntN(len(out))])
	}
	if t.deletes && t.IntN(6) == 0 {
		added := make([]int, 12)
		added[t.IntN(len(added))] = t.mark
		out[fmt.Sprintf("added%d.yaml", t.IntN(3))] = added
	}
	return out
}

func sorted(files map[string][]int) []string {
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

func (t *tangle) commit(files map[string][]int, parents ...int) tip {
	t.mark++
	fmt.Fprintf(&t.out, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 0\n", t.mark, t.mark, 1700000000+t.mark*60)
	for i, p := range parents {
		if p > 0 {
			fmt.Fprintf(&t.out, "%s :%d\n", []string{"from", "merge"}[i], p)
		}
	}
	t.out.WriteString("deleteall\n")
	for _, path := range sorted(files) {
		text := "# " + filepath.Base(path) + "\nspec:\n"
		for k, v := range files[path] {
			text += fmt.Sprintf("  %s%s: %d\n", strings.TrimSuffix(filepath.Base(path), ".yaml"), string(rune('a'+k)), v)
		}
		fmt.Fprintf(&t.out, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	return tip{t.mark, files}
}

// withoutTimes FILE removes from the output of replay what no two runs have in common.
func withoutTimes(ts *testscript.TestScript, _ bool, args []string) {
	var kept []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if !strings.HasPrefix(line, "took ") {
			kept = append(kept, line)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.TrimRight(strings.Join(kept, ""), "\n")+"\n"), 0o666))
}
