package bump

import "testing"

// TestMergePackagesOfList checks that the items of a list at the root of a file are not merged as packages.
func TestMergePackagesOfList(t *testing.T) {
	list := func(version string) []byte {
		return []byte("- name: a\n  version: " + version + "\n- name: b\n  version: 1.0.0\n")
	}
	raw := [3][]byte{list("1.0.0"), list("1.1.0"), list("1.2.0")}
	got, choices := MergePackages(raw, "yarn.lock")
	for s := range raw {
		if string(got[s]) != string(raw[s]) || choices != nil {
			t.Errorf("%s, with the choices %v", got[s], choices)
		}
	}
}
