package git

import (
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRepo compares the results of a Repo with git's, and checks in which repositories the Repo has to run git.
func TestRepo(t *testing.T) {
	const setStyle = "git config merge.conflictStyle diff3\n"
	for _, c := range []struct {
		name, script, dir string
		env               []string // name, value, ...
		runsGit           bool     // for the settings or the refs
	}{
		{"no repository", "git config --global merge.yaml.config x", ".", nil, false},
		{"a work tree", "git init -q; " + setStyle, ".", nil, false},
		{"a folder of a work tree", "git init -q; mkdir a; " + setStyle, "a", nil, false},
		{"the repository itself", "git init -q; " + setStyle, ".git", nil, true},
		{"GIT_DIR", "git init -q; " + setStyle, ".", []string{"GIT_DIR", ".git"}, false},
		{"a bare repository", "git init -q --bare; " + setStyle, ".", nil, true},
		{"a linked work tree", "git init -q m; cd m; git commit -q --allow-empty -m a; git worktree add -q ../a; " + setStyle, "a", nil, false},
		{"a .git file with a missing target", "echo gitdir: nowhere > .git", ".", nil, true},
		{"GIT_COMMON_DIR", "git init -q; " + setStyle, ".", []string{"GIT_COMMON_DIR", ".git"}, true},
		{"a ceiling between the folder and the repository", "git init -q; mkdir -p a/b; " + setStyle, "a/b", []string{"GIT_CEILING_DIRECTORIES", "$top:relative"}, false},
		{"a ceiling that is the folder itself", "git init -q a; cd a; " + setStyle, "a", []string{"GIT_CEILING_DIRECTORIES", "/no/such:$top/a"}, false},
		{"a subsection in capitals", "git init -q; git config remote.Upstream.url x; git config remote.upstream.url y", ".", nil, false},
		{"a setting of the user, and of the repository", "git init -q; git config --global merge.conflictStyle merge; " + setStyle, ".", nil, false},
		{"GIT_CONFIG_PARAMETERS", "git init -q", ".", []string{"GIT_CONFIG_PARAMETERS", "'merge.conflictstyle'='diff3'"}, true},
		{"GIT_CONFIG_COUNT", "git init -q", ".", []string{"GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "merge.yaml.config", "GIT_CONFIG_VALUE_0", "a.b"}, true},
		{"an included file", "git init -q; git config include.path more; git config -f .git/more merge.conflictStyle zdiff3", ".", nil, true},
		{"a conditionally included file", "git init -q; git config includeIf.gitdir:**.path more; git config -f .git/more merge.conflictStyle zdiff3", ".", nil, true},
		{"settings of a work tree", "git init -q; git config extensions.worktreeConfig true; git config --worktree merge.conflictStyle diff3", ".", nil, true},
		{"SHA-256", "git init -q --object-format=sha256; git commit -q --allow-empty -m a; git branch b", ".", nil, true},
		{"a quoted value", `git init -q; printf '[merge "yaml"]\n config = " a;b" c\\t # d\r\n' >> .git/config`, ".", nil, false},
		{"a value of two lines", `git init -q; printf '[merge "yaml"]\n extends = one \\\n two\n' >> .git/config`, ".", nil, true},
		{"a key in capitals", `git init -q; printf '[MERGE]\n\tCONFLICTSTYLE=diff3\n[MERGE "YAML"]\nconfig = no\n' >> .git/config`, ".", nil, false},
		{"a key on the line of its header", `git init -q; printf '[merge] conflictStyle = diff3\n' >> .git/config`, ".", nil, true},
		{"a dot in the header", `git init -q; printf '[merge.yaml]\n config = x\n' >> .git/config`, ".", nil, true},
		{"a key without a value", `git init -q; printf '[merge]\n conflictStyle\n' >> .git/config`, ".", nil, false},
		{"a path in the home folder", "git init -q; git config merge.yaml.config '~/rules.yaml'", ".", nil, false},
		{"remotes", "git init -q; git remote add a x; git remote add b.c/d y; git config remote.pushDefault a", ".", nil, false},
		{"branches", "git init -q; git commit -q --allow-empty -m a; git branch a/b; git tag v1; git branch v1; git branch t; git tag t/u; git checkout -q --detach", ".", nil, false},
		{"packed refs", "git init -q; git commit -q --allow-empty -m a; git branch a/b; git tag -a -m x v1; git pack-refs --all; git branch c; git branch -D -q a/b", ".", nil, false},
		{"refs of a remote", "git init -q r; git -C r commit -q --allow-empty -m a; git clone -q r c; git -C c pack-refs --all; git -C c branch topic", "c", nil, false},
		{"a default branch that does not exist", "git init -q; git symbolic-ref refs/remotes/o/HEAD refs/remotes/o/main", ".", nil, false},
		{"a cycle of symbolic refs", "git init -q; git commit -q --allow-empty -m a; git symbolic-ref refs/remotes/o/HEAD refs/remotes/p/HEAD; git symbolic-ref refs/remotes/p/HEAD refs/remotes/o/HEAD", ".", nil, false},
		{"five symbolic refs", "git init -q; git commit -q --allow-empty -m a; for i in 1 2 3 4; do git symbolic-ref refs/remotes/r$i/HEAD refs/remotes/r$((i+1))/HEAD; done; git symbolic-ref refs/remotes/r5/HEAD $(git symbolic-ref HEAD)", ".", nil, false},
		{"six symbolic refs", "git init -q; git commit -q --allow-empty -m a; for i in 1 2 3 4 5; do git symbolic-ref refs/remotes/r$i/HEAD refs/remotes/r$((i+1))/HEAD; done; git symbolic-ref refs/remotes/r6/HEAD $(git symbolic-ref HEAD)", ".", nil, false},
		{"a broken ref", "git init -q; git commit -q --allow-empty -m a; : > .git/refs/heads/empty", ".", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := t.TempDir()
			t.Setenv("HOME", top)
			t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(top, ".gitconfig"))
			t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
			t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(top))
			for _, role := range []string{"AUTHOR", "COMMITTER"} {
				t.Setenv("GIT_"+role+"_NAME", "A")
				t.Setenv("GIT_"+role+"_EMAIL", "a@example.com")
			}
			sh := exec.Command("sh", "-ec", c.script)
			if sh.Dir = top; os.Getenv("GIT_DIR") != "" {
				t.Fatal("GIT_DIR is set")
			}
			if out, err := sh.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for i := 0; i < len(c.env); i += 2 {
				t.Setenv(c.env[i], strings.ReplaceAll(c.env[i+1], "$top", top))
			}
			g := Git{Dir: filepath.Join(top, c.dir)}
			r := Open(g)
			_, refsRead := r.readRefs()
			if runsGit := r.readSettings() == nil || !refsRead; runsGit != c.runsGit {
				t.Errorf("runs git: %v", runsGit)
			}
			compare := func(name, got string, args ...string) {
				if want, _ := g.Line(args...); got != want {
					t.Errorf("%s: %q, git prints %q", name, got, want)
				}
			}
			for _, key := range []string{"merge.conflictStyle", "merge.yaml.config", "merge.yaml.driver", "no.such", "no.such.key", "remote.Upstream.URL", "remote.upstream.url"} {
				compare(key, r.ConfigValue(key), "config", "--get", key)
			}
			compare("path", r.ConfigPath("merge.yaml.config"), "config", "--path", "--get", "merge.yaml.config")
			compare("HEAD", r.CurrentBranch(), "symbolic-ref", "-q", "--short", "HEAD")
			if id := r.HeadCommit(); id != "" || !c.runsGit {
				compare("commit of HEAD", id, "rev-parse", "-q", "--verify", "HEAD")
			}
			remotes := r.Remotes()
			slices.Sort(remotes)
			compare("remotes", strings.Join(remotes, "\n"), "remote")
			patterns := []string{"refs/heads/*", "refs/heads/a/b", "refs/remotes/*/HEAD", "refs/remotes/*/main"}
			compare("references", strings.Join(r.Refs(patterns...), "\n"), append([]string{"for-each-ref", "--format=%(refname)"}, patterns...)...)
			for _, ref := range r.Refs("refs/remotes/*/HEAD") {
				compare(ref, r.SymrefTarget(ref), "symbolic-ref", ref)
			}
			for _, name := range []string{"master", "a/b", "v1", "t", "c", "HEAD", "origin", "origin/master", "HEAD^", "no"} {
				compare(name, r.FullRefName(name), "rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", name)
			}
			bare, err := r.IsBare()
			wantBare, wantErr := g.Line("rev-parse", "--is-bare-repository")
			if bare != (wantBare == "true") || (err == nil) != (wantErr == nil) {
				t.Errorf("bare %v %v, git prints %v %v", bare, err, wantBare, wantErr)
			}
		})
	}
}

// TestSystemConfig checks the settings of the system's configuration, which only git can find.
func TestSystemConfig(t *testing.T) {
	top := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(top, "system"))
	if err := os.WriteFile(filepath.Join(top, "system"), []byte("[merge]\n\tconflictStyle = diff3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := Open(Git{Dir: top}).ConfigValue("merge.conflictStyle"); got != "diff3" {
		t.Errorf("%q", got)
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if got := Open(Git{Dir: top}).ConfigValue("merge.conflictStyle"); got != "" {
		t.Errorf("without the system's configuration: %q", got)
	}
}

// TestReadConfigFilesEqualsGit compares readConfigFiles with git for random files of the same few pieces. It ignores files
// that git cannot read, because no git command works with them. readConfigFiles may refuse a file that git reads, but
// not most of them.
func TestReadConfigFilesEqualsGit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"[a]\n", "[B-1 \"C d\"]\n", "[a.b]\n", "[a \"x\\\"\"]\n", "[a]", "k = v\n", "\tK2 = v w  # c\n", "k", " ", "=", "=", "\n", "\n", "\r\n", "# c\n",
		";", "\"", "\"", "\\n", "\\\\", "\\\"", "\\x", "\\", "\\\n", "\t", "1", "-", "é", "]", "k=\" v ; \"\n", "ki ="}
	file, read, refused := filepath.Join(t.TempDir(), "config"), 0, 0
	for range 400 {
		text := pieces[r.IntN(2)]
		for range r.IntN(7) {
			text += pieces[r.IntN(len(pieces))]
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, gitErr := exec.Command("git", "config", "-f", file, "--list", "-z").Output()
		if gitErr != nil {
			continue
		}
		want := map[string]string{}
		for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if key, value, _ := strings.Cut(entry, "\n"); key != "" {
				want[key] = value
			}
		}
		switch got, err := readConfigFiles(file); {
		case err == nil && !maps.Equal(got, want):
			t.Errorf("%q: %q, git reads %q", text, got, want)
		case err == nil:
			read++
		default:
			refused++
		}
	}
	if read < 2*refused {
		t.Errorf("read %d files, refused %d that git reads", read, refused)
	}
}
