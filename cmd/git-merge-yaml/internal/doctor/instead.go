package doctor

import (
	"os"
	"regexp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// instead is a rule for a group's files that does by field what an attribute does to
// their lines; when says what for.
func (d *doctor) instead(g *group, p team.Policy, when string) string {
	p.Files = nil
	for _, path := range g.paths[:min(3, len(g.paths))] {
		p.Files = append(p.Files, "/"+path)
	}
	line, err := p.Line()
	if err != nil {
		return ""
	}
	return "; " + when + ", have in the rules of " + team.File + ": " + line
}

// unions is the rule for the lists of a group's files of which both sides' items are to
// stay: those that have no keys.
func (d *doctor) unions(g *group) string {
	var fields []string
	item := regexp.MustCompile(`\[[^\]]*\]`)
	for _, path := range g.paths[:min(3, len(g.paths))] {
		data, err := os.ReadFile(d.tree.File(path))
		if err != nil {
			continue
		}
		lists, _ := merge.Lists(data, merge.FileOptions{Path: path})
		for _, l := range lists {
			field := item.ReplaceAllString(l.Path, "[*]")
			if l.Kind == merge.ListOrdered && field != "" && !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return d.instead(g, team.Policy{Field: fields[0], More: fields[1:min(3, len(fields))], Take: merge.TakeBoth},
		"where both sides' items of a list are to stay")
}
