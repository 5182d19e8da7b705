package schema

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
)

func TestIsAscending(t *testing.T) {
	u, _, err := ParseUnit([]string{"a..b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mapping string
		want    bool
	}{
		{"{a: 10, b: 5}", false},
		{"{a: 10, b: 0}", false},
		{"{a: 10m, b: 5m}", false},
		{"{a: 1h, b: 5m}", false},
		{"{a: 0, b: 5m}", true},
		{"{a: 1Gi, b: 64Mi}", false},
		// the order of a number and of minutes is unknown
		{"{a: 10, b: 5m}", true},
		{"{a: 5m, b: -1}", true},
		{"{a: 1Gi, b: 5m}", true},
		// fields of resources are quantities
		{"{a: {cpu: 1}, b: {cpu: 500m}}", false},
		{"{a: {cpu: 500m}, b: {cpu: 1}}", true},
		{"{a: {cpu: 2}, b: {cpu: 3, cpu: 1}}", true}, // the first value of a repeated key
		{"{a: {cpu: 2}, b: {cpu: 1, cpu: 3}}", false},
	} {
		if got := u.isAscending(trees.Root(t, c.mapping).Entries); got != c.want {
			t.Errorf("%s: %v, want %v", c.mapping, got, c.want)
		}
	}
}
