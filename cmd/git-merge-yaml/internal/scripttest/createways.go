package scripttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// The versions of the file in the repository of createWays, which tests the ways in which git merges. ours and clean
// change adjacent fields: a conflict in a line merge, but not in a merge by field. ours and conflict change the
// same field differently.
const (
	waysBase     = "kind: Deployment\nreplicas: 2\npaused: false\nimage: web:1\n"
	waysOurs     = "kind: Deployment\nreplicas: 3\npaused: false\nimage: web:1\n"
	waysTheirs   = "kind: Deployment\nreplicas: 2\npaused: true\nimage: web:1\n"
	waysConflict = "kind: Deployment\nreplicas: 4\npaused: true\nimage: web:1\n"
	waysMerged   = "kind: Deployment\nreplicas: 3\npaused: true\nimage: web:1\n"
	waysMarked   = "kind: Deployment\n<<<<<<<\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>>\npaused: true\nimage: web:1\n"
	waysReversed = "kind: Deployment\n<<<<<<<\nreplicas: 4\n=======\nreplicas: 3\n>>>>>>>\npaused: true\nimage: web:1\n"
)

// createWays implements "ways DIR [PATH]". It creates a repository in DIR with the branch base, and the branches ours,
// clean and conflict on top of it. Each has the file PATH (default: web.yaml) and an empty file only-NAME, with the
// name of the branch. ours is checked out.
func createWays(ts *testscript.TestScript, _ bool, args []string) {
	dir, path := ts.MkAbs(args[0]), "web.yaml"
	if len(args) > 1 {
		path = `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`, `\`, `\\`).Replace(fileName(args[1])) + `"`
	}
	var s strings.Builder
	for _, b := range []struct{ name, from, file string }{
		{"base", "", waysBase},
		{"ours", "from refs/heads/base\n", waysOurs},
		{"clean", "from refs/heads/base\n", waysTheirs},
		{"conflict", "from refs/heads/base\n", waysConflict},
	} {
		fmt.Fprintf(&s, "commit refs/heads/%s\ncommitter A <a@example.com> 1767225600 +0000\ndata %d\n%s\n%s", b.name, len(b.name), b.name, b.from)
		fmt.Fprintf(&s, "M 100644 inline %s\ndata %d\n%s\n", path, len(b.file), b.file)
		fmt.Fprintf(&s, "M 100644 inline only-%s\ndata 0\n\n", b.name)
	}
	ts.Check(ts.Exec("git", "init", "-q", "--template=", "-b", "ours", dir))
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(s.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("%v: %s", err, out)
	}
	ts.Check(ts.Exec("git", "-C", dir, "reset", "-q", "--hard"))
}

// fileName returns arg with \n replaced by a line break.
func fileName(arg string) string { return strings.ReplaceAll(arg, `\n`, "\n") }

// checkMerged implements "merged FILE". It checks that FILE is the merge of ours and clean, and that no file is unmerged.
func checkMerged(ts *testscript.TestScript, _ bool, args []string) {
	if got := ts.ReadFile(fileName(args[0])); got != waysMerged {
		ts.Fatalf("%s:\n%s", args[0], got)
	}
	checkUnmerged(ts, false, nil)
}

// checkConflicted implements "conflicted FILE OURS THEIRS [reversed]". It checks that FILE is the merge of ours and
// conflict, and that only FILE is unmerged, with three stages. Its labels must match the patterns OURS and THEIRS, or
// be "ours" and "theirs" if git is too old to pass labels. With reversed, conflict is ours in the merge.
func checkConflicted(ts *testscript.TestScript, _ bool, args []string) {
	file := fileName(args[0])
	got, want := ts.ReadFile(file), waysMarked
	if len(args) > 3 {
		want = waysReversed
	}
	if labelPattern.ReplaceAllString(got, "$1") != want {
		ts.Fatalf("%s:\n%s", file, got)
	}
	labels := args[1:3]
	old := gitVersion(ts) < 2044 // the driver does not get labels, for example of a stash, or the name of a renamed file
	for i, m := range labelPattern.FindAllStringSubmatch(got, -1) {
		if role := [2]string{" ours", " theirs"}; old && (m[2] == role[i] || strings.HasPrefix(labels[i], m[2][1:]+":")) {
			continue
		}
		if !regexp.MustCompile("^ " + labels[i] + "$").MatchString(m[2]) {
			ts.Fatalf("label%s, want %s", m[2], labels[i])
		}
	}
	top, err := filepath.EvalSymlinks(ts.MkAbs("."))
	ts.Check(err)
	for ; !isRootOrExists(filepath.Join(top, ".git")); top = filepath.Dir(top) {
	}
	rel, err := filepath.Rel(top, ts.MkAbs(file))
	ts.Check(err)
	checkUnmerged(ts, false, []string{filepath.ToSlash(rel) + ":123"})
}

// isRootOrExists reports whether path exists or is in the root folder, where the search for .git ends.
func isRootOrExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil || filepath.Dir(path) == path
}

// gitVersion returns the version of git as a number: 2039 for git 2.39.
func gitVersion(ts *testscript.TestScript) int {
	out, err := exec.Command("git", "version").Output()
	ts.Check(err)
	var major, minor int
	_, err = fmt.Sscanf(string(out), "git version %d.%d", &major, &minor)
	ts.Check(err)
	return 1000*major + minor
}
