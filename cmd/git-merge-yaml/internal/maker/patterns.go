package maker

import (
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// Patterns are patterns as in .gitattributes that match all of made and nothing of others:
// whole folders where a program makes all of them, and * for the folders in whose name alone
// they differ. None is for files that another one matches.
func Patterns(made, others []string) []string {
	var all []string
	for _, p := range made {
		if !slices.ContainsFunc(all, func(pattern string) bool { return matches(pattern, p) }) {
			all = append(all, widest(p, made, others))
		}
	}
	slices.Sort(all)
	all = joined(slices.Compact(all), others)
	return slices.DeleteFunc(slices.Clone(all), func(p string) bool {
		return slices.ContainsFunc(all, func(wider string) bool { return wider != p && matches(wider, p[1:]) })
	})
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

// joined puts a * where two patterns or more differ in one folder alone.
func joined(all, others []string) []string {
	for i := 0; i < len(all); i++ {
		parts := strings.Split(all[i], "/")
		for at := 1; at < len(parts)-1; at++ {
			star := strings.Join(append(append(slices.Clone(parts[:at]), "*"), parts[at+1:]...), "/")
			alike := func(p string) bool {
				other := strings.Split(p, "/")
				return len(other) == len(parts) && other[at] != "**" && strings.Join(slices.Replace(other, at, at+1, "*"), "/") == star
			}
			n := 0
			for _, p := range all {
				if alike(p) {
					n++
				}
			}
			if n > 1 && count(star, others) == 0 {
				all[i] = star
				all = slices.DeleteFunc(all, func(p string) bool { return p != star && alike(p) })
				i = -1
				break
			}
		}
	}
	return all
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
