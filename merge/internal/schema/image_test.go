package schema

import (
	_ "embed"
	"strings"
	"testing"
)

// imageRows lists all image references that the documentation of Kubernetes' types mentions: type, field, resource and
// path. Package gen generates it.
//
//go:embed testdata/images.tsv
var imageRows string

func TestImageRows(t *testing.T) {
	n := 0
	for line := range strings.Lines(imageRows) {
		n++
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !BuiltinFor(place(c[2], "")).IsImage(place(c[2], c[3]+"."+c[1])) {
			t.Errorf("%s.%s at %s %s is no image", c[0], c[1], c[2], c[3])
		}
	}
	if n != 3 {
		t.Errorf("%d rows", n)
	}
}

func TestImageIsNotAList(t *testing.T) {
	if l, ok := declared(place("v1 Pod", "spec.containers.*.image")); ok {
		t.Errorf("an image is a list: %v", l)
	}
}
