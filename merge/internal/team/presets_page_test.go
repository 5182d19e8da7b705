package team

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/presets.md again")

// TestPresetsPage checks that docs/presets.md is what presetsPage makes of the presets. -update writes it.
func TestPresetsPage(t *testing.T) {
	const file = "../../../docs/presets.md"
	presets, err := os.ReadFile("../schema/presets.txt")
	if err != nil {
		t.Fatal(err)
	}
	page := presetsPage(string(presets))
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(file); err != nil || string(old) != page {
		t.Errorf("docs/presets.md is not up to date (%v); run go test ./merge/internal/team -run TestPresetsPage -update", err)
	}
	for _, n := range NamedPresets {
		if !strings.Contains(page, "`"+n.Name+"`") {
			t.Errorf("the preset %s is missing", n.Name)
		}
	}
}

// listWord matches a line of presets.txt about a list.
var listWord = regexp.MustCompile(`(?m)^\t(?:set|ordered|keys|until|match) `)

// presetsPage returns docs/presets.md: a table of NamedPresets, and the names of the presets with access fields and of
// those with rules for lists. presets is the text of presets.txt. The rules are not on the page, because they are too many
// to read: "rules show" prints those of a file.
func presetsPage(presets string) string {
	var b strings.Builder
	b.WriteString("# Presets\n\nPresets are rules that come with the program. A rule in the [team's file](rules.md#the-teams-file) has precedence over\n" +
		"all of them. You need this page only to look up a preset: `git merge-yaml rules show FILE` prints the rules of\nyour lists.\n\n" +
		"## Presets that decide values\n\nThese presets are off. Turn one on with `git merge-yaml rules add NAME`, " +
		"or with `extends: NAME` in the team's\nfile.\n\n| preset | effect |\n|---|---|\n")
	for _, n := range NamedPresets {
		fmt.Fprintf(&b, "| `%s` | %s |\n", n.Name, n.About)
	}
	b.WriteString("\n## Notation\n\nUse this notation under `access` and `units` in the team's file. [Access fields](how-it-merges.md#access-fields) grant\n" +
		"rights together:\n\n| notation | meaning |\n|---|---|\n" +
		"| `verbs` | each value of the field grants more |\n" +
		"| `resourceNames=*` | a mapping without the field grants everything |\n" +
		"| `-Condition` | the values of the field are excluded, so fewer values grant more |\n" +
		"| `FromPort..ToPort` | the two fields are the ends of a range |\n" +
		"| `server\\|name` | either field may be used: a cluster is written as its `server` or its `name` |\n" +
		"| `repository/` | only the text after the last slash counts |\n" +
		"\n## Presets that are always on\n\nThis command prints how the lists of a file are merged, and which preset says so:\n\n" +
		"<!-- run: manifest -->\n```sh\ngit merge-yaml rules show k8s/web.yaml\n```\n\n" +
		"The file [presets.txt](../merge/internal/schema/presets.txt) has the rules of all presets.\n")
	blocks := regexp.MustCompile(`(?m)^[^\t#\n].*\n(?:\t.*\n)+`).FindAllString(presets, -1)
	slices.SortFunc(blocks, func(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) })
	var lists, access []string
	for _, block := range blocks {
		name, rules, _ := strings.Cut(block, "\n")
		if strings.Contains(rules, "\taccess ") {
			access = append(access, strings.TrimPrefix(name, "access fields in "))
		}
		if !listWord.MatchString(rules) {
			continue
		}
		for l := range strings.Lines(rules) {
			if words := strings.Fields(l); words[0] == "files" || words[0] == "kinds" {
				name = fmt.Sprintf("**%s**: `%s`", name, strings.Join(words[1:], "`, `"))
			}
		}
		lists = append(lists, name)
	}
	fmt.Fprintf(&b, "\nThese presets know [access fields](how-it-merges.md#access-fields):\n%s.\n", strings.Join(access, ", "))
	fmt.Fprintf(&b, "\nThese presets know lists, in these files or Kubernetes kinds:\n\n- %s\n", strings.Join(lists, "\n- "))
	return b.String()
}
