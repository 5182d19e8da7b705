package merge

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
//	rules: kustomize           kustomize, merge2 or apply
//
// Its files are base, ours, theirs and want, and, where they matter, conflicts
// (a line each: line, kind and path), resolved (path, side taken and what decided)
// and how (the method and its reason). A file called rules is the team's, crd one
// with definitions of custom resources. Where
// want is not what it should be yet, ideal is; the case fails once it is reached.
//
// The files of merge2 are src and dest, those of apply last-applied, config and
// live. Without last-applied it is what live has in its annotation, which is
// written then. Where there has to be an error, it is in error instead of want.
type mergeCase struct {
	ar    *txtar.Archive
	opts  Options
	rules string // the rule set; "" for the default rules
	raw   [3][]byte
	want  []byte
	ideal []byte
	loose bool // the line merge's bytes are not those of the merge by fields
}

func readCase(t testing.TB, file string) *mergeCase {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &mergeCase{ar: ar}
	names := map[string]*[]byte{
		"base": &c.raw[three.Original], "ours": &c.raw[three.Dest], "theirs": &c.raw[three.Updated], "want": &c.want, "ideal": &c.ideal,
		"dest": &c.raw[three.Dest], "src": &c.raw[three.Updated],
		"last-applied": &c.raw[three.Original], "live": &c.raw[three.Dest], "config": &c.raw[three.Updated],
	}
	for _, f := range ar.Files {
		if to, ok := names[f.Name]; ok {
			*to = f.Data
		}
	}
	c.opts.Rules = readCaseRules(t, ar)
	k := Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	for _, l := range strings.Split(string(ar.Comment), "\n") {
		key, val, ok := strings.Cut(l, ": ")
		if !ok {
			continue
		}
		each := func(change func([]byte) []byte) {
			for _, n := range strings.Fields(val) {
				if to, ok := names[n]; ok {
					*to = change(*to)
				}
			}
		}
		switch key {
		case "style":
			k.Style = map[string]Style{"merge": StyleMerge, "diff3": StyleDiff3, "zdiff3": StyleZdiff3}[val]
		case "path":
			c.opts.Path = val
		case "size":
			k.Size, _ = strconv.Atoi(val)
		case "labels":
			l := append(strings.Split(val, "|"), "", "")
			k.Ours, k.Base, k.Theirs = l[0], l[1], l[2]
		case "rules":
			c.rules = val
			c.opts.RuleSet = map[string]RuleSet{"kustomize": KustomizeRules}[val]
		case "bytes":
			c.loose = true
		case "resolve":
			c.opts.Resolve = map[string]Resolve{"ours": ResolveOurs, "theirs": ResolveTheirs, "union": ResolveUnion}[val]
		case "own":
			own := map[string]Own{"ours": OwnOurs, "theirs": OwnTheirs}[val]
			c.opts.Own = func() Own { return own }
		case "crlf":
			each(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
		case "nofinal":
			each(func(b []byte) []byte { return bytes.TrimRight(b, "\r\n") })
		case "bom":
			each(func(b []byte) []byte { return append(bytes.Clone(read.BOM), b...) })
		}
	}
	c.opts.Markers = func() Markers { return k }
	return c
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
			if !bytes.Equal(res.Bytes, c.want) {
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
		})
	}
}

// byFields holds that the merge by fields writes the same as the line merge
// where that is taken.
func (c *mergeCase) byFields(t *testing.T, res Result) {
	t.Helper()
	if res.Method == Delegated || c.loose {
		return
	}
	deep, err := merge(c.raw, c.opts, shortcuts{off: true})
	if err != nil {
		t.Fatal(err)
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
