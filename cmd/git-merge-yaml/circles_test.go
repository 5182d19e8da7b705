package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCircles holds that calls within a package run one way: no file uses a function or
// variable of one that, over whatever others, uses it. What needs each other stands together.
func TestCircles(t *testing.T) {
	list := func(args ...string) []string {
		cmd := exec.Command("go", append([]string{"list"}, args...)...)
		cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	exports := map[string]string{}
	for _, line := range list("-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...") {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	fset := token.NewFileSet()
	known := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, line := range list("-f", `{{.ImportPath}} {{range .GoFiles}} {{$.Dir}}/{{.}}{{end}}`, "./...") {
		words := strings.Fields(line)
		uses, err := fileUses(fset, known, words[1:])
		if err != nil {
			t.Errorf("%s: %v", words[0], err)
		}
		for len(uses) > 0 {
			last := slices.IndexFunc(slices.Sorted(maps.Keys(uses)), func(f string) bool { return len(uses[f]) == 0 })
			if last < 0 {
				t.Errorf("%s: files use each other in a circle:\n%s", words[0], told(uses))
				break
			}
			done := slices.Sorted(maps.Keys(uses))[last]
			delete(uses, done)
			for _, used := range uses {
				delete(used, done)
			}
		}
	}
}

// fileUses says of each file of a package which others it uses, and by what. Types do not
// count: the methods of one may stand in several files.
func fileUses(fset *token.FileSet, known types.Importer, paths []string) (map[string]map[string]string, error) {
	var files []*ast.File
	for _, path := range paths {
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: known}).Check("p", fset, files, info)
	if err != nil {
		return nil, err
	}
	file := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	uses := map[string]map[string]string{}
	for _, f := range files {
		uses[file(f.Pos())] = map[string]string{}
	}
	for id, of := range info.Uses {
		switch x := of.(type) {
		case *types.Func:
			if r := x.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
				continue // whose it is shows as the program runs
			}
			of = x.Origin()
		case *types.Var:
			if x.Parent() != pkg.Scope() {
				continue
			}
		default:
			continue
		}
		from, to := file(id.Pos()), file(of.Pos())
		if of.Pkg() == pkg && from != to && uses[to] != nil {
			uses[from][to] = id.Name
		}
	}
	return uses, nil
}

// told names the uses, one a line.
func told(uses map[string]map[string]string) string {
	var b bytes.Buffer
	for _, from := range slices.Sorted(maps.Keys(uses)) {
		for _, to := range slices.Sorted(maps.Keys(uses[from])) {
			fmt.Fprintf(&b, "\t%s uses %s of %s\n", from, uses[from][to], to)
		}
	}
	return b.String()
}
