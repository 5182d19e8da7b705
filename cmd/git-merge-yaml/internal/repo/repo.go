// Package repo reads the configuration, HEAD and the names of the refs of a repository from its files. It does so in
// this process, because starting git takes as long as most merges. It does not read objects or the index, and it
// never writes.
//
// It does not support all that git does, so git is run instead, with the same results, for:
//   - configuration files that include others, and settings in environment variables such as GIT_CONFIG_COUNT
//   - a [git.Git] with environment variables
//   - repositories with extensions, such as SHA-256, reftable, or a configuration for each work tree
//   - repositories of other users, and folders that look like a bare repository, because git may refuse to read them
//   - files that this package does not know how to read
//
// [Open] returns the [Repo] for a directory; its methods read on first use and remember the result. In a clone in
// which main is checked out:
//
//	r := repo.Open(git.Git{Dir: "/srv/shop"})
//	r.CurrentBranch()                          // "main"
//	r.Remotes()                                // ["origin"]
//	r.SymrefTarget("refs/remotes/origin/HEAD") // "refs/remotes/origin/main"
//	r.ConfigValue("merge.conflictStyle")       // "zdiff3"
package repo

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A Repo is the repository that git finds from a directory. It can also represent that there is no repository.
// Settings and refs are each read once, when a method first needs them. A Repo is safe for concurrent use.
type Repo struct {
	git               git.Git
	gitDir, commonDir string // as returned by findGitDirs
	dirsKnown         bool   // whether findGitDirs is certain of them
	canReadFiles      bool   // whether git would use these directories too: git.Env has no variables for it

	// settings returns the effective values of all settings by key. As in the output of git config --list, keys are
	// in lower case, except for subsections: merge.conflictstyle, remote.Origin.url.
	settings func() map[string]string
	// systemGuess has the settings of the files that may be the system's configuration. Only git knows which one it
	// is. It is set by settings.
	systemGuess map[string]string
	// gitSettings returns the same as settings, but always runs git.
	gitSettings func() map[string]string
	// refs returns HEAD and all refs: a map from the full name to the ref that a symbolic ref points to, or to "" for
	// other refs.
	refs func() map[string]string
}

// Open returns the repository in which g runs. It looks for the repository's directories, but reads nothing yet.
func Open(g git.Git) *Repo {
	r := &Repo{git: g}
	r.gitDir, r.commonDir, r.dirsKnown = findGitDirs(g.Dir)
	r.canReadFiles = r.dirsKnown && len(g.Env) == 0
	r.gitSettings = sync.OnceValue(func() map[string]string {
		values := map[string]string{}
		entries, _ := r.git.Paths("config", "--list", "-z")
		for _, entry := range entries {
			key, value, _ := strings.Cut(entry, "\n")
			values[key] = value
		}
		return values
	})
	r.settings = sync.OnceValue(func() map[string]string {
		if settings := r.readSettings(); settings != nil {
			return settings
		}
		return r.gitSettings()
	})
	r.refs = sync.OnceValue(func() map[string]string {
		refs, ok := r.readRefs()
		if ok {
			return refs
		}
		head, _ := r.git.Line("symbolic-ref", "-q", "HEAD")
		out, err := r.git.Run("for-each-ref", "--format=%(refname) %(symref)")
		refs = map[string]string{}
		if err != nil {
			return refs
		}
		for line := range strings.Lines("HEAD " + head + "\n" + string(out)) {
			name, target, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			refs[name] = target
		}
		return refs
	})
	return r
}

// findGitDirs looks for a repository in dir and the folders above it, like git. It returns the directory of the work
// tree's own files, such as HEAD, and the common directory of all work trees, which has the refs and the
// configuration. In the main work tree both are the same; in a linked work tree they are not. If there is no
// repository, both are "" and certain is true.
//
//	dir                gitDir                            commonDir
//	/srv/shop          /srv/shop/.git                    /srv/shop/.git
//	/srv/shop-hotfix   /srv/shop/.git/worktrees/hotfix   /srv/shop/.git
//
// certain is false if git may find something else or refuse to read it, and git has to be run:
//   - GIT_COMMON_DIR is set
//   - the repository or its work tree belongs to another user (safe.directory); this is not checked if GIT_DIR is set
//   - a folder without .git has a file HEAD, so that it may be a bare repository (safe.bareRepository)
//   - .git cannot be read, or HEAD, config or objects is missing
//
// GIT_CEILING_DIRECTORIES and the boundaries of file systems are ignored.
func findGitDirs(dir string) (gitDir, commonDir string, certain bool) {
	if os.Getenv("GIT_COMMON_DIR") != "" {
		return "", "", false
	}
	exists := func(path ...string) bool {
		_, err := os.Lstat(filepath.Join(path...))
		return !os.IsNotExist(err)
	}
	resolve := func(folder, path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	if env := os.Getenv("GIT_DIR"); env != "" {
		gitDir = resolve(dir, env)
	} else if folder, err := filepath.Abs(dir); err != nil {
		return "", "", false
	} else {
		for ; gitDir == ""; folder = filepath.Dir(folder) {
			info, err := os.Stat(filepath.Join(folder, ".git"))
			if err == nil && !(isOwnedByUser(folder) && isOwnedByUser(filepath.Join(folder, ".git"))) {
				return "", "", false
			}
			switch {
			case err == nil && info.IsDir():
				gitDir = filepath.Join(folder, ".git")
			case !os.IsNotExist(err): // a linked work tree or a submodule
				data, err := os.ReadFile(filepath.Join(folder, ".git"))
				target, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
				if err != nil || !ok {
					return "", "", false
				}
				if gitDir = resolve(folder, target); !isOwnedByUser(gitDir) {
					return "", "", false
				}
			case exists(folder, "HEAD"):
				return "", "", false
			case folder == filepath.Dir(folder):
				return "", "", true
			}
		}
	}
	commonDir = gitDir
	data, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err == nil {
		commonDir = resolve(gitDir, strings.TrimRight(string(data), "\r\n"))
	}
	certain = err == nil || os.IsNotExist(err)
	return gitDir, commonDir, certain && exists(gitDir, "HEAD") && exists(commonDir, "config") && exists(commonDir, "objects")
}

// GitDirs returns the directory of the work tree's own files, such as HEAD, and the common directory of all work
// trees of the repository; see findGitDirs. The error is [git.ErrNoRepository] if there is certainly no repository.
// If git has to be run to find them, it is the error of git.
func (r *Repo) GitDirs() (gitDir, commonDir string, err error) {
	switch {
	case r.dirsKnown && r.gitDir == "":
		return "", "", git.ErrNoRepository
	case r.dirsKnown:
		return r.gitDir, r.commonDir, nil
	}
	out, err := r.git.Run("rev-parse", "--absolute-git-dir", "--git-common-dir")
	gitDir, commonDir, _ = strings.Cut(strings.TrimRight(string(out), "\r\n"), "\n")
	if err == nil && !filepath.IsAbs(commonDir) {
		commonDir = filepath.Join(r.git.Dir, commonDir)
	}
	return gitDir, commonDir, err
}

// ConfigValue returns the effective value of a setting, which is the last one that git reads. It returns "" if the
// setting has no value or is not set. key is converted to lower case, so that it must not have a subsection with
// capitals.
//
//	[merge "yaml"]
//		config = rules.yaml
//
//	r.ConfigValue("merge.yaml.config")   // "rules.yaml"
func (r *Repo) ConfigValue(key string) string {
	key = strings.ToLower(key)
	if r.settings(); r.systemGuess[key] != "" {
		return r.gitSettings()[key]
	}
	return r.settings()[key]
}

// ConfigPath returns the effective value of a setting that is a file name, like [Repo.ConfigValue]. A leading ~ is
// replaced with the home folder, and git's other prefixes of paths, such as %(prefix), are replaced as git does it.
func (r *Repo) ConfigPath(key string) string {
	value := r.ConfigValue(key)
	if strings.HasPrefix(value, "~") || strings.HasPrefix(value, "%(") || strings.HasPrefix(value, ":(") {
		value, _ = r.git.Line("config", "--type=path", "--get", key)
	}
	return value
}

// Remotes returns the names of the configured remotes, sorted.
func (r *Repo) Remotes() (names []string) {
	for key := range r.settings() {
		rest, ok := strings.CutPrefix(key, "remote.")
		if i := strings.LastIndexByte(rest, '.'); ok && i >= 0 {
			names = append(names, rest[:i])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// IsBare reports whether the repository has no work tree. The error is [git.ErrNoRepository] if there is no
// repository or git cannot read it.
func (r *Repo) IsBare() (bool, error) {
	if r.canReadFiles && r.gitDir == "" {
		return false, git.ErrNoRepository
	}
	if r.canReadFiles && r.ConfigValue("core.bare") == "false" {
		return false, nil
	}
	bare, err := r.git.Line("rev-parse", "--is-bare-repository")
	if err != nil {
		return false, git.ErrNoRepository
	}
	return bare == "true", nil
}

// CurrentBranch returns the name of the branch that is checked out, without refs/heads/. The branch need not have
// commits. It returns "" if HEAD is detached.
func (r *Repo) CurrentBranch() string {
	branch, _ := strings.CutPrefix(r.SymrefTarget("HEAD"), "refs/heads/")
	return branch
}

// Refs returns the full names of the refs that match at least one of the patterns, sorted. In a pattern, * matches
// any part of a name without slashes, as in refs/remotes/*/HEAD. Symbolic refs that lead to no existing ref are
// omitted.
func (r *Repo) Refs(patterns ...string) (names []string) {
	for name := range r.refs() {
		matches := func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }
		if slices.ContainsFunc(patterns, matches) && r.hasRef(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// maxSymrefDepth is the number of refs that git reads to resolve a symbolic ref that points to another symbolic ref.
const maxSymrefDepth = 5

// SymrefTarget returns the ref that a symbolic ref points to, directly or through other symbolic refs. The target
// need not exist. It returns "" if name is not a symbolic ref, or if more than maxSymrefDepth refs would have to be
// read, as in a cycle.
//
//	refs/remotes/origin/HEAD -> refs/remotes/origin/main
func (r *Repo) SymrefTarget(name string) string {
	ref := name
	for range maxSymrefDepth {
		target := r.refs()[ref]
		switch {
		case target != "":
			ref = target
		case ref != name:
			return ref
		default:
			return ""
		}
	}
	return ""
}

// FullRefName returns the full name of the ref that a short name stands for. It returns "" if short names a commit in
// another way, such as HEAD^, or names nothing. It runs git.
//
//	topic -> refs/heads/topic
func (r *Repo) FullRefName(short string) string {
	name, _ := r.git.Line("rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", short)
	return name
}

// hasRef reports whether a ref exists and, if it is symbolic, whether the ref that it points to exists.
func (r *Repo) hasRef(name string) bool {
	if r.refs()[name] != "" {
		name = r.SymrefTarget(name)
	}
	_, ok := r.refs()[name]
	return ok
}

// readSettings returns the settings from git's configuration files, with keys as in Repo.settings. It returns nil if
// these files may not be the whole configuration or cannot be parsed, so that git has to be run: see the comment of
// the package. If the place of the system's configuration is not known, readSettings sets r.systemGuess to the
// settings at the usual places; they are not part of the result.
func (r *Repo) readSettings() map[string]string {
	if !r.canReadFiles || os.Getenv("GIT_CONFIG_PARAMETERS") != "" || os.Getenv("GIT_CONFIG_COUNT") != "" {
		return nil
	}
	home, _ := os.UserHomeDir()
	var files []string
	system, isSet := os.LookupEnv("GIT_CONFIG_SYSTEM")
	switch {
	case git.IsTrue(os.Getenv("GIT_CONFIG_NOSYSTEM")):
	case isSet:
		files = append(files, system)
	default:
		candidates := []string{"/etc/gitconfig"}
		if program, err := exec.LookPath("git"); err == nil {
			candidates = append(candidates, filepath.Join(filepath.Dir(program), "..", "etc", "gitconfig"))
		}
		var err error
		if r.systemGuess, err = readConfigFiles(candidates...); err != nil || hasSection(r.systemGuess, "include", "includeif", "extensions", "remote") {
			return nil
		}
	}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		files = append(files, global)
	} else {
		xdg := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
		files = append(files, filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig"))
	}
	if r.gitDir != "" {
		files = append(files, filepath.Join(r.commonDir, "config"))
	}
	settings, err := readConfigFiles(files...)
	if err != nil || hasSection(settings, "include", "includeif", "extensions") {
		return nil
	}
	return settings
}

// readConfigFiles returns the settings of several configuration files, with keys as in Repo.settings. If a key is set
// several times, the value of the last file counts. Files that do not exist are skipped. It returns an error if a
// file cannot be read, or if parseConfig does not know how git reads it.
func readConfigFiles(files ...string) (settings map[string]string, err error) {
	settings = map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err = errors.Join(err, parseConfig(string(data), settings)); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// The characters of names in a configuration file.
const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// parseConfig adds the settings of a configuration file to settings, with keys as in Repo.settings. It returns
// errUnsupported for a file that git cannot read, and for what is rare: a key on the line of a header, a section
// with a dot or with an escape in its header, a value of several lines, and a tab in a value.
func parseConfig(data string, settings map[string]string) error {
	section := ""
	for line := range strings.Lines(strings.TrimPrefix(data, "\ufeff")) {
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		header, isHeader := strings.CutPrefix(line, "[")
		if isHeader {
			header, closed := strings.CutSuffix(header, "]")
			name, subsection, hasSubsection := strings.Cut(header, " ")
			if !closed || name == "" || strings.Trim(name, letters+digits+"-") != "" {
				return errUnsupported
			}
			section = strings.ToLower(name) + "."
			if subsection = strings.TrimLeft(subsection, " "); hasSubsection {
				if strings.Count(subsection, `"`) != 2 || subsection[0] != '"' || !strings.HasSuffix(subsection, `"`) || strings.Contains(subsection, `\`) {
					return errUnsupported
				}
				section += strings.Trim(subsection, `"`) + "."
			}
			continue
		}
		key, text, _ := strings.Cut(line, "=")
		key = strings.TrimRight(key, " \t")
		value, ok := parseConfigValue(strings.TrimLeft(text, " \t"))
		if !ok || section == "" || key == "" || strings.Trim(key, letters+digits+"-") != "" || strings.Trim(key[:1], letters) != "" {
			return errUnsupported
		}
		settings[section+strings.ToLower(key)] = value
	}
	return nil
}

// parseConfigValue returns the value that text, the rest of a line after the equals sign, stands for. ok is false if it
// has a tab, a quote that is not closed, or an unknown escape, such as a backslash at its end.
//
//	" a;b" c # comment  ->   a;b c
func parseConfigValue(text string) (value string, ok bool) {
	var out []byte
	end, quoted := 0, false // end is the length of out without blanks that are not in quotes
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			quoted = !quoted
			continue
		case c == '\t' || c == '\r':
			return "", false
		case !quoted && (c == '#' || c == ';'):
			return string(out[:end]), true
		case c == '\\':
			i++
			at := strings.IndexByte(`tbn\"`, text[min(i, len(text)-1)])
			if at < 0 || i == len(text) {
				return "", false
			}
			c = "\t\b\n\\\""[at]
		case !quoted && c == ' ':
			out = append(out, c)
			continue
		}
		out = append(out, c)
		end = len(out)
	}
	return string(out[:end]), !quoted
}

// errUnsupported is returned for a configuration file or a ref that only git can read.
var errUnsupported = errors.New("not as git writes it")

// hasSection reports whether settings has a key in one of the sections. The sections are in lower case.
func hasSection(settings map[string]string, sections ...string) bool {
	for key := range settings {
		if section, _, _ := strings.Cut(key, "."); slices.Contains(sections, section) {
			return true
		}
	}
	return false
}

// readRefs returns HEAD and all refs as in Repo.refs, read from the files of git. Without a repository there are none.
// ok is false if they are not all stored in the usual way, so that git has to be run.
func (r *Repo) readRefs() (refs map[string]string, ok bool) {
	refs = map[string]string{}
	if !r.canReadFiles || r.gitDir == "" {
		return refs, r.canReadFiles
	}
	packed, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	if hasSection(r.settings(), "extensions") || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	for line := range strings.Lines(string(packed)) {
		if id, name, hasName := strings.Cut(strings.TrimSpace(line), " "); hasName && id != "#" {
			refs[name] = ""
		}
	}
	readRef := func(name, file string) error {
		data, err := os.ReadFile(file)
		content := strings.TrimRight(string(data), "\r\n")
		target, isSymbolic := strings.CutPrefix(content, "ref: ")
		switch {
		case err != nil:
		case isSymbolic:
			refs[name] = target
		case len(content) < 40 || strings.Trim(content, digits+"abcdef") != "":
			err = errUnsupported
		default:
			refs[name] = "" // overrides the packed ref
		}
		return err
	}
	err = filepath.WalkDir(filepath.Join(r.commonDir, "refs"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".lock") {
			return err
		}
		name, _ := filepath.Rel(r.commonDir, file)
		return readRef(filepath.ToSlash(name), file)
	})
	return refs, err == nil && readRef("HEAD", filepath.Join(r.gitDir, "HEAD")) == nil
}
