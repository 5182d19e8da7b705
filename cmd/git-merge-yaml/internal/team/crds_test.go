package team

import (
	"slices"
	"testing"
)

func TestSearched(t *testing.T) {
	for _, c := range []struct{ patterns, want []string }{
		{[]string{"config/crd/bases/*.yaml"}, []string{"config/crd/bases"}},
		{[]string{"/crds/x.yaml"}, []string{"crds"}},
		{[]string{"crd.yaml"}, []string{"."}},
		{[]string{"**/crds/*.yaml"}, []string{"."}},
		{[]string{"a/b*/c.yaml", "a/c/*.yaml", "d/**"}, []string{"a", "d"}},
		{[]string{"a/*.yaml", "ab/*.yaml"}, []string{"a", "ab"}},
		{[]string{`a/\*/x.yaml`}, []string{"a"}},
	} {
		if got := searched(c.patterns); !slices.Equal(got, c.want) {
			t.Errorf("%q: searched in %q, want %q", c.patterns, got, c.want)
		}
	}
}
