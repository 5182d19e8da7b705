package learn

import (
	"path"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
)

// A Place is where a rule counts: a field, as a team's file writes it, in resources
// of a kind or in files of a pattern.
type Place struct{ Kind, Files, Field string }

// String is a place for people.
func (p Place) String() string {
	switch {
	case p.Kind != "":
		return p.Field + " of " + p.Kind
	case strings.HasPrefix(p.Files, "/"):
		return p.Field + " of " + p.Files[1:]
	}
	return p.Field + " of every " + p.Files
}

// folder is the index of files in one folder among the widths.
const folder = 2

// widths are the places that a decision may be an example for, the widest first;
// false where there is none of that width.
var widths = []func(replay.Decision) (Place, bool){
	func(d replay.Decision) (Place, bool) {
		return Place{Kind: d.Resource, Field: d.Field}, d.Resource != ""
	},
	func(d replay.Decision) (Place, bool) {
		name := path.Base(d.Path)
		return Place{Files: name, Field: d.Field}, d.Resource == "" && plain(name)
	},
	func(d replay.Decision) (Place, bool) {
		dir, name := path.Split(d.Path)
		return Place{Files: "/" + dir + "*" + path.Ext(name), Field: d.Field}, dir != "" && plain(d.Path)
	},
	func(d replay.Decision) (Place, bool) {
		return Place{Files: "/" + d.Path, Field: d.Field}, plain(d.Path)
	},
}

// plain reports whether a path is a pattern that means itself.
func plain(p string) bool { return !strings.ContainsAny(p, "*?[]\\\"!# ") }
