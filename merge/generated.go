package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"

// Generated says of some files that a program makes them: a merge of such a file is right
// only if it is what the program makes of the merged sources. Merge does not ask for it.
type Generated struct {
	// Files are the patterns of the files, From those of what they are made from; none is all
	// other files.
	Files, From []string
	By          string // the command, "" if the rules do not say it
	Source      string // file and line, for people

	rule *schema.Generated
}

// Generated are what the team's file says of files that a program makes, in its order.
func (r *Rules) Generated() (all []Generated) {
	for _, g := range r.known().Generated() {
		all = append(all, Generated{g.Files, g.From, g.By, g.Source, g})
	}
	return all
}

// Makes reports whether the file at path, slash separated from the top of the work tree,
// is one of Files.
func (g Generated) Makes(path string) bool { return g.rule.Makes(path) }

// Needs reports whether the file at path is one that Files are made from.
func (g Generated) Needs(path string) bool { return g.rule.Needs(path) }
