package features

import "testing"

func TestRead(t *testing.T) {
	all, err := Read("../../../testdata/features")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 250 {
		t.Errorf("%d features, fewer than 250", len(all))
	}
	names, data := map[string]bool{}, map[string]string{}
	for _, f := range all {
		name := f.Topic + ": " + f.Name
		if names[name] {
			t.Errorf("%s is a duplicate", name)
		}
		if other := data[string(f.Data)]; other != "" {
			t.Errorf("%s has the same data as %s", name, other)
		}
		names[name], data[string(f.Data)] = true, name
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		"a: 1\n":         "a: 1\n",
		"a⟨0d⟩\n⟨00 ff⟩": "a\r\n\x00\xff",
	} {
		if got, err := unescape(in); err != nil || got != want {
			t.Errorf("unescape(%q) = %q, %v", in, got, err)
		}
	}
	if _, err := unescape("⟨0⟩"); err == nil {
		t.Error("half a byte is accepted")
	}
}
