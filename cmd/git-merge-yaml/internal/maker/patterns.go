package maker

import (
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// Patterns are patterns as in .gitattributes that match all of made and nothing of others:
// whole folders where a program makes all of them, else each file.
func Patterns(made, others []string) []string {
	var all []string
	for _, p := range made {
		if !slices.ContainsFunc(all, func(pattern string) bool { return matches(pattern, p) }) {
			all = append(all, widest(p, made, others))
		}
	}
	slices.Sort(all)
	return all
}

// widest is the pattern of the uppermost folder around p below which nothing else is, or
// that of p alone.
func widest(p string, made, others []string) string {
	pattern := "/" + literal(p)
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		wider := "/" + literal(dir) + "/**"
		if count(wider, others) > 0 {
			break
		}
		if count(wider, made) > 1 {
			pattern = wider
		}
	}
	return pattern
}

func count(pattern string, paths []string) (n int) {
	for _, p := range paths {
		if matches(pattern, p) {
			n++
		}
	}
	return n
}

func matches(pattern, p string) bool {
	return wildmatch.MatchPath(strings.Split(strings.TrimPrefix(pattern, "/"), "/"), strings.Split(p, "/"))
}

// literal is a path as a pattern that matches nothing else.
func literal(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}
