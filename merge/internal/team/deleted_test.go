package team

import (
	"testing"
)

func TestDeletedPolicy(t *testing.T) {
	r, err := Parse("r.yaml", []byte(`rules:
  - files: [snap/keep.yaml]
    deleted: ask
  - name: snaps
    files: [snap/**]
    deleted: own
  - files: ["*.lock.yaml"]
    deleted: upstream
`), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, take, source string }{
		{"snap/keep.yaml", "ask", "r.yaml:3"},
		{"snap/a/b.lock.yaml", "own", "r.yaml:6, snaps"},
		{"a/b.lock.yaml", "upstream", "r.yaml:8"},
		{"a/b.yaml", "", ""},
	} {
		if d, ok := r.DeletedPolicy(c.path); string(d.Take) != c.take || d.Source != c.source || ok != (c.take != "") {
			t.Errorf("%s: %+v, %v", c.path, d, ok)
		}
	}
}
