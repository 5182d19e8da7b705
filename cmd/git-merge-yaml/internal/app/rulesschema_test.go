package app

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// compileRulesSchema returns the schema that rules schema prints.
func compileRulesSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var out, errs bytes.Buffer
	if code := (&App{Stdout: &out, Stderr: &errs}).Run([]string{"rules", "schema"}); code != exitClean {
		t.Fatal(&errs)
	}
	document, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("rules.schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("rules.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validateYAML validates a YAML file by a schema, as an editor does.
func validateYAML(s *jsonschema.Schema, file string) error {
	var data any
	if err := yaml.Unmarshal([]byte(file), &data); err != nil {
		return err
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// teamFiles returns the team's files in the documents and the test cases, by where they are.
func teamFiles(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..")
	all := map[string]string{}
	block := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
	isTeamFile := regexp.MustCompile(`(?m)^(requires|rules|extends|generated|crds):`)
	for _, folder := range []string{"docs", "testdata"} {
		if err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			switch filepath.Ext(path) {
			case ".md":
				for i, m := range block.FindAllStringSubmatch(string(text), -1) {
					if isTeamFile.MatchString(m[1]) {
						all[fmt.Sprintf("%s, block %d", path, i)] = m[1]
					}
				}
			case ".txtar":
				for _, f := range txtar.Parse(text).Files {
					if f.Name == "rules" || strings.HasSuffix(f.Name, ".git-merge-yaml.yaml") {
						all[path+", "+f.Name] = string(f.Data)
					}
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestRulesSchema checks that the schema of the team's file accepts every file of the documents and the test cases that
// the program accepts.
func TestRulesSchema(t *testing.T) {
	s := compileRulesSchema(t)
	accepted := 0
	for where, file := range teamFiles(t) {
		if err := parseRules(file); err != nil {
			continue
		}
		accepted++
		if err := validateYAML(s, file); err != nil {
			t.Errorf("%s: %v\n%s", where, err, file)
		}
	}
	if accepted < 100 {
		t.Errorf("found only %d files", accepted)
	}
	for _, p := range program.Presets() {
		if err := validateYAML(s, "extends: "+p.Name); err != nil {
			t.Error(err)
		}
	}
}

// TestRulesSchemaRejects checks that the schema rejects mistakes that an editor can show while the file is written.
func TestRulesSchemaRejects(t *testing.T) {
	s := compileRulesSchema(t)
	for _, file := range []string{
		"[]", "rule: []", "requires: 0.1", "requires: latest", "crds: {a: b}", "extends: helmet", "extends: [helm, helm]", "rules: {}", "rules: [a]",
		"rules: [{list: {a: set}}]", "rules: [{files: a}]", "rules: [{files: ['!a'], lists: {a: set}}]", "rules: [{files: [a/], lists: {a: set}}]",
		"rules: [{files: [], lists: {a: set}}]", "rules: [{kinds: apps/v1/Deployment, lists: {a: set}}]", "rules: [{lists: [a]}]",
		"rules: [{lists: {a: sorted}}]", "rules: [{lists: {a: map}}]", "rules: [{lists: {a: [name]}}]", "rules: [{lists: {a: {keys: []}}}]",
		"rules: [{lists: {a: {keys: [b], separators: ['=']}}}]", "rules: [{lists: {a: {keys: [b], after: x}}}]", "rules: [{lists: {a: {separators: ['']}}}]",
		"rules: [{lists: {a: {keys: [a.*]}}}]", "rules: [{fields: {a: newest}}]", "rules: [{fields: {a: [ours]}}]", "rules: [{access: {a: [b]}}]",
		"rules: [{oneOf: {a: [b]}}]", "rules: [{units: {a: [b]}}]", "rules: [{units: {a: [b, b]}}]", "rules: [{images: {a: b}}]", "rules: [{deleted: own}]", "rules: [{files: a, kinds: B, deleted: own}]",
		"rules: [{files: a, deleted: ours}]", "generated: a", "generated: [{by: x}]", "generated: [{files: a, command: x}]",
	} {
		if err := parseRules(file); err == nil {
			t.Errorf("%s: the program accepts it", file)
		}
		if validateYAML(s, file) == nil {
			t.Errorf("%s: the schema accepts it", file)
		}
	}
}

// TestRulesSchemaIsInDocs checks that docs/rules.schema.json, which editors read, is the schema of the program.
func TestRulesSchemaIsInDocs(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "rules.schema.json"))
	if err != nil || !bytes.Equal(docs, rulesSchema) {
		t.Errorf("docs/rules.schema.json is not cmd/git-merge-yaml/internal/app/rules.schema.json; copy the latter there (%v)", err)
	}
}

// parseRules returns the mistakes in a team's file.
func parseRules(file string) error {
	rules, err := merge.ParseRules("f", []byte(file), "")
	return cmp.Or(err, rules.Mistakes())
}
