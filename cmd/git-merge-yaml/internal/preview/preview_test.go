package preview

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// history is a repository with a branch for each case: its commits by fast-import.
const history = `commit refs/heads/old
committer a <a@example.com> 1 +0000
data 0
M 100644 inline a.yaml
data 20
a: 1
b: 1
c: 1
d: 1

commit refs/heads/main
committer a <a@example.com> 2 +0000
data 0
from refs/heads/old
M 100644 inline a.yaml
data 20
a: 2
b: 1
c: 1
d: 1

commit refs/heads/beside
committer a <a@example.com> 2 +0000
data 0
from refs/heads/old
M 100644 inline a.yaml
data 20
a: 1
b: 2
c: 1
d: 1

commit refs/heads/far
committer a <a@example.com> 2 +0000
data 0
from refs/heads/old
M 100644 inline a.yaml
data 20
a: 1
b: 1
c: 1
d: 2

commit refs/heads/same
committer a <a@example.com> 2 +0000
data 0
from refs/heads/old
M 100644 inline a.yaml
data 20
a: 3
b: 1
c: 1
d: 1

commit refs/heads/gone
committer a <a@example.com> 2 +0000
data 0
from refs/heads/old
D a.yaml

commit refs/heads/stranger
committer a <a@example.com> 2 +0000
data 0
M 100644 inline a.yaml
data 5
a: 2

`

func repository(t *testing.T) git.Git {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "a")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
	}
	g := git.In(t.TempDir())
	if _, err := g.Run("init", "-q", "--bare", "-b", "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Feed([]byte(history), "fast-import", "--quiet"); err != nil {
		t.Fatal(err)
	}
	return g
}

func previewed(t *testing.T, o Options) *Preview {
	t.Helper()
	program, err := os.Executable() // no driver, so that nothing here depends on one
	if err != nil {
		t.Fatal(err)
	}
	o.Program = program
	p, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func TestStates(t *testing.T) {
	g := repository(t)
	p := previewed(t, Options{Git: g, Base: "main", Pairs: true})
	want := map[string]State{"old": Merged, "beside": Driver, "far": Clean, "same": Conflict, "gone": Conflict, "stranger": Failed}
	got := map[string]State{}
	for _, b := range p.Branches {
		got[b.Name] = b.State
		switch b.Name {
		case "same":
			if f := b.Conflicts[0].Fields; len(f) != 1 || f[0].Path != "a" || !strings.HasPrefix(f[0].Rule, "a: ") {
				t.Errorf("what is in conflict: %+v", f)
			}
		case "gone":
			if why := b.Conflicts[0].Why; why != "one side deleted or moved it, the other changed it" {
				t.Errorf("why: %q", why)
			}
		}
	}
	for name, state := range want {
		if got[name] != state {
			t.Errorf("%s is %q, want %q", name, got[name], state)
		}
	}
	if len(got) != len(want) {
		t.Errorf("branches: %v", got)
	}
	if p.Tried != 1 || len(p.Pairs) != 0 {
		t.Errorf("pairs: %d tried, in conflict %v", p.Tried, p.Pairs)
	}
	if left, err := filepath.Glob(filepath.Join(g.Dir, ".merge_file_*")); err != nil || left != nil {
		t.Errorf("git merged in the repository: %v %v", left, err)
	}
}

func TestUpdateLeavesWhatMoved(t *testing.T) {
	g := repository(t)
	p := previewed(t, Options{Git: g, Base: "main", Refs: []string{"beside", "far", "same"}, Into: true})
	if _, err := g.Run("branch", "-f", "far", "same"); err != nil {
		t.Fatal(err)
	}
	var moved []string
	for _, b := range p.Branches {
		if _, err := p.Update(b, ""); err == nil {
			moved = append(moved, b.Name)
		}
	}
	if !slices.Equal(moved, []string{"beside"}) {
		t.Errorf("moved: %v", moved)
	}
	for rev, want := range map[string]string{"beside": "a: 2\nb: 2\nc: 1\nd: 1", "far": "a: 3\nb: 1\nc: 1\nd: 1"} {
		if got, err := g.Line("show", rev+":a.yaml"); err != nil || got != want {
			t.Errorf("%s is %q, want %q: %v", rev, got, want, err)
		}
	}
}

func TestDrive(t *testing.T) {
	r := previewed(t, Options{Git: repository(t), Base: "main"}).run
	tests := []struct{ name, rules, ours, theirs, size, want, reply string }{
		{"by fields", "", "a: 2\nb: 1\n", "a: 1\nb: 2\n", "7", "a: 2\nb: 2\n", "0\n"},
		{"by lines", linesOnly, "a: 2\nb: 1\n", "a: 1\nb: 2\n", "7", "<<<<<<< " + r.base.String() + "\na: 2\nb: 1\n=======\na: 1\nb: 2\n>>>>>>> theirs\n", "1\n"},
		{"kustomize", "kustomize", "a: 2\nb: 1\n", "a: 3\nb: 1\n", "7", "a: 3\nb: 1\n", "0\n"},
		{"no size", "", "a: 2\n", "a: 3\n", "%L", "a: 2\n", "129\n"},
		{"a huge size", "", "a: 2\n", "a: 3\n", "9999999999", "a: 2\n", "129\n"},
	}
	for _, test := range tests {
		for name, text := range map[string]string{"base": "a: 1\nb: 1\n", "ours": test.ours, "theirs": test.theirs} {
			if err := os.WriteFile(filepath.Join(r.scratch, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var reply strings.Builder
		request := strings.Join([]string{test.rules, "base", "ours", "theirs", test.size, "a.yaml", ""}, "\x00")
		r.answer(bufio.NewReader(strings.NewReader(request+"cut off")), &reply)
		got, err := os.ReadFile(filepath.Join(r.scratch, "ours"))
		if err != nil || string(got) != test.want || reply.String() != test.reply {
			t.Errorf("%s: %q, answered %q, want %q and %q: %v", test.name, got, reply.String(), test.want, test.reply, err)
		}
	}
	var reply strings.Builder
	r.answer(bufio.NewReader(strings.NewReader("\x00nowhere\x00ours\x00theirs\x007\x00a.yaml\x00")), &reply)
	if reply.String() != "129\n" {
		t.Errorf("without a base it answered %q", reply.String())
	}
}

func TestBelow(t *testing.T) {
	for _, test := range [][3]string{
		{".", "*.yaml merge=yaml", "*.yaml merge=yaml"},
		{"k8s", "*.yaml merge=yaml", "/k8s/**/*.yaml merge=yaml"},
		{"k8s", "/web.yaml\t-merge", "/k8s/web.yaml\t-merge"},
		{"k8s", "a/*.yaml -merge", "/k8s/a/*.yaml -merge"},
		{"k8s", "# a comment", "# a comment"},
		{"k8s", "", ""},
		{"k8s", "[attr]x merge=yaml", "[attr]x merge=yaml"},
	} {
		if got := below(test[0], test[1]); got != test[2] {
			t.Errorf("below(%q, %q) = %q, want %q", test[0], test[1], got, test[2])
		}
	}
}
