package git

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// A Repo is the repository that git finds from a directory. It can also represent that there is no repository.
// Settings and refs are each read once, when a method first needs them. A Repo is safe for concurrent use.
//
// The library go-git parses the files. It does not support all that git does, so git is run instead, with the same
// results, for:
//   - configuration files that include others, and settings in environment variables such as GIT_CONFIG_COUNT
//   - a Git with environment variables
//   - repositories with extensions, such as SHA-256, reftable, or a configuration for each work tree
//   - repositories of other users, and folders that look like a bare repository, because git may refuse to read them
//   - files that go-git cannot parse, or does not parse like git
type Repo struct {
	git               Git
	gitDir, commonDir string // as returned by findGitDirs
	dirsKnown         bool   // whether findGitDirs is certain of them
	canReadFiles      bool   // whether git would use these directories too: Env has no variables for it

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

// Open returns the repository in which g runs. It looks for the repository's directories, but reads no settings and no
// refs yet. The result is never nil. If there is no repository, there are no refs, the settings are those outside of
// repositories, and GitDirs and IsBare return ErrNoRepository.
func Open(g Git) *Repo {
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

// isCeiling reports whether folder is one of the absolute paths in GIT_CEILING_DIRECTORIES, or the same folder by
// symbolic links in either path. Relative paths and paths that do not exist are ignored. It returns false if the
// variable is not set.
func isCeiling(folder string) bool {
	for _, ceiling := range filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES")) {
		a, err := os.Stat(ceiling)
		b, err2 := os.Stat(folder)
		if filepath.IsAbs(ceiling) && err == nil && err2 == nil && os.SameFile(a, b) {
			return true
		}
	}
	return false
}

// findGitDirs returns the git directories of the repository that git would find from dir, without running git: in dir
// or a folder above it, or at GIT_DIR. If certain is false, git may find something else, or refuse to read it, and the
// directories must not be used. Outside of repositories, the directories are "", and certain is true.
//
//	dir                       gitDir                            commonDir
//	/srv/shop                 /srv/shop/.git                    /srv/shop/.git
//	/srv/shop-hotfix, linked  /srv/shop/.git/worktrees/hotfix   /srv/shop/.git
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
			// Git may refuse a repository of another user.
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
			// The folder may be a bare repository.
			case exists(folder, "HEAD"):
				return "", "", false
			case folder == filepath.Dir(folder) || isCeiling(filepath.Dir(folder)):
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

// GitDirs returns the directory of the work tree's own files, such as HEAD, and the common directory of all work trees,
// which has the refs and the configuration. The error is [ErrNoRepository] if there is certainly no repository, or
// that of git.
//
//	work tree   gitDir                            commonDir
//	main        /srv/shop/.git                    /srv/shop/.git
//	linked      /srv/shop/.git/worktrees/hotfix   /srv/shop/.git
func (r *Repo) GitDirs() (gitDir, commonDir string, err error) {
	switch {
	case r.dirsKnown && r.gitDir == "":
		return "", "", ErrNoRepository
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
// setting has no value or is not set. As in git, upper and lower case differ only in a subsection: the part of key
// between the first and the last dot.
//
//	[merge "yaml"]
//		config = rules.yaml
//
//	r.ConfigValue("merge.yaml.config")   // "rules.yaml"
func (r *Repo) ConfigValue(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first >= 0 {
		key = strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
	}
	if r.settings(); r.systemGuess[key] != "" {
		return r.gitSettings()[key]
	}
	return r.settings()[key]
}

// ConfigPath returns the effective value of a setting that is a file name. Like git, it replaces a leading ~ with the
// home folder, and other prefixes such as %(prefix). It returns "" if the setting is not set or has no value, or if git
// cannot replace the prefix. Relative paths remain relative.
func (r *Repo) ConfigPath(key string) string {
	value := r.ConfigValue(key)
	if strings.HasPrefix(value, "~") || strings.HasPrefix(value, "%(") || strings.HasPrefix(value, ":(") {
		value, _ = r.git.Line("config", "--type=path", "--get", key)
	}
	return value
}

// Remotes returns the names of the configured remotes, sorted and without duplicates, such as origin and upstream. It
// returns nil if there are none.
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

// IsBare reports whether the repository has no work tree. The error is [ErrNoRepository] if there is no repository
// or git cannot read it; the answer is then false.
func (r *Repo) IsBare() (bool, error) {
	if r.canReadFiles && r.gitDir == "" {
		return false, ErrNoRepository
	}
	if r.canReadFiles && r.ConfigValue("core.bare") == "false" {
		return false, nil
	}
	bare, err := r.git.Line("rev-parse", "--is-bare-repository")
	if err != nil {
		return false, ErrNoRepository
	}
	return bare == "true", nil
}

// CurrentBranch returns the name of the branch that is checked out, without refs/heads/. The branch need not have
// commits. It returns "" if HEAD is detached.
func (r *Repo) CurrentBranch() string {
	branch, _ := strings.CutPrefix(r.SymrefTarget("HEAD"), "refs/heads/")
	return branch
}

// HeadCommit returns the full id of the commit that is checked out, in hexadecimal. It never runs git, but reads the
// files of HEAD and its branch. It returns "" if they do not have the id, as in a repository without commits or with
// another storage of refs (reftable), and outside of a repository.
func (r *Repo) HeadCommit() string {
	if !r.canReadFiles || r.gitDir == "" {
		return ""
	}
	hash, branch, err := readRefFile(filepath.Join(r.gitDir, "HEAD"))
	if branch != "" {
		hash, _, err = readRefFile(filepath.Join(r.commonDir, filepath.FromSlash(branch)))
	}
	if errors.Is(err, fs.ErrNotExist) {
		packed, _ := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
		for name, id := range parsePackedRefs(packed) {
			if name == branch {
				return id
			}
		}
	}
	return hash
}

// Refs returns the full names of the refs that match at least one of the patterns, sorted. It returns nil if there are
// none, or no repository. In a pattern, * matches any part of a name without slashes, as in refs/remotes/*/HEAD; a name
// without it matches only itself. Symbolic refs that lead to no existing ref are omitted.
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

// SymrefTarget returns the ref that a symbolic ref points to, directly or through other symbolic refs. The target need
// not exist. It returns "" if name is not a symbolic ref or does not exist, or if more than 5 (maxSymrefDepth) refs
// would have to be read, as in a cycle.
//
//	refs/remotes/origin/HEAD    refs/remotes/origin/main
//	refs/heads/main             ""
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

// readSettings returns the effective values of all settings in git's configuration files, by key as in Repo.settings.
// It returns nil if git has to be run instead, for example because a file includes others. If the place of the system's
// configuration is not known, its settings are left out, and r.systemGuess has those of the usual places.
func (r *Repo) readSettings() map[string]string {
	// The environment has settings, or may lead git to another repository.
	if !r.canReadFiles || os.Getenv("GIT_CONFIG_PARAMETERS") != "" || os.Getenv("GIT_CONFIG_COUNT") != "" {
		return nil
	}
	home, _ := os.UserHomeDir()
	var files []string
	system, isSet := os.LookupEnv("GIT_CONFIG_SYSTEM")
	switch {
	case IsTrue(os.Getenv("GIT_CONFIG_NOSYSTEM")):
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

// readConfigFiles returns the settings in several configuration files of git, by key as in Repo.settings. If a key is
// set several times, the last value counts. Files that do not exist are skipped, and included files are not read. It
// returns an error if a file cannot be read, or if go-git cannot parse it or would not parse it like git.
func readConfigFiles(files ...string) (settings map[string]string, err error) {
	defer func() {
		if recover() != nil { // go-git panics on some quotes and escapes
			err = errUnsupportedConfig
		}
	}()
	c := config.New()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		for line := range bytes.Lines(data) {
			_, value, _ := bytes.Cut(line, []byte("="))
			value = bytes.TrimSpace(value)
			// git removes the line break of a continued line, and replaces a tab with a space. go-git does neither.
			if bytes.HasSuffix(value, []byte("\\")) || bytes.Contains(value, []byte("\t")) {
				err = errUnsupportedConfig
			}
		}
		if err = errors.Join(err, config.NewDecoder(bytes.NewReader(data)).Decode(c)); err != nil {
			return nil, err
		}
	}
	settings = map[string]string{}
	add := func(header string, options config.Options) {
		for _, o := range options {
			settings[header+"."+strings.ToLower(o.Key)] = o.Value
		}
	}
	for _, s := range c.Sections {
		section := strings.ToLower(s.Name)
		add(section, s.Options)
		for _, sub := range s.Subsections {
			add(section+"."+sub.Name, sub.Options)
		}
	}
	return settings, nil
}

// errUnsupportedConfig is returned for a configuration file that go-git does not parse as git does.
var errUnsupportedConfig = errors.New("not as git writes it")

// hasSection reports whether settings has a key in one of the sections: the part of the key before the first dot, even
// if a subsection follows. The sections are in lower case.
//
//	remote.Origin.url    has the section remote
func hasSection(settings map[string]string, sections ...string) bool {
	for key := range settings {
		if section, _, _ := strings.Cut(key, "."); slices.Contains(sections, section) {
			return true
		}
	}
	return false
}

// readRefs returns HEAD and all refs, read from the files of git: a map from the full name, such as refs/heads/main, to
// the ref that a symbolic ref points to, or to "" for other refs. Without a repository, the map is empty. ok is false,
// and the map must not be used, if git has to be run instead, for example because the repository has extensions.
func (r *Repo) readRefs() (refs map[string]string, ok bool) {
	refs = map[string]string{}
	if !r.canReadFiles || r.gitDir == "" {
		return refs, r.canReadFiles
	}
	packed, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	if hasSection(r.settings(), "extensions") || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	for name := range parsePackedRefs(packed) {
		refs[name] = ""
	}
	// Without the storage of go-git: the packages that it links take longer to initialize than a small merge.
	readRef := func(name, file string) error {
		_, target, err := readRefFile(file)
		refs[name] = target // overrides the packed ref; after an error, refs is not used
		return err
	}
	err = filepath.WalkDir(filepath.Join(r.commonDir, "refs"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".lock") {
			return err
		}
		name, err := filepath.Rel(r.commonDir, file)
		return errors.Join(err, readRef(filepath.ToSlash(name), file))
	})
	return refs, err == nil && readRef("HEAD", filepath.Join(r.gitDir, "HEAD")) == nil
}

// parsePackedRefs returns the full name and the id of each ref in packed, the content of the file packed-refs, in the
// order of the file. Comments, and the commits of annotated tags, are left out.
func parsePackedRefs(packed []byte) iter.Seq2[string, string] {
	return func(yield func(name, id string) bool) {
		for line := range strings.Lines(string(packed)) {
			// Other lines are comments, or the commit of the tag in the line before: ^7fd1...
			id, name, hasName := strings.Cut(strings.TrimSpace(line), " ")
			if hasName && plumbing.IsHash(id) && !yield(name, id) {
				return
			}
		}
	}
}

// readRefFile reads the file of a ref, such as .git/HEAD. hash is the id of its commit. For a symbolic ref ("ref:
// refs/heads/main"), target is the full name of the ref that it points to, and hash is "". The error wraps
// fs.ErrNotExist if there is no such file, and is errUnsupportedRef if the file has neither.
func readRefFile(file string) (hash, target string, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	text := strings.TrimRight(string(content), "\r\n")
	switch ref := plumbing.NewReferenceFromStrings("", text); {
	case ref.Type() == plumbing.SymbolicReference:
		return "", ref.Target().String(), nil
	case !plumbing.IsHash(text):
		return "", "", errUnsupportedRef
	}
	return text, "", nil
}

// errUnsupportedRef is returned for a file of a ref that has neither a hash nor the name of another ref.
var errUnsupportedRef = errors.New("not a hash, and not a symbolic ref")
