package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	readmeTable  = regexp.MustCompile("(?ms)^```text\n(.*? \\| .*?)^```$")
	wrongComment = regexp.MustCompile(` *# wrong$`)
)

// TestReadmeExample makes the merge of README.md with git alone and with the driver, and compares the results with
// those that README.md shows. There, the versions and the results are the columns of two tables.
func TestReadmeExample(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, table := range readmeTable.FindAllStringSubmatch(string(data), -1) {
		columns = append(columns, readColumns(table[1])...)
	}
	if len(columns) != 5 {
		t.Fatalf("README.md has %d columns in tables of YAML, want 5", len(columns))
	}
	script := `env GIT_MERGE_YAML=off
exec git-merge-yaml install
history repo
cd repo
exec git merge -q --no-edit side
cmp services.yaml ../git.yaml
exec git reset -q --hard HEAD^
env GIT_MERGE_YAML=
exec git merge -q --no-edit side
cmp services.yaml ../driver.yaml
`
	for i, name := range []string{"base/services.yaml", "ours/services.yaml", "theirs/services.yaml", "git.yaml", "driver.yaml"} {
		script += fmt.Sprintf("-- %s --\n%s", name, columns[i])
	}
	file := filepath.Join(t.TempDir(), "readme.txtar")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Files: []string{file}, Setup: setupEnglish, Cmds: commands, Condition: evalCondition, RequireExplicitExec: true})
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
