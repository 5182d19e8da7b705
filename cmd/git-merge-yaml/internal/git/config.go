package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Scope is one of git's configuration files.
type Scope string

// The scopes that a user writes.
const (
	Global Scope = "global" // of the user
	Local  Scope = "local"  // of a repository, with all its work trees
)

// noValue is git config's exit code for a key that is not set.
const noValue = 1

// Config returns the value of key in scope, "" if it is not set there.
func (g Git) Config(scope Scope, key string) (string, error) {
	value, err := g.Line("config", "--"+string(scope), "--get", key)
	if ExitCode(err) == noValue {
		return "", nil
	}
	return value, err
}

// IsTrue reports whether git reads the value of a setting as true.
func IsTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}

// SetConfig sets key to value in scope, in place of all values that it has.
func (g Git) SetConfig(scope Scope, key, value string) error {
	_, err := g.Run("config", "--"+string(scope), "--replace-all", key, value)
	return err
}

// UnsetConfig removes key from scope, and the section's header with the last key.
func (g Git) UnsetConfig(scope Scope, key string) error {
	_, err := g.Run("config", "--"+string(scope), "--unset-all", key)
	return err
}

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
	said, bad := tuples(out, 3)
	for _, s := range said {
		key, value, _ := strings.Cut(s[2], "\n")
		all = append(all, ConfigValue{s[0], s[1], key, value})
	}
	return all, errors.Join(err, bad)
}

// outside makes git look at no repository: only the configuration of user and
// system counts. The path has to be there: git looks it up for what the configuration
// includes only for some repositories.
func (g Git) outside() Git { return g.with("GIT_DIR=" + os.DevNull) }

// GlobalAttributes returns the path of the user's attributes file, which need
// not exist.
func (g Git) GlobalAttributes() (string, error) {
	path, err := g.outside().Line("config", "--path", "--get", "core.attributesFile")
	if err == nil && path != "" {
		return path, nil
	}
	if err != nil && ExitCode(err) != noValue {
		return "", err
	}
	if xdg := os.Getenv("XDG_CONFIG_HOME"); xdg != "" {
		return filepath.Join(xdg, "git", "attributes"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".config", "git", "attributes"), err
}

// Why git can do nothing where it runs.
var (
	ErrNoRepository = errors.New("not in a git repository")
	ErrNotOwned     = errors.New("the repository belongs to somebody else")
)

// Explain returns ErrNoRepository or ErrNotOwned, with what git said, if that is why a run
// of git failed; else err.
func Explain(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.ExitCode != fatal {
		return err
	}
	g := e.git
	g.Context = nil // it may be over
	if _, fails := g.Line("rev-parse", "--git-dir"); fails == nil {
		return err
	}
	if _, fails := g.Line("-c", "safe.directory=*", "rev-parse", "--git-dir"); fails == nil {
		return fmt.Errorf("%w: %w", ErrNotOwned, err)
	}
	if _, unset := g.Run("config", "--get", "no.such"); ExitCode(unset) == noValue { // git can read its configuration
		return ErrNoRepository
	}
	return err
}

// fatal is git's exit code for what it dies of.
const fatal = 128

// TrackedAttributes returns the path of the .gitattributes file at the top of
// the work tree, which need not exist.
func (g Git) TrackedAttributes() (string, error) {
	top, err := g.Line("rev-parse", "--show-toplevel")
	return filepath.Join(top, ".gitattributes"), err
}

// InfoAttributes returns the path of the repository's own attributes file,
// which is not versioned and need not exist.
func (g Git) InfoAttributes() (string, error) {
	path, err := g.Line("rev-parse", "--git-path", "info/attributes")
	return filepath.FromSlash(path), err
}

// Which returns the path that name has for sh as git runs it, "" if it has none.
func (g Git) Which(name string) string {
	path, _ := g.outside().Line("-c", "alias.which-program=!command -v "+name, "which-program")
	return path
}
