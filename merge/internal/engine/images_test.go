package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// An imageRef is an image reference: the parts that are merged separately, and its quotes.
type imageRef struct{ name, version, quote string }

func (r imageRef) String() string { return r.quote + r.name + r.version + r.quote }

// imageNames, imageVersions and imageQuotes are the parts that references are made of. All names are different, and so
// are all versions.
var (
	imageNames    = []string{"app", "my/app", "h.example.com:5000/team/app"}
	imageVersions = []string{"", ":1.0", "@sha256:0a1b"}
	imageQuotes   = []string{"", `"`}
)

// eachImage calls f with every combination of a name, a version and quotes.
func eachImage(f func(imageRef)) {
	for _, name := range imageNames {
		for _, version := range imageVersions {
			for _, quote := range imageQuotes {
				f(imageRef{name, version, quote})
			}
		}
	}
}

// part merges the original, dest and updated version of a part of a reference. It reports false if both sides changed
// the part differently.
func part(o, d, u string) (string, bool) {
	if d == o {
		return u, true
	}
	return d, d == u || u == o
}

// imageAnswer merges three references part by part. It reports false if both sides changed the name or the version
// differently; the quotes never conflict.
func imageAnswer(o, d, u imageRef) (imageRef, bool) {
	name, named := part(o.name, d.name, u.name)
	version, versioned := part(o.version, d.version, u.version)
	quote, _ := part(o.quote, d.quote, u.quote)
	return imageRef{name, version, quote}, named && versioned
}

// TestImagesMerge merges all triples of references of which no two have the same name and version. In a Pod, the result
// has to be that of imageAnswer. For about one triple in eight, the resource is of an unknown kind, so the field is not
// an image reference. A clean result then has to be one of the sides.
func TestImagesMerge(t *testing.T) {
	const pod = "apiVersion: v1\nkind: %s\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web\n    image: %s\n"
	var refs []imageRef
	eachImage(func(r imageRef) { refs = append(refs, r) })
	merged, inConflict := 0, 0
	for i, o := range refs {
		for j, d := range refs {
			for k, u := range refs {
				if sameImage(o, d) || sameImage(o, u) || sameImage(d, u) {
					continue // only one side changed the name or version, or both did in the same way
				}
				kind := "Pod"
				if (i+j+k)%8 == 0 {
					kind = "Thing"
				}
				want, ok := imageAnswer(o, d, u)
				ok = ok && kind == "Pod"
				at := func(r imageRef) []byte { return fmt.Appendf(nil, pod, kind, r) }
				res, err := Merge(at(o), at(d), at(u), Options{})
				switch {
				case err != nil:
					t.Fatal(err)
				case kind != "Pod" && res.Clean(): // clean if one side's edits, word by word, contain the other's
					if !slices.Equal(res.Bytes, at(d)) && !slices.Equal(res.Bytes, at(u)) {
						t.Errorf("%s, %s, %s: neither side's: %s", o, d, u, res.Bytes)
					}
				case res.Clean() != ok, ok && !slices.Equal(res.Bytes, at(want)):
					t.Errorf("%s, %s, %s: want %s %v, got\n%s", o, d, u, want, ok, res.Bytes)
				case ok:
					merged++
				default:
					inConflict++
				}
			}
		}
	}
	if merged < 500 || inConflict < 500 {
		t.Errorf("%d merged, %d in conflict", merged, inConflict)
	}
	t.Logf("%d merged, %d in conflict", merged, inConflict)
}

// sameImage reports whether a and b have the same name and version.
func sameImage(a, b imageRef) bool { return a.name == b.name && a.version == b.version }

// TestImageReferences checks references of which sides change parts. In each row, the versions are lines after the head,
// which is a container of a Pod if it is empty. The merge must be clean with the line want, or a conflict if want is
// empty. combined is the reported path of a reference that neither side has.
func TestImageReferences(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web"
	const compose = "services:\n  web:"
	for _, c := range []struct{ path, head, base, ours, theirs, want, combined string }{
		// The parts of a name and a version.
		{"", "", "    image: app:1.0", "    image: r.io/app:1.0", "    image: app:1.1", "    image: r.io/app:1.1", "spec.containers[name=web].image"},
		{"", "", "    image: app:1.0", "    image: r.io/team/app:1.0", "    image: app@sha256:0123456789abcdef", "    image: r.io/team/app@sha256:0123456789abcdef", "spec.containers[name=web].image"},
		{"", "", "    image: app:1.0", "    image: r.io/app:1.0", "    image: r.io/app:1.1", "    image: r.io/app:1.1", ""},
		{"", "", "    image: localhost:5000/app", "    image: localhost:5001/app", "    image: localhost:5000/app:1.1", "    image: localhost:5001/app:1.1", "spec.containers[name=web].image"}, // the colon before a port is none of a tag
		{"", "", "    image: app:1.0", "    image: 'r.io/app:1.0'", "    image: \"app:1.1\"", "    image: 'r.io/app:1.1'", "spec.containers[name=web].image"},
		{"compose.yaml", compose, "    image: app:1.0", "    image: r.io/app:1.0", "    image: app:1.1", "    image: r.io/app:1.1", "services.web.image"},
		// Both change one part.
		{"", "", "    image: app:1.0", "    image: a.io/app:1.0", "    image: b.io/app:1.1", "", ""},
		{"", "", "    image: app:1.0", "    image: r.io/app:1.2", "    image: app:1.1", "", ""},
		{"", "", "    image: app:1.0@sha256:01", "    image: my/app:1.1@sha256:01", "    image: app:1.0@sha256:45", "", ""},
		// Another program, whose versions are others.
		{"", "", "    image: nginx:1.24", "    image: httpd:2.4", "    image: nginx:1.25", "", ""},
		{"", "", "    image: nginx:1.0", "    image: httpd:1.0", "    image: nginx:1.1", "", ""},
		// Values without parts: without quotes, 50:31 is a number to YAML 1.1.
		{"", "", "    image: '5:30'", "    image: '50:30'", "    image: 5:31", "", ""},
		{"", "", "    image: &image app:1.0", "    image: &image my/app:1.0", "    image: &image app:1.1", "", ""},
		{"", pod + "\n    args: [&app my/app:1.0]", "    image: app:1.0", "    image: *app", "    image: app:1.1", "", ""},
		{"", "", "    image: {{ .Values.image }}:1.0", "    image: my/{{ .Values.image }}:1.0", "    image: {{ .Values.image }}:1.1", "", ""},
		{"compose.yaml", compose, "    image: app:${TAG}", "    image: my/app:${TAG}", "    image: app:${TAG}-alpine", "", ""},
		// No rule declares that the field of a custom resource is an image.
		{"", "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  templates:\n  - name: web\n    container:", "      image: app:1.0", "      image: my/app:1.0", "      image: app:1.1", "", ""},
	} {
		row := mergetest.Row{Path: c.path, Head: cmp.Or(c.head, pod), Base: c.base, Ours: c.ours, Theirs: c.theirs}
		merged := ""
		if c.want != "" {
			merged = string(row.File(c.want))
		}
		res := checkRow(t, row, merged)
		want := "none\n"
		if c.combined != "" {
			want = c.combined + ": " + strings.Trim(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.want), "image:")), "'\"") + "\n"
		}
		if got := report("combined", res); got != want {
			t.Errorf("%s, %s: combined %s, want %s", c.ours, c.theirs, got, want)
		}
	}
}
