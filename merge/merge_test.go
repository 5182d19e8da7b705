package merge

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
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations of testdata/merge and testdata/rulesets")

// A mergeCase is one merge as a txtar file. Its comment says what it shows, and
// on lines of their own what is not the default:
//
//	style: diff3               merge, diff3 or zdiff3
//	path: k8s/web.yaml         the file's path
//	resolve: ours              ours, theirs or union
//	own: theirs                which side is the own one
//	crlf: ours theirs          these versions end their lines with CRLF
//	nofinal: base want         these versions lack the final newline
//	bom: ours                  these versions start with a byte order mark
//	size: 9                    the length of a marker
//	labels: HEAD|main|topic    of ours, base and theirs
//	bytes: differ              the merge by fields writes other bytes than the line merge
//	again: differ              the result, merged again with a side, is not the same
//	rules: kustomize           kustomize, merge2 or apply
//	asks: yes                  there has to be a conflict, on whatever page; maybe: or a file whose name begins with right
//
// Its files are base, ours, theirs and want, and, where they matter, conflicts
// (a line each: line, kind and path), resolved (path, side taken and what decided), combined (path and reference)
// and how (the method and its reason). A file called rules is the team's, crd one
// with definitions of custom resources. Where
// want is not what it should be yet, ideal is; the case fails once it is reached. A case
// that asks needs no want.
//
// The files of merge2 are src and dest, those of apply last-applied, config and
// live. Without last-applied it is what live has in its annotation, which is
// written then. Where there has to be an error, it is in error instead of want.
type mergeCase struct {
	ar     *txtar.Archive
	opts   Options
	rules  string // the rule set; "" for the default rules
	raw    [3][]byte
	want   []byte
	ideal  []byte
	asks   string
	right  [][]byte // clean results that a case that asks accepts
	remade bool     // the result, merged again with a side, is not the same: a known break of that law
	loose  bool     // the line merge's bytes are not those of the merge by fields
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

// caseFiles are the files that a case may have, by its rules; "" is all the others.
var caseFiles = map[string]string{
	"":       "base ours theirs want ideal conflicts resolved combined told how rules crd error",
	"merge2": "src dest want told how rules crd error",
	"apply":  "last-applied config live want told how rules crd error",
}

// read reads the files and the comment of a case. What it does not know is an error: a
// mistake in a name would switch off what the case holds.
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

// file is where the file of that name is kept, nil if it is no version.
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

// option reads a line of the comment.
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

// each changes the named files of a case.
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

// named is the value of that name.
func named[T any](name string, values map[string]T) (T, error) {
	v, ok := values[name]
	if !ok {
		return v, fmt.Errorf("%q is none of %v", name, slices.Sorted(maps.Keys(values)))
	}
	return v, nil
}

// TestReadCase holds that a mistake in a case is no case that says less.
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

// readCaseRules returns the team's rules of a case, nil if it has none.
func readCaseRules(t testing.TB, ar *txtar.Archive) *Rules {
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
	r, err := ParseRules("rules", rules, "")
	if err == nil {
		err = r.AddCRD("crd", crd)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMerge(t *testing.T) {
	files, err := filepath.Glob("../testdata/merge/*.txtar")
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

// checkAsked holds that a result has a conflict, or is right where none is needed.
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

// doubledIn names a key that a mapping of b has twice, or an item that stands twice in
// a list of names.
func doubledIn(b []byte) (string, bool) {
	_, err := denseData(b)
	return fmt.Sprint(err), err != nil && strings.Contains(err.Error(), " stands twice in ")
}

// byFields holds that the merge by fields writes the same as the line merge
// where that is taken.
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

// report is what the section name of a case says of a result.
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

// rewrite writes what the merge gives into the case's want, conflicts and how.
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
