package engine

import (
	"fmt"
	"slices"
	"testing"
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
