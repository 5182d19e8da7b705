package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// messageFunctions are the functions and variables whose string literals are the messages about a merge and the reasons
// of conflicts, by file.
var messageFunctions = map[string][]string{
	"merge/messages.go":                            {"Messages", "decision", "String"},
	"merge/why.go":                                 {"Why", "describeOneEdit", "Deletion", "editedObject", "editedObjects"},
	"merge/internal/engine/policies.go":            {"decideByPolicy", "decideVerified", "selectVerified"},
	"merge/internal/plan/entries.go":               {"describeAccessConflict"},
	"merge/internal/schema/units.go":               {"Problem"},
	"cmd/git-merge-yaml/internal/driver/driver.go": {"mergeByLine"},
	"cmd/git-merge-yaml/internal/driver/report.go": {"Messages"},
}

// TestDocsMessages checks that docs/settings.md has the words of every message about a merge and of every reason of a
// conflict, so that a user finds what the driver printed. It looks for each string literal of messageFunctions separately,
// up to the first semicolon, and not for whole messages.
func TestDocsMessages(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, messages, _ := strings.Cut(string(page), "## Messages of the driver")
	messages = strings.Join(strings.Fields(messages), " ")
	has := func(part string) bool {
		return strings.Contains(messages, part) || strings.Contains(messages, strings.NewReplacer("by us", "by them", "by them", "by us").Replace(part))
	}
	placeholder := regexp.MustCompile(`%[a-z]|[0-9]+|\n`)
	for file, functions := range messageFunctions {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, d := range f.Decls {
			name := ""
			switch d := d.(type) {
			case *ast.FuncDecl:
				name = d.Name.Name
			case *ast.GenDecl:
				if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
					name = v.Names[0].Name
				}
			}
			if !slices.Contains(functions, name) {
				continue
			}
			found[name] = true
			ast.Inspect(d, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, _ := strconv.Unquote(l.Value)
					text, _, _ = strings.Cut(text, ";") // users search for the first clause
					for _, part := range placeholder.Split(text, -1) {
						if part = strings.Trim(part, " :;,()\"`'"); strings.Contains(part, " ") && !has(part) {
							t.Errorf("%s: %s prints %q, which is not in docs/settings.md", file, name, part)
						}
					}
				}
				return true
			})
		}
		if len(found) != len(functions) {
			t.Errorf("%s has only %v of %q", file, found, functions)
		}
	}
}
