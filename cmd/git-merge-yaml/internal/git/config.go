package git

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
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

// CanSetConfig returns why git must not be asked to set a key in scope: there is no file for it, or git would put a regular file in
// the place of what is there, as of a device.
func (g Git) CanSetConfig(scope Scope) error {
	var files []string
	switch named := os.Getenv("GIT_CONFIG_GLOBAL"); {
	case scope == Local:
		file, err := g.Line("rev-parse", "--git-path", "config")
		if err != nil {
			return Explain(err)
		}
		files = []string{file}
	case named != "":
		files = []string{named}
	default:
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("there is no file for git config --global: %w; set it, or use --local", err)
		}
		files = []string{filepath.Join(home, ".gitconfig"), filepath.Join(cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config")}
	}
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = filepath.Join(g.Dir, file)
		}
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file, and git would put one in its place", file)
		}
	}
	return nil
}

// SetConfig sets key to value in scope, in place of all values that it has; "" removes it, and
// the section's header with the last key.
func (g Git) SetConfig(scope Scope, key, value string) error {
	args := []string{"config", "--" + string(scope), "--replace-all", key, value}
	if value == "" {
		args = []string{"config", "--" + string(scope), "--unset-all", key}
	}
	_, err := g.Run(args...)
	return err
}

// A ConfigValue is a value that git's configuration has for a key.
type ConfigValue struct {
	Scope  Scope  // or system, worktree, command
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
		all = append(all, ConfigValue{Scope(s[0]), s[1], key, value})
	}
	return all, errors.Join(err, bad)
}

// ErrNoAttributes says that the user has no attributes file that is the same one wherever git runs.
var ErrNoAttributes = errors.New("git has no attributes file of yours")

// AttributesFile returns the path of an attributes file, which need not exist: the tracked one
// at the top of the work tree, the repository's own (info), or the user's.
func (g Git) AttributesFile(kind string) (string, error) {
	switch kind {
	case "tracked":
		top, err := g.Line("rev-parse", "--show-toplevel")
		return filepath.Join(top, ".gitattributes"), err
	case "info":
		path, err := g.Line("rev-parse", "--git-path", "info/attributes")
		return filepath.FromSlash(path), err
	}
	// Of no repository: the path has to be there, as git looks it up for what its configuration
	// includes only for some.
	path, err := g.with("GIT_DIR="+os.DevNull).Line("config", "--path", "--get", "core.attributesFile")
	switch {
	case err != nil && ExitCode(err) != noValue:
		return "", err
	case err == nil && path == "":
		return "", fmt.Errorf("%w: core.attributesFile is empty: unset it, or use --attributes tracked or info", ErrNoAttributes)
	case err == nil && !filepath.IsAbs(path):
		return "", fmt.Errorf("%w: core.attributesFile is %s, another file in each folder: make it an absolute path, or use --attributes tracked or info", ErrNoAttributes, path)
	case err == nil:
		return path, nil
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

// Attributes returns the values of attributes for every path, in the order of
// paths, as git check-attr says them: unspecified, set, unset or a value. --cached before their
// names has them as the attributes files of the index say.
func (g Git) Attributes(paths []string, names ...string) (all []map[string]string, err error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := g.Feed([]byte(strings.Join(paths, "\x00")+"\x00"), append([]string{"check-attr", "-z", "--stdin"}, names...)...)
	said, bad := tuples(out, 3) // path, attribute and value
	if err = cmp.Or(err, bad); err != nil {
		return nil, err
	}
	if len(said) == 0 || len(said)%len(paths) != 0 {
		return nil, errFormat
	}
	for of := range slices.Chunk(said, len(said)/len(paths)) {
		values := map[string]string{}
		for _, s := range of {
			values[s[1]] = s[2]
		}
		all = append(all, values)
	}
	return all, nil
}

// Name is what people call the repository: owner/name of its remote origin, else
// the name of its folder.
func (g Git) Name() string {
	if _, host, ok := strings.Cut(g.Web(), "://"); ok {
		_, name, _ := strings.Cut(host, "/")
		return name
	}
	dir, err := g.Line("rev-parse", "--show-toplevel")
	if err != nil {
		dir, _ = g.Line("rev-parse", "--absolute-git-dir")
	}
	return strings.TrimSuffix(path.Base(dir), ".git")
}

// Web is the address of the repository's pages at its remote origin, without
// what may be secret in it; "" if it has none on another host.
func (g Git) Web() string {
	remote, _ := g.Line("config", "--get", "remote.origin.url")
	return webAddress(remote)
}

func webAddress(remote string) string {
	if user, rest, ok := strings.Cut(remote, "@"); ok && !strings.ContainsAny(user, "/:") {
		if host, path, ok := strings.Cut(rest, ":"); ok { // git@host:path
			remote = "ssh://" + host + "/" + path
		}
	}
	u, err := url.Parse(remote)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") == "" {
		return ""
	}
	page := url.URL{Scheme: "https", Host: u.Hostname(), Path: strings.TrimSuffix(strings.TrimRight(u.Path, "/"), ".git")}
	switch u.Scheme {
	case "http", "https":
		page.Scheme, page.Host = u.Scheme, u.Host
	case "ssh", "git":
	default:
		return ""
	}
	return page.String()
}
