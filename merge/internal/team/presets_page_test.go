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

// joinEndings returns the patterns, with one such as *.{yml,yaml} in place of two that follow each other and differ only
// in these endings.
func joinEndings(patterns []string) (out []string) {
	for _, p := range patterns {
		base, isYAML := strings.CutSuffix(p, ".yaml")
		if n := len(out); isYAML && n > 0 && out[n-1] == base+".yml" {
			out[n-1] = base + ".{yml,yaml}"
			continue
		}
		out = append(out, p)
	}
	return out
}

// presetsPage returns docs/presets.md: a table of NamedPresets, and the presets with rules for lists. presets is the
// text of presets.txt. The rules are not on the page, because they are too many
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
	b.WriteString("\n## Notation\n\nUse this notation for the fields under `access` and `units` in the team's file:\n\n| notation | under | meaning |\n|---|---|---|\n" +
		"| `verbs` | `access` | each value of the field grants more |\n" +
		"| `resourceNames=*` | `access` | without the field, everything is granted |\n" +
		"| `-except` | `access` | the field excludes values, so fewer values grant more |\n" +
		"| `server\\|name` | `access` | the two fields count as one field |\n" +
		"| `\"name?email\"` | `access` | only the first of these fields that an item has counts; the quotes are needed |\n" +
		"| `FromPort..ToPort` | both | the two fields are the ends of a range |\n" +
		"| `protocol=TCP` | `units` | a missing field has this value |\n" +
		"| `repository/` | `units` | only the text after the last slash of the value counts, as `app` in `example.com/app` |\n" +
		"\nFor example:\n\n```yaml\nrules:\n  - access:\n      destinations.*: [server|name, namespace]\n      \"**.ipBlock\": [cidr, -except]\n" +
		"    units:\n      image: [repository/, tag] # one side can change the registry, the other one the tag\n```\n" +
		"\n## Presets that are always on\n\nThe file [presets.txt](../merge/internal/schema/presets.txt) has the rules of all presets, also those for [access\n" +
		"fields](how-it-merges.md#access-fields), units and images.\n")
	blocks := regexp.MustCompile(`(?m)^[^\t#\n].*\n(?:\t.*\n)+`).FindAllString(presets, -1)
	slices.SortFunc(blocks, func(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) })
	var lists []string
	for _, block := range blocks {
		name, rules, _ := strings.Cut(block, "\n")
		if !listWord.MatchString(rules) {
			continue
		}
		for l := range strings.Lines(rules) {
			if words := strings.Fields(l); words[0] == "files" || words[0] == "kinds" {
				name = fmt.Sprintf("**%s**: `%s`", name, strings.Join(joinEndings(words[1:]), "`, `"))
			}
		}
		lists = append(lists, name)
	}
	fmt.Fprintf(&b, "\nThese presets know lists, in these files or Kubernetes kinds (`{yml,yaml}` means one of the two endings):\n\n- %s\n", strings.Join(lists, "\n- "))
	return b.String()
}
