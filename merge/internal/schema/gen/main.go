// Command gen writes the table of the lists, unions and images of Kubernetes'
// built-in types, kubernetes.txt, and the rows that its tests expect: the lists
// from the schema of server-side apply inside k8s.io/client-go, the others from
// the documentation of the types in k8s.io/api.
//
// It is a module of its own so that no Kubernetes dependency reaches the tool.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	types, err := load()
	if err != nil {
		log.Fatal(err)
	}
	oneOf, err := unions()
	if err != nil {
		log.Fatal(err)
	}
	images, err := images()
	if err != nil {
		log.Fatal(err)
	}
	resources := roots(types)
	ways := reached(types, resources)
	for file, data := range map[string][]byte{
		"kubernetes.txt":          table(types, oneOf, images, resources),
		"testdata/unions.tsv":     partRows(oneOf, ways),
		"testdata/images.tsv":     partRows(images, ways),
		"testdata/kubernetes.tsv": rows(types, ways),
	} {
		if err := os.WriteFile("../"+file, data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

const module = "k8s.io/client-go"

// load returns the types of the schema by name. The package that holds them
// is internal, so its source is read.
func load() (map[string]schema.TypeDef, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return nil, fmt.Errorf("finding %s: %w", module, err)
	}
	text, err := literal(filepath.Join(strings.TrimSpace(string(dir)), "applyconfigurations", "internal", "internal.go"))
	if err != nil {
		return nil, err
	}
	p, err := typed.NewParser(typed.YAMLObject(text))
	if err != nil {
		return nil, err
	}
	types := map[string]schema.TypeDef{}
	for _, t := range p.Schema.Types {
		types[t.Name] = t
	}
	return types, nil
}

// literal returns the longest string literal of a Go file.
func literal(file string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return "", err
	}
	longest := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && len(l.Value) > len(longest) {
			longest = l.Value
		}
		return true
	})
	if longest == "" {
		return "", errors.New("no schema in " + file)
	}
	return strconv.Unquote(longest)
}

// A root is a type that is a resource.
type root struct{ group, version, kind, name string }

// roots returns the resources whose type the schema has, sorted.
func roots(types map[string]schema.TypeDef) []root {
	var all []root
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		name := typeName(t)
		if def, ok := types[name]; ok && isResource(def) {
			all = append(all, root{gvk.Group, gvk.Version, gvk.Kind, name})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].String() < all[j].String() })
	return all
}

func (r root) String() string { return r.apiVersion() + " " + r.kind }

func (r root) apiVersion() string { return strings.TrimPrefix(r.group+"/"+r.version, "/") }

// typeName returns the name of a Go type in the schema:
// k8s.io/api/apps/v1.Deployment is io.k8s.api.apps.v1.Deployment.
func typeName(t reflect.Type) string {
	return "io.k8s." + strings.ReplaceAll(strings.TrimPrefix(t.PkgPath(), "k8s.io/"), "/", ".") + "." + t.Name()
}

// isResource reports whether a type has apiVersion, kind and metadata.
func isResource(t schema.TypeDef) bool {
	if t.Map == nil {
		return false
	}
	n := 0
	for _, f := range t.Map.Fields {
		switch f.Name {
		case "apiVersion", "kind", "metadata":
			n++
		}
	}
	return n == 3
}
