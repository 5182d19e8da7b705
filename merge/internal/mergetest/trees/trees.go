// Package trees parses YAML for tests. It imports only packages syntax and text, so that the tests of all other packages
// can use it, even of those that mergetest imports. Each function ends the test if a text cannot be parsed.
//
//	roots := trees.Roots(t, "[{name: a}]", "") // a list of one item, and nil
package trees

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Parse returns the tree of a YAML file.
func Parse(t testing.TB, file string) *syntax.Stream {
	t.Helper()
	st, err := syntax.Parse(text.New([]byte(file)))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, file)
	}
	return st
}

// Root returns the root of the first document of a YAML file, or nil for "".
func Root(t testing.TB, file string) *syntax.Node {
	t.Helper()
	if file == "" {
		return nil
	}
	return Parse(t, file).Docs[0].Root
}

// Roots returns the Root of each file.
func Roots(t testing.TB, files ...string) (all []*syntax.Node) {
	t.Helper()
	for _, file := range files {
		all = append(all, Root(t, file))
	}
	return all
}

// Resources returns the tree of documents that are separated by semicolons, and their roots. A document is YAML, or the
// four words apiVersion, kind, namespace (- for none) and name, as in "apps/v1 Deployment - web;v1 Pod prod a".
func Resources(t testing.TB, documents string) (st *syntax.Stream, roots []*syntax.Node) {
	t.Helper()
	var b strings.Builder
	for d := range strings.SplitSeq(documents, ";") {
		f := strings.Fields(d)
		if len(f) != 4 || f[0][0] == '{' {
			b.WriteString("---\n" + strings.TrimSpace(d) + "\n")
			continue
		}
		b.WriteString("---\napiVersion: " + f[0] + "\nkind: " + f[1] + "\nmetadata:\n  name: " + f[3] + "\n")
		if f[2] != "-" {
			b.WriteString("  namespace: " + f[2] + "\n")
		}
	}
	st = Parse(t, b.String())
	for _, d := range st.Docs {
		roots = append(roots, d.Root)
	}
	return st, roots
}
