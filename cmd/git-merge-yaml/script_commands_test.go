package main

import (
	"bytes"
	"errors"
	"io"
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

// commands are what the scripts can say beyond testscript's own.
var commands = map[string]func(*testscript.TestScript, bool, []string){
	"exits":      exits,
	"history":    makeHistory,
	"ways":       ways,
	"merged":     merged,
	"conflicted": conflicted,
	"commit":     commit,
	"unmerged":   unmerged,
	"cmpmarked":  cmpMarked,
	"crlf":       crlf,
	"substitute": substitute,
	"example":    example,
	"printable":  printable,
	"valid":      valid,
	"ciscript":   ciScript,
	"hookscript": hookScript,

	"fastimport":    fastImport,
	"randomhistory": randomHistory,
	"sameasgit":     sameAsGit,
	"withouttimes":  withoutTimes,

	"decidedhistory": decidedHistory,
}

// valid FILE SCHEMA holds every line of a file against a schema of docs.
func valid(ts *testscript.TestScript, _ bool, args []string) {
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

// exits CODE PROGRAM ARG... runs a program and checks its exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
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

// history DIR [BASE OURS THEIRS] makes a repository in DIR whose first commit
// holds the files of the folder base; branch main goes on with those of ours,
// branch side with those of theirs. main is checked out.
func makeHistory(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	folders := []string{"base", "ours", "theirs"}
	if len(args) == 4 {
		folders = args[1:]
	}
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main", dir))
	commitFiles(ts, dir, folders[0], "base")
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "-b", "side"))
	commitFiles(ts, dir, folders[2], "theirs")
	ts.Check(ts.Exec("git", "-C", dir, "checkout", "-q", "main"))
	commitFiles(ts, dir, folders[1], "ours")
}

// commit DIR FOLDER commits the files of FOLDER as all that the current branch
// of the repository in DIR holds; the message is FOLDER.
func commit(ts *testscript.TestScript, _ bool, args []string) {
	commitFiles(ts, ts.MkAbs(args[0]), args[1], args[1])
}

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

// unmerged [PATH:STAGES...] checks which paths of the index are unmerged, in
// the repository of the current directory, as in web.yaml:123.
func unmerged(ts *testscript.TestScript, _ bool, want []string) {
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

var label = regexp.MustCompile(`(?m)^(<{7}|\|{7}|>{7})( .*)$`)

// cmpmarked FILE1 FILE2 is cmp but for the labels behind the markers, which
// git before 2.44 does not tell a driver.
func cmpMarked(ts *testscript.TestScript, _ bool, args []string) {
	got, want := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if label.ReplaceAllString(got, "$1") != label.ReplaceAllString(want, "$1") {
		ts.Fatalf("%s and %s differ:\n%s", args[0], args[1], got)
	}
}

// crlf FILE... gives files the line ends of Windows.
func crlf(ts *testscript.TestScript, _ bool, files []string) {
	for _, f := range files {
		data, err := os.ReadFile(ts.MkAbs(f))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(f), bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), 0o666))
	}
}

// printable [stdout|stderr] checks that what was said last holds nothing that
// does more to a terminal than show itself.
func printable(ts *testscript.TestScript, _ bool, streams []string) {
	if len(streams) == 0 {
		streams = []string{"stdout", "stderr"}
	}
	for _, s := range streams {
		for line := range strings.Lines(ts.ReadFile(s)) {
			if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), commandsTerminal); i >= 0 || !utf8.ValidString(line) {
				ts.Fatalf("%s: %q", s, line)
			}
		}
	}
}

func commandsTerminal(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// substitute FILE OLD NEW replaces every OLD in a file, of which there must
// be one; in NEW, \n is a line break and \x1b the byte that it names.
func substitute(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q:\n%s", args[0], args[1], text)
	}
	value, err := strconv.Unquote(`"` + args[2] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], value)), 0o666))
}

// example COMMAND N CODE runs the example number N, from 1, of the help of a
// command (- is the program itself), and checks its exit code.
func example(ts *testscript.TestScript, _ bool, args []string) {
	help := []string{"help", args[0]}
	if args[0] == "-" {
		help = help[:1]
	}
	ts.Check(ts.Exec("git-merge-yaml", help...))
	lines := exampleLine.FindAllStringSubmatch(ts.ReadFile("stdout"), -1)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n > len(lines) {
		ts.Fatalf("%s has %d examples", args[0], len(lines))
	}
	exits(ts, false, []string{args[2], "sh", "-c", lines[n-1][1]})
}

// ciscript FILE OUT writes the script of a CI job to OUT: the last one of an action, a
// workflow, GitLab's configuration, an Argo Workflow or a Tekton Task.
func ciScript(ts *testscript.TestScript, _ bool, args []string) {
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

// hookscript FILE ID OUT writes the entry of a hook for pre-commit to OUT, as a
// hook of git's own.
func hookScript(ts *testscript.TestScript, _ bool, args []string) {
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
