package setup

import (
	"slices"
	"strings"
)

// checkBranches names the branches whose .gitattributes give no file to the driver: git takes
// the attributes of what is merged into, so what is merged into these is merged by lines, but
// for attributes of one's own.
func (d *doctor) checkBranches() {
	out, err := d.git.Run("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
	refs := slices.DeleteFunc(strings.Fields(string(out)), func(r string) bool { return strings.HasSuffix(r, "/HEAD") })
	if err != nil || len(refs) == 0 {
		d.ok("branches", "there are none")
		return
	}
	// It ends with 1 where no branch has a line.
	with, _ := d.git.Run(append(append([]string{"grep", "-l", "-e", "merge=yaml"}, refs...), "--", ":(top,glob)**/.gitattributes")...)
	armed := map[string]bool{}
	for line := range strings.Lines(string(with)) {
		ref, _, _ := strings.Cut(line, ":")
		armed[ref] = true
	}
	var without []string
	for _, r := range refs {
		if !armed[r] {
			without = append(without, strings.TrimPrefix(strings.TrimPrefix(r, "refs/heads/"), "refs/remotes/"))
		}
	}
	if len(without) == 0 {
		d.ok("branches", "the .gitattributes of all %d name the driver", len(refs))
		return
	}
	d.warning("branches", "merge into them a branch whose .gitattributes has the line, or "+d.self+" install in each clone",
		"%d of %d have no .gitattributes that names the driver, so git merges into them by lines in every clone that has no attributes of its own: %s",
		len(without), len(refs), strings.Join(without, ", "))
}
