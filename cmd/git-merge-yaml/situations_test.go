package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// A situationRule is a rule for a file that main and side changed, each differently.
// What is one's own is side, in every situation.
type situationRule struct {
	name, rules      string
	base, main, side string
	// ofMain and ofSide are what stands where main is ours, and where side is; "" is a
	// conflict.
	ofMain, ofSide string
}

const (
	itemA = "- address: a\n  port: 1\n"
	itemM = "- address: m\n  port: 2\n"
	itemS = "- address: s\n  port: 3\n"
)

var situationRules = []situationRule{
	{"none", "", "v: base\n", "v: main\n", "v: side\n", "", ""},
	{"ours", "fields: {v: ours}", "v: base\n", "v: main\n", "v: side\n", "v: main\n", "v: side\n"},
	{"theirs", "fields: {v: theirs}", "v: base\n", "v: main\n", "v: side\n", "v: side\n", "v: main\n"},
	{"own", "fields: {v: own}", "v: base\n", "v: main\n", "v: side\n", "v: side\n", "v: side\n"},
	{"upstream", "fields: {v: upstream}", "v: base\n", "v: main\n", "v: side\n", "v: main\n", "v: main\n"},
	{"highest", "fields: {v: highest}", "v: 1.0.0\n", "v: 1.1.0\n", "v: 1.0.1\n", "v: 1.1.0\n", "v: 1.1.0\n"},
	{"next", "fields: {v: next}", "v: 1.0.0\n", "v: 1.1.0\n", "v: 1.0.1\n", "v: 1.1.1\n", "v: 1.1.1\n"},
	{
		"set", "lists: {v: set}", "v:\n- a\n", "v:\n- a\n- m\n", "v:\n- a\n- s\n",
		"v:\n- a\n- m\n- s\n", "v:\n- a\n- s\n- m\n",
	},
	{
		"keyed", "lists: {v: {keys: [address]}}", "v:\n" + itemA, "v:\n" + itemA + itemM, "v:\n" + itemA + itemS,
		"v:\n" + itemA + itemM + itemS, "v:\n" + itemA + itemS + itemM,
	},
}

// A situation is what git does, as lines of a script before which the repository has the
// branches main and side, and the program is installed. $EXIT is what it exits with.
type situation struct {
	name string
	into string // the branch that is ours
	do   string // with the driver; then the file is app.yaml
	undo string // before it is done again without one; "" if that cannot be
	redo string
	keep string // commits what resolve left; "" if there is nothing to commit
	over string // the commit, "" if that is none
	past string // how replay finds it
	// picked is that the commit is no merge, so that explain alone finds it.
	picked bool
}

var situations = []situation{
	{
		name: "merge", into: "main", over: "HEAD",
		do:   "exits $EXIT git merge -q --no-edit side",
		undo: "exec git reset -q --hard main^",
		redo: "exits 1 git merge -q --no-edit side",
		keep: "exec git commit -q --no-edit",
	},
	{
		name: "branch", into: "side", over: "HEAD",
		do:   "exec git checkout -q side\nexits $EXIT git merge -q --no-edit main",
		undo: "exec git reset -q --hard side^",
		redo: "exits 1 git merge -q --no-edit main",
		keep: "exec git commit -q --no-edit",
	},
	{
		name: "rebase", into: "main", over: "HEAD", picked: true,
		do:   "exec git checkout -q side\nexits $EXIT git rebase -q main",
		undo: "exec git reset -q --hard tip",
		redo: "exits 1 git rebase -q main",
		keep: "exec git rebase --continue",
	},
	{
		name: "pick", into: "main", over: "HEAD", picked: true,
		do:   "exits $EXIT git cherry-pick side",
		undo: "exec git reset -q --hard main^",
		redo: "exits 1 git cherry-pick side",
		keep: "exec git cherry-pick --continue",
	},
	{
		name: "stash", into: "main",
		do:   stashed + "exits $EXIT git stash pop -q",
		undo: "exec git reset -q --hard main",
		redo: stashed + "exits 1 git stash pop -q",
	},
	{
		name: "bare", into: "main", over: "main", past: "main",
		do: `exec git clone -q --bare . ../bare
cd ../bare
exec git-merge-yaml install --local
exits $EXIT git merge-tree --write-tree main side
cp stdout ../tree
exec sh ../commit
exec git show main:app.yaml
cp stdout app.yaml`,
	},
	{ // as Gitea merges: in a work tree without the rules, by names of its own
		name: "server", into: "main", over: "HEAD", past: "HEAD",
		do: `exec git clone -q --no-checkout . ../server
cd ../server
exec git branch -q tracking origin/side
exec git branch -q -m main base
exec git config core.sparseCheckout true
exec git config merge.yaml.own theirs
exec sh -c 'echo /app.yaml >.git/info/sparse-checkout'
exec git read-tree HEAD
exec git checkout-index app.yaml
exits $EXIT git merge -q --no-ff -m 'Merge pull request ''side'' (#1) from side into main' tracking`,
		undo: "exec git reset -q --hard origin/main",
		redo: "exits 1 git merge -q --no-ff -m 'Merge pull request ''side'' (#1) from side into main' tracking",
		keep: "exec git commit -q --no-edit",
	},
	{
		name: "ci", into: "side", over: "origin/side", past: "origin/side",
		do: `exec git branch develop main
exec git clone -q --bare . ../origin.git
exec git clone -q ../origin.git ../clone
cd ../clone
env BASE=develop BRANCH=side REPOSITORY=a/b HEAD_REPOSITORY=a/b
exits $EXIT sh $ROOT/action/update.sh
exec git fetch -q
exec git show origin/side:app.yaml
cp stdout app.yaml`,
	},
}

const (
	prepared = `[windows] skip 'sh scripts'
exec git-merge-yaml install
hookscript $ROOT/.pre-commit-hooks.yaml git-merge-yaml-check pre-commit
history repo
cp pre-commit repo/.git/hooks/pre-commit
exec chmod +x repo/.git/hooks/pre-commit
cd repo
exec git tag tip side`
	stashed = `exec git checkout -q --detach side^
exec git show side:app.yaml
cp stdout app.yaml
exec git stash -q
exec git checkout -q main
`
	// committed commits the tree of a merge in a bare repository.
	committed = `git update-ref refs/heads/main \
	$(git commit-tree -p main -p side -m "Merge branch side" $(head -n 1 ../tree))
`
)

// TestSituations holds that every command answers as the driver would: a script for each
// situation and rule.
func TestSituations(t *testing.T) {
	dir := t.TempDir()
	for _, s := range situations {
		for _, r := range situationRules {
			name := filepath.Join(dir, s.name+"-"+r.name+".txtar")
			if err := os.WriteFile(name, []byte(s.script(r)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := testscript.Params{Dir: dir, Setup: setup, Cmds: commands, Condition: condition, RequireExplicitExec: true}
	testscript.Run(t, p)
}

// script is what is done and asked in a situation with a rule.
func (s situation) script(r situationRule) string {
	want, exit := r.ofMain, "0"
	if s.into == "side" {
		want = r.ofSide
	}
	if want == "" {
		exit = "1"
	}
	var b strings.Builder
	say := func(lines string) { b.WriteString(strings.ReplaceAll(lines, "$EXIT", exit) + "\n") }
	say(prepared)
	say(s.do)
	if want != "" {
		say("cmp app.yaml $WORK/want")
	}
	if s.over != "" && (want != "" || s.keep == "") {
		say(s.asked(want != ""))
	}
	if s.redo != "" {
		say(s.stopped(want))
	}
	say("exec git-merge-yaml diff --path app.yaml $WORK/base/app.yaml $WORK/ours/app.yaml")
	if strings.HasPrefix(r.rules, "lists") {
		say("stdout '.git-merge-yaml.yaml'")
	}
	rules := ""
	if r.rules != "" {
		rules = "rules: [{" + r.rules + "}]"
	}
	for _, f := range [][2]string{{"base", r.base}, {"ours", r.main}, {"theirs", r.side}} {
		fmt.Fprintf(&b, "-- %s/app.yaml --\n%s", f[0], f[1])
		if rules != "" {
			fmt.Fprintf(&b, "-- %s/.git-merge-yaml.yaml --\n%s\n", f[0], rules)
		}
	}
	fmt.Fprintf(&b, "-- theirs/side --\n-- commit --\n%s-- want --\n%s", committed, want) // side is never empty
	return b.String()
}

// stopped does it again without a driver, and asks about what stopped.
func (s situation) stopped(want string) string {
	lines := []string{"env GIT_MERGE_YAML=off"}
	if want != "" {
		lines = append(lines, s.undo)
		lines = append(lines, s.redo)
	}
	lines = append(lines, "env GIT_MERGE_YAML=", "exec git-merge-yaml explain --json app.yaml")
	if want == "" {
		lines = append(lines, `! stdout '"conflicts":\[\]'`, "exits 1 git-merge-yaml resolve")
		return strings.Join(lines, "\n")
	}
	lines = append(lines, `stdout '"conflicts":\[\]'`)
	if s.keep != "" {
		lines = append(lines,
			"exec git-merge-yaml explain", "stdout '^app.yaml: git: 1 conflict'", "! stdout 'driver: [0-9]+ conflict'",
			"exec git-merge-yaml explain --save $WORK/stopped app.yaml", "cmp $WORK/stopped/driver.yaml $WORK/want")
	}
	lines = append(lines, "exits 0 git-merge-yaml resolve", "cmp app.yaml $WORK/want")
	if s.keep != "" {
		lines = append(lines, s.keep)
	}
	return strings.Join(lines, "\n")
}

// asked asks about what is over and was committed, clean or not.
func (s situation) asked(clean bool) string {
	var lines []string
	ask := func(command, said string) {
		lines = append(lines, command)
		if not, ok := strings.CutPrefix(said, "! "); ok != clean {
			lines = append(lines, "stdout '"+strings.TrimPrefix(not, "! ")+"'")
		} else {
			lines = append(lines, "! stdout '"+strings.TrimPrefix(not, "! ")+"'")
		}
	}
	if s.name == "ci" && !clean {
		return "" // nothing is pushed
	}
	if !s.picked && clean {
		ask("exits 0 git-merge-yaml check "+s.over+"^!", "nothing found$")
	}
	ask("exec git-merge-yaml explain "+s.over, "! driver: [0-9]+ conflict")
	ask("exec git-merge-yaml explain --json "+s.over+" app.yaml", `"conflicts":\[\]`)
	past := "replay --json " + s.past
	if s.picked {
		past = "explain --json " + s.over
	}
	ask("exec git-merge-yaml "+past,
		`"driver":\{"clean":true,"conflicts":0,"lines":0,"committed":"bytes"`)
	if clean {
		lines = append(lines,
			"exec git-merge-yaml explain --save $WORK/report "+s.over+" app.yaml", "cmp $WORK/report/driver.yaml $WORK/want",
			`exec sh -c 'cd $WORK/report && eval "$(sed -n "s/^    git merge-yaml/git-merge-yaml/p" about.md)"'`,
			"cmp stdout $WORK/want")
	}
	return strings.Join(lines, "\n")
}
