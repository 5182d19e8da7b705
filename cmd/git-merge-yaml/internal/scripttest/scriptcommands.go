package scripttest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// commands are the commands that scripts can use in addition to those of testscript.
var commands = map[string]func(*testscript.TestScript, bool, []string){
	"exits":      checkExit,
	"history":    createHistory,
	"installed":  copyInstalled,
	"ways":       createWays,
	"merged":     checkMerged,
	"conflicted": checkConflicted,
	"commit":     commitFolder,
	"unmerged":   checkUnmerged,
	"cmpmarked":  compareMarked,
	"crlf":       convertToCRLF,
	"substitute": replaceText,
	"example":    runExample,
	"printable":  checkPrintable,
	"valid":      checkSchema,
	"ciscript":   writeCIScript,
	"hookscript": writeHookScript,

	"fastimport":    importFile,
	"randomhistory": createRandomHistory,
	"sameasgit":     compareWithGit,
	"withouttimes":  removeTimes,

	"decidedhistory": createDecidedHistory,
}

// ExamplePattern matches an example in a help text.
var ExamplePattern = regexp.MustCompile(`(?m)^ +\$ (.*)$`)

// checkSchema implements "valid FILE SCHEMA". It checks each line of a file, which is JSON, against the schema
// docs/SCHEMA.schema.json.
func checkSchema(ts *testscript.TestScript, _ bool, args []string) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(ts.Getenv("ROOT"), "docs", args[1]+".schema.json"))
	ts.Check(err)
	lines := strings.TrimSpace(ts.ReadFile(args[0]))
	if lines == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for line := range strings.Lines(lines) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		if err := schema.Validate(v); err != nil {
			ts.Fatalf("%s: %v", line, err)
		}
	}
}

// checkExit implements "exits CODE PROGRAM ARG...". It runs a program and checks its exit code.
func checkExit(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// createHistory implements "history DIR [BASE OURS THEIRS]". It creates a repository in DIR. The first commit has the
// files of the folder base. The next commit has the files of ours on the branch main, which is checked out, and
// the files of theirs on the branch side.
func createHistory(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	folders := []string{"base", "ours", "theirs"}
	if len(args) == 4 {
		folders = args[1:]
	}
	if stream, ok := streamHistory(ts, folders); ok { // 3 processes instead of 9
		importHistory(ts, dir, stream)
		ts.Check(ts.Exec("git", "-C", dir, "reset", "-q", "--hard"))
		return
	}
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main", dir))
	commitFiles(ts, dir, folders[0], "base")
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "-b", "side"))
	commitFiles(ts, dir, folders[2], "theirs")
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "main"))
	commitFiles(ts, dir, folders[1], "ours")
}

// streamHistory returns the commits of createHistory in the format of git fast-import. ok is false if git add may
// change files, because of their line ends or attributes, or if there is something else than files.
func streamHistory(ts *testscript.TestScript, folders []string) (stream string, ok bool) {
	var b strings.Builder
	for i, c := range []struct{ branch, message, from string }{{"main", "base", ""}, {"side", "theirs", "from :1\n"}, {"main", "ours", ""}} {
		fmt.Fprintf(&b, "commit refs/heads/%s\nmark :%d\n", c.branch, i+1)
		for _, role := range []string{"author", "committer"} {
			fmt.Fprintf(&b, "%s A <a@example.com> %s +0000\n", role, commitTime)
		}
		fmt.Fprintf(&b, "data %d\n%s\n%sdeleteall\n", len(c.message)+1, c.message+"\n", c.from)
		dir := ts.MkAbs(folders[[]int{0, 2, 1}[i]])
		err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(file)
			info, infoErr := e.Info()
			if err = errors.Join(err, infoErr); err != nil || !info.Mode().IsRegular() || e.Name() == ".gitattributes" || bytes.ContainsRune(data, '\r') {
				return errors.Join(err, errors.ErrUnsupported)
			}
			name, err := filepath.Rel(dir, file)
			mode := 0o644
			if info.Mode()&0o100 != 0 {
				mode = 0o755
			}
			if strings.ContainsAny(name, "\"\n") {
				err = errors.ErrUnsupported
			}
			fmt.Fprintf(&b, "M 100%o inline %s\ndata %d\n%s\n", mode, filepath.ToSlash(name), len(data), data)
			return err
		})
		if err != nil {
			return "", false
		}
	}
	return b.String(), true
}

// commitFolder implements "commit DIR FOLDER". It commits the files of FOLDER, and no others, on the current branch of
// the repository in DIR, with FOLDER as the message.
func commitFolder(ts *testscript.TestScript, _ bool, args []string) {
	commitFiles(ts, ts.MkAbs(args[0]), args[1], args[1])
}

// commitFiles replaces the files of the repository dir by the files of folder, and commits them.
func commitFiles(ts *testscript.TestScript, dir, folder, message string) {
	old, err := os.ReadDir(dir)
	ts.Check(err)
	for _, e := range old {
		if e.Name() != ".git" {
			ts.Check(os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	ts.Check(os.CopyFS(dir, os.DirFS(ts.MkAbs(folder))))
	ts.Check(ts.Exec("git", "-C", dir, "add", "-A"))
	ts.Check(ts.Exec("git", "-C", dir, "commit", "-q", "--allow-empty", "-m", message))
}

// checkUnmerged implements "unmerged [PATH:STAGES...]". It checks that exactly these paths are unmerged in the index of
// the current repository, with these stages, as in web.yaml:123.
func checkUnmerged(ts *testscript.TestScript, _ bool, want []string) {
	ts.Check(ts.Exec("git", "ls-files", "-u", "-z", "--full-name", ":/"))
	stages := map[string]string{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(ts.ReadFile("stdout"), "\x00"), "\x00") {
		if info, path, ok := strings.Cut(entry, "\t"); ok {
			stages[path] += info[len(info)-1:]
		}
	}
	var got []string
	for path, s := range stages {
		got = append(got, path+":"+s)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		ts.Fatalf("unmerged %q, want %q", got, want)
	}
}

// labelPattern matches a conflict marker with a label.
var labelPattern = regexp.MustCompile(`(?m)^(<{7}|\|{7}|>{7})( .*)$`)

// compareMarked implements "cmpmarked FILE1 FILE2". It is like cmp but ignores the labels after conflict markers: git
// before 2.44 does not pass them to a driver.
func compareMarked(ts *testscript.TestScript, _ bool, args []string) {
	got, want := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if labelPattern.ReplaceAllString(got, "$1") != labelPattern.ReplaceAllString(want, "$1") {
		ts.Fatalf("%s and %s differ:\n%s", args[0], args[1], got)
	}
}

// convertToCRLF implements "crlf FILE...". It converts the line ends of files from LF to CRLF; the files must have no
// CRLF yet.
func convertToCRLF(ts *testscript.TestScript, _ bool, files []string) {
	for _, f := range files {
		data, err := os.ReadFile(ts.MkAbs(f))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(f), bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), 0o666))
	}
}

// checkPrintable implements "printable [stdout|stderr]". It checks that the output of the last command is valid UTF-8
// without invisible characters and, apart from line feeds, without control characters. Without an argument it checks
// both streams.
func checkPrintable(ts *testscript.TestScript, _ bool, streams []string) {
	if len(streams) == 0 {
		streams = []string{"stdout", "stderr"}
	}
	for _, s := range streams {
		for line := range strings.Lines(ts.ReadFile(s)) {
			if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), isTerminalControl); i >= 0 || !utf8.ValidString(line) {
				ts.Fatalf("%s: %q", s, line)
			}
		}
	}
}

// isTerminalControl reports whether a terminal or a viewer treats r as a command instead of showing it.
func isTerminalControl(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// replaceText implements "substitute FILE OLD NEW". It replaces each OLD in a file, and fails if there is none. NEW can
// have the escapes of a Go string, such as \n and \x1b.
func replaceText(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q:\n%s", args[0], args[1], text)
	}
	value, err := strconv.Unquote(`"` + args[2] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], value)), 0o666))
}

// runExample implements "example COMMAND N CODE". It runs the Nth example (from 1) in the help of a command, and checks
// its exit code. The command "-" is the program itself.
func runExample(ts *testscript.TestScript, _ bool, args []string) {
	help := []string{"help", args[0]}
	if args[0] == "-" {
		help = help[:1]
	}
	ts.Check(ts.Exec("git-merge-yaml", help...))
	lines := ExamplePattern.FindAllStringSubmatch(ts.ReadFile("stdout"), -1)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n > len(lines) {
		ts.Fatalf("%s has %d examples", args[0], len(lines))
	}
	checkExit(ts, false, []string{args[2], "sh", "-c", lines[n-1][1]})
}

// writeCIScript implements "ciscript FILE OUT". It writes the last script in FILE to OUT. FILE is an action, a
// workflow, a configuration of GitLab CI, an Argo Workflow or a Tekton Task.
func writeCIScript(ts *testscript.TestScript, _ bool, args []string) {
	var script []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		for i, c := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 1 && slices.Contains([]string{"run", "script", "source"}, n.Content[i-1].Value) {
				var one string
				var lines []string
				if c.Decode(&one) == nil {
					script = []string{one}
				} else if c.Decode(&lines) == nil {
					script = lines
				}
			}
			walk(c)
		}
	}
	for d := yaml.NewDecoder(strings.NewReader(ts.ReadFile(args[0]))); ; {
		var file yaml.Node
		err := d.Decode(&file)
		if err == io.EOF {
			break
		}
		ts.Check(err)
		walk(&file)
	}
	if script == nil {
		ts.Fatalf("%s has no script", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(script, "\n")+"\n"), 0o666))
}

// writeHookScript implements "hookscript FILE ID OUT". It writes the command of a pre-commit hook to OUT, as a git
// hook. FILE is a .pre-commit-hooks.yaml, and ID is the hook in it.
func writeHookScript(ts *testscript.TestScript, _ bool, args []string) {
	var hooks []struct{ ID, Entry string }
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(args[0])), &hooks))
	for _, h := range hooks {
		if h.ID == args[1] {
			ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte("#!/bin/sh\n"+h.Entry+"\n"), 0o777))
			return
		}
	}
	ts.Fatalf("%s has no hook %s", args[0], args[1])
}
