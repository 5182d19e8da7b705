package read

import "testing"

// TestOpen checks the language in which versions are parsed, and which version cannot be parsed.
func TestOpen(t *testing.T) {
	const (
		commented = "// x\n{\"a\": 1}\n"
		guarded   = "# {{ if .x }}\na: 1\n# {{ end }}\n"
	)
	for _, c := range []struct {
		name     string
		versions []string
		want     Language
		bad      int // the version that cannot be parsed, -1 if all can be
	}{
		{"YAML", []string{"a: 1\n", "a: 2\n", ""}, YAML, -1},
		{"JSON that is YAML", []string{`{"a": 1}`, `{"a": 2}`}, YAML, -1},
		{"JSON with a comment", []string{`{"a": 1}`, commented, ""}, JSON, -1},
		{"JSON with a comment, and YAML", []string{"a: 1\n", commented}, YAML, 1},
		{"an action", []string{"a: 1\n", "b: {{ .b }}-x\n"}, Template, -1},
		{"an action, and no YAML", []string{"a: [\n", "b: {{ .b }}-x\n"}, Template, 0},
		{"an action in a value that is YAML", []string{"a: x-{{ .b }}\n"}, YAML, -1},
		{"a block in comments", []string{"a: 1\n", guarded}, Template, -1},
		{"a block in comments, and one that is not closed", []string{"# {{ if .y }}\na: 1\n", guarded}, YAML, -1},
		{"a block in comments around no entry", []string{"a: 1\n# {{ if .x }}\n# {{ end }}\n"}, YAML, -1},
		{"no YAML", []string{"a: 1\n", "a: [\n"}, YAML, 1},
	} {
		var versions [][]byte
		for _, v := range c.versions {
			versions = append(versions, []byte(v))
		}
		language, files, err := Open(versions...)
		bad := -1
		if err != nil {
			bad = len(files)
		}
		if language != c.want || bad != c.bad || bad < 0 && len(files) != len(versions) {
			t.Errorf("%s: language %v, %d files, %v", c.name, language, len(files), err)
		}
		for i, f := range files {
			if (f.Template != nil) != (language == Template) || string(f.File.Bytes()) != c.versions[i] {
				t.Errorf("%s: %q as a template: %v", c.name, f.File.Bytes(), f.Template != nil)
			}
		}
	}
}

// TestLanguageOpen checks that a file is parsed in the given language, and that a template with an open block is accepted.
func TestLanguageOpen(t *testing.T) {
	if _, err := YAML.Open([]byte("// x\n{\"a\": 1}\n")); err == nil {
		t.Error("a comment of JSON is no YAML")
	}
	if f, err := JSON.Open([]byte("// x\n{\"a\": 1}\n")); err != nil || f.Masked == nil {
		t.Error(err)
	}
	if _, err := JSON.Open([]byte("a: 1\n")); err == nil {
		t.Error("YAML is not JSON")
	}
	if f, err := Template.Open([]byte("{{ if .x }}\na: 1\n")); err != nil || f.Template.NestingError() == nil {
		t.Error(err)
	}
}
