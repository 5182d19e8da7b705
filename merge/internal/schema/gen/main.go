// Command gen writes kubernetes.txt in its parent folder: the table of the lists, unions and image references
// in Kubernetes' built-in types. It also writes the rows that the tests of the table expect, to
// testdata/kubernetes.tsv, testdata/unions.tsv and testdata/images.tsv. Run it with
//
//	go generate ./merge/internal/schema
//
// The lists come from the schema for server-side apply in k8s.io/client-go. The unions and images come from
// the documentation of the types in k8s.io/api. The versions of both are in go.mod.
//
// gen is a separate module, so that git-merge-yaml itself does not depend on Kubernetes.
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

// main writes kubernetes.txt, the table of the lists, unions (fields that exclude each other) and image references in
// Kubernetes' built-in types. It also writes the rows that the tests of the table expect, in ../testdata. It reads both
// from the modules k8s.io/client-go and k8s.io/api. It exits with a message if a module cannot be read or a file cannot
// be written.
func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	types, err := loadTypes()
	if err != nil {
		log.Fatal(err)
	}
	unions, err := findUnions()
	if err != nil {
		log.Fatal(err)
	}
	images, err := findImages()
	if err != nil {
		log.Fatal(err)
	}
	resources := findResources(types)
	paths := findPaths(types, resources)
	for file, data := range map[string][]byte{
		"kubernetes.txt":          encodeTable(types, unions, images, resources),
		"testdata/unions.tsv":     partRows(unions, paths),
		"testdata/images.tsv":     partRows(images, paths),
		"testdata/kubernetes.tsv": listRows(types, paths),
	} {
		if err := os.WriteFile("../"+file, data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

const module = "k8s.io/client-go"

// loadTypes returns the types of the schema in k8s.io/client-go, by name. The package with the schema is internal and
// cannot be imported, so loadTypes reads the schema from its source file. It returns an error if the go command fails,
// or if the file cannot be read or has no schema.
func loadTypes() (map[string]schema.TypeDef, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return nil, fmt.Errorf("finding %s: %w", module, err)
	}
	text, err := longestLiteral(filepath.Join(strings.TrimSpace(string(dir)), "applyconfigurations", "internal", "internal.go"))
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

// longestLiteral returns the value of the longest string literal in the Go file with this path. It returns an error if
// the file has none or cannot be parsed.
func longestLiteral(file string) (string, error) {
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

// A resource is the group, version and kind of a Kubernetes resource, and the name of its type in the schema.
type resource struct{ group, version, kind, name string }

// findResources returns the built-in resources of client-go, such as apps/v1 Deployment, sorted by API version and
// kind. Those whose type is not in types are left out, and so are types without the fields apiVersion, kind and
// metadata.
func findResources(types map[string]schema.TypeDef) []resource {
	var all []resource
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		name := typeName(t)
		if def, ok := types[name]; ok && isResource(def) {
			all = append(all, resource{gvk.Group, gvk.Version, gvk.Kind, name})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].String() < all[j].String() })
	return all
}

// String returns the API version and the kind: apps/v1 Deployment.
func (r resource) String() string { return r.apiVersion() + " " + r.kind }

func (r resource) apiVersion() string { return strings.TrimPrefix(r.group+"/"+r.version, "/") }

// typeName returns the name that a Go type has in the schema: io.k8s.api.apps.v1.Deployment for
// k8s.io/api/apps/v1.Deployment.
func typeName(t reflect.Type) string {
	return "io.k8s." + strings.ReplaceAll(strings.TrimPrefix(t.PkgPath(), "k8s.io/"), "/", ".") + "." + t.Name()
}

// isResource reports whether a type has the fields apiVersion, kind and metadata. It returns false for a type that is
// not a mapping.
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
