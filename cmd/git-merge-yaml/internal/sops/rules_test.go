package sops

import "testing"

// TestRules holds which files a .sops.yaml names.
func TestRules(t *testing.T) {
	rules, err := ReadRules([]byte("creation_rules:\n- path_regex: ^secrets/.*\\.enc\\.yaml$\n  age: x\n- age: y\n- path_regex: below\n"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"secrets/a.enc.yaml": true, "secrets/a.yaml": false, "x/secrets/a.enc.yaml": false, "below": false} {
		if rules.Name(path) != want {
			t.Errorf("%s: not %v", path, want)
		}
	}
	for _, config := range []string{"creation_rules:\n- path_regex: (\n", "creation_rules: [\n"} {
		if _, err := ReadRules([]byte(config)); err == nil {
			t.Errorf("no error: %s", config)
		}
	}
}
