package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// The API says in its documentation which fields exclude each other. These are
// the words that it has for that.
var (
	// Of a type: at most one of all its fields may be there.
	oneOfAll = regexp.MustCompile(`(?i)(only|exactly|at most|only and) one of (its members|these fields|the fields)|(only|exactly) one (field|member|subfield|profile source)\b|` +
		"only `type` and one other matching field")
	// Of a field: at most one of these may be there.
	oneOfNamed = regexp.MustCompile("(?i)(?:only|exactly|at most) one of ((?:`?\\w+`?, )*`?\\w+`?,? (?:and|or) `?\\w+`?) " +
		"(?:must|may|can|should)\\b")
	butNotBoth = regexp.MustCompile(`(?i)one of (\w+ and \w+), but not both`)
	// Of a field: this one and another one.
	exclusive = regexp.MustCompile("(?i)mutually[- ]exclusive (?:setting )?with (?:at least one of )?[\"`]?(\\w+)|" +
		"cannot be used if (\\w+) is not empty|" +
		"`?(\\w+`? and `?\\w+)`? are mutually exclusive|" +
		"if this field is set then neither of (the other fields) can be")
	// Of a field: it is for one value of another field.
	onlyFor = regexp.MustCompile("(?i)(?:present only if|must be set if(?: and only if)?|may be non-empty only if|non-empty if and only if|parameters when) " +
		"[`\"]?(\\w+)[`\"]? *(?:=|is|==) *[`\"]*(\\w+)")
	// A group of fields, as a marker.
	marker = regexp.MustCompile(`\+(?:k8s:)?(?:oneOf=(\w+)|zeroOrOneOf=(\w+)|(unionMember|zeroOrOneOfMember)\b)`)
)

// undocumented are groups that only the validation of the API server knows:
// k8s.io/kubernetes, pkg/apis/core/validation.
var undocumented = map[string][]string{
	"io.k8s.api.core.v1.EnvVarSource":  {"configMapKeyRef,fieldRef,fileKeyRef,resourceFieldRef,secretKeyRef"},
	"io.k8s.api.core.v1.EnvFromSource": {"configMapRef,secretRef"},
}

// unions returns the groups of fields of each type of which at most one may be
// there, as the table writes them: names, or name!value for a field that has
// another value than this.
func unions() (map[string][]string, error) {
	all := maps.Clone(undocumented)
	err := eachStruct(func(name string, s structure, known map[string]structure) {
		if u := s.unions(known); len(u) > 0 {
			all[name] = u
		}
	})
	return all, err
}

// eachStruct calls f with every struct type of the API, its name in the schema, and
// those of its file by their names in Go.
func eachStruct(f func(name string, s structure, known map[string]structure)) error {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		return fmt.Errorf("finding k8s.io/api: %w", err)
	}
	root := strings.TrimSpace(string(dir))
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "types.go" {
			return err
		}
		pkg, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		prefix := "io.k8s.api." + strings.ReplaceAll(filepath.ToSlash(pkg), "/", ".") + "."
		known := structs(file)
		for name, s := range known {
			f(prefix+name, s, known)
		}
		return nil
	})
}

// A structure is a struct type with what its documentation says.
type structure struct {
	doc    string
	fields []member
}

// A member is a field of a structure.
type member struct {
	goName, name, doc string
	inline            string // the type that is embedded here
	optional          bool
}

// structs returns the struct types of a file.
func structs(f *ast.File) map[string]structure {
	all := map[string]structure{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			t := spec.(*ast.TypeSpec)
			if s, ok := t.Type.(*ast.StructType); ok {
				all[t.Name.Name] = structureOf(g.Doc.Text()+t.Doc.Text(), s)
			}
		}
	}
	return all
}

func structureOf(doc string, s *ast.StructType) structure {
	out := structure{doc: oneLine(doc)}
	for _, f := range s.Fields.List {
		m := member{doc: oneLine(comments(f.Doc)), optional: true}
		if f.Tag != nil {
			tag, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
			m.name = tag
			m.optional = strings.Contains(f.Tag.Value, "omitempty") || strings.Contains(f.Tag.Value, "omitzero")
		}
		if len(f.Names) > 0 {
			m.goName = f.Names[0].Name
		} else if id, ok := f.Type.(*ast.Ident); ok && m.name == "" {
			m.inline = id.Name
		}
		out.fields = append(out.fields, m)
	}
	return out
}

// comments are the lines of a comment, markers too.
func comments(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range g.List {
		b.WriteString(strings.TrimPrefix(c.Text, "//") + " ")
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// unions are the groups of s, those of what is embedded too.
func (s structure) unions(known map[string]structure) []string {
	var all []string
	add := func(names ...string) {
		slices.Sort(names)
		names = slices.Compact(names)
		if u := strings.Join(names, ","); len(names) > 1 && !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	for _, m := range s.fields {
		if m.inline != "" {
			all = append(all, known[m.inline].unions(known)...)
		}
	}
	groups := map[string][]string{}
	for _, m := range s.fields {
		for _, x := range marker.FindAllStringSubmatch(m.doc, -1) {
			groups[x[1]+x[2]+x[3]] = append(groups[x[1]+x[2]+x[3]], m.name)
		}
		for _, re := range []*regexp.Regexp{oneOfNamed, butNotBoth} {
			if x := re.FindStringSubmatch(s.doc + " " + m.doc); x != nil {
				add(s.named(x[1])...)
			}
		}
		for _, x := range exclusive.FindAllStringSubmatch(m.doc, -1) {
			add(append(s.named(x[1]+" "+x[2]), m.name)...)
			add(s.named(x[3])...)
			if x[4] != "" {
				for _, other := range s.members() {
					add(other, m.name)
				}
			}
		}
		if x := onlyFor.FindStringSubmatch(m.doc); x != nil && len(s.named("type")) == 1 && strings.HasSuffix(strings.ToLower(x[1]), "type") {
			add(m.name, "type!"+strings.TrimSuffix(x[2], "StatefulSetStrategyType"))
		}
	}
	for _, names := range groups {
		add(names...)
	}
	if len(groups) == 0 && oneOfAll.MatchString(s.doc) {
		add(s.members()...)
	}
	return within(all)
}

// within drops the groups that are all in another one.
func within(all []string) []string {
	slices.Sort(all)
	var out []string
	for _, u := range slices.Compact(all) {
		if !slices.ContainsFunc(all, func(v string) bool { return u != v && isSubset(strings.Split(u, ","), strings.Split(v, ",")) }) {
			out = append(out, u)
		}
	}
	return out
}

func isSubset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// members are the optional fields of s, without those that tell which one of
// them is there.
func (s structure) members() []string {
	var all []string
	for _, m := range s.fields {
		aside := strings.Contains(strings.ToLower(s.doc), "besides "+strings.ToLower(m.goName))
		if m.inline == "" && m.optional && !aside && !strings.Contains(m.doc, "unionDiscriminator") {
			all = append(all, m.name)
		}
	}
	return all
}

var word = regexp.MustCompile(`\w+`)

// named are the fields of s that a text names, in Go or in JSON.
func (s structure) named(text string) []string {
	var all []string
	for _, w := range word.FindAllString(text, -1) {
		for _, m := range s.fields {
			if m.inline == "" && (strings.EqualFold(w, m.goName) || strings.EqualFold(w, m.name)) {
				all = append(all, m.name)
			}
		}
	}
	return all
}

// imageDoc is how the API documents a field that is the reference of an image.
var imageDoc = regexp.MustCompile(`^(?:Required: )?(?:Container image name|Image or artifact reference)`)

// images returns the fields of each type that are references of images, by what
// the API says in its documentation.
func images() (map[string][]string, error) {
	all := map[string][]string{}
	err := eachStruct(func(name string, s structure, known map[string]structure) {
		if fields := s.images(known); len(fields) > 0 {
			all[name] = fields
		}
	})
	return all, err
}

// images are the fields of s, those of what is embedded too.
func (s structure) images(known map[string]structure) (fields []string) {
	for _, m := range s.fields {
		if m.inline != "" {
			fields = append(fields, known[m.inline].images(known)...)
		}
		if imageDoc.MatchString(m.doc) {
			fields = append(fields, m.name)
		}
	}
	slices.Sort(fields)
	return fields
}
