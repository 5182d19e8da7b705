package merge_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// TestDocumented checks that each exported name of the public packages, and each exported field, has a comment, and that
// no exported type is an alias.
func TestDocumented(t *testing.T) {
	for _, dir := range []string{".", "kube", "linemerge", "program"} {
		for _, name := range goFiles(t, dir) {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && d.Doc == nil {
						t.Errorf("%s: %s has no comment", name, d.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						checkDocumented(t, name, d, s)
					}
				}
			}
		}
	}
}

// checkDocumented checks one type, constant or variable of TestDocumented.
func checkDocumented(t *testing.T, file string, d *ast.GenDecl, s ast.Spec) {
	t.Helper()
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: %s has no comment", file, n)
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		if s.Assign.IsValid() {
			t.Errorf("%s: %s is an alias", file, s.Name)
		}
		if d.Doc == nil && s.Doc == nil {
			t.Errorf("%s: %s has no comment", file, s.Name)
		}
		fields, ok := s.Type.(*ast.StructType)
		if !ok || s.Name.Name == "Names" || s.Name.Name == "Span" { // their fields are in the comment of the type
			return
		}
		documented := false // a comment is also for the fields on the lines directly below
		for _, f := range fields.Fields.List {
			documented = documented || f.Doc != nil || f.Comment != nil
			for _, n := range f.Names {
				if n.IsExported() && !documented {
					t.Errorf("%s: %s.%s has no comment", file, s.Name, n)
				}
			}
		}
	}
}

// TestJSONNames checks that each field of a result has a name in JSON, of lower-case words joined by underscores.
func TestJSONNames(t *testing.T) {
	for _, v := range []any{
		merge.Result{}, merge.Conflict{}, merge.Version{}, merge.Rename{}, merge.Combination{}, merge.Change{}, merge.Finding{},
		merge.List{}, merge.Question{}, merge.Answer{}, merge.AnswerError{}, kube.Error{}, linemerge.Result{}, linemerge.Conflict{},
	} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && !f.Anonymous && !regexp.MustCompile(`^([a-z]+(_[a-z]+)*|-)$`).MatchString(name) {
				t.Errorf("%T.%s is called %q", v, f.Name, name)
			}
		}
	}
	res, err := merge.Merge([]byte("a: 1\n"), []byte("a: 2\n"), []byte("a: 3\n"), merge.Options{Resolve: merge.TakeOurs})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(res)
	want := `{"conflicts":null,"resolved":[{"path":"a","kind":"value","base":{"text":"a: 1\n","line":1},"ours":{"text":"a: 2\n","line":1},` +
		`"theirs":{"text":"a: 3\n","line":1},"by":"ours","took":"ours"}],"method":"field","line_conflicts":-1}`
	if string(got) != want || err != nil {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

// TestPlaces checks the structured path of a conflict, its place in the result, and its places in the versions, which may
// have a byte order mark and other line breaks than the result.
func TestPlaces(t *testing.T) {
	const base, ours, theirs = "kind: Pod\nspec:\n  containers:\n  - name: web\n    image: a\n", "\xef\xbb\xbfkind: Pod\r\nspec:\r\n  containers:\r\n  - name: web\r\n    image: b\r\n",
		"kind: Pod\nspec:\n  containers:\n  - name: web\n    image: c\n"
	res, err := merge.Merge([]byte(base), []byte(ours), []byte(theirs), merge.Options{})
	if err != nil || len(res.Conflicts) != 1 {
		t.Fatalf("%v\n%s", err, res.Bytes)
	}
	c := res.Conflicts[0]
	want := []merge.PathElement{{Field: "spec"}, {Field: "containers"}, {Item: "name=web"}, {Field: "image"}}
	if !reflect.DeepEqual(c.Elements, want) {
		t.Errorf("%s: %v", c.Path, c.Elements)
	}
	if got := string(res.Bytes[c.Span.Start:c.Span.End]); !strings.HasPrefix(got, "<<<<<<< ours") || !strings.HasSuffix(strings.TrimRight(got, "\r\n"), ">>>>>>> theirs") {
		t.Errorf("the conflict is %q", got)
	}
	for name, v := range map[string]struct {
		file string
		merge.Version
		want string
	}{"base": {base, c.Base, "    image: a\n"}, "ours": {ours, c.Ours, "    image: b\r\n"}, "theirs": {theirs, c.Theirs, "    image: c\n"}} {
		if got := v.file[v.Span.Start:v.Span.End]; got != v.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	changes, err := merge.Changes([]byte(base), []byte(theirs), merge.FileOptions{})
	if err != nil || len(changes) != 1 || theirs[changes[0].To.Span.Start:changes[0].To.Span.End] != "c" {
		t.Errorf("%+v, %v", changes, err)
	}
}

// TestDocumentElement checks the structured path in a file of several documents.
func TestDocumentElement(t *testing.T) {
	file := func(v string) []byte {
		return []byte("kind: A\nmetadata: {name: x}\nv: " + v + "\n---\nkind: B\nmetadata: {name: y}\n")
	}
	res, err := merge.Merge(file("1"), file("2"), file("3"), merge.Options{})
	if err != nil || len(res.Conflicts) != 1 {
		t.Fatalf("%v\n%s", err, res.Bytes)
	}
	if want := []merge.PathElement{{Document: "A/x"}, {Field: "v"}}; !reflect.DeepEqual(res.Conflicts[0].Elements, want) {
		t.Errorf("%v", res.Conflicts[0].Elements)
	}
}

// TestUnknownValues checks that a value that is not one of the constants of its type is an error.
func TestUnknownValues(t *testing.T) {
	base, ours, theirs := []byte("a: 1\n"), []byte("a: 2\n"), []byte("a: 3\n")
	for _, opts := range []merge.Options{
		{Resolve: "mine"}, {Own: "mine"}, {Markers: merge.Markers{Style: "x"}}, {Limits: merge.Limits{MaxSteps: -1}},
	} {
		if _, err := merge.Merge(base, ours, theirs, opts); err == nil {
			t.Errorf("Merge took %+v", opts)
		}
		if _, err := merge.NewResolution(base, ours, theirs, opts); err == nil && opts.Resolve == "" {
			t.Errorf("NewResolution took %+v", opts)
		}
	}
	if _, err := merge.Check(base, ours, theirs, ours, merge.CheckOptions{Own: "mine"}); err == nil {
		t.Error("Check took an unknown side")
	}
	if _, err := kube.Merge3(base, ours, theirs, kube.Merge3Options{Own: "mine"}); err == nil {
		t.Error("Merge3 took an unknown side")
	}
	for _, opts := range []linemerge.Options{{Algorithm: 7}, {Resolve: 7}, {Markers: linemerge.Markers{Style: 3}}} {
		if _, err := linemerge.Merge(base, ours, theirs, opts); err == nil {
			t.Errorf("linemerge took %+v", opts)
		}
	}
	res, err := merge.Merge(base, ours, theirs, merge.Options{})
	if _, err2 := res.WithMarkers(merge.Markers{Style: "x"}); err != nil || err2 == nil {
		t.Errorf("WithMarkers took an unknown style, %v", err)
	}
	own := merge.Result{Conflicts: make([]merge.Conflict, 1)}
	if got, err := own.WithMarkers(merge.Markers{}); err != nil || !reflect.DeepEqual(got, own) {
		t.Errorf("a result of the caller: %+v, %v", got, err)
	}
}

// TestErrors checks the types of errors that callers handle.
func TestErrors(t *testing.T) {
	if _, err := merge.Merge([]byte("a\x00"), []byte("b"), []byte("c"), merge.Options{}); !errors.Is(err, linemerge.ErrBinary) {
		t.Errorf("a binary file: %v", err)
	}
	_, err := kube.Merge2([]byte("kind: A\n---\n# b\nkind: B\n"), nil, kube.Options{})
	if e, ok := errors.AsType[*kube.Error](err); !ok || e.File != "SRC" || e.Line != 1 || e.Column != 1 {
		t.Errorf("a document without a name: %v", err)
	}
	x, err := merge.NewResolution([]byte("a: 1\nz: 1\n"), []byte("a: 2\nz: 1\n"), []byte("a: 3\nz: 1\n"), merge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := errors.AsType[*merge.AnswerError](x.Decide(0, merge.Answer{Take: merge.TakeText, Text: "a: [\n"})); !ok || e.Line != 1 {
		t.Errorf("a text that is not YAML: %v", e)
	}
	if e, ok := errors.AsType[*merge.AnswerError](x.DecideSome(map[int]merge.Answer{0: {Take: "it"}})[0]); !ok || e.Msg == "" {
		t.Errorf("an unknown answer: %v", e)
	}
	if err := x.Resume([]byte("a: 2\nz: 2\n")); !errors.Is(err, merge.ErrEdited) {
		t.Errorf("another file: %v", err)
	}
}

// TestMessages checks that Messages describes a whole result, and that ParseRules returns the rules without a mistake.
func TestMessages(t *testing.T) {
	rules, err := merge.ParseRules("r", []byte("rules:\n- fields: {a: highest, b: higest}\n"), "")
	if err != nil || rules.Mistakes() == nil {
		t.Fatalf("%v, %v", err, rules.Mistakes())
	}
	res, err := merge.Merge([]byte("a: 1\nb: 1\n"), []byte("a: 2\nb: 2\n"), []byte("a: 3\nb: 3\n"), merge.Options{Rules: rules})
	want := []string{"a: took theirs' value by policy highest (r:2)", "line 2: conflict: b"}
	if got := res.Messages(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	// a decision that would be wrong, beside one that is right
	service := func(annotation, first, second string) []byte {
		return []byte("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  a: " + annotation +
			"\n  ports:\n  - port: 80\n    name: " + first + "\n  - port: 81\n    name: " + second + "\n")
	}
	rules, err = merge.ParseRules("r", []byte("rules:\n- fields: {spec.a: theirs, spec.ports.*.name: highest}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	res, err = merge.Merge(service("1", "v0", "v1"), service("2", "v2", "v3"), service("3", "v3", "v2"), merge.Options{Rules: rules})
	reason := ".name: both modified; policy highest (r:2) is not applied, because spec.ports[port=81,protocol=TCP] cannot be merged cleanly: two items would have a value that only one may have"
	want = []string{
		"spec.a: took theirs' value by policy theirs (r:2)",
		"line 8: conflict: spec.ports[port=80,protocol=TCP]" + reason, "line 14: conflict: spec.ports[port=81,protocol=TCP]" + reason,
	}
	if got := res.Messages(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	res, err = merge.Merge([]byte("a: 1\nb: 1\n"), []byte("a: 2\nb: 1\n"), []byte("a: 1\nb: 2\n"), merge.Options{})
	want = []string{"merged by field: resolved 1 conflict of git's line merge"}
	if got := res.Messages(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAnswerMessages checks the message about a conflict after each answer: what was taken, and not from which side if it
// is from none.
func TestAnswerMessages(t *testing.T) {
	for _, c := range []struct {
		base, ours, theirs string
		answer             merge.Answer
		want               string
	}{
		{"a: 1\n", "a: 2\n", "a: 3\n", merge.Answer{Take: merge.TakeOurs}, "a: took ours' value"},
		{"a: 1\n", "a: 2\n", "a: 3\n", merge.Answer{Take: merge.TakeTheirs}, "a: took theirs' value"},
		{"a: 1\n", "a: 2\n", "a: 3\n", merge.Answer{Take: merge.TakeBase}, "a: took base's value"},
		{"a: 1\n", "a: 2\n", "a: 3\n", merge.Answer{Take: merge.TakeText, Text: "a: 4\n"}, "a: took the text of the answer"},
		{"a: 1\n", "a: 2\n", "a: 3\n", merge.Answer{Take: merge.TakeHighest}, "a: took theirs' value by highest"},
		{"l:\n- run: a\n", "l:\n- run: a\n- run: b\n", "l:\n- run: a\n- run: c\n", merge.Answer{Take: merge.TakeBoth}, "l[1]: kept both sides' values"},
	} {
		x, err := merge.NewResolution([]byte(c.base), []byte(c.ours), []byte(c.theirs), merge.Options{})
		if err != nil || x.Decide(0, c.answer) != nil {
			t.Fatalf("%+v: %v", c.answer, err)
		}
		if got := x.Result().Resolved[0].String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.answer, got, c.want)
		}
	}
}

// TestLimit checks that a merge that reaches a limit is left to the line merge, with the cause.
func TestLimit(t *testing.T) {
	base, ours, theirs := []byte("a: 1\nb: 1\n"), []byte("a: 2\nb: 1\n"), []byte("a: 1\nb: 2\n")
	res, err := merge.Merge(base, ours, theirs, merge.Options{Limits: merge.Limits{MaxBytes: 8}})
	if err != nil || res.Method != merge.MethodDelegated || res.Cause != merge.CauseSize || res.Reason != "base is larger than 8 bytes" {
		t.Errorf("%s, %s, %s, %v", res.Method, res.Cause, res.Reason, err)
	}
	res, err = merge.Merge(base, ours, theirs, merge.Options{Limits: merge.Limits{MaxBytes: 10}})
	if err != nil || !res.Clean() || res.Cause != "" {
		t.Errorf("%s, %s, %s, %v", res.Method, res.Cause, res.Reason, err)
	}
}
