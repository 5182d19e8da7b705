package schema

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// A glob is a pattern of file names as in .gitattributes. Without a slash it
// matches the last element of a path; with one, the whole path from the top
// of the work tree. Its elements are those of package wildmatch; `**` between slashes matches any
// number of directories.
type glob struct {
	segments []string
	base     bool // matches the last element of a path alone
}

// errGlob is what is wrong with a pattern that can never match what it seems to.
type errGlob string

func (e errGlob) Error() string { return string(e) }

// parseGlob reads a pattern. Its errors say what is wrong.
func parseGlob(s string) (glob, error) {
	switch {
	case s == "":
		return glob{}, errGlob("an empty pattern matches nothing")
	case strings.HasPrefix(s, "!"):
		return glob{}, errGlob("a pattern cannot be negated")
	case strings.HasSuffix(s, "/"):
		return glob{}, errGlob("a directory matches no file; for all below it write " + s + "**")
	}
	g := glob{base: !strings.Contains(s, "/")}
	g.segments = strings.Split(strings.TrimPrefix(s, "/"), "/")
	for i, seg := range g.segments {
		if err := checkSegment(seg); err != nil {
			return glob{}, err
		}
		switch stars := strings.Contains(seg, "**"); {
		case stars && !g.base && strings.Trim(seg, "*") != "":
			// git itself is of two minds: x**/a matches xa, y/x**/a not y/xa.
			return glob{}, errGlob("** has to be alone between slashes")
		case stars && !g.base:
			g.segments[i] = "**"
		}
	}
	return g, nil
}

// checkSegment refuses what would match nothing, or something outside the work tree.
func checkSegment(seg string) error {
	switch seg {
	case "":
		return errGlob("two slashes in a row match nothing")
	case ".", "..":
		return errGlob("paths start at the top of the work tree and never leave it")
	}
	if err := wildmatch.Check(seg); err != nil {
		return errGlob(err.Error())
	}
	return nil
}

// match reports whether the slash-separated path matches.
func (g glob) match(path string) bool {
	if g.base {
		return wildmatch.Match(g.segments[0], path[strings.LastIndexByte(path, '/')+1:])
	}
	return wildmatch.MatchPath(g.segments, strings.Split(path, "/"))
}
