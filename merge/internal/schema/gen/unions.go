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

// Only the documentation of the API states which fields exclude each other. These patterns match the sentences
// that it uses.
var (
	// Documentation of a type: at most one of its fields may be present.
	oneOfAllFields = regexp.MustCompile(`(?i)(only|exactly|at most|only and) one of (its members|these fields|the fields)|(only|exactly) one (field|member|subfield|profile source)\b|` +
		"only `type` and one other matching field")
	// Documentation of a type or field: at most one of the listed fields may be present.
	oneOfNamedFields = regexp.MustCompile("(?i)(?:only|exactly|at most) one of ((?:`?\\w+`?, )*`?\\w+`?,? (?:and|or) `?\\w+`?) " +
		"(?:must|may|can|should)\\b")
	butNotBoth = regexp.MustCompile(`(?i)one of (\w+ and \w+), but not both`)
	// Documentation of a field: it excludes another field, or all others.
	mutuallyExclusive = regexp.MustCompile("(?i)mutually[- ]exclusive (?:setting )?with (?:at least one of )?[\"`]?(\\w+)|" +
		"cannot be used if (\\w+) is not empty|" +
		"`?(\\w+`? and `?\\w+)`? are mutually exclusive|" +
		"if this field is set then neither of (the other fields) can be")
	// Documentation of a field: it is allowed for only one value of another field.
	onlyForValue = regexp.MustCompile("(?i)(?:present only if|must be set if(?: and only if)?|may be non-empty only if|non-empty if and only if|parameters when) " +
		"[`\"]?(\\w+)[`\"]? *(?:=|is|==) *[`\"]*(\\w+)")
	// A marker of the code generators: the field belongs to a group.
	marker = regexp.MustCompile(`\+(?:k8s:)?(?:oneOf=(\w+)|zeroOrOneOf=(\w+)|(unionMember|zeroOrOneOfMember)\b)`)
)

// undocumentedUnions are the groups that are not documented. Only the validation of the API server has them, in
// k8s.io/kubernetes/pkg/apis/core/validation.
var undocumentedUnions = map[string][]string{
	"io.k8s.api.core.v1.EnvVarSource":  {"configMapKeyRef,fieldRef,fileKeyRef,resourceFieldRef,secretKeyRef"},
	"io.k8s.api.core.v1.EnvFromSource": {"configMapRef,secretRef"},
}

// findUnions returns the unions of each type, by its name in the schema. A union is a group of fields; at most one of
// them may be present. It is a list of names, separated by commas. name!value is the field name with any value except
// this one:
//
//	service,url                        either service or url
//	rollingUpdate,type!RollingUpdate   rollingUpdate only if type is RollingUpdate
//
// The unions of undocumentedUnions are included. The error is that of reading the types in k8s.io/api.
func findUnions() (map[string][]string, error) {
	all := maps.Clone(undocumentedUnions)
	err := forEachStruct(func(name string, s structType, known map[string]structType) {
		if u := s.unions(known); len(u) > 0 {
			all[name] = u
		}
	})
	return all, err
}

// forEachStruct calls f for each struct type in the types.go files of k8s.io/api. name is the name of the type in the
// schema. known are all struct types of the same file, by their Go names. It returns an error if the go command fails,
// or if a file cannot be read or parsed.
func forEachStruct(f func(name string, s structType, known map[string]structType)) error {
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
		known := parseStructs(file)
		for name, s := range known {
			f(prefix+name, s, known)
		}
		return nil
	})
}

// A structType is a struct type of the API with its documentation.
type structType struct {
	doc    string
	fields []structField
}

// A structField is a field of a struct type with its documentation.
type structField struct {
	goName, name, doc string
	inline            string // the Go name of the type, if the field is embedded
	optional          bool   // its JSON tag has omitempty or omitzero, or it has no tag
}

// parseStructs returns the struct types of a file, by their Go names. The result is not nil.
func parseStructs(f *ast.File) map[string]structType {
	all := map[string]structType{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			t := spec.(*ast.TypeSpec)
			if s, ok := t.Type.(*ast.StructType); ok {
				all[t.Name.Name] = parseStruct(g.Doc.Text()+t.Doc.Text(), s)
			}
		}
	}
	return all
}

// parseStruct returns the struct type s with the documentation doc: its fields with their Go and JSON names, their
// documentation on one line, and whether they may be omitted. An embedded field without a JSON name has the name of its
// type in inline.
func parseStruct(doc string, s *ast.StructType) structType {
	out := structType{doc: oneLine(doc)}
	for _, f := range s.Fields.List {
		m := structField{doc: oneLine(commentText(f.Doc)), optional: true}
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

// commentText returns the text of a comment on one line, including the markers that ast.CommentGroup.Text leaves out
// (//+oneOf). It returns "" for nil. Each line of the comment ends with a space.
func commentText(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range g.List {
		b.WriteString(strings.TrimPrefix(c.Text, "//") + " ")
	}
	return b.String()
}

// oneLine returns s with each sequence of white space replaced by one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// unions returns the groups of fields of s that exclude each other, by its documentation ("only one of") and the
// markers in it (+oneOf). Each is a list of names, separated by commas; name!value is a field with any value except
// this one. Groups of embedded types are included; known are the struct types by their Go names. Groups that are part
// of a larger group are left out. The result is sorted.
func (s structType) unions(known map[string]structType) []string {
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
		for _, re := range []*regexp.Regexp{oneOfNamedFields, butNotBoth} {
			if x := re.FindStringSubmatch(s.doc + " " + m.doc); x != nil {
				add(s.fieldsNamedIn(x[1])...)
			}
		}
		for _, x := range mutuallyExclusive.FindAllStringSubmatch(m.doc, -1) {
			add(append(s.fieldsNamedIn(x[1]+" "+x[2]), m.name)...)
			add(s.fieldsNamedIn(x[3])...)
			if x[4] != "" {
				for _, other := range s.optionalFields() {
					add(other, m.name)
				}
			}
		}
		if x := onlyForValue.FindStringSubmatch(m.doc); x != nil && len(s.fieldsNamedIn("type")) == 1 && strings.HasSuffix(strings.ToLower(x[1]), "type") {
			add(m.name, "type!"+strings.TrimSuffix(x[2], "StatefulSetStrategyType"))
		}
	}
	for _, names := range groups {
		add(names...)
	}
	if len(groups) == 0 && oneOfAllFields.MatchString(s.doc) {
		add(s.optionalFields()...)
	}
	return dropSubsets(all)
}

// dropSubsets returns all, sorted, without duplicates and without the unions whose names are all in another union. It
// sorts all.
func dropSubsets(all []string) []string {
	slices.Sort(all)
	var out []string
	for _, u := range slices.Compact(all) {
		if !slices.ContainsFunc(all, func(v string) bool { return u != v && isSubset(strings.Split(u, ","), strings.Split(v, ",")) }) {
			out = append(out, u)
		}
	}
	return out
}

// isSubset reports whether b contains all of a.
func isSubset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// optionalFields returns the names of the fields of s that may be omitted by their JSON tags (omitempty or omitzero).
// It leaves out embedded fields, and discriminators, which the documentation names: fields whose value is the name of
// the only other field that is present.
func (s structType) optionalFields() []string {
	var all []string
	for _, m := range s.fields {
		isDiscriminator := strings.Contains(strings.ToLower(s.doc), "besides "+strings.ToLower(m.goName))
		if m.inline == "" && m.optional && !isDiscriminator && !strings.Contains(m.doc, "unionDiscriminator") {
			all = append(all, m.name)
		}
	}
	return all
}

var wordPattern = regexp.MustCompile(`\w+`)

// fieldsNamedIn returns the JSON names of the fields of s that a text mentions by their Go or JSON names as whole
// words, in any case. They are in the order of the text, and repeated if it repeats them.
func (s structType) fieldsNamedIn(text string) []string {
	var all []string
	for _, w := range wordPattern.FindAllString(text, -1) {
		for _, m := range s.fields {
			if m.inline == "" && (strings.EqualFold(w, m.goName) || strings.EqualFold(w, m.name)) {
				all = append(all, m.name)
			}
		}
	}
	return all
}

// imageDoc matches the documentation of a field that is a reference to a container image.
var imageDoc = regexp.MustCompile(`^(?:Required: )?(?:Container image name|Image or artifact reference)`)

// findImages returns the names of the fields that are references to container images, by the name of the type in the
// schema. Their documentation begins with "Container image name" or "Image or artifact reference". The error is that of
// reading the types in k8s.io/api. Types without such a field are not in the map.
func findImages() (map[string][]string, error) {
	all := map[string][]string{}
	err := forEachStruct(func(name string, s structType, known map[string]structType) {
		if fields := s.images(known); len(fields) > 0 {
			all[name] = fields
		}
	})
	return all, err
}

// images returns the names of the fields of s that, by their documentation ("Container image name" or "Image or
// artifact reference" at its start), are references to container images, sorted. The fields of embedded types are
// included; known are the struct types by their Go names.
func (s structType) images(known map[string]structType) (fields []string) {
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
