package merge

import "testing"

// TestNoRules checks that nil Rules refuse custom resource definitions, that zero Rules refuse an invalid definition
// and are otherwise empty, and that a merge works with zero Rules.
func TestNoRules(t *testing.T) {
	var none *Rules
	if none.AddCRD("crd", nil) == nil || none.SetCRDReader(nil) == nil {
		t.Error("nil Rules learned of CRDs")
	}
	var zero Rules
	if err := zero.AddCRD("crd", []byte("a: [")); err == nil {
		t.Error("a broken CRD was taken")
	}
	if len(zero.CRDs()) > 0 || zero.IsCRD("a.yaml") {
		t.Error("zero Rules say something")
	}
	res, err := Merge([]byte("a: 1\n"), []byte("a: 2\n"), []byte("a: 3\n"), Options{Rules: new(Rules)})
	if err != nil || len(res.Conflicts) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}
