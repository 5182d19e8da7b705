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

// A Scope selects one of git's configuration files.
type Scope string

// The scopes that install can write to.
const (
	Global Scope = "global" // the user's configuration
	Local  Scope = "local"  // the repository's, which all its work trees share
	System Scope = "system" // that of all users of the machine
)

// exitNotSet is the exit code of git config if a key is not set.
const exitNotSet = 1

// Settings returns the values of all keys that start with prefix in the configuration file of scope, the last one if a
// key has several. The value of a key without = is "". Other files, and files that the file of scope includes, are not
// read. prefix must not contain special characters of regular expressions, except for dots. The error is that of git,
// for example for Local outside of repositories.
func (g Git) Settings(scope Scope, prefix string) (map[string]string, error) {
	out, err := g.Run("config", "--"+string(scope), "-z", "--get-regexp", keyPattern(prefix))
	if ExitCode(err) == exitNotSet {
		return nil, nil
	}
	values := map[string]string{}
	for _, record := range splitNUL(out) {
		key, value, _ := strings.Cut(record, "\n")
		values[key] = value
	}
	return values, err
}

// keyPattern returns the regular expression for the keys that start with prefix, in which only dots may be special.
func keyPattern(prefix string) string { return "^" + strings.ReplaceAll(prefix, ".", `\.`) }

// IsTrue reports whether git reads the value of a boolean setting as true: true, yes and on in any case, and numbers
// other than 0. It reports false for all other values. One of these is "", even though git reads a key without = as
// true; others are numbers with a unit, such as 1k.
func IsTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}

// CheckConfigWritable returns an error if [Git.SetConfig] must not be called with scope, because git would fail, or
// would replace a device, such as /dev/null, with a regular file:
//
//	Local     there is no repository, or its file exists and is not regular
//	Global    the home folder is unknown, or the user's file exists and is not regular
//	System    the file of GIT_CONFIG_SYSTEM exists and is not regular; otherwise nothing is checked
func (g Git) CheckConfigWritable(scope Scope) error {
	var files []string
	switch globalFile := os.Getenv("GIT_CONFIG_GLOBAL"); {
	case scope == Local:
		file, err := g.Line("rev-parse", "--git-path", "config")
		if err != nil {
			return Explain(err)
		}
		files = []string{file}
	case scope == System:
		if file := os.Getenv("GIT_CONFIG_SYSTEM"); file != "" {
			files = []string{file}
		} // otherwise git knows the place, and says if it cannot write there
	case globalFile != "":
		files = []string{globalFile}
	default:
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("git config --global has no file: %w; set the variable, or use --local", err)
		}
		files = []string{filepath.Join(home, ".gitconfig"), filepath.Join(cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config")}
	}
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = filepath.Join(g.Dir, file)
		}
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file; git config would replace it by one", file)
		}
	}
	return nil
}

// SetConfig sets key to value in the configuration file of scope, replacing all its values. If value is "", key is
// removed, and with the last key of a section its header. It is an error to remove a key that is not set. All errors
// are those of git.
func (g Git) SetConfig(scope Scope, key, value string) error {
	args := []string{"config", "--" + string(scope), "--replace-all", key, value}
	if value == "" {
		args = []string{"config", "--" + string(scope), "--unset-all", key}
	}
	_, err := g.Run(args...)
	return err
}

// A ConfigValue is one value of a key in git's configuration.
type ConfigValue struct {
	Scope  Scope  // Global, Local and System, or "worktree", "command"
	Origin string // "file:PATH", or "command line:"
	Key    string
	Value  string
}

// ConfigValues returns the values of all keys that start with prefix, from all scopes. They are in the order in which
// git reads them: the last value of a key is the effective one. The value of a key without = is "". Capitals in a
// subsection match only if prefix has the dot after it. prefix must not contain special characters of regular
// expressions, except for dots.
func (g Git) ConfigValues(prefix string) (values []ConfigValue, err error) {
	out, err := g.Run("config", "--show-scope", "--show-origin", "-z", "--get-regexp", keyPattern(prefix))
	if ExitCode(err) == exitNotSet {
		return nil, nil
	}
	tuples, formatErr := splitTuples(out, 3)
	for _, tuple := range tuples {
		key, value, _ := strings.Cut(tuple[2], "\n")
		values = append(values, ConfigValue{Scope(tuple[0]), tuple[1], key, value})
	}
	return values, errors.Join(err, formatErr)
}

// ErrNoAttributesFile is returned if the user has no attributes file that is the same in all repositories.
var ErrNoAttributesFile = errors.New("no attributes file")

// AttributesFile returns the path of an attributes file, which need not exist. The path of an info file may be relative
// to g.Dir. The error wraps ErrNoAttributesFile if core.attributesFile is empty or a relative path, or if git does not
// report the path of the system file (see systemAttributesFile).
//
//	kind       file
//	tracked    .gitattributes at the top of the work tree
//	info       info/attributes in the repository
//	system     the file of the machine
//	global     core.attributesFile of the user, or git's default for it; any other kind is the same
func (g Git) AttributesFile(kind string) (string, error) {
	switch kind {
	case "tracked":
		top, err := g.Line("rev-parse", "--show-toplevel")
		return filepath.Join(top, ".gitattributes"), err
	case "info":
		path, err := g.Line("rev-parse", "--git-path", "info/attributes")
		return filepath.FromSlash(path), err
	case "system":
		return g.systemAttributesFile()
	}
	// Without a repository: the repository's configuration, and files that are included for some repositories
	// only, do not apply to the others.
	path, err := g.withEnv("GIT_DIR="+os.DevNull).Line("config", "--path", "--get", "core.attributesFile")
	switch {
	case err != nil && ExitCode(err) != exitNotSet:
		return "", err
	case err == nil && path == "":
		return "", fmt.Errorf(`%w: core.attributesFile is empty; run "git config --global --unset core.attributesFile", or use --attributes tracked`, ErrNoAttributesFile)
	case err == nil && !filepath.IsAbs(path):
		return "", fmt.Errorf("%w: core.attributesFile is a relative path (%s); use an absolute path, or --attributes tracked", ErrNoAttributesFile, path)
	case err == nil:
		return path, nil
	}
	if xdg := os.Getenv("XDG_CONFIG_HOME"); xdg != "" {
		return filepath.Join(xdg, "git", "attributes"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".config", "git", "attributes"), err
}

// systemAttributesFile returns the path of the attributes file of the machine, which need not exist. Git before 2.42
// does not print it; there it is next to the configuration of the machine, whose path git passes to an editor. With
// such a git, the error wraps ErrNoAttributesFile if GIT_CONFIG_SYSTEM is set, because the file is not next to that
// one.
func (g Git) systemAttributesFile() (string, error) {
	if file, err := g.Line("var", "GIT_ATTR_SYSTEM"); err == nil && file != "" {
		return filepath.FromSlash(file), nil
	}
	if os.Getenv("GIT_CONFIG_SYSTEM") != "" { // which moves the configuration alone
		return "", fmt.Errorf("%w: git before 2.42 does not report the system file if GIT_CONFIG_SYSTEM is set; use --attributes none", ErrNoAttributesFile)
	}
	file, err := g.withEnv("GIT_EDITOR=echo").Line("config", "--system", "--edit")
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(file), "gitattributes"), nil
}

// Reasons why git cannot do anything in a directory. [Explain] finds them out.
var (
	ErrNoRepository = errors.New("not in a git repository")
	ErrNotOwned     = errors.New("another user owns the repository")
)

// SafeDirectoryCommand returns the command that git suggests in its message about a repository that another user owns,
// such as "git config --global --add safe.directory /srv/shop". err is an error that wraps ErrNotOwned and the *Error
// of git with this message. SafeDirectoryCommand returns "" if err wraps no *Error, or if the message has no command.
func SafeDirectoryCommand(err error) string {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return ""
	}
	_, command, _ := strings.Cut(e.Stderr, "\n\n\t") // in all languages of git
	return strings.TrimSpace(command)
}

// Explain returns the reason why git failed in a directory, for err, the error of a run of git: ErrNoRepository, an
// error that wraps ErrNotOwned and err, or err itself if the reason is another one. To find out, it runs git up to
// three times, in the directory and environment of the failed run. Any other error, and nil, is returned unchanged.
func Explain(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.ExitCode != exitFatal || errors.Is(err, ErrNotOwned) {
		return err
	}
	g := e.git
	g.Context = nil // it may be done
	if _, fails := g.Line("rev-parse", "--git-dir"); fails == nil {
		return err
	}
	if _, fails := g.Line("-c", "safe.directory=*", "rev-parse", "--git-dir"); fails == nil {
		return fmt.Errorf("%w: %w", ErrNotOwned, err)
	}
	if _, unset := g.Run("config", "--get", "no.such"); ExitCode(unset) == exitNotSet { // so git can read its configuration, and only the repository is missing
		return ErrNoRepository
	}
	return err
}

// exitFatal is the exit code of git after a fatal error.
const exitFatal = 128

// Attributes returns the values of attributes for each path, in the order of paths: a map from the name of the
// attribute to its value as git check-attr prints it (unspecified, set, unset, or another value). If the first name is
// the option --cached, git reads the .gitattributes files of the index, not those of the work tree.
func (g Git) Attributes(paths []string, names ...string) (values []map[string]string, err error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := g.RunInput([]byte(strings.Join(paths, "\x00")+"\x00"), append([]string{"check-attr", "-z", "--stdin"}, names...)...)
	tuples, formatErr := splitTuples(out, 3) // path, attribute and value
	if err = cmp.Or(err, formatErr); err != nil {
		return nil, err
	}
	if len(tuples) == 0 || len(tuples)%len(paths) != 0 {
		return nil, errUnexpectedOutput
	}
	for pathTuples := range slices.Chunk(tuples, len(tuples)/len(paths)) {
		ofPath := map[string]string{}
		for _, tuple := range pathTuples {
			ofPath[tuple[1]] = tuple[2]
		}
		values = append(values, ofPath)
	}
	return values, nil
}

// RepositoryName returns a name of the repository to show to users: the path of its web address (see WebURL), such as
// owner/name. Without a web address, it is the name of the top folder of the work tree or, in a bare repository, of the
// git directory, without .git at its end. Outside of repositories the result has no meaning.
func (g Git) RepositoryName() string {
	if _, host, ok := strings.Cut(g.WebURL(), "://"); ok {
		_, name, _ := strings.Cut(host, "/")
		return name
	}
	dir, err := g.Line("rev-parse", "--show-toplevel")
	if err != nil {
		dir, _ = g.Line("rev-parse", "--absolute-git-dir")
	}
	return strings.TrimSuffix(path.Base(dir), ".git")
}

// WebURL returns the URL of the web pages of the repository at its remote origin, or "" if there is no remote origin
// or it is not on another host. The URL contains no user name, password or query. See webURL for examples.
func (g Git) WebURL() string {
	remote, _ := g.Line("config", "--get", "remote.origin.url")
	return webURL(remote)
}

// webURL returns the URL of the web pages of a repository, given the URL of its remote:
//
//	remote                                 web pages
//	git@example.com:a/b.git                https://example.com/a/b
//	ssh://git@example.com:2222/a/b.git     https://example.com/a/b
//	https://me:secret@example.com/a/b      https://example.com/a/b
//	http://example.com:8080/a/b.git        http://example.com:8080/a/b
//	../other, file:///srv/repo.git         ""
func webURL(remote string) string {
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
