package driver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

// A situationRule is a rule of a team, and a file that the branches main and side change differently. In all
// situations, side is the own side.
type situationRule struct {
	name, rules      string
	base, main, side string
	// wantMainOurs is the expected content if main is ours, and wantSideOurs if side is ours. "" is a conflict.
	wantMainOurs, wantSideOurs string
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

// A situation is an operation of git that merges. Its fields are lines of scripts. They run in a repository with the
// branches main and side, with the program installed. $EXIT is the expected exit code.
type situation struct {
	name           string
	oursBranch     string // the branch that is ours: main or side
	run            string // runs the operation with the driver; app.yaml is then the result
	reset          string // prepares rerun
	rerun          string // repeats the operation without the driver; "" if that is not possible
	commit         string // commits the result of resolve; "" if there is nothing to commit
	revision       string // the resulting commit; "" if the operation creates none
	replayRevision string // argument with which replay finds the commit; "" for the default
	// notMerge is set if the commit has only one parent. Then explain finds it, but replay and check do not.
	notMerge bool
}

var situations = []situation{
	{
		name: "merge", oursBranch: "main", revision: "HEAD",
		run:    "exits $EXIT git merge -q --no-edit side",
		reset:  "exec git reset -q --hard main^",
		rerun:  "exits 1 git merge -q --no-edit side",
		commit: "exec git commit -q --no-edit",
	},
	{
		name: "branch", oursBranch: "side", revision: "HEAD",
		run:    "exec git checkout -q side\nexits $EXIT git merge -q --no-edit main",
		reset:  "exec git reset -q --hard side^",
		rerun:  "exits 1 git merge -q --no-edit main",
		commit: "exec git commit -q --no-edit",
	},
	{
		name: "rebase", oursBranch: "main", revision: "HEAD", notMerge: true,
		run:    "exec git checkout -q side\nexits $EXIT git rebase -q main",
		reset:  "exec git reset -q --hard tip",
		rerun:  "exits 1 git rebase -q main",
		commit: "exec git rebase --continue",
	},
	{
		name: "pick", oursBranch: "main", revision: "HEAD", notMerge: true,
		run:    "exits $EXIT git cherry-pick side",
		reset:  "exec git reset -q --hard main^",
		rerun:  "exits 1 git cherry-pick side",
		commit: "exec git cherry-pick --continue",
	},
	{
		name: "stash", oursBranch: "main",
		run:   stashScript + "exits $EXIT git stash pop -q",
		reset: "exec git reset -q --hard main",
		rerun: stashScript + "exits 1 git stash pop -q",
	},
	{
		name: "bare", oursBranch: "main", revision: "main", replayRevision: "main",
		run: `exec git clone -q --bare . ../bare
cd ../bare
exec git-merge-yaml install --local
exits $EXIT git merge-tree --write-tree main side
cp stdout ../tree
exec sh ../commit
exec git show main:app.yaml
cp stdout app.yaml`,
	},
	{ // like Gitea: in a work tree without the rules, and with other names for the branches
		name: "server", oursBranch: "main", revision: "HEAD", replayRevision: "HEAD",
		run: `exec git clone -q --no-checkout . ../server
cd ../server
exec git branch -q tracking origin/side
exec git branch -q -m main base
exec git config core.sparseCheckout true
exec git config merge.yaml.own theirs
exec sh -c 'echo /app.yaml >.git/info/sparse-checkout'
exec git read-tree HEAD
exec git checkout-index app.yaml
exits $EXIT git merge -q --no-ff -m 'Merge pull request ''side'' (#1) from side into main' tracking`,
		reset:  "exec git reset -q --hard origin/main",
		rerun:  "exits 1 git merge -q --no-ff -m 'Merge pull request ''side'' (#1) from side into main' tracking",
		commit: "exec git commit -q --no-edit",
	},
	{
		name: "ci", oursBranch: "side", revision: "origin/side", replayRevision: "origin/side",
		run: `exec git branch develop main
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
	prepareScript = `[windows] skip 'sh scripts'
exec git-merge-yaml install
hookscript $ROOT/.pre-commit-hooks.yaml git-merge-yaml-check pre-commit
history repo
cp pre-commit repo/.git/hooks/pre-commit
exec chmod +x repo/.git/hooks/pre-commit
cd repo
exec git tag tip side`
	stashScript = `exec git checkout -q --detach side^
exec git show side:app.yaml
cp stdout app.yaml
exec git stash -q
exec git checkout -q main
`
	// commitTreeScript commits the tree of a merge in a bare repository.
	commitTreeScript = `git update-ref refs/heads/main \
	$(git commit-tree -p main -p side -m "Merge branch side" $(head -n 1 ../tree))
`
)

// TestSituations checks that all commands agree with the driver, with a script for each situation and rule: for one rule
// or more in each situation and for each rule in one situation or more, or for all with -long.
func TestSituations(t *testing.T) {
	dir := t.TempDir()
	for i, s := range situations {
		for j, r := range situationRules {
			if !scripttest.Long() && (i+j)%8 != 1 {
				continue
			}
			name := filepath.Join(dir, s.name+"-"+r.name+".txtar")
			if err := os.WriteFile(name, []byte(s.script(r)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := scripttest.Params()
	p.Dir = dir
	testscript.Run(t, p)
}

// script returns the script for a situation with a rule.
func (s situation) script(r situationRule) string {
	want, exit := r.wantMainOurs, "0"
	if s.oursBranch == "side" {
		want = r.wantSideOurs
	}
	if want == "" {
		exit = "1"
	}
	var b strings.Builder
	add := func(lines string) { b.WriteString(strings.ReplaceAll(lines, "$EXIT", exit) + "\n") }
	add(prepareScript)
	add(s.run)
	if want != "" {
		add("cmp app.yaml $WORK/want")
	}
	if s.revision != "" && (want != "" || s.commit == "") {
		add(s.finishedScript(want != ""))
	}
	if s.rerun != "" {
		add(s.stoppedScript(want))
	}
	add("exec git-merge-yaml diff --path app.yaml $WORK/base/app.yaml $WORK/ours/app.yaml")
	if strings.HasPrefix(r.rules, "lists") {
		add("stdout '.git-merge-yaml.yaml'")
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
	fmt.Fprintf(&b, "-- theirs/side --\n-- commit --\n%s-- want --\n%s", commitTreeScript, want) // the file side makes the commit of side nonempty
	return b.String()
}

// stoppedScript returns commands that repeat the operation without the driver, so that it stops with a conflict, and
// then check explain and resolve. want is the content that resolve has to write, or "" for a conflict.
func (s situation) stoppedScript(want string) string {
	lines := []string{"env GIT_MERGE_YAML=off"}
	if want != "" {
		lines = append(lines, s.reset)
		lines = append(lines, s.rerun)
	}
	lines = append(lines, "env GIT_MERGE_YAML=", "exec git-merge-yaml explain --json app.yaml")
	if want == "" {
		lines = append(lines, `! stdout '"conflicts":\[\]'`, "exits 1 git-merge-yaml resolve")
		return strings.Join(lines, "\n")
	}
	lines = append(lines, `stdout '"conflicts":\[\]'`)
	if s.commit != "" {
		lines = append(lines,
			"exec git-merge-yaml explain", "stdout '^app.yaml: git: 1 conflict'", "! stdout 'driver: [0-9]+ conflict'",
			"exec git-merge-yaml explain --save $WORK/stopped app.yaml", "cmp $WORK/stopped/driver.yaml $WORK/want")
	}
	lines = append(lines, "exits 0 git-merge-yaml resolve", "cmp app.yaml $WORK/want")
	if s.commit != "" {
		lines = append(lines, s.commit)
	}
	return strings.Join(lines, "\n")
}

// finishedScript returns commands that check explain, replay and check for the committed merge. clean is whether the
// rule resolved the conflict.
func (s situation) finishedScript(clean bool) string {
	var lines []string
	expect := func(command, pattern string) {
		lines = append(lines, command)
		if not, ok := strings.CutPrefix(pattern, "! "); ok != clean {
			lines = append(lines, "stdout '"+strings.TrimPrefix(not, "! ")+"'")
		} else {
			lines = append(lines, "! stdout '"+strings.TrimPrefix(not, "! ")+"'")
		}
	}
	if s.name == "ci" && !clean {
		return "" // nothing is pushed
	}
	if !s.notMerge && clean {
		expect("exits 0 git-merge-yaml check "+s.revision+"^!", "no findings$")
	}
	expect("exec git-merge-yaml explain "+s.revision, "! driver: [0-9]+ conflict")
	expect("exec git-merge-yaml explain --json "+s.revision+" app.yaml", `"conflicts":\[\]`)
	past := "replay --json " + s.replayRevision
	if s.notMerge {
		past = "explain --json " + s.revision
	}
	expect("exec git-merge-yaml "+past,
		`"driver":\{"clean":true,"conflicts":0,"lines":0,"committed":"bytes"`)
	if clean {
		lines = append(lines,
			"exec git-merge-yaml explain --save $WORK/report "+s.revision+" app.yaml", "cmp $WORK/report/driver.yaml $WORK/want",
			`exec sh -c 'cd $WORK/report && eval "$(sed -n "s/^    git merge-yaml/git-merge-yaml/p" about.md)"'`,
			"cmp stdout $WORK/want")
	}
	return strings.Join(lines, "\n")
}
