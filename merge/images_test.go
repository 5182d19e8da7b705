package merge

import (
	"fmt"
	"slices"
	"testing"
)

// An imageRef is a reference in the parts that merge, and how it is quoted.
type imageRef struct{ name, version, quote string }

func (r imageRef) String() string { return r.quote + r.name + r.version + r.quote }

// imageNames, imageVersions and imageQuotes are what the versions of a reference
// may have: no two names are one as text, nor two versions.
var (
	imageNames    = []string{"app", "my/app", "h.example.com:5000/team/app"}
	imageVersions = []string{"", ":1.0", "@sha256:0a1b"}
	imageQuotes   = []string{"", `"`}
)

// eachImage calls f with every reference, in order.
func eachImage(f func(imageRef)) {
	for _, name := range imageNames {
		for _, version := range imageVersions {
			for _, quote := range imageQuotes {
				f(imageRef{name, version, quote})
			}
		}
	}
}

// part is what the merge of three versions of a part is; it reports false where
// both changed it differently.
func part(o, d, u string) (string, bool) {
	if d == o {
		return u, true
	}
	return d, d == u || u == o
}

// imageAnswer is the merge of three references, by their parts.
func imageAnswer(o, d, u imageRef) (imageRef, bool) {
	name, named := part(o.name, d.name, u.name)
	version, versioned := part(o.version, d.version, u.version)
	quote, _ := part(o.quote, d.quote, u.quote)
	return imageRef{name, version, quote}, named && versioned
}

// TestImagesMerge merges every reference with every two others in a field that is an
// image, and some in one that is none: where both sides changed the reference, the
// answer is known without merging.
func TestImagesMerge(t *testing.T) {
	const pod = "apiVersion: v1\nkind: %s\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web\n    image: %s\n"
	var refs []imageRef
	eachImage(func(r imageRef) { refs = append(refs, r) })
	merged, inConflict := 0, 0
	for i, o := range refs {
		for j, d := range refs {
			for k, u := range refs {
				if sameImage(o, d) || sameImage(o, u) || sameImage(d, u) {
					continue // one change, or form
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
				case kind != "Pod" && res.Clean(): // one side's edits, word by word, hold the other's
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

func sameImage(a, b imageRef) bool { return a.name == b.name && a.version == b.version }
