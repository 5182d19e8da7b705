package scripttest

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

// importFile implements "fastimport DIR FILE". It creates a repository in DIR from FILE, a stream in the format of git
// fast-import.
func importFile(ts *testscript.TestScript, _ bool, args []string) {
	importHistory(ts, ts.MkAbs(args[0]), ts.ReadFile(args[1]))
}

// importHistory creates a repository in dir from a stream in the format of git fast-import.
func importHistory(ts *testscript.TestScript, dir, stream string) {
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main", dir))
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet", "--done")
	cmd.Stdin = strings.NewReader(stream + "\ndone\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("%v: %s", err, out)
	}
}

// createRandomHistory implements "randomhistory DIR SEED [crisscross] [renames] [deletes]". It creates a repository with
// random edits and merges of three branches. With crisscross, branches also merge each other at the same time. With
// renames, files are moved. With deletes, files are deleted, and files of the same names are added in several branches.
func createRandomHistory(ts *testscript.TestScript, _ bool, args []string) {
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	t := &randomRepository{Rand: rand.New(rand.NewPCG(seed, 7)), crisscross: slices.Contains(args, "crisscross"), renames: slices.Contains(args, "renames"), deletes: slices.Contains(args, "deletes")}
	importHistory(ts, ts.MkAbs(args[0]), t.generate(32))
}

// compareWithGit implements "sameasgit DIR". It replays the history of DIR and saves all merges with explain. Then it
// repeats each merge with git, once with the driver and once without; merges with several merge bases only with
// the driver. The same files must be merged, with the same content except for the labels of markers.
func compareWithGit(ts *testscript.TestScript, _ bool, args []string) {
	dir, saved := ts.MkAbs(args[0]), ts.MkAbs(args[0]+".saved")
	ts.Setenv("LC_ALL", "C") // parseMergedFiles reads git's messages in English
	ts.Check(ts.Exec("git-merge-yaml", "install"))
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "-f", "main"))
	ts.Check(ts.Exec("sh", "-c", `cd "$1" && git-merge-yaml replay --json`, "sh", dir))
	cases := saveReplayedCases(ts, dir, saved)
	ts.Check(ts.Exec("git", "-C", dir, "rev-list", "--min-parents=2", "--parents", "HEAD"))
	merges := strings.Fields(ts.ReadFile("stdout"))
	if len(cases) == 0 || len(merges) == 0 {
		ts.Fatalf("nothing to compare: %d cases, %d merges", len(cases), len(merges)/3)
	}
	for m := range slices.Chunk(merges, 3) {
		ts.Check(ts.Exec("git", "-C", dir, "merge-base", "--all", m[1], m[2]))
		severalBases := len(strings.Fields(ts.ReadFile("stdout"))) > 1 // then only the merge with the driver is compared
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
			reported := parseMergedFiles(ts.ReadFile("stdout"))
			merged = append(merged, reported...)
			compareMerge(ts, dir, m[0], e.name, e.driver, cases, reported)
			ts.Check(ts.Exec("git", "-C", dir, "reset", "-q", "--hard"))
		}
		slices.Sort(merged)
		if got, want := pathsOfMerge(cases, m[0]), slices.Compact(merged); !slices.Equal(got, want) {
			ts.Fatalf("%s: git merged %q, the replay %q", m[0], want, got)
		}
	}
}

// A savedCase is the folder in which explain saved a file of a merge.
type savedCase struct{ folder, merge, path string }

// saveReplayedCases returns the files in the output of replay, which is the last command of the script. It saves each
// of their merges with explain to a folder in saved.
func saveReplayedCases(ts *testscript.TestScript, dir, saved string) (cases []savedCase) {
	replay := ts.ReadFile("stdout")
	for line := range strings.Lines(replay) {
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

// parseMergedFiles returns the files that git merged, according to its output. It leaves out a file that the sides
// renamed differently, because its content depends on the name that is chosen.
func parseMergedFiles(output string) (merged []string) {
	for line := range strings.Lines(output) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "Auto-merging ")
		if ok && !strings.Contains(output, "CONFLICT (rename/rename): "+path) {
			merged = append(merged, path)
		}
	}
	return merged
}

// pathsOfMerge returns the sorted paths of the cases of a merge.
func pathsOfMerge(cases []savedCase, merge string) (paths []string) {
	for _, c := range cases {
		if c.merge == merge {
			paths = append(paths, c.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// compareMerge compares the files in dir, after a merge with git, with the saved results of the same merge. engine is
// "git" or "driver", and file is the name of its results. If a case has no such result, git must not have merged the file.
func compareMerge(ts *testscript.TestScript, dir, merge, engine, file string, cases []savedCase, mergedPaths []string) {
	for _, c := range cases {
		if c.merge != merge {
			continue
		}
		result := filepath.Join(c.folder, file)
		if _, err := os.Stat(result); err != nil {
			if slices.Contains(mergedPaths, c.path) {
				ts.Fatalf("%s: %s: %s merged it, the replay did not", merge, c.path, engine)
			}
			continue
		}
		got, want := ts.ReadFile(result), ts.ReadFile(filepath.Join(dir, c.path))
		if labelPattern.ReplaceAllString(got, "$1") != labelPattern.ReplaceAllString(want, "$1") {
			ts.Fatalf("%s: %s: %s has\n%s\nthe replay\n%s", merge, c.path, engine, want, got)
		}
	}
}

// A randomRepository builds a random history in the format of git fast-import: a few branches that edit and rename a
// few files, and merge each other.
type randomRepository struct {
	*rand.Rand
	crisscross, renames, deletes bool
	out                          strings.Builder
	mark                         int
	tips                         []tip
}

// A tip is the newest commit of a branch, with the values of its files by path.
type tip struct {
	mark  int
	files map[string][]int
}

// generate returns a history with at least the given number of commits, in the format of git fast-import. At the end,
// all branches are merged into main.
func (t *randomRepository) generate(commits int) string {
	first := map[string][]int{"web.yaml": make([]int, 12), "k8s/api.yaml": make([]int, 12), "k8s/db.yaml": make([]int, 12)}
	root := t.commit(first, 0, 0)
	t.tips = []tip{root, root, root}
	for t.mark < commits {
		i := t.IntN(len(t.tips))
		if j := t.IntN(len(t.tips)); j != i && t.tips[i].mark != t.tips[j].mark && t.IntN(3) == 0 {
			t.merge(i, j)
			continue
		}
		t.tips[i] = t.commit(t.editFiles(t.tips[i].files), t.tips[i].mark, 0)
	}
	for len(t.tips) > 1 {
		t.merge(0, len(t.tips)-1)
		t.tips = t.tips[:len(t.tips)-1]
	}
	fmt.Fprintf(&t.out, "reset refs/heads/main\nfrom :%d\n", t.tips[0].mark)
	return t.out.String()
}

// merge merges branch j into branch i. With crisscross, it sometimes also merges the old branch i into branch j.
func (t *randomRepository) merge(i, j int) {
	ours, theirs := t.tips[i], t.tips[j]
	merged := t.mixFiles(ours.files, theirs.files)
	t.tips[i] = t.commit(merged, ours.mark, theirs.mark)
	if t.crisscross && t.IntN(2) == 0 {
		t.tips[j] = t.commit(t.mixFiles(theirs.files, ours.files), theirs.mark, ours.mark)
	}
}

// mixFiles returns the files of a merge. It selects the name and each value of a file randomly from a and b.
func (t *randomRepository) mixFiles(a, b map[string][]int) map[string][]int {
	out := map[string][]int{}
	other := map[string]string{}
	for path := range b {
		other[filepath.Base(path)] = path
	}
	for _, path := range sortedPaths(a) {
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

// editFiles returns a copy of files with one to three changed values. With renames or deletes, it sometimes also
// moves, deletes or adds a file.
func (t *randomRepository) editFiles(files map[string][]int) map[string][]int {
	out := map[string][]int{}
	for _, path := range sortedPaths(files) {
		out[path] = slices.Clone(files[path])
	}
	paths := sortedPaths(out)
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
		delete(out, sortedPaths(out)[t.IntN(len(out))])
	}
	if t.deletes && t.IntN(6) == 0 {
		added := make([]int, 12)
		added[t.IntN(len(added))] = t.mark
		out[fmt.Sprintf("added%d.yaml", t.IntN(3))] = added
	}
	return out
}

// sortedPaths returns the paths of files, sorted.
func sortedPaths(files map[string][]int) []string {
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// commit adds a commit with files to the history and returns it. A parent of 0 is left out.
func (t *randomRepository) commit(files map[string][]int, parents ...int) tip {
	t.mark++
	fmt.Fprintf(&t.out, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 0\n", t.mark, t.mark, 1700000000+t.mark*60)
	for i, p := range parents {
		if p > 0 {
			fmt.Fprintf(&t.out, "%s :%d\n", []string{"from", "merge"}[i], p)
		}
	}
	t.out.WriteString("deleteall\n")
	for _, path := range sortedPaths(files) {
		text := "# " + filepath.Base(path) + "\nspec:\n"
		for k, v := range files[path] {
			text += fmt.Sprintf("  %s%s: %d\n", strings.TrimSuffix(filepath.Base(path), ".yaml"), string(rune('a'+k)), v)
		}
		fmt.Fprintf(&t.out, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	return tip{t.mark, files}
}

// removeTimes implements "withouttimes FILE OUT". It writes FILE, which is output of replay, to OUT without the lines
// with times, which differ in each run.
func removeTimes(ts *testscript.TestScript, _ bool, args []string) {
	var kept []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if !strings.HasPrefix(line, "took ") {
			kept = append(kept, line)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.TrimRight(strings.Join(kept, ""), "\n")+"\n"), 0o666))
}
