package main

import (
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

// A checked is a package of this module with its types, tests aside.
type checked struct {
	path  string
	files []*ast.File
	fset  *token.FileSet
	pkg   *types.Package
	uses  map[*ast.Ident]types.Object
}

// packages are those of this module.
func packages(t *testing.T) (all []checked) {
	t.Helper()
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
	for _, line := range list("-f", "{{.ImportPath}}{{range .GoFiles}}\t{{$.Dir}}/{{.}}{{end}}", "./...") {
		words := strings.Split(line, "\t")
		var files []*ast.File
		for _, name := range words[1:] {
			f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		pkg, err := (&types.Config{Importer: known}).Check(words[0], fset, files, info)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, checked{words[0], files, fset, pkg, info.Uses})
	}
	return all
}

// TestCircles holds that calls within a package run one way: no file uses a function or
// variable of one that, over whatever others, uses it. What needs each other stands together.
func TestCircles(t *testing.T) {
	for _, p := range packages(t) {
		uses := p.fileUses()
		for len(uses) > 0 {
			files := slices.Sorted(maps.Keys(uses))
			last := slices.IndexFunc(files, func(f string) bool { return len(uses[f]) == 0 })
			if last < 0 {
				t.Errorf("%s: files use each other in a circle:\n%s", p.path, told(uses))
				break
			}
			delete(uses, files[last])
			for _, used := range uses {
				delete(used, files[last])
			}
		}
	}
}

// fileUses says of each file of a package which others it uses, and by what. Types do not
// count: the methods of one may stand in several files.
func (p checked) fileUses() map[string]map[string]string {
	file := func(at token.Pos) string { return filepath.Base(p.fset.Position(at).Filename) }
	uses := map[string]map[string]string{}
	for _, f := range p.files {
		uses[file(f.Pos())] = map[string]string{}
	}
	for id, of := range p.uses {
		switch x := of.(type) {
		case *types.Func:
			if r := x.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
				continue // whose it is shows as the program runs
			}
			of = x.Origin()
		case *types.Var:
			if x.Parent() != p.pkg.Scope() {
				continue
			}
		default:
			continue
		}
		if from, to := file(id.Pos()), file(of.Pos()); of.Pkg() == p.pkg && from != to {
			uses[from][to] = id.Name
		}
	}
	return uses
}

// told names the uses, one a line.
func told(uses map[string]map[string]string) string {
	var b strings.Builder
	for _, from := range slices.Sorted(maps.Keys(uses)) {
		for _, to := range slices.Sorted(maps.Keys(uses[from])) {
			fmt.Fprintf(&b, "\t%s uses %s of %s\n", from, uses[from][to], to)
		}
	}
	return b.String()
}

// TestMethods holds that no type does everything: one with more methods is two.
func TestMethods(t *testing.T) {
	const most = 80
	for _, p := range packages(t) {
		for _, name := range p.pkg.Scope().Names() {
			if x, ok := p.pkg.Scope().Lookup(name).Type().(*types.Named); ok && x.NumMethods() > most {
				t.Errorf("%s: %s has %d methods, more than %d", p.path, name, x.NumMethods(), most)
			}
		}
	}
}
