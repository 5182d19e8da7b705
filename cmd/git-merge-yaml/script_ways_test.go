package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// The file of the ways in which git merges: ours and clean change fields side
// by side, which is a conflict by lines and none by fields; ours and conflict
// change one field differently.
const (
	waysBase     = "kind: Deployment\nreplicas: 2\npaused: false\nimage: web:1\n"
	waysOurs     = "kind: Deployment\nreplicas: 3\npaused: false\nimage: web:1\n"
	waysTheirs   = "kind: Deployment\nreplicas: 2\npaused: true\nimage: web:1\n"
	waysConflict = "kind: Deployment\nreplicas: 4\npaused: true\nimage: web:1\n"
	waysMerged   = "kind: Deployment\nreplicas: 3\npaused: true\nimage: web:1\n"
	waysMarked   = "kind: Deployment\n<<<<<<<\nreplicas: 3\n=======\nreplicas: 4\n>>>>>>>\npaused: true\nimage: web:1\n"
	waysReversed = "kind: Deployment\n<<<<<<<\nreplicas: 4\n=======\nreplicas: 3\n>>>>>>>\npaused: true\nimage: web:1\n"
)

// ways DIR [PATH] makes a repository in DIR with the branches base and, based
// on it, ours, clean and conflict, which all hold the file PATH (web.yaml) and
// one for each branch. ours is checked out.
func ways(ts *testscript.TestScript, _ bool, args []string) {
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

// fileName returns the name that a script gives, in which \n is a line break.
func fileName(arg string) string { return strings.ReplaceAll(arg, `\n`, "\n") }

// merged FILE checks that FILE is the merge of ours and clean, and that
// nothing is unmerged.
func merged(ts *testscript.TestScript, _ bool, args []string) {
	if got := ts.ReadFile(fileName(args[0])); got != waysMerged {
		ts.Fatalf("%s:\n%s", args[0], got)
	}
	unmerged(ts, false, nil)
}

// conflicted FILE OURS THEIRS [reversed] checks that FILE is the merge of ours
// and conflict, with its three stages in the index and nothing else unmerged,
// and that its labels match the patterns OURS and THEIRS. The labels are ours
// and theirs where git is too old to tell them. With reversed, conflict is
// ours of that merge.
func conflicted(ts *testscript.TestScript, _ bool, args []string) {
	file := fileName(args[0])
	got, want := ts.ReadFile(file), waysMarked
	if len(args) > 3 {
		want = waysReversed
	}
	if label.ReplaceAllString(got, "$1") != want {
		ts.Fatalf("%s:\n%s", file, got)
	}
	labels := args[1:3]
	old := gitVersion(ts) < 2044 // it does not tell those of a stash and the like, nor what a side calls a file
	for i, m := range label.FindAllStringSubmatch(got, -1) {
		if role := [2]string{" ours", " theirs"}; old && (m[2] == role[i] || strings.HasPrefix(labels[i], m[2][1:]+":")) {
			continue
		}
		if !regexp.MustCompile("^ " + labels[i] + "$").MatchString(m[2]) {
			ts.Fatalf("label%s, want %s", m[2], labels[i])
		}
	}
	top, err := filepath.EvalSymlinks(ts.MkAbs("."))
	ts.Check(err)
	for ; !exists(filepath.Join(top, ".git")); top = filepath.Dir(top) {
	}
	rel, err := filepath.Rel(top, ts.MkAbs(file))
	ts.Check(err)
	unmerged(ts, false, []string{filepath.ToSlash(rel) + ":123"})
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil || filepath.Dir(path) == path
}

// gitVersion returns 2039 for git 2.39.
func gitVersion(ts *testscript.TestScript) int {
	out, err := exec.Command("git", "version").Output()
	ts.Check(err)
	var major, minor int
	_, err = fmt.Sscanf(string(out), "git version %d.%d", &major, &minor)
	ts.Check(err)
	return 1000*major + minor
}
