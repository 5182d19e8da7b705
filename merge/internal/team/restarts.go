package team

import (
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// A Restart is a rule of the team for a counter that starts again with each new version:
//
//	package:
//	  version: 4.3.2
//	  epoch: 3       # restarts: {package.epoch: package.version}
//
// If one side has a new version and the other side only counted on, the merge has the counter of the side with the new
// version.
type Restart struct {
	// Counter is the path of the counter, as names from the root of the document.
	Counter []string
	// Versions are the paths of the versions. The counter starts again if one of them changes.
	Versions [][]string
	// By is the rule: the policy Restarts, and its place.
	By Decision
}

// HasRestarts reports whether the team's rules declare a counter that starts again with each new version, in an entry
// of the rules that applies to the file at path.
func (r *Rules) HasRestarts(path string) bool {
	return slices.ContainsFunc(r.team, func(e *entry) bool { return len(e.restarts) > 0 && e.SelectsFile(path) })
}

// RestartsAt returns the team's rules for counters that start again with each new version, as far as they are for the
// file and the kind at p. If there are several rules for one counter, it returns only the first.
func (r *Rules) RestartsAt(p schema.Place) (all []Restart) {
	for _, e := range r.selectionFor(p).team {
		for _, restart := range e.restarts {
			if !slices.ContainsFunc(all, func(other Restart) bool { return slices.Equal(restart.Counter, other.Counter) }) {
				all = append(all, restart)
			}
		}
	}
	return all
}

// readRestarts reads n, the value of the field restarts in the team's rules: a mapping from the path of a counter to
// the path of a version, or to a list of such paths. It records each mistake in rd, and leaves out a counter with a
// mistake.
//
//	restarts:
//	  package.epoch: package.version
//	  build.number: [source.url, source.sha256]
func (rd *reader) readRestarts(n *yaml.Node) (all []Restart) {
	rd.eachField(n, "restarts", func(key, value *yaml.Node) {
		errorsBefore := len(rd.errs)
		by := Decision{Policy: Restarts, Source: rd.sourceOf(key)}
		restart := Restart{Counter: rd.readNames(key), By: by}
		for _, c := range rd.uniqueStringNodes(value, "restarts") {
			restart.Versions = append(restart.Versions, rd.readNames(c))
		}
		if len(rd.errs) == errorsBefore {
			all = append(all, restart)
		}
	})
	return all
}

// readNames returns the names in the path of a single field, as written in n: [package epoch] for "package.epoch". It
// records an error in rd and returns nil if the path is invalid, is the root, or has a wildcard.
func (rd *reader) readNames(n *yaml.Node) (names []string) {
	p, ok := rd.readPath(n)
	if names, single := p.Names(); single || !ok {
		return names
	}
	rd.fail(n, "invalid path "+strconv.Quote(n.Value)+": restarts is for single fields", "expected names joined by dots, without *")
	return nil
}
