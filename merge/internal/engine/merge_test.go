package engine

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations of testdata/merge and testdata/rulesets")

// A mergeCase is a merge test case in a txtar file. The comment of the archive describes what the case shows. Lines of
// the form "option: value" in it change the defaults:
//
//	style: diff3               merge, diff3 or zdiff3
//	path: k8s/web.yaml         the file's path
//	resolve: ours              ours, theirs or union
//	own: theirs                which side is the user's own
//	crlf: ours theirs          these files end their lines with CRLF
//	nofinal: base want         these files have no final newline
//	bom: ours                  these files start with a byte order mark
//	size: 9                    the length of a marker
//	labels: HEAD|main|topic    labels of ours, base and theirs
//	bytes: differ              the merge by field writes other bytes than the line merge
//	again: differ              merging the result with a side again changes it
//	rules: kustomize           kustomize, merge2 or apply
//	asks: yes                  yes: the merge must have a conflict; maybe: or equal a file whose name begins with "right"
//
// The files of a case are base, ours, theirs and want. Optional files check more of the result: conflicts (line, kind
// and path on a line each), resolved and told (path, side taken and reason), combined (path and value) and how (method
// and reason). The file rules has the team's rules, and crd has custom resource definitions. If want is not yet the
// desired result, ideal is. The case fails when the result equals ideal. A case with the option asks needs no want.
//
// The input files of merge2 are src and dest. Those of apply are last-applied, config and live. If last-applied is
// missing, apply reads it from the annotation in live and writes a new annotation. A case that expects an error has a
// file error instead of want.
type mergeCase struct {
	ar     *txtar.Archive
	opts   Options
	rules  string // the value of the option rules; "" for the default rules
	raw    [3][]byte
	want   []byte
	ideal  []byte
	asks   string
	right  [][]byte // clean results that a case with the option asks accepts
	remade bool     // merging the result with a side again changes it: a known violation
	loose  bool     // the line merge and the merge by field write different bytes
}

func readCase(t testing.TB, file string) *mergeCase {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &mergeCase{ar: ar}
	if err := c.read(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	c.opts.Rules = readCaseRules(t, ar)
	return c
}

// caseFiles lists the file names that a case may have, by its option rules. "" applies to all other values.
var caseFiles = map[string]string{
	"":       "base ours theirs want ideal conflicts resolved combined told how rules crd error",
	"merge2": "src dest want told how rules crd error",
	"apply":  "last-applied config live want told how rules crd error",
}

// read reads the files and options of a case. An unknown name is an error, because a misspelled name would silently
// disable a check.
func (c *mergeCase) read() error {
	k := Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	c.opts.Markers = func() Markers { return k }
	var lines [][2]string
	for l := range strings.Lines(string(c.ar.Comment)) {
		key, val, ok := strings.Cut(strings.TrimSpace(l), ": ")
		if ok && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") == "" {
			lines = append(lines, [2]string{key, val})
		}
		if key == "rules" {
			c.rules = val
		}
	}
	files, known := caseFiles[c.rules]
	if !known {
		files = caseFiles[""]
	}
	for _, f := range c.ar.Files {
		switch to := c.file(f.Name); {
		case strings.HasPrefix(f.Name, "right"):
			c.right = append(c.right, f.Data)
		case !slices.Contains(strings.Fields(files), f.Name):
			return fmt.Errorf("a file called %q; known are %s", f.Name, files)
		case to != nil:
			*to = f.Data
		}
	}
	for _, l := range lines {
		if err := c.option(&k, l[0], l[1]); err != nil {
			return fmt.Errorf("%s: %s: %w", l[0], l[1], err)
		}
	}
	return nil
}

// file returns the field of c that stores the file of that name, or nil if the file is stored elsewhere.
func (c *mergeCase) file(name string) *[]byte {
	switch name {
	case "base", "last-applied":
		return &c.raw[three.Original]
	case "ours", "dest", "live":
		return &c.raw[three.Dest]
	case "theirs", "src", "config":
		return &c.raw[three.Updated]
	case "want":
		return &c.want
	case "ideal":
		return &c.ideal
	}
	return nil
}

// option sets one option of the case. It returns an error if the option or its value is unknown.
func (c *mergeCase) option(k *Markers, key, val string) (err error) {
	switch key {
	case "style":
		k.Style, err = named(val, map[string]Style{"merge": StyleMerge, "diff3": StyleDiff3, "zdiff3": StyleZdiff3})
	case "path":
		c.opts.Path = val
	case "size":
		k.Size, err = strconv.Atoi(val)
	case "labels":
		l := strings.Split(val, "|")
		if len(l) != 3 {
			return errors.New("three labels are expected")
		}
		k.Ours, k.Base, k.Theirs = l[0], l[1], l[2]
	case "rules":
		c.opts.RuleSet, err = named(val, map[string]RuleSet{"kustomize": KustomizeRules, "merge2": DefaultRules, "apply": DefaultRules})
	case "bytes":
		c.loose, err = named(val, map[string]bool{"differ": true})
	case "again":
		c.remade, err = named(val, map[string]bool{"differ": true})
	case "asks":
		c.asks, err = named(val, map[string]string{"yes": "yes", "maybe": "maybe"})
	case "resolve":
		c.opts.Resolve, err = named(val, map[string]Resolve{"ours": ResolveOurs, "theirs": ResolveTheirs, "union": ResolveUnion})
	case "own":
		own, bad := named(val, map[string]Own{"ours": OwnOurs, "theirs": OwnTheirs})
		c.opts.Own, err = func() Own { return own }, bad
	case "crlf":
		err = c.each(val, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
	case "nofinal":
		err = c.each(val, func(b []byte) []byte { return bytes.TrimRight(b, "\r\n") })
	case "bom":
		err = c.each(val, func(b []byte) []byte { return append(bytes.Clone(read.BOM), b...) })
	default:
		err = errors.New("no such option")
	}
	return err
}

// each applies change to the named files of a case.
func (c *mergeCase) each(names string, change func([]byte) []byte) error {
	for _, n := range strings.Fields(names) {
		if n == "right" && len(c.right) > 0 {
			for i := range c.right {
				c.right[i] = change(c.right[i])
			}
			continue
		}
		to := c.file(n)
		if to == nil || c.section(n) == nil {
			return fmt.Errorf("the case has no version %s", n)
		}
		*to = change(*to)
	}
	return nil
}

// named returns values[name], or an error that lists the allowed names.
func named[T any](name string, values map[string]T) (T, error) {
	v, ok := values[name]
	if !ok {
		return v, fmt.Errorf("%q is none of %v", name, slices.Sorted(maps.Keys(values)))
	}
	return v, nil
}

// TestReadCase checks that mistakes in a test case are errors and do not silently disable a check.
func TestReadCase(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"stile: diff3\n-- base --\n", "no such option"},
		{"style: diff4\n", `"diff4" is none of`},
		{"size: x\n", "invalid syntax"},
		{"labels: a|b\n", "three labels"},
		{"rules: kustomise\n", "is none of"},
		{"bytes: maybe\n", "is none of"},
		{"crlf: our\n-- ours --\n", "no version our"},
		{"bom: ideal\n-- want --\n", "no version ideal"},
		{"-- wants --\n", `a file called "wants"`},
		{"rules: merge2\n-- base --\n", `a file called "base"`},
		{"own: mine\n", "is none of"},
	} {
		m := &mergeCase{ar: txtar.Parse([]byte(c.text))}
		if err := m.read(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	m := &mergeCase{ar: txtar.Parse([]byte("What it shows: a prose line.\nstyle: zdiff3\n-- base --\na\n-- want --\nb\n"))}
	if err := m.read(); err != nil || m.opts.Markers().Style != StyleZdiff3 || string(m.raw[three.Original]) != "a\n" || string(m.want) != "b\n" {
		t.Errorf("%v, %+v", err, m)
	}
}

// readCaseRules returns the team's rules of a case, or nil if it has none.
func readCaseRules(t testing.TB, ar *txtar.Archive) *schema.Rules {
	t.Helper()
	var rules, crd []byte
	for _, f := range ar.Files {
		switch f.Name {
		case "rules":
			rules = f.Data
		case "crd":
			crd = f.Data
		}
	}
	if rules == nil && crd == nil {
		return nil
	}
	r, err := schema.Parse("rules", rules, "")
	if err == nil {
		err = r.AddCRD("crd", crd)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMerge(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			res, err := Merge(c.raw[three.Original], c.raw[three.Dest], c.raw[three.Updated], c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				c.rewrite(t, file, res)
				return
			}
			if c.asks != "" {
				c.checkAsked(t, res)
			}
			if !bytes.Equal(res.Bytes, c.want) && (c.want != nil || c.asks == "") {
				t.Errorf("got (%s%s):\n%s\nwant:\n%s", report("how", res), report("conflicts", res), res.Bytes, c.want)
			}
			for _, f := range c.ar.Files {
				if got := report(f.Name, res); got != "" && got != string(f.Data) {
					t.Errorf("%s: got:\n%swant:\n%s", f.Name, got, f.Data)
				}
			}
			if c.ideal != nil && bytes.Equal(res.Bytes, c.ideal) {
				t.Error("the ideal is reached: make it want")
			}
			c.byFields(t, res)
			checkLaws(t, c.raw, c.opts)
			if broken := remerged(t, c.raw, c.opts); (broken != "") != c.remade {
				t.Errorf("merged again (%v):\n%s", c.remade, broken)
			}
		})
	}
}

// checkAsked checks that the result has a conflict, or that it is one of the accepted clean results if the option asks
// is "maybe". It also checks that resolving all conflicts to one side creates no duplicate keys or items, unless an
// input already has some.
func (c *mergeCase) checkAsked(t *testing.T, res Result) {
	t.Helper()
	if strings.Contains(res.Reason, "internal error") {
		t.Error(res.Reason)
	}
	right := slices.ContainsFunc(c.right, func(b []byte) bool { return bytes.Equal(b, res.Bytes) })
	if res.Clean() && (c.asks == "yes" || !right) {
		t.Errorf("clean (%s):\n%s", report("how", res), res.Bytes)
	}
	for _, s := range three.Sides {
		b := chosen(res.Bytes, s)
		if key, ok := doubledIn(b); ok && !slices.ContainsFunc(c.raw[:], doubles) {
			t.Errorf("with %s, %s stands twice:\n%s", three.Names[s], key, res.Bytes)
		}
	}
}

// doubledIn reports whether a mapping of b has a duplicate key, or a list of named items has a duplicate name, and
// returns a message that names it.
func doubledIn(b []byte) (string, bool) {
	_, err := denseData(b)
	return fmt.Sprint(err), err != nil && strings.Contains(err.Error(), " stands twice in ")
}

// byFields checks that the merge by field has the same result as the normal merge, unless the option bytes says that
// they differ.
func (c *mergeCase) byFields(t *testing.T, res Result) {
	t.Helper()
	if res.Method == Delegated || c.loose {
		return
	}
	deep, err := mergeBy(fieldsOnly, c.raw, c.opts)
	if err != nil {
		t.Fatal(err)
	}
	if c.asks != "" {
		c.checkAsked(t, deep)
		return
	}
	if !bytes.Equal(deep.Bytes, res.Bytes) {
		t.Errorf("by fields (%s):\n%s\nwant:\n%s", deep.Reason, deep.Bytes, res.Bytes)
	}
}

// report returns what the section of that name should contain for the result, or "" if the section does not describe a
// result.
func report(name string, res Result) string {
	switch name {
	case "conflicts":
		var b strings.Builder
		for _, c := range res.Conflicts {
			fmt.Fprintf(&b, "%d %s %s\n", c.Line, c.Kind, c.Path)
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	case "resolved":
		var b strings.Builder
		for _, c := range res.Resolved {
			fmt.Fprintf(&b, "%s: %s by %s\n", c.Path, cmp.Or(c.Took, c.Wrote, "both"), c.By)
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	case "combined":
		var b strings.Builder
		for _, c := range res.Combined {
			fmt.Fprintf(&b, "%s: %s\n", c.Path, c.Value)
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	case "told":
		var b strings.Builder
		for _, c := range res.Resolved {
			fmt.Fprintf(&b, "%s: took %s (%s)\n", c.Path, c.Took, c.By)
		}
		if b.Len() == 0 {
			return "nothing\n"
		}
		return b.String()
	case "how":
		s := [...]string{"", "trivial", "by line", "structural", "delegated"}[res.Method]
		if res.Reason != "" {
			s += ": " + res.Reason
		}
		return s + "\n"
	}
	return ""
}

// rewrite updates the sections of the case that describe the result, such as want, conflicts and how, and writes the
// file.
func (c *mergeCase) rewrite(t *testing.T, file string, res Result) {
	t.Helper()
	want := bytes.ReplaceAll(res.Bytes, []byte("\r\n"), []byte("\n"))
	want = bytes.TrimPrefix(want, read.BOM)
	if n := len(want); n > 0 && want[n-1] != '\n' {
		want = append(want, '\n')
	}
	found := false
	for i, f := range c.ar.Files {
		if f.Name == "want" {
			c.ar.Files[i].Data, found = want, true
		}
		if r := report(f.Name, res); r != "" {
			c.ar.Files[i].Data = []byte(r)
		}
	}
	if !found {
		c.ar.Files = append(c.ar.Files, txtar.File{Name: "want", Data: want})
	}
	c.write(t, file)
}

func (c *mergeCase) write(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, txtar.Format(c.ar), 0o644); err != nil {
		t.Fatal(err)
	}
}
