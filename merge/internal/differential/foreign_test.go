package differential

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

// A foreign compares the results of this program with a table of tests of another project. Rows with a different result
// must be listed, with their class, in testdata/NAME.txt.
type foreign struct {
	t      *testing.T
	file   string
	listed map[string]string // class by the name of the row
	seen   map[string]bool
	counts map[string]int
	equal  int
}

func newForeign(t *testing.T, name string) *foreign {
	f := &foreign{t: t, file: "testdata/" + name + ".txt", listed: map[string]string{}, seen: map[string]bool{}, counts: map[string]int{}}
	b, err := os.ReadFile(f.file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	for lines.Scan() {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			class, row, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("%s: no class: %s", f.file, line)
			}
			f.listed[row] = class
		}
	}
	return f
}

// row compares the result of a row with the expected one. An error counts as a difference. The test fails if a
// difference is not listed, or if a listed row is equal.
func (f *foreign) row(name string, got []byte, err error, want string) {
	f.t.Helper()
	if f.seen[name] {
		name += " (again)"
	}
	for f.seen[name] {
		name += "+"
	}
	f.seen[name] = true
	class, listed := f.listed[name]
	if slices.Contains(orders, class) && (err != nil || !reflect.DeepEqual(sortedLists(dataOf(f.t, got)), sortedLists(dataOf(f.t, []byte(want))))) {
		f.t.Errorf("%s: %q differs in more than its order", f.file, name)
	}
	differs := err != nil || !reflect.DeepEqual(dataOf(f.t, got), dataOf(f.t, []byte(want)))
	switch {
	case !differs && listed:
		f.t.Errorf("%s: %q is equal now: take it out of the list", f.file, name)
	case !differs:
		f.equal++
	case listed:
		f.counts[class]++
	default:
		f.t.Errorf("of no class (another order: %v): %s\ngot (%v)\n%s\nwant\n%s", err == nil && reflect.DeepEqual(sortedLists(dataOf(f.t, got)), sortedLists(dataOf(f.t, []byte(want)))), name, err, got, want)
	}
}

// orders are the classes of results that differ only in their order.
var orders = []string{string(liveOnlyOrder), "new items at the front"}

// sortedLists returns v with the items of its lists sorted.
func sortedLists(v any) any {
	switch x := v.(type) {
	case object:
		out := object{}
		for k, e := range x {
			out[k] = sortedLists(e)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range x {
			out = append(out, sortedLists(e))
		}
		slices.SortFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return out
	}
	return v
}

// report logs the counts. The test fails if a listed row does not exist or its class is not in README.md.
func (f *foreign) report() {
	f.t.Helper()
	f.t.Logf("%d of %d rows are equal", f.equal, len(f.seen))
	for name, class := range f.listed {
		if !f.seen[name] {
			f.t.Errorf("%s: the table has no row %q", f.file, name)
		}
		documented(f.t, class)
	}
	for class, n := range f.counts {
		f.t.Logf("%5d %s", n, class)
	}
}

// dataOf returns the data of the documents in a file. It leaves out empty documents. A parse error is returned as a
// string in place of the remaining documents.
func dataOf(t *testing.T, b []byte) (all []any) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader(b))
	for {
		var v any
		err := d.Decode(&v)
		switch {
		case err != nil && err.Error() == "EOF":
			return all
		case err != nil:
			return append(all, fmt.Errorf("%w in %s", err, b).Error())
		case v != nil:
			all = append(all, v)
		}
	}
}

// TestMerge3Table compares Merge by the rules of kustomize with the test tables of kyaml's three-way merge.
func TestMerge3Table(t *testing.T) {
	f := newForeign(t, "merge3")
	dir := moduleDir(t, "sigs.k8s.io/kustomize/kyaml") + "/yaml/merge3"
	for _, of := range []string{"scalar", "list", "map", "element", "kustomization"} {
		for _, r := range rows(t, table(t, dir, of+"_test.go", of+"TestCases")) {
			want := r.text("expected")
			if r["err"] != nil {
				want = "error: " + fmt.Sprint(r["err"])
			}
			res, err := kube.Merge3([]byte(r.text("origin")), []byte(r.text("local")), []byte(r.text("update")), kube.Merge3Options{})
			if err == nil && res.Method != merge.MethodField && res.Method != merge.MethodTrivial {
				err = fmt.Errorf("%s", res.Reason)
			}
			f.row(of+", "+r.text("description"), res.Bytes, err, want)
		}
	}
	f.report()
}

// TestMerge2Table compares Merge2 with the test tables of kyaml's two-way merge.
func TestMerge2Table(t *testing.T) {
	f := newForeign(t, "merge2")
	dir := moduleDir(t, "sigs.k8s.io/kustomize/kyaml") + "/yaml/merge2"
	for _, of := range []string{"scalar", "list", "map", "element"} {
		for _, r := range rows(t, table(t, dir, of+"_test.go", of+"TestCases")) {
			res, err := kube.Merge2([]byte(r.text("source")), []byte(r.text("dest")), kube.Options{})
			f.row(of+", "+r.text("description"), res.Bytes, err, r.text("expected"))
		}
	}
	f.report()
}

// TestMerge2OldTests compares Merge2 with the tests of kyaml's two-way merge that are not in tables. It reads the
// inputs and the expected result of each test function.
func TestMerge2OldTests(t *testing.T) {
	f := newForeign(t, "merge2-old")
	dir := moduleDir(t, "sigs.k8s.io/kustomize/kyaml") + "/yaml/merge2"
	const file = "merge2_old_test.go"
	whole, _ := table(t, dir, file, "dest").(string)
	for _, r := range assigned(t, dir, file, "Merge", "MergeStrings") {
		args, _ := r["args"].([]any)
		var in [2][]byte
		for i := range in {
			name, _ := args[i].(string)
			if v := r.text(name); v != "" {
				name = v
			}
			if name == "dest" {
				name = whole
			}
			in[i] = []byte(name)
		}
		res, err := kube.Merge2(in[0], in[1], kube.Options{})
		f.row(r.text("func"), res.Bytes, err, r.text("expected"))
	}
	f.report()
}

// mergeItemRules describe the lists of strategicpatch's type MergeItem as the tags of its fields do.
const mergeItemRules = `
rules:
- lists:
    "**.mergingList": {keys: [name]}
    "**.mergeItemPtr": {keys: [name]}
    "**.mergingIntList": set
    spec.volumes: {keys: [name]}
`

// TestStrategicPatchTables compares Apply with the test tables of apimachinery's three-way patch. Its Original is the
// last applied configuration, Modified is the config and Current is live.
func TestStrategicPatchTables(t *testing.T) {
	f := newForeign(t, "strategicpatch")
	rules, err := merge.ParseRules("rules", []byte(mergeItemRules), "")
	if err != nil {
		t.Fatal(err)
	}
	dir := moduleDir(t, "k8s.io/apimachinery") + "/pkg/util/strategicpatch"
	var all []row
	for _, name := range []string{"customStrategicMergePatchTestCaseData", "createStrategicMergePatchTestCaseData"} {
		all = append(all, yamlRows(t, table(t, dir, "patch_test.go", name).(string))...)
	}
	for _, name := range []string{"customStrategicMergePatchRawTestCases", "strategicMergePatchRawTestCases", "replaceRawExtensionPatchTestCases"} {
		all = append(all, rows(t, table(t, dir, "patch_test.go", name))...)
	}
	for _, r := range all {
		if r.text("Result") == "" {
			continue // a patch of two versions
		}
		unions(t, r)
		res, err := kube.Apply([]byte(r.text("Original")), []byte(r.text("Modified")), []byte(r.text("Current")), kube.Options{Rules: rules})
		f.row(r.text("Description"), res.Bytes, err, r.text("Result"))
	}
	f.report()
}

// unions rewrites the unions of a row as unions that Kubernetes has, because rules cannot declare other fields to be
// unions.
func unions(t *testing.T, r row) {
	if !strings.Contains(r.text("Modified"), "retainKeys") {
		return
	}
	for _, name := range []string{"Original", "Modified", "Current", "Result"} {
		var m object
		if err := yaml.Unmarshal([]byte(r.text(name)), &m); err != nil {
			t.Fatal(err)
		}
		spec := object{}
		for from, to := range map[string]string{"retainKeysMap": "strategy", "retainKeysMergingList": "volumes"} {
			if v, ok := m[from]; ok {
				spec[to] = v
			}
		}
		b, err := yaml.Marshal(object{"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		r[name] = string(b)
	}
}

// yamlRows returns the test cases of a table in YAML. Their objects are converted to text.
func yamlRows(t *testing.T, text string) (all []row) {
	t.Helper()
	var cases struct {
		TestCases []map[string]yaml.Node `yaml:"testCases"`
	}
	if err := yaml.Unmarshal([]byte(text), &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases.TestCases {
		r := row{}
		for k, n := range c {
			k = strings.ToUpper(k[:1]) + k[1:]
			if n.Kind == yaml.ScalarNode {
				r[k] = n.Value
				continue
			}
			b, err := yaml.Marshal(&n)
			if err != nil {
				t.Fatal(err)
			}
			r[k] = string(b)
		}
		all = append(all, r)
	}
	return all
}

// TestStructuredMergeTable compares Apply without a last applied configuration with the test table of
// structured-merge-diff's merge of two objects.
func TestStructuredMergeTable(t *testing.T) {
	f := newForeign(t, "structured-merge")
	dir := moduleDir(t, "sigs.k8s.io/structured-merge-diff/v6") + "/typed"
	for _, c := range rows(t, table(t, dir, "merge_test.go", "mergeCases")) {
		opts := kube.Options{Rules: rulesOf(t, c.text("schema"))}
		for i, r := range rows(t, c["triplets"]) {
			res, err := kube.Apply([]byte{}, []byte(r.text("1")), []byte(r.text("0")), opts)
			f.row(fmt.Sprintf("%s %d", c.text("name"), i), res.Bytes, err, r.text("2"))
		}
	}
	f.report()
}

// TestStructuredMergeApplies compares Apply with the tests of structured-merge-diff in which several managers apply and
// update an object. Each manager's last applied configuration is passed to Apply.
func TestStructuredMergeApplies(t *testing.T) {
	f := newForeign(t, "structured-merge-applies")
	dir := moduleDir(t, "sigs.k8s.io/structured-merge-diff/v6") + "/merge"
	for _, file := range []string{"set", "nested", "leaf", "key", "deduced", "default_keys", "duplicates", "extract_apply", "multiple_appliers"} {
		known := schemas(t, dir, file+"_test.go")
		if file == "multiple_appliers" { // it uses the schemas of two other tests
			known = append(append(known, schemas(t, dir, "key_test.go")...), schemas(t, dir, "nested_test.go")...)
		}
		opts := kube.Options{Rules: rulesOf(t, known...)}
		for _, fn := range assigned(t, dir, file+"_test.go") {
			tests, _ := fn["tests"].(row)
			for _, name := range slices.Sorted(maps.Keys(tests)) {
				c, _ := tests[name].(row)
				want, ok := c["Object"].(string)
				if !ok || want == "code" || strings.Contains(fn.text("func"), "Conversion") {
					continue // this program does not convert objects between versions
				}
				got, err := operated(t, rows(t, c["Ops"]), opts)
				f.row(fn.text("func")+", "+name, got, err, untabbed(want))
			}
		}
	}
	f.report()
}

// operated returns the object after the operations ops. An Update replaces the object, other operations apply to it.
// Operations that fail with a conflict are skipped.
func operated(t *testing.T, ops []row, opts kube.Options) ([]byte, error) {
	t.Helper()
	live := []byte{}
	last := map[string][]byte{}
	for _, op := range ops {
		object := []byte(untabbed(op.text("Object")))
		switch {
		case op["type"] == "Update":
			live = object
		case op["Conflicts"] != nil:
		default: // Apply, ForceApply, ExtractApply
			manager := op.text("Manager")
			res, err := kube.Apply(slices.Concat([]byte{}, last[manager]), object, live, opts)
			if err != nil {
				return nil, err
			}
			live, last[manager] = res.Bytes, object
		}
	}
	return live, nil
}

// untabbed returns YAML from Go source without its common tabs. Remaining tabs become two spaces each.
func untabbed(s string) string {
	s = strings.TrimLeft(s, "\n")
	tabs := s[:len(s)-len(strings.TrimLeft(s, "\t"))]
	var out strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimPrefix(line, tabs)
		rest := strings.TrimLeft(line, "\t")
		out.WriteString(strings.Repeat("  ", len(line)-len(rest)) + rest)
	}
	return out.String()
}

// rulesOf returns rules that merge the lists of fields as the schemas of structured-merge-diff do, or nil if the
// schemas have no associative lists.
func rulesOf(t *testing.T, schemas ...string) *merge.Rules {
	t.Helper()
	lines := map[string]string{}
	for _, text := range schemas {
		var s object
		if err := yaml.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		listsOf(s, s, lines)
	}
	if len(lines) == 0 {
		return nil
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "    \"**.%s\": %s\n", name, lines[name])
	}
	rules, err := merge.ParseRules("rules", []byte("rules:\n- lists:\n"+b.String()), "")
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// listsOf adds a rule to lines, by field name, for each associative list at or below v.
func listsOf(schema object, v any, lines map[string]string) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			listsOf(schema, e, lines)
		}
	case object:
		for _, e := range x {
			listsOf(schema, e, lines)
		}
		list, _ := resolved(schema, x["type"])["list"].(object)
		name, isField := x["name"].(string)
		if !isField || list["elementRelationship"] != "associative" {
			return
		}
		keys, ok := list["keys"].([]any)
		if !ok {
			lines[name] = "set"
			return
		}
		var defaults []string
		element, _ := resolved(schema, list["elementType"])["map"].(object)
		fields, _ := element["fields"].([]any)
		for _, f := range fields {
			if d := field(f, "default"); !isAbsent(d) && slices.Contains(keys, field(f, "name")) {
				defaults = append(defaults, fmt.Sprintf("%v: %v", field(f, "name"), d))
			}
		}
		lines[name] = fmt.Sprintf("{keys: [%s], defaults: {%s}}", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(keys)), ", "), "[]"), strings.Join(defaults, ", "))
	}
}

// resolved returns the type v, or the type of the schema that v refers to by name.
func resolved(schema object, v any) object {
	o, _ := v.(object)
	types, _ := schema["types"].([]any)
	for _, t := range types {
		if name := o["namedType"]; name != nil && field(t, "name") == name {
			return t.(object)
		}
	}
	return o
}

// TestKioFolders compares Merge by the rules of kustomize with the test packages of kyaml's kio, file by file.
func TestKioFolders(t *testing.T) {
	f := newForeign(t, "kio")
	filters := moduleDir(t, "sigs.k8s.io/kustomize/kyaml") + "/kio/filters/"
	same := 0
	for _, set := range []string{"testdata", "testdata2"} {
		read := func(version, path string) []byte {
			b, err := os.ReadFile(filepath.Join(filters, set, "dataset1"+version, path))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			return b
		}
		for _, path := range filesIn(t, filters+set) {
			want := read("-expected", path)
			res, err := kube.Merge3(read("", path), read("-localupdates", path), read("-remoteupdates", path), kube.Merge3Options{})
			f.row(set+"/"+path, res.Bytes, err, string(want))
			if bytes.Equal(res.Bytes, want) {
				same++
			}
		}
	}
	t.Logf("%d are the same bytes", same)
	f.report()
}

// filesIn returns the relative paths of the YAML files in any version of a package.
func filesIn(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		_, in, _ := strings.Cut(filepath.ToSlash(rel), "/")
		paths = append(paths, in)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
