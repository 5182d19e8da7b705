package main

import (
	"bytes"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// ageKeys NAME... makes keys of age: the file NAME has one, and $NAME is who may read what is encrypted for it.
func ageKeys(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		ts.Check(ts.Exec("age-keygen", "-o", name))
		ts.Check(ts.Exec("age-keygen", "-y", name))
		ts.Setenv(name, strings.TrimSpace(ts.ReadFile("stdout")))
	}
}

// plaintext is what sealed encrypts; no file of a test has it.
const plaintext = `# CANARY-note
a: CANARY-a
b: CANARY-b
open_unencrypted: plain
list:
    - CANARY-1
    - x: CANARY-2
last: CANARY-z
`

// puts are what the lines of sealed may call.
const puts = `set -e
put() { sops set s.enc.yaml "[\"$1\"]" "\"$2\""; }
keys() { printf 'creation_rules: [{age: "%s"}]\n' "$1" >.git/keys.yaml; sops --config .git/keys.yaml updatekeys -y s.enc.yaml 2>/dev/null >/dev/null; }
edit() { printf '%s\n' "$1" >.git/edit.sed; EDITOR="sed -i -f $PWD/.git/edit.sed" sops edit s.enc.yaml; rm .git/edit.sed; }
`

// sealed DIR OURS THEIRS [OPTION...] makes a repository in DIR with s.enc.yaml, which sops encrypted for $KEY with the
// options; main goes on with what the lines of shell OURS do to it, the branch theirs with THEIRS. main is checked out.
func sealed(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	in := func(stdin string, program string, args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(stdin), append(os.Environ(), environ(ts)...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			ts.Fatalf("%s %q: %v\n%s", program, args, err, errs.String())
		}
		return out.String()
	}
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main", dir))
	options := []string{"encrypt", "--input-type", "yaml", "--output-type", "yaml", "--filename-override", "s.enc.yaml"}
	if len(args) == 3 || args[3] != "--config" {
		options = append(options, "--age", ts.Getenv("KEY"))
	}
	if len(args) > 3 && args[3] == "--config" {
		options = append([]string{"--config", ts.MkAbs(args[4])}, options...)
		args = args[:3]
	}
	file := in(plaintext, "sops", append(append(options, args[3:]...), "/dev/stdin")...)
	ts.Check(os.WriteFile(filepath.Join(dir, "s.enc.yaml"), []byte(file), 0o666))
	in("", "git", "add", "-A")
	in("", "git", "commit", "-qm", "base")
	in("", "git", "branch", "theirs")
	for i, branch := range []string{"main", "theirs"} {
		in("", "git", "switch", "-q", branch)
		in("", "sh", "-c", puts+args[1+i])
		in("", "git", "commit", "-q", "--allow-empty", "-am", branch)
	}
	in("", "git", "switch", "-q", "main")
}

// environ is that of the script, as far as git and sops read it.
func environ(ts *testscript.TestScript) (all []string) {
	for _, name := range []string{
		"PATH", "HOME", "SOPS_AGE_KEY_FILE", "TMPDIR", "KEY", "OTHER", "GIT_CONFIG_NOSYSTEM", "XDG_CONFIG_HOME", "LC_ALL", "SERVICE",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
	} {
		all = append(all, name+"="+ts.Getenv(name))
	}
	return all
}

// secret DIR checks that nothing that was encrypted stands open in a file below DIR or in an object of its repository, and that
// nothing is left in the folder for temporary files.
func secret(ts *testscript.TestScript, _ bool, args []string) {
	canary := []byte("CANARY-")
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, canary) {
			ts.Fatalf("%s: plaintext", path)
		}
		return err
	}))
	objects, err := exec.Command("git", "-C", ts.MkAbs(args[0]), "cat-file", "--batch-all-objects", "--batch").Output()
	ts.Check(err)
	if bytes.Contains(objects, canary) {
		ts.Fatalf("an object: plaintext")
	}
	left, err := os.ReadDir(ts.Getenv("TMPDIR"))
	ts.Check(err)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "git-merge-yaml.tmp-") {
			ts.Fatalf("left behind: %s", e.Name())
		}
	}
}

// calls are those that a service got.
var calls atomic.Int32

// service listens, as a key service of somebody's, at $SERVICE; called N checks how often it was.
func service(ts *testscript.TestScript, _ bool, _ []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { listener.Close() })
	ts.Setenv("SERVICE", "http://"+listener.Addr().String())
	calls.Store(0)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			c.Close()
		}
	}()
}

func uncalled(ts *testscript.TestScript, _ bool, _ []string) {
	if n := calls.Load(); n != 0 {
		ts.Fatalf("the service was called %d times", n)
	}
}
