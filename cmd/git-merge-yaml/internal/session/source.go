package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// What is read to find definitions is bounded.
const (
	maxCRDFiles = 2_000
	maxCRDBytes = 64 << 20 // of all of them
)

// A source is what the rules of a session are read from, and all that belongs to them: the files of
// the work tree, or those of a commit. Session.source chooses it.
type source struct {
	git    git.Git
	root   string // the top of the work tree, "" where there is none
	commit string // whose files count, "" for those of the work tree
	// merging is true in a merge that stopped: beside the files of the commit, what a person
	// changed of the rules since counts.
	merging bool
	// sparse is true where the work tree counts and may lack files, which are then those of HEAD.
	sparse bool
}

// source returns what the rules are read from, nil outside of repositories:
//
//   - the commit that At or the setting FromKey names
//   - in a bare repository and where git merges two commits without a work tree, the commit that
//     is merged into, as far as git tells it, else HEAD
//   - while anything is merged in the work tree, HEAD: what is merged may be in the work tree
//     already, and is somebody else's. Where it stopped, see source.merging
//   - else the work tree
func (s *Session) source() (*source, error) {
	s.sourceOnce.Do(func() { s.from, s.sourceErr = s.findSource() })
	return s.from, s.sourceErr
}

func (s *Session) findSource() (*source, error) {
	noTree := errors.Is(s.treeErr, git.ErrNoWorkTree)
	if s.treeErr != nil && !noTree {
		return nil, nil
	}
	from := &source{git: s.Git}
	if !noTree {
		from.root = cmp.Or(s.Git.Dir, ".")
	}
	if s.at {
		from.commit = s.Into
		return from, nil
	}
	if named := s.Repo().ConfigValue(FromKey); named != "" {
		from.commit = s.commitOf(named)
		if from.commit == "" {
			return nil, fmt.Errorf("the setting %s names %s, and there is no such commit", FromKey, named)
		}
		return from, nil
	}
	// Git tells a driver where the repository is (GIT_DIR) unless that is in the work tree, as nearly always.
	if noTree || s.Git.Dir == "" && os.Getenv("GIT_DIR") != "" {
		switch bare, err := s.Repo().IsBare(); {
		case err != nil || noTree && !bare:
			return nil, nil
		case bare:
			from.root, from.commit = "", s.mergedInto()
			return from, nil
		}
	}
	switch operation := s.Situation([3]string{}).Operation; {
	case operation == situation.MergeTree:
		from.commit = s.mergedInto()
	case operation != situation.None || s.hasUnmerged():
		from.commit, from.merging = "HEAD", !situation.IsRunByGit()
	default:
		from.sparse = s.Repo().ConfigValue("core.sparseCheckout") == "true"
	}
	return from, nil
}

// commitOf returns the id of the commit of a name, "" if there is none.
func (s *Session) commitOf(name string) string {
	id, _ := s.Git.Line("rev-parse", "--verify", "-q", "--end-of-options", name+"^{commit}")
	return id
}

// mergedInto returns the commit of Into, else HEAD. Git may write a path behind the name, or a name
// that is no commit.
func (s *Session) mergedInto() string {
	id, name := "", s.Into
	if name, _, _ = strings.Cut(name, ":"); name != "" {
		id = s.commitOf(name)
	}
	return cmp.Or(id, "HEAD")
}

// hasUnmerged reports whether the index has unmerged paths: a stash, git merge --squash or git
// checkout --merge that stopped leaves nothing else.
func (s *Session) hasUnmerged() bool {
	if _, _, err := s.Repo().GitDirs(); err != nil {
		return false
	}
	paths, _ := s.Git.Paths("ls-files", "-z", "--unmerged", "--", ":/")
	return len(paths) > 0
}

// Attributes returns the values of attributes for every path, as the attributes files say that are
// where the rules are, and those of git's configuration.
func (s *Session) Attributes(paths []string, names ...string) ([]map[string]string, error) {
	from, err := s.source()
	if err != nil {
		return nil, err
	}
	if from == nil || from.commit == "" {
		return s.Git.Attributes(paths, names...)
	}
	folder, err := disk.MakeTempFolder()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	g := s.Git
	g.Env = slices.Concat(g.Env, []string{"GIT_INDEX_FILE=" + filepath.Join(folder, "index")})
	if _, err := g.Run("read-tree", from.commit); err != nil {
		return nil, err
	}
	return g.Attributes(paths, append([]string{"--cached"}, names...)...)
}

// A reader reads a regular file that is not larger than limit, which is an error of
// fs.ErrNotExist if it is not there; a file that is there is not nil.
type reader func(name string, limit int64) ([]byte, error)

// inside returns the path in the repository of a file that git's configuration names. It reports
// false, and returns a path on disk, for one outside of the work tree.
func (f *source) inside(name string) (path string, ok bool) {
	if f.root == "" {
		return filepath.ToSlash(filepath.Clean(name)), filepath.IsLocal(name)
	}
	top, _ := filepath.Abs(f.root)
	if !filepath.IsAbs(name) {
		name = filepath.Join(top, name)
	}
	for _, file := range []string{name, filepath.Join(resolved(filepath.Dir(name)), filepath.Base(name))} {
		for _, top := range []string{top, resolved(top)} {
			if rel, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel), true
			}
		}
	}
	return name, false
}

// resolved returns the path of a file without symbolic links, path itself if it has none.
func resolved(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

func (f *source) read(name string, limit int64) ([]byte, error) {
	if f.commit == "" {
		data, err := f.readOnDisk(name, limit)
		if !f.sparse || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	data, err := f.git.FileAt(cmp.Or(f.commit, "HEAD"), name, limit)
	if f.merging && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		return f.withEdit(name, data, limit)
	}
	return data, err
}

// withEdit returns committed, the rules of HEAD or nil, with what a person changed of the file since
// git wrote it. It merges the edit into committed, with the file that git wrote, that of the index, as the
// base: what is merged here is in that file too, and does not count. A file that is unmerged has no such
// version, so that edits of it do not count until the merge is committed; nor do those of a file that is reached by a
// link, which may lead to another one that is merged.
func (f *source) withEdit(name string, committed []byte, limit int64) ([]byte, error) {
	unedited := func() ([]byte, error) {
		if committed == nil {
			return nil, fs.ErrNotExist
		}
		return committed, nil
	}
	work, err := f.readOnDisk(name, limit)
	if err != nil || resolved(filepath.Join(f.root, name)) != filepath.Join(resolved(f.root), name) {
		return unedited()
	}
	index, isFile, err := f.git.IndexContent(name)
	if err != nil || !isFile {
		return unedited()
	}
	edited, err := f.git.Clean(name, work)
	switch {
	case err != nil:
		return nil, err
	case index != nil && (bytes.Equal(index, work) || bytes.Equal(index, edited)):
		return unedited()
	case bytes.Equal(index, committed):
		return edited, nil
	}
	kept := "" // a field of all three, if there is no other that HEAD's has
	if committed == nil {
		kept = "kept: 1\n"
	}
	with := func(text []byte) []byte { return append([]byte(kept), text...) }
	res, err := merge.Merge(with(index), with(committed), with(edited), merge.Options{Path: name})
	merged, ok := bytes.CutPrefix(res.Bytes, []byte(kept))
	if err != nil || !ok || !res.Clean() || res.Method == merge.Delegated {
		return nil, errors.New("edited where the merge changes it, so that it is not known which rules count (--config FILE names them)")
	}
	return merged, nil
}

// readOnDisk follows a symbolic link only as long as it stays in the work tree. A merge
// without the file pays for one look at the folder.
func (f *source) readOnDisk(name string, limit int64) ([]byte, error) {
	if _, err := os.Lstat(filepath.Join(f.root, name)); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // what a link leads to, which is another error
		return nil, errors.New(err.Error())
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return root.ReadFile(name)
}

// list are the paths of all files, in order: those that git knows in the work tree or would
// add, at pathspecs if any are given, else those of the commit. read is good until done.
func (f *source) list(pathspecs ...string) (paths []string, read reader, done func(), err error) {
	if f.commit == "" && !f.sparse {
		paths, err := f.git.Paths(append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, pathspecs...)...)
		if errors.Is(git.Explain(err), git.ErrNoRepository) {
			return nil, f.readOnDisk, func() {}, nil // three files by hand, anywhere
		}
		slices.Sort(paths)
		return slices.Compact(paths), f.readOnDisk, func() {}, err
	}
	all, err := f.git.Files(cmp.Or(f.commit, "HEAD"))
	files := map[string]git.TreeFile{}
	for _, c := range all {
		files[c.Path] = c
		paths = append(paths, c.Path)
	}
	objects := f.git.Objects()
	read = func(name string, limit int64) ([]byte, error) {
		switch c := files[name]; {
		case !c.Mode.IsFile():
			return nil, fs.ErrNotExist
		default:
			blobs, err := objects.Blobs(c.ID)
			data := slices.Concat(blobs...)
			if int64(len(data)) > limit {
				err = fmt.Errorf("larger than %d bytes", limit)
			}
			return data, err
		}
	}
	return paths, read, func() { objects.Close() }, err
}

// definitions are the files that rules name as definitions of custom resources.
func (f *source) definitions(rules *merge.Rules) (all []merge.File, err error) {
	var specs []string
	for _, p := range rules.CRDs() {
		if !strings.Contains(p, "/") {
			p = "**/" + p
		}
		specs = append(specs, ":(top,glob)"+strings.TrimPrefix(p, "/"))
	}
	paths, read, done, err := f.list(specs...)
	if err != nil {
		return nil, err
	}
	defer done()
	left := int64(maxCRDBytes)
	for _, path := range paths {
		if !rules.IsCRD(path) {
			continue
		}
		data, err := read(path, left)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // deleted, and not committed
		case err != nil:
			return nil, fmt.Errorf("crds: %s: %w", path, err)
		case len(all) == maxCRDFiles:
			return nil, fmt.Errorf("crds: more than %d files match; name them more narrowly", maxCRDFiles)
		}
		left -= int64(len(data))
		all = append(all, merge.File{Path: path, Data: data})
	}
	return all, nil
}
