package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestDocsAreRun runs the commands of README.md and docs: every block called
// sh or console. Above it a comment says how:
//
//	<!-- run: NAME -->          in a directory that testdata/docs/NAME.txtar makes
//	<!-- run: NAME, exit 1 -->  with this exit code
//	<!-- run on -->             where the block before ended ("run on, exit 1")
//	<!-- not run: REASON -->
//
// A console block has its commands behind "$ ", and between them what they
// print.
func TestDocsAreRun(t *testing.T) {
	dir := t.TempDir()
	for _, file := range documents(t) {
		for _, s := range docScripts(t, file) {
			s.write(t, filepath.Join(dir, fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(file), ".md"), s.line)))
		}
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: setupEnglish, Cmds: commands, Condition: condition, RequireExplicitExec: true})
}

// setupEnglish is setup with git's words in English, in which docs show them.
func setupEnglish(e *testscript.Env) error {
	err := setup(e)
	e.Setenv("LC_ALL", "C")
	e.Setenv("LANGUAGE", "")
	return err
}

// documents returns the paths of all documents.
func documents(t *testing.T) []string {
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("documents: %q, %v", files, err)
	}
	return append(files, filepath.Join(root, "README.md"))
}

// A docScript is made of the blocks of a document that run in one place.
type docScript struct {
	fixture *txtar.Archive
	line    int
	blocks  []docBlock
}

// A docBlock is a script for sh, and what it has to print if that is said.
type docBlock struct {
	at, code, script string
	prints           []byte
}

var (
	howComment = regexp.MustCompile(`^<!-- (?:run: ([a-z-]+)|(run on)|not run: ([^>]+?))(?:, exit (\d+))? -->$`)
	indented   = regexp.MustCompile(`^    (\$ |git |git-merge-yaml |go |env |sh |scripts/|\.ci/)`)
)

// docScripts makes scripts of a document.
func docScripts(t *testing.T, file string) []*docScript {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	var all []*docScript
	how, in := "", "" // the last comment, the language of the open block
	start := 0
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "```") && in == "":
			if in = strings.TrimPrefix(l, "```"); in == "" {
				in = "text"
			}
			start = i + 1
		case l == "```":
			if in == "sh" || in == "console" {
				all = addBlock(t, all, fmt.Sprintf("%s:%d", file, start), start, in, how, lines[start:i])
			}
			how, in = "", ""
		case in == "" && strings.HasPrefix(l, "<!-- "):
			how = l
		case in == "" && indented.MatchString(l):
			t.Errorf("%s:%d: commands stand in blocks called sh or console, which are run", file, i+1)
		}
	}
	return all
}

// addBlock adds a block to the scripts of its document.
func addBlock(t *testing.T, all []*docScript, at string, line int, lang, how string, text []string) []*docScript {
	m := howComment.FindStringSubmatch(how)
	switch {
	case m == nil:
		t.Errorf("%s: above a block of commands stands how it is run: <!-- run: NAME -->", at)
		return all
	case m[3] != "":
		return all
	case m[1] != "":
		a, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "docs", m[1]+".txtar"))
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		all = append(all, &docScript{fixture: a, line: line})
	case len(all) == 0:
		t.Errorf("%s: nothing was run before", at)
		return all
	}
	code := m[4]
	if code == "" {
		code = "0"
	}
	all[len(all)-1].add(at, lang, code, text)
	return all
}

func (s *docScript) add(at, lang, code string, text []string) {
	b := docBlock{at: at, code: code, script: strings.Join(text, "\n") + "\n"}
	if lang == "console" {
		b.prints = []byte(b.script)
		b.script = "exec 2>&1\n"
		for _, l := range text {
			if c, ok := strings.CutPrefix(l, "$ "); ok {
				b.script += "cat <<'END'\n" + l + "\nEND\ncode=0\n" + c + " || code=$?\n"
			}
		}
		b.script += "exit $code\n"
	}
	s.blocks = append(s.blocks, b)
}

// write writes the script name.txtar, and beside it those of the blocks.
func (s *docScript) write(t *testing.T, name string) {
	save := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a := txtar.Archive{Comment: slices.Clip(s.fixture.Comment), Files: s.fixture.Files}
	for i, b := range s.blocks {
		script := fmt.Sprintf("%s-%d.sh", name, i)
		save(script, []byte(b.script))
		a.Comment = fmt.Appendf(a.Comment, "\n# %s\nexits %s sh -e %s\n", b.at, b.code, script)
		if b.prints != nil {
			save(script+".want", b.prints)
			a.Comment = fmt.Appendf(a.Comment, "cmp stdout %s.want\n", script)
		}
	}
	save(name+".txtar", txtar.Format(&a))
}
