package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

var (
	readmeTable  = regexp.MustCompile("(?ms)^```text\n(.*? \\| .*?)^```$")
	wrongComment = regexp.MustCompile(` *# wrong$`)
)

// TestReadmeExample makes the merge of README.md with git alone and with the driver, and compares the beginning of the
// results with the columns that README.md shows. testdata/docs/compared.txtar has the versions.
func TestReadmeExample(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, table := range readmeTable.FindAllStringSubmatch(string(data), -1) {
		columns = append(columns, readColumns(table[1])...)
	}
	if len(columns) != 2 {
		t.Fatalf("README.md has %d columns in tables of YAML, want 2", len(columns))
	}
	a, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "docs", "compared.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for i, script := range []string{"env GIT_MERGE_YAML=off\n", ""} {
		lines := strings.Count(columns[i], "\n")
		script += string(a.Comment) + fmt.Sprintf("exec git merge -q --no-edit side\nexec head -n %d services.yaml\ncmp stdout ../want\n", lines)
		b := &txtar.Archive{Comment: []byte(script), Files: append(a.Files[:len(a.Files):len(a.Files)], txtar.File{Name: "want", Data: []byte(columns[i])})}
		file := filepath.Join(t.TempDir(), "readme.txtar")
		if err := os.WriteFile(file, txtar.Format(b), 0o666); err != nil {
			t.Fatal(err)
		}
		p := scripttest.EnglishParams()
		p.Files = []string{file}
		testscript.Run(t, p)
	}
}

// readColumns returns the text of each column of a table without its heading. Columns are separated by " | ". The
// comment "# wrong" at the end of a cell is left out.
func readColumns(table string) []string {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	columns := make([]string, strings.Count(lines[0], " | ")+1)
	for _, l := range lines[1:] {
		for i, cell := range strings.Split(l, "| ") {
			columns[i] += wrongComment.ReplaceAllString(strings.TrimRight(cell, " "), "") + "\n"
		}
	}
	return columns
}
