package merge_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A docExample is a merge shown in docs/*.md as a fenced block. The block has the three versions and the result side by
// side:
//
//	```merge style=diff3
//	base | ours | theirs | result
//	a: 1 | a: 2 | a: 3   | ...
//	```
//
// The columns start where their names do in the first line. Empty cells add no line to a version. The options path and
// style may follow the word merge, as in "path=k8s/web.yaml style=zdiff3". Documents also name cases of testdata, in
// tables whose last column is called case; see TestDocsCases.
type docExample struct {
	opts     merge.Options
	versions [4][]byte // base, ours, theirs and result
}

var update = flag.Bool("update", false, "rewrite the results in docs")

var docColumns = [...]string{"base", "ours", "theirs", "result"}

var docBlock = regexp.MustCompile("(?ms)^```merge(.*?)\n(.*?)^```$")

// TestDocs merges each example of docs/*.md and checks that it shows the result. With -update it writes the results
// into the documents.
func TestDocs(t *testing.T) {
	for _, file := range docFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out := docBlock.ReplaceAllFunc(text, func(block []byte) []byte {
			at := fmt.Sprintf("%s:%d", filepath.Base(file), 1+bytes.Count(text[:bytes.Index(text, block)], []byte("\n")))
			return checkExample(t, at, block)
		})
		if *update && !bytes.Equal(out, text) {
			if err := os.WriteFile(file, out, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// docFiles returns the paths of docs/*.md. It fails the test if there are none.
func docFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	return files
}

// checkExample merges the example in a fenced block and returns the block with the actual result. If the result differs
// from the one in the block, the test fails, except with -update. If the example cannot be read or merged, the test
// fails and checkExample returns the block unchanged. The string at is its file and line.
func checkExample(t *testing.T, at string, block []byte) []byte {
	t.Helper()
	m := docBlock.FindSubmatch(block)
	e := docExample{opts: docOptions(string(m[1]))}
	if err := e.read(string(m[2])); err != nil {
		t.Errorf("%s: %v", at, err)
		return block
	}
	res, err := merge.Merge(e.versions[0], e.versions[1], e.versions[2], e.opts)
	if err != nil {
		t.Errorf("%s: %v", at, err)
		return block
	}
	if !*update && !bytes.Equal(res.Bytes, e.versions[3]) {
		t.Errorf("%s (%s %s): got:\n%s\nwant:\n%s", at, res.Method, res.Reason, res.Bytes, e.versions[3])
	}
	e.versions[3] = res.Bytes
	return []byte("```merge" + string(m[1]) + "\n" + e.String() + "```")
}

// docOptions returns the options that follow the word merge in the first line of an example.
func docOptions(info string) merge.Options {
	var opts merge.Options
	var k merge.Markers
	for _, f := range strings.Fields(info) {
		switch key, val, _ := strings.Cut(f, "="); key {
		case "path":
			opts.Path = val
		case "style":
			k.Style = merge.Style(val)
		}
	}
	opts.Markers = k
	return opts
}

// read sets the versions of an example to the columns of its block. It returns an error if the first line lacks a
// column.
func (e *docExample) read(body string) error {
	head, rest, _ := strings.Cut(body, "\n")
	var start [len(docColumns) + 1]int
	for i, name := range docColumns {
		at := strings.Index(head, name)
		if at < 0 || i > 0 && (at < 2 || head[at-2:at] != "| ") {
			return fmt.Errorf("no column %s in %q", name, head)
		}
		start[i] = at
	}
	for _, l := range strings.SplitAfter(rest, "\n") {
		l = strings.TrimSuffix(l, "\n")
		start[len(docColumns)] = len(l) + 2
		for i := range docColumns {
			from, to := min(start[i], len(l)), min(start[i+1]-2, len(l))
			if cell := strings.TrimRight(l[from:max(from, to)], " "); cell != "" {
				e.versions[i] = append(append(e.versions[i], cell...), '\n')
			}
		}
	}
	return nil
}

// String returns an example as the table that read reads, with aligned columns.
func (e *docExample) String() string {
	var lines [len(docColumns)][]string
	var width [len(docColumns)]int
	height := 0
	for i, v := range e.versions {
		lines[i] = strings.Split(strings.TrimSuffix(docColumns[i]+"\n"+string(v), "\n"), "\n")
		for _, l := range lines[i] {
			width[i] = max(width[i], len(l))
		}
		height = max(height, len(lines[i]))
	}
	var b strings.Builder
	for n := range height {
		row := ""
		for i := range docColumns {
			cell := ""
			if n < len(lines[i]) {
				cell = lines[i][n]
			}
			row += fmt.Sprintf("%-*s | ", width[i], cell)
		}
		b.WriteString(strings.TrimRight(strings.TrimSuffix(row, " | "), " ") + "\n")
	}
	return b.String()
}

var docCase = regexp.MustCompile("`([^`]+)`")

// TestDocsCases checks that every case exists that a document names in the last column of a table, if that column is
// called case.
func TestDocsCases(t *testing.T) {
	for _, file := range docFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in := false // in a table whose last column is called case
		for i, l := range strings.Split(string(text), "\n") {
			cells := strings.Split(strings.Trim(l, "| "), " | ")
			last := cells[len(cells)-1]
			in = strings.HasPrefix(l, "|") && (in || last == "case")
			if !in {
				continue
			}
			for _, m := range docCase.FindAllStringSubmatch(last, -1) {
				if !docCaseExists(m[1]) {
					t.Errorf("%s:%d: no case %s", filepath.Base(file), i+1, m[1])
				}
			}
		}
	}
}

// docCaseExists reports whether one of the directories of testdata has a case of that name.
func docCaseExists(name string) bool {
	for _, dir := range []string{"merge", "script", "rulesets"} {
		if _, err := os.Stat(filepath.Join("../testdata", dir, name+".txtar")); err == nil {
			return true
		}
	}
	return false
}
