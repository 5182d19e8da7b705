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

// presetWords has a description for each keyword of presets.txt. The first argument of some keywords replaces %s.
var presetWords = map[string]string{
	"set": "set:", "ordered": "ordered:", "keys": "map by %s:", "until": "map by the text %s:", "match": "map by %s:", "images": "images:",
}

// presetsOmitted are the keywords of presets.txt that the page leaves out. If such a rule makes a conflict, its message
// has the fields.
var presetsOmitted = []string{"access", "unit", "oneOf", "unique", "reference", "names", "distinct"}

// presetsPage returns docs/presets.md: a list for each preset of presets, the text of presets.txt, in the order of the
// names, and a table of NamedPresets. It leaves out the rules of presetsOmitted, but names the presets that have access
// fields.
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
		"\n## Presets that are always on\n\nThese presets know lists and images. They are in alphabetical order, with the files or kinds that they are for. The paths\n" +
		"are those of [rules](rules.md#the-teams-file). In the key of a map, `namespace=` means that an item without the field\n" +
		"has the empty value, and `alias|name` means that the key is the alias, or the name if there is no alias.\n\n" +
		"Other presets know access fields, fields that [belong together](how-it-merges.md#fields-that-belong-together), and\n" +
		"fields that exclude each other. The file [presets.txt](../merge/internal/schema/presets.txt) has them all. These presets\n" +
		"know access fields:\n")
	code := func(words ...string) string {
		return "`" + strings.Join(words, "`, `") + "`"
	}
	blocks := regexp.MustCompile(`(?m)^[^\t#\n].*\n(?:\t.*\n)+`).FindAllString(presets, -1)
	slices.SortFunc(blocks, func(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) })
	var named []string // presets with access fields
	for _, block := range blocks {
		if name, rules, _ := strings.Cut(block, "\n"); strings.Contains(rules, "\taccess ") {
			named = append(named, strings.TrimPrefix(name, "access fields in "))
		}
	}
	fmt.Fprintf(&b, "%s.\n", strings.Join(named, ", "))
	for _, block := range blocks {
		lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
		scope, rules := "all files", []string(nil)
		for _, l := range lines[1:] {
			words := strings.Fields(l)
			switch word, args := words[0], words[1:]; {
			case word == "files" || word == "kinds":
				scope = code(args...)
			case word[0] == '#' || slices.Contains(presetsOmitted, word):
			case strings.Contains(presetWords[word], "%s"):
				first := code(args[0])
				switch word {
				case "until":
					chars, after, _ := strings.Cut(args[0], ",")
					first = "before " + code(chars)
					if len(chars) > 1 {
						first = "before one of " + code(chars)
					}
					if after != "" {
						first = "after " + code(after) + " and " + first
					}
				case "match": // a regular expression and a key
					first, args = code(args[1])+", or for strings by the groups of "+code(args[0]), args[1:]
				}
				rules = append(rules, fmt.Sprintf(presetWords[word], first)+" "+code(args[1:]...))
			case presetWords[word] != "":
				rules = append(rules, presetWords[word]+" "+code(args...))
			default:
				rules = append(rules, word+" "+code(args...))
			}
		}
		if rules != nil {
			fmt.Fprintf(&b, "\n**%s** (%s):\n\n- %s\n", lines[0], scope, strings.Join(rules, "\n- "))
		}
	}
	return b.String()
}
