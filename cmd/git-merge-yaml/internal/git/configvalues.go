package git

import "strings"

// A ConfigValue is a value that git's configuration has for a key.
type ConfigValue struct {
	Scope  string // system, global, local, worktree, command
	Origin string // file:PATH, or command line:
	Key    string
	Value  string
}

// ConfigValues returns the values of the keys that begin with prefix, from all
// scopes, in the order in which git reads them: the last one counts.
func (g Git) ConfigValues(prefix string) (all []ConfigValue, err error) {
	out, err := g.Run("config", "--show-scope", "--show-origin", "-z", "--get-regexp", "^"+strings.ReplaceAll(prefix, ".", `\.`))
	if ExitCode(err) == noValue {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var fields [3]string
	n := 0
	for r := range records(out) {
		if fields[n%3] = r; n%3 == 2 {
			key, value, _ := strings.Cut(r, "\n")
			all = append(all, ConfigValue{fields[0], fields[1], key, value})
		}
		n++
	}
	return all, nil
}
