package history

import "testing"

func TestPathspec(t *testing.T) {
	for _, c := range []struct {
		prefix string
		specs  []string
		path   string
		want   bool
	}{
		{"", nil, "a/b.yaml", true},
		{"", []string{"a"}, "a/b.yaml", true},
		{"", []string{"a/"}, "a/b.yaml", true},
		{"", []string{"a"}, "ab.yaml", false},
		{"", []string{"a/b.yaml"}, "a/b.yaml", true},
		{"", []string{"*.yaml"}, "a/b.yaml", true},
		{"", []string{"a/*.yaml"}, "a/b/c.yaml", true},
		{"", []string{"b.yaml"}, "a/b.yaml", false},
		{"a/", []string{"b.yaml"}, "a/b.yaml", true},
		{"a/", []string{"."}, "a/b.yaml", true},
		{"a/", []string{"."}, "b.yaml", false},
		{"a/", []string{"../b.yaml"}, "b.yaml", true},
		{"a/", []string{":/b.yaml"}, "b.yaml", true},
		{"", []string{":!a"}, "a/b.yaml", false},
		{"", []string{":!a"}, "b.yaml", true},
		{"", []string{"a", ":!/a/b"}, "a/b/c.yaml", false},
		{"", []string{"[a-c].yaml"}, "b.yaml", true},
		{"", []string{"[!a-c].yaml"}, "b.yaml", false},
		{"", []string{`\*.yaml`}, "*.yaml", true},
		{"", []string{"?.yaml"}, "b.yaml", true},
	} {
		p, err := ParsePathspec(c.prefix, c.specs...)
		if got := p.Match(c.path); got != c.want || err != nil {
			t.Errorf("%q %q: %v, %v for %s", c.prefix, c.specs, got, err, c.path)
		}
	}
	for _, c := range []struct {
		spec, path string
		want       bool
	}{
		{"*.json", "a/b.json", true}, {"*.json", "a/b.yaml", false}, {"a", "a/b.json", false}, {".", "b.json", false},
		{"a", "a/b.yaml", true}, {"a/b.json", "a/b.json", true}, {"*", "b.json", false},
	} {
		p, err := ParsePathspec("", c.spec)
		if got := p.Selects(c.path); got != c.want || err != nil {
			t.Errorf("%q: %v, %v for %s", c.spec, got, err, c.path)
		}
	}
	if _, err := ParsePathspec("", ":(glob)a"); err == nil {
		t.Error("no error for what is not known")
	}
}
