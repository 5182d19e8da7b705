package git

import (
	"slices"
	"strings"
)

// Attributes returns the values of attributes for every path, in the order of
// paths, as git check-attr says them: unspecified, set, unset or a value.
func (g Git) Attributes(paths []string, names ...string) ([]map[string]string, error) {
	return g.attributes(paths, names)
}

// CachedAttributes are Attributes as the attributes files of the index say them.
func (g Git) CachedAttributes(paths []string, names ...string) ([]map[string]string, error) {
	return g.attributes(paths, names, "--cached")
}

func (g Git) attributes(paths, names []string, options ...string) ([]map[string]string, error) {
	in := strings.Join(paths, "\x00") + "\x00"
	if len(paths) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"check-attr", "-z", "--stdin"}, options, names)
	out, err := g.Feed([]byte(in), args...)
	if err != nil {
		return nil, err
	}
	return parseAttributes(out, len(paths), len(names))
}

// parseAttributes reads paths times names records of three: path, attribute
// and value.
func parseAttributes(out []byte, paths, names int) ([]map[string]string, error) {
	all := make([]map[string]string, 0, paths)
	var fields [3]string
	n := 0
	for r := range records(out) {
		fields[n%3] = r
		if n++; n%3 != 0 {
			continue
		}
		if (n/3-1)%names == 0 {
			all = append(all, make(map[string]string, names))
		}
		all[len(all)-1][fields[1]] = fields[2]
	}
	if len(all) != paths || n != 3*paths*names {
		return nil, errFormat
	}
	return all, nil
}
