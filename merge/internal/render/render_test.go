// Package render checks that merged Helm templates can be rendered. It renders them with Helm's own engine, each in a
// generated chart.
package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// versions are the base, ours and theirs of a template.
type versions [3][]byte

// TestCases merges and renders the template cases in testdata.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/template-*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	rendered := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var v versions
		for _, f := range ar.Files {
			switch f.Name {
			case "base":
				v[0] = f.Data
			case "ours":
				v[1] = f.Data
			case "theirs":
				v[2] = f.Data
			}
		}
		if merged(t, filepath.Base(file), v) {
			rendered++
		}
	}
	if rendered == 0 {
		t.Error("no merge was rendered")
	}
}

// TestRecorded merges and renders recorded merges. The environment variable RECORDED names their folder. Each merge is
// a folder with base.yaml, ours.yaml, theirs.yaml and a meta.json with "picked": "template". A merge is skipped if Helm
// cannot render both sides in the generated chart.
func TestRecorded(t *testing.T) {
	root := os.Getenv("RECORDED")
	if root == "" {
		t.Skip("RECORDED names no folder of recorded merges")
	}
	cases, rendered := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "meta.json" {
			return err
		}
		v, ok := recorded(filepath.Dir(path))
		if !ok {
			return nil
		}
		cases++
		if merged(t, path, v) {
			rendered++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d templates, %d clean merges of which both sides render", cases, rendered)
	if rendered == 0 {
		t.Error("no merge was rendered")
	}
}

// recorded reads a recorded merge. It returns false if the merge is not one of a template or cannot be read.
func recorded(dir string) (v versions, ok bool) {
	var meta struct{ Picked string }
	data, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	if err != nil || json.Unmarshal(data, &meta) != nil || meta.Picked != "template" {
		return v, false
	}
	for i, name := range [...]string{"base.yaml", "ours.yaml", "theirs.yaml"} {
		if v[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return v, false
		}
	}
	return v, true
}

// merged merges a template. If the result is clean and both sides can be rendered, it checks that the result can be
// rendered too, and that it renders to YAML if both sides do. It renders once with a value for everything that the
// template reads, and once with empty values, so that other branches of blocks are taken. It returns true if it
// rendered a result.
func merged(t *testing.T, name string, v versions) (held bool) {
	t.Helper()
	res, err := merge.Merge(v[0], v[1], v[2], merge.Options{Path: "templates/merged.yaml"})
	if err != nil {
		t.Error(name, err)
		return false
	}
	if !res.Clean() {
		return false
	}
	for _, values := range []func(...[]byte) chartutil.Values{defaults, none} {
		all := values(v[1], v[2])
		ours, badOurs := render(v[1], all)
		theirs, badTheirs := render(v[2], all)
		if badOurs != nil || badTheirs != nil {
			continue
		}
		held = true
		got, err := render(res.Bytes, all)
		switch {
		case err != nil:
			t.Errorf("%s: both sides render, and the merge does not: %v\n%s", name, err, res.Bytes)
		case isYAML(ours) && isYAML(theirs) && !isYAML(got):
			t.Errorf("%s: both sides render to YAML, and the merge does not:\n%s\nof\n%s", name, got, res.Bytes)
		}
	}
	return held
}

// isYAML reports whether a text is valid YAML.
func isYAML(text string) bool {
	d := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		if err := d.Decode(&n); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// render renders a template in a chart that defines every template that it includes.
func render(template []byte, values chartutil.Values) (string, error) {
	c := &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: chart.APIVersionV2, Name: "chart", Version: "1.0.0"},
		Templates: []*chart.File{{Name: "templates/merged.yaml", Data: template}, {Name: "templates/_stubs.tpl", Data: stubs(template)}},
	}
	all, err := chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: "release", Namespace: "default"}, nil)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(c, all)
	return files["chart/templates/merged.yaml"], err
}

var (
	valuePath = regexp.MustCompile(`(?:(toYaml|range|with)[^{}.|]*)?\.Values((?:\.\w+)+)`)
	included  = regexp.MustCompile(`\b(?:include|template) "([^"]+)"([^{}]*)`)
	defined   = regexp.MustCompile(`\bdefine "([^"]+)"`)
)

// defaults returns values for everything that the templates read: a mapping for a value that is printed or ranged over
// as a whole, otherwise a text.
func defaults(templates ...[]byte) chartutil.Values {
	return values(templates, func(whole bool) any {
		if whole {
			return map[string]any{"text": "text"}
		}
		return "text"
	})
}

// none returns an empty value for everything that the templates read.
func none(templates ...[]byte) chartutil.Values {
	return values(templates, func(bool) any { return "" })
}

func values(templates [][]byte, value func(whole bool) any) chartutil.Values {
	root := map[string]any{}
	for _, m := range valuePath.FindAllSubmatch(slices.Concat(templates...), -1) {
		at := root
		names := strings.Split(string(m[2]), ".")[1:]
		for i, name := range names {
			next, isMap := at[name].(map[string]any)
			switch last := i == len(names)-1; {
			case last && (at[name] == nil || len(m[1]) > 0 && !isMap):
				at[name] = value(len(m[1]) > 0)
			case !last && !isMap:
				next = map[string]any{}
				at[name] = next
			}
			at = next
		}
	}
	return root
}

// stubs returns definitions of the templates that a template includes but does not define. A stub prints a mapping if
// its output is indented, otherwise a word.
func stubs(template []byte) []byte {
	own := map[string]bool{}
	for _, m := range defined.FindAllSubmatch(template, -1) {
		own[string(m[1])] = true
	}
	var b strings.Builder
	for _, m := range included.FindAllSubmatch(template, -1) {
		if name := string(m[1]); !own[name] {
			own[name] = true
			said := "stub"
			if strings.Contains(string(m[2]), "indent") {
				said = "stub: stub"
			}
			fmt.Fprintf(&b, "{{ define %q }}%s{{ end }}\n", name, said)
		}
	}
	return []byte(b.String())
}
