package differential

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A row is a row of a table of tests in Go source. It has the fields by name, and values without a name by index.
// Strings are of type string, lists are []any, structs and maps are rows. Of other expressions it has the identifier,
// or "code".
type row map[string]any

// text returns a field of a row, or "" if the row has no such string.
func (r row) text(field string) string { s, _ := r[field].(string); return s }

// moduleDir returns the directory of the source of a module.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("%s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// table returns the value of a variable of a Go file as written in its source.
func table(t *testing.T, dir, file, name string) any {
	t.Helper()
	for _, d := range parsedFile(t, dir, file).Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == name && len(v.Values) == 1 {
				return written(v.Values[0])
			}
		}
	}
	t.Fatalf("%s has no variable %s", file, name)
	return nil
}

// written returns the value of an expression as far as its source shows it.
func written(e ast.Expr) any {
	switch x := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			return s
		}
		return x.Value
	case *ast.BinaryExpr:
		a, ok := written(x.X).(string)
		b, ok2 := written(x.Y).(string)
		if ok && ok2 && x.Op == token.ADD {
			return a + b
		}
	case *ast.CallExpr: // []byte(`…`), typed.YAMLObject(`…`)
		if len(x.Args) == 1 {
			return written(x.Args[0])
		}
	case *ast.UnaryExpr:
		return written(x.X)
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.CompositeLit:
		return composite(x)
	}
	return "code"
}

// composite returns a list, or a row with the fields of a struct or map. The fields of an embedded struct become fields
// of the row.
func composite(x *ast.CompositeLit) any {
	if a, ok := x.Type.(*ast.ArrayType); ok && a.Len == nil {
		list := []any{}
		for _, e := range x.Elts {
			list = append(list, written(e))
		}
		return list
	}
	r := row{}
	if x.Type != nil {
		r["type"] = written(x.Type)
	}
	for i, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			r[strconv.Itoa(i)] = written(e)
			continue
		}
		v := written(kv.Value)
		k, _ := written(kv.Key).(string)
		r[k] = v
		if inner, ok := v.(row); ok && inner["type"] == k {
			for k, f := range inner {
				if r[k] == nil {
					r[k] = f
				}
			}
		}
	}
	return r
}

// rows returns the rows of a table.
func rows(t *testing.T, v any) (all []row) {
	t.Helper()
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.Fatalf("it is no table: %v", v)
	}
	for _, e := range list {
		r, ok := e.(row)
		if !ok {
			t.Fatalf("it is no row: %v", e)
		}
		all = append(all, r)
	}
	return all
}

// assigned returns a row for each function of a Go file. It has the first value assigned to each variable, the
// arguments of the first call of one of the functions named in calls as "args", and the second argument of the first
// call of a method Equal as "expected".
func assigned(t *testing.T, dir, file string, calls ...string) (all []row) {
	t.Helper()
	for _, d := range parsedFile(t, dir, file).Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		r := row{"func": fn.Name.Name}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.AssignStmt:
				if id, ok := x.Lhs[0].(*ast.Ident); ok && r[id.Name] == nil && len(x.Rhs) == 1 {
					r[id.Name] = written(x.Rhs[0])
				}
			case *ast.CallExpr:
				if id, ok := x.Fun.(*ast.Ident); ok && r["args"] == nil && slices.Contains(calls, id.Name) {
					var args []any
					for _, a := range x.Args {
						args = append(args, written(a))
					}
					r["args"] = args
				}
				if sel, ok := x.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Equal" && r["expected"] == nil && len(x.Args) > 1 {
					r["expected"] = written(x.Args[1])
				}
			}
			return true
		})
		all = append(all, r)
	}
	return all
}

// schemas returns the schemas of structured-merge-diff in a Go file.
func schemas(t *testing.T, dir, file string) (all []string) {
	t.Helper()
	ast.Inspect(parsedFile(t, dir, file), func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && written(c.Fun) == "NewParser" {
			if s, ok := written(c.Args[0]).(string); ok && strings.Contains(s, "types:") {
				all = append(all, s)
			}
		}
		return true
	})
	return all
}

func parsedFile(t *testing.T, dir, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
