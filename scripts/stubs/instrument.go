package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// variable names the stub that a program takes, by its number from 1.
const variable = "STUB"

// A stub is a function that does nothing.
type stub struct {
	name, at string
	yes      bool // its bools are true
}

func (s stub) String() string {
	if s.yes {
		return s.name + " (true)"
	}
	return s.name
}

// An insert is text to be put into a file.
type insert struct {
	at   int
	text string
}

// instrument returns the stubs of the package in dir, and its files with all of
// them, by their paths.
func instrument(dir string) (stubs []stub, files map[string][]byte, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	files = map[string][]byte{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		var all []insert
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				at := set.Position(fn.Pos())
				s := stub{name: nameOf(fn), at: fmt.Sprintf("%s:%d", filepath.Base(path), at.Line)}
				all = append(all, stubsOf(set, fn, s, &stubs)...)
			}
		}
		files[path] = apply(src, all)
		files[filepath.Join(dir, "stubbed_.go")] = fmt.Appendf(nil,
			"package %s\n\nimport (\"os\"; \"strconv\")\n\n"+
				"var stubbed, _ = strconv.Atoi(os.Getenv(%q))\n", f.Name.Name, variable)
	}
	return stubs, files, nil
}

// nameOf is the name of fn, with its receiver's type.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// stubsOf gives the results of fn names and returns from it at once if one of its
// stubs is taken. It stays on its lines.
func stubsOf(set *token.FileSet, fn *ast.FuncDecl, s stub, stubs *[]stub) (all []insert) {
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	var yes strings.Builder
	if results := fn.Type.Results; results != nil {
		for i, field := range results.List {
			names := field.Names
			if len(names) == 0 {
				names = []*ast.Ident{{Name: fmt.Sprint("stub", i)}}
				all = append(all, insert{offset(field.Type.Pos()), names[0].Name + " "})
			}
			if t, ok := field.Type.(*ast.Ident); ok && t.Name == "bool" {
				for _, name := range names {
					yes.WriteString(name.Name + " = true; ")
				}
			}
		}
		if !results.Opening.IsValid() {
			all[0].text = "(" + all[0].text
			all = append(all, insert{offset(results.End()), ")"})
		}
	}
	*stubs = append(*stubs, s)
	body := fmt.Sprintf("if stubbed == %d { return };", len(*stubs))
	if yes.Len() > 0 {
		s.yes = true
		*stubs = append(*stubs, s)
		body += fmt.Sprintf("if stubbed == %d { %sreturn };", len(*stubs), &yes)
	}
	return append(all, insert{offset(fn.Body.Lbrace) + 1, body})
}

// apply puts all into src.
func apply(src []byte, all []insert) []byte {
	slices.SortStableFunc(all, func(a, b insert) int { return a.at - b.at })
	var out []byte
	last := 0
	for _, x := range all {
		out = append(append(out, src[last:x.at]...), x.text...)
		last = x.at
	}
	return append(out, src[last:]...)
}
