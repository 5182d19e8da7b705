package team

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// Generated is a rule for files that a command generates from other files. This package only stores it, and merges do
// not use it; a caller may run the command after a merge.
type Generated struct {
	// Files are the patterns of the generated files, From the patterns of the files that they are generated from. If
	// From is empty, they are generated from all other files.
	Files, From []string
	By          string // the command, "" if the rule does not name it
	Source      string // file and line, for messages

	files, from []wildmatch.Glob
}

// Makes reports whether the file at path is one of the generated files.
func (g *Generated) Makes(path string) bool { return matchesAny(g.files, path) }

// Needs reports whether the generated files are generated from the file at path. A generated file is not one of their
// sources.
func (g *Generated) Needs(path string) bool {
	return !g.Makes(path) && (len(g.from) == 0 || matchesAny(g.from, path))
}

// Generated returns the rules for generated files, in the order of the team's file.
func (r *Rules) Generated() []*Generated {
	return r.generated
}

// matchesAny reports whether one of the patterns matches path.
func matchesAny(globs []wildmatch.Glob, path string) bool {
	return slices.ContainsFunc(globs, func(g wildmatch.Glob) bool { return g.Match(path) })
}
