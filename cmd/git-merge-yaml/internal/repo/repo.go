// Package repo reads a repository in the process: git's configuration, HEAD and the names of
// references. To start git takes as long as most merges. What go-git cannot read as git does
// (a file that includes others, an extension such as reftable or SHA-256, settings given by
// the environment) is asked of git, and answers the same.
package repo

import (
	"bytes"
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

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A Repo is the repository that git works in, or the lack of one. It reads each thing once,
// when it is asked for.
type Repo struct {
	git         git.Git
	own, common string // the folders of this work tree and of all, "" where there is none
	located     bool   // they are known for sure
	sure        bool   // and git sees nothing else

	// settings are the values that count by their keys, as git lists these: in small letters,
	// but for what is in quotes in a header.
	settings func() map[string]string
	// guessed are the settings of all files that may be the system's, whose place git knows.
	guessed map[string]string
	asked   func() map[string]string // the settings, by git
	// refs are HEAD and the references, with what a symbolic one stands for.
	refs func() map[string]string
}

// At is the repository that g works in.
func At(g git.Git) *Repo {
	r := &Repo{git: g}
	r.own, r.common, r.located = locate(g.Dir)
	r.sure = r.located && len(g.Env) == 0
	r.asked = sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		entries, _ := r.git.Paths("config", "--list", "-z")
		for _, entry := range entries {
			key, value, _ := strings.Cut(entry, "\n")
			all[key] = value
		}
		return all
	})
	r.settings = sync.OnceValue(func() map[string]string {
		if c := r.readSettings(); c != nil {
			return c
		}
		return r.asked()
	})
	r.refs = sync.OnceValue(func() map[string]string {
		all, ok := r.readRefs()
		if ok {
			return all
		}
		head, _ := r.git.Line("symbolic-ref", "-q", "HEAD")
		out, err := r.git.Run("for-each-ref", "--format=%(refname) %(symref)")
		all = map[string]string{}
		if err != nil {
			return all
		}
		for line := range strings.Lines("HEAD " + head + "\n" + string(out)) {
			name, target, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			all[name] = target
		}
		return all
	})
	return r
}

// locate returns the folder of the repository that git finds from dir on, that of
// its work tree and the one that all its work trees share; both are "" where there is no
// repository. It is not sure of what does not look as git makes it, nor of what git may refuse to read: a repository of another
// user's, and a folder that is a bare one (safe.directory, safe.bareRepository).
func locate(dir string) (own, common string, sure bool) {
	if os.Getenv("GIT_COMMON_DIR") != "" {
		return "", "", false
	}
	exists := func(path ...string) bool {
		_, err := os.Lstat(filepath.Join(path...))
		return !os.IsNotExist(err)
	}
	from := func(folder, path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	if given := os.Getenv("GIT_DIR"); given != "" {
		own = from(dir, given)
	} else if at, err := filepath.Abs(dir); err != nil {
		return "", "", false
	} else {
		for ; own == ""; at = filepath.Dir(at) {
			info, err := os.Stat(filepath.Join(at, ".git"))
			if err == nil && !(isOwned(at) && isOwned(filepath.Join(at, ".git"))) {
				return "", "", false
			}
			switch {
			case err == nil && info.IsDir():
				own = filepath.Join(at, ".git")
			case !os.IsNotExist(err): // a linked work tree or a submodule
				data, err := os.ReadFile(filepath.Join(at, ".git"))
				named, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
				if err != nil || !ok {
					return "", "", false
				}
				if own = from(at, named); !isOwned(own) {
					return "", "", false
				}
			case exists(at, "HEAD"):
				return "", "", false
			case at == filepath.Dir(at):
				return "", "", true
			}
		}
	}
	common = own
	data, err := os.ReadFile(filepath.Join(own, "commondir"))
	if err == nil {
		common = from(own, strings.TrimRight(string(data), "\r\n"))
	}
	sure = err == nil || os.IsNotExist(err)
	return own, common, sure && exists(own, "HEAD") && exists(common, "config") && exists(common, "objects")
}

// Folders returns the folder of the repository: that of this work tree, and the one that
// all its work trees share, or git.ErrNoRepository.
func (r *Repo) Folders() (own, common string, err error) {
	switch {
	case r.located && r.own == "":
		return "", "", git.ErrNoRepository
	case r.located:
		return r.own, r.common, nil
	}
	out, err := r.git.Run("rev-parse", "--absolute-git-dir", "--git-common-dir")
	own, common, _ = strings.Cut(strings.TrimRight(string(out), "\r\n"), "\n")
	if err == nil && !filepath.IsAbs(common) {
		common = filepath.Join(r.git.Dir, common)
	}
	return own, common, err
}

// Value is the last value of a setting, "" if it has none. Of a key, capitals do not count.
//
//	merge.yaml.config = rules.yaml
func (r *Repo) Value(key string) string {
	key = strings.ToLower(key)
	if r.settings(); r.guessed[key] != "" {
		return r.asked()[key]
	}
	return r.settings()[key]
}

// Path is Value for the name of a file, in which ~ is the home folder.
func (r *Repo) Path(key string) string {
	value := r.Value(key)
	if strings.HasPrefix(value, "~") || strings.HasPrefix(value, "%(") || strings.HasPrefix(value, ":(") {
		value, _ = r.git.Line("config", "--type=path", "--get", key)
	}
	return value
}

// Remotes are the names of the remotes.
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

// IsBare reports whether the repository has no work tree, or git.ErrNoRepository.
func (r *Repo) IsBare() (bool, error) {
	if r.sure && r.own == "" {
		return false, git.ErrNoRepository
	}
	if r.sure && r.Value("core.bare") == "false" {
		return false, nil
	}
	bare, err := r.git.Line("rev-parse", "--is-bare-repository")
	if err != nil {
		return false, git.ErrNoRepository
	}
	return bare == "true", nil
}

// Head is the branch that is checked out, "" if HEAD is detached.
func (r *Repo) Head() string {
	branch, _ := strings.CutPrefix(r.Target("HEAD"), "refs/heads/")
	return branch
}

// Refs are the full names of the references that match any of the patterns, in which * is
// one part of a name.
//
//	refs/remotes/*/HEAD
func (r *Repo) Refs(patterns ...string) (names []string) {
	for name := range r.refs() {
		matches := func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }
		if slices.ContainsFunc(patterns, matches) && r.has(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// maxLinks is how many references git reads, one after the other, to find what a symbolic one stands for.
const maxLinks = 5

// Target returns the reference that a symbolic one stands for, which need not be there. It returns "" for one
// that is not symbolic, and where more than maxLinks references would have to be read, as in a circle.
func (r *Repo) Target(name string) string {
	at := name
	for range maxLinks {
		next := r.refs()[at]
		switch {
		case next != "":
			at = next
		case at != name:
			return at
		default:
			return ""
		}
	}
	return ""
}

// FullName is the reference that a short name stands for, "" if it is a commit.
//
//	topic -> refs/heads/topic
func (r *Repo) FullName(short string) string {
	name, _ := r.git.Line("rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", short)
	return name
}

// has reports whether there is a reference, and what it stands for.
func (r *Repo) has(name string) bool {
	if r.refs()[name] != "" {
		name = r.Target(name)
	}
	_, ok := r.refs()[name]
	return ok
}

// readSettings reads the files of git's configuration, nil if they are not all of it.
func (r *Repo) readSettings() map[string]string {
	if !r.sure || os.Getenv("GIT_CONFIG_PARAMETERS") != "" || os.Getenv("GIT_CONFIG_COUNT") != "" {
		return nil
	}
	home, _ := os.UserHomeDir()
	var files []string
	system, given := os.LookupEnv("GIT_CONFIG_SYSTEM")
	switch {
	case git.IsTrue(os.Getenv("GIT_CONFIG_NOSYSTEM")):
	case given:
		files = append(files, system)
	default:
		places := []string{"/etc/gitconfig"}
		if program, err := exec.LookPath("git"); err == nil {
			places = append(places, filepath.Join(filepath.Dir(program), "..", "etc", "gitconfig"))
		}
		var err error
		if r.guessed, err = read(places...); err != nil || hasSection(r.guessed, "include", "includeif", "extensions", "remote") {
			return nil
		}
	}
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		files = append(files, global)
	} else {
		xdg := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
		files = append(files, filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig"))
	}
	if r.own != "" {
		files = append(files, filepath.Join(r.common, "config"))
	}
	settings, err := read(files...)
	if err != nil || hasSection(settings, "include", "includeif", "extensions") {
		return nil
	}
	return settings
}

// read reads files of git's configuration, which may be none, as if they were one.
func read(files ...string) (settings map[string]string, err error) {
	defer func() {
		if recover() != nil { // a quote or an escape that the library takes for impossible
			err = errForm
		}
	}()
	c := config.New()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if bytes.Contains(data, []byte("\\\n")) || bytes.Contains(data, []byte("\\\r\n")) {
			err = errForm // a line goes on in the next one, whose break git takes away
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

// errForm is why a file is asked of git: the library fails, or reads it otherwise.
var errForm = errors.New("not as git writes it")

// hasSection reports whether one of the sections is in settings.
func hasSection(settings map[string]string, sections ...string) bool {
	for key := range settings {
		if section, _, _ := strings.Cut(key, "."); slices.Contains(sections, section) {
			return true
		}
	}
	return false
}

// readRefs reads HEAD and the references, false if the library cannot.
func (r *Repo) readRefs() (all map[string]string, ok bool) {
	all = map[string]string{}
	if !r.sure || r.own == "" {
		return all, r.sure
	}
	if hasSection(r.settings(), "extensions") {
		return nil, false
	}
	folders := dotgit.NewRepositoryFilesystem(osfs.New(r.own), osfs.New(r.common))
	iter, err := filesystem.NewStorage(folders, cache.NewObjectLRU(0)).IterReferences()
	if err != nil {
		return nil, false
	}
	err = iter.ForEach(func(ref *plumbing.Reference) error {
		name := string(ref.Name())
		if _, known := all[name]; !known && !strings.HasSuffix(name, ".lock") { // a loose one counts before a packed one
			all[name] = string(ref.Target())
		}
		return nil
	})
	return all, err == nil
}
