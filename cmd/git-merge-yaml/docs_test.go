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

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

// TestDocsCommands runs the commands of README.md and docs: all code blocks with the language sh or console. A comment
// above the block determines how it is run:
//
//	<!-- run: NAME -->          in a new folder, prepared by testdata/docs/NAME.txtar
//	<!-- run: NAME, exit 1 -->  the same, and it must end with exit code 1
//	<!-- run on -->             after the previous block, in the same folder ("run on, exit 1" is possible)
//	<!-- not run: REASON -->    not at all
//
// In a console block, lines that start with "$ " are commands, and the lines between them are the expected output.
func TestDocsCommands(t *testing.T) {
	dir := t.TempDir()
	for _, file := range documentPaths(t) {
		for _, s := range parseDocument(t, file) {
			s.write(t, filepath.Join(dir, fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(file), ".md"), s.line)))
		}
	}
	p := scripttest.EnglishParams()
	p.Dir = dir
	testscript.Run(t, p)
}

// documentPaths returns the paths of all documents.
func documentPaths(t *testing.T) []string {
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("documents: %q, %v", files, err)
	}
	return append(files, filepath.Join(root, "README.md"))
}

// A docScript is a list of blocks of a document that run in the same folder.
type docScript struct {
	fixture *txtar.Archive
	line    int
	blocks  []docBlock
}

// A docBlock is a script for sh, with its position in the document and its expected exit code. output is the
// expected output, or nil if it is not checked.
type docBlock struct {
	position, exitCode, script string
	output                     []byte
}

var (
	runComment      = regexp.MustCompile(`^<!-- (?:run: ([a-z-]+)|(run on)|not run: ([^>]+?))(?:, exit (\d+))? -->$`)
	indentedCommand = regexp.MustCompile(`^    (\$ |git |git-merge-yaml |go |env |sh |scripts/|\.ci/)`)
)

// parseDocument returns the scripts of a document.
func parseDocument(t *testing.T, file string) []*docScript {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	var all []*docScript
	comment, language := "", "" // the last comment, the language of the open block
	start := 0
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "```") && language == "":
			if language = strings.TrimPrefix(l, "```"); language == "" {
				language = "text"
			}
			start = i + 1
		case l == "```":
			if language == "sh" || language == "console" {
				all = addBlock(t, all, fmt.Sprintf("%s:%d", file, start), start, language, comment, lines[start:i])
			}
			comment, language = "", ""
		case language == "" && strings.HasPrefix(l, "<!-- "):
			comment = l
		case language == "" && indentedCommand.MatchString(l):
			t.Errorf("%s:%d: commands must be in code blocks with the language sh or console", file, i+1)
		}
	}
	return all
}

// addBlock adds a block to the scripts of its document and returns all scripts. A block with "run: NAME" starts a
// new script.
func addBlock(t *testing.T, all []*docScript, position string, line int, lang, comment string, text []string) []*docScript {
	m := runComment.FindStringSubmatch(comment)
	switch {
	case m == nil:
		t.Errorf("%s: a block of commands needs a comment above it: <!-- run: NAME -->", position)
		return all
	case m[3] != "":
		return all
	case m[1] != "":
		a, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "docs", m[1]+".txtar"))
		if err != nil {
			t.Fatalf("%s: %v", position, err)
		}
		all = append(all, &docScript{fixture: a, line: line})
	case len(all) == 0:
		t.Errorf("%s: there is no block before it to continue", position)
		return all
	}
	code := m[4]
	if code == "" {
		code = "0"
	}
	all[len(all)-1].addBlock(position, lang, code, text)
	return all
}

// addBlock adds the lines text of a block to s.
func (s *docScript) addBlock(position, lang, code string, text []string) {
	b := docBlock{position: position, exitCode: code, script: strings.Join(text, "\n") + "\n"}
	if lang == "console" {
		b.output = []byte(b.script)
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

// write writes the script to name.txtar, and each block to a separate file next to it.
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
		a.Comment = fmt.Appendf(a.Comment, "\n# %s\nexits %s sh -e %s\n", b.position, b.exitCode, script)
		if b.output != nil {
			save(script+".want", b.output)
			a.Comment = fmt.Appendf(a.Comment, "cmp stdout %s.want\n", script)
		}
	}
	save(name+".txtar", txtar.Format(&a))
}
