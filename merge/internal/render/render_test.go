// Package render holds that what is merged of Helm's templates renders: by Helm's
// own engine, in a chart that is made around each.
package render

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"golang.org/x/tools/txtar"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// versions are base, ours and theirs of a template.
type versions [3][]byte

// TestCases renders the merges of testdata.
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

// TestRecorded renders the merges of a folder of recorded ones, in the form that
// contributing.md tells: RECORDED names it. A case is left out if Helm cannot
// render its sides in a chart that has nothing else.
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
}

// recorded reads the template of a recorded merge; false if it is none.
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

// merged merges a template, and holds that a clean result renders if both sides
// do. It reports whether there was something to hold.
func merged(t *testing.T, name string, v versions) bool {
	t.Helper()
	if render(v[1]) != nil || render(v[2]) != nil {
		return false
	}
	res, err := merge.Merge(v[0], v[1], v[2], merge.Options{Path: "templates/merged.yaml"})
	if err != nil {
		t.Error(name, err)
		return false
	}
	if !res.Clean() {
		return false
	}
	if err := render(res.Bytes); err != nil {
		t.Errorf("%s: both sides render, and the merge does not: %v\n%s", name, err, res.Bytes)
	}
	return true
}

// render renders a template in a chart that has nothing else, with values that
// have nothing in them.
func render(template []byte) error {
	c := &chart.Chart{
		Metadata:  &chart.Metadata{APIVersion: chart.APIVersionV2, Name: "chart", Version: "1.0.0"},
		Templates: []*chart.File{{Name: "templates/merged.yaml", Data: template}},
	}
	values, err := chartutil.ToRenderValues(c, chartutil.Values{}, chartutil.ReleaseOptions{Name: "release", Namespace: "default"}, nil)
	if err != nil {
		return err
	}
	_, err = engine.Render(c, values)
	return err
}
