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
	if p.Field == Everywhere {
		p.Field = "all"
	}
	switch {
	case p.Kind != "":
		return p.Field + " of " + p.Kind
	case strings.HasPrefix(p.Files, "/"):
		return p.Field + " of " + p.Files[1:]
	}
	return p.Field + " of every " + p.Files
}

// Everywhere is the field of a place that is all of a file.
const Everywhere = "**"

// A width is a place that a decision may be an example for; false where it has none of
// that width.
type width func(replay.Decision) (Place, bool)

// folder is the index of files in one folder among the widths.
const folder = 2

// widths are those of one field, the widest first.
var widths = []width{
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

// whole are the widths of files with all of their fields: those of one name, those in one
// folder, one alone.
var whole = []width{everywhere(widths[1]), everywhere(widths[folder]), everywhere(widths[3])}

func everywhere(w width) width {
	return func(d replay.Decision) (Place, bool) {
		d.Resource = ""
		p, ok := w(d)
		p.Field = Everywhere
		return p, ok
	}
}

// plain reports whether a path is a pattern that means itself.
func plain(p string) bool { return !strings.ContainsAny(p, "*?[]\\\"!# ") }
