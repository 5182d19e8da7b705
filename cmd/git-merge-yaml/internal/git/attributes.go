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
	if len(paths) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"check-attr", "-z", "--stdin"}, options, names)
	out, err := g.Feed([]byte(strings.Join(paths, "\x00")+"\x00"), args...)
	if err != nil {
		return nil, err
	}
	return parseAttributes(out, len(paths), len(names))
}

// parseAttributes reads paths times names records of three: path, attribute
// and value.
func parseAttributes(out []byte, paths, names int) (all []map[string]string, err error) {
	said, err := tuples(out, 3)
	if err == nil && len(said) != paths*names {
		err = errFormat
	}
	for of := range slices.Chunk(said, names) {
		values := map[string]string{}
		for _, s := range of {
			values[s[1]] = s[2]
		}
		all = append(all, values)
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}
