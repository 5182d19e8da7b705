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

// Limits of the files with custom resource definitions that are read for one set of rules.
const (
	maxCRDFiles = 2_000
	maxCRDBytes = 64 << 20 // in all files together
)

// A rulesSource is the place from which the team's rules, custom resource definitions and git attributes are read: the
// work tree or a commit. Session.rulesSource chooses it.
type rulesSource struct {
	git        git.Git
	root       string // the top of the work tree; "" if there is none
	commit     string // the commit that files are read from; "" to read them from the work tree
	commitName string // the name of commit for messages, such as HEAD
	// userEdits is true while a merge is stopped. Files are then read from the commit, with the edits of the work tree
	// that were not made by the merge.
	userEdits bool
	// rulesNote is the note in which readRulesOfCommit keeps the rules of commit for the next process. It is nil if
	// commit is not the id of HEAD.
	rulesNote *note
	// sparse is true if files are read from a work tree that may be a sparse checkout. Files that are missing there are
	// read from HEAD.
	sparse bool
}

// rulesSource returns the place from which rules, custom resource definitions and attributes are read: the work tree
// or, for example while git merges, a commit. It is determined at the first call. It is nil without an error outside of
// a repository. It is an error if merge.yaml.rulesFrom names a commit that does not exist.
func (s *Session) rulesSource() (*rulesSource, error) {
	s.sourceOnce.Do(func() { s.source, s.sourceErr = s.findRulesSource() })
	return s.source, s.sourceErr
}

// findRulesSource determines the result of rulesSource, from which the team's rules are read. It is the work tree, or a
// commit if the rules in the work tree may be those of another author, as during a merge. It is nil without an error
// outside of a repository. It is an error if the setting RulesFromKey names a commit that does not exist.
func (s *Session) findRulesSource() (*rulesSource, error) {
	noTree := errors.Is(s.treeErr, git.ErrNoWorkTree)
	if s.treeErr != nil && !noTree {
		return nil, nil
	}
	source := &rulesSource{git: s.Git, commitName: "HEAD"}
	if !noTree {
		source.root = cmp.Or(s.Git.Dir, ".")
	}
	// WithRulesOf names a commit
	if s.rulesFromInto {
		source.commit, source.commitName = s.Into, s.Into
		return source, nil
	}
	if named := s.Repo().ConfigValue(RulesFromKey); named != "" {
		source.commit, source.commitName = s.resolveCommit(named), named
		if source.commit == "" {
			return nil, fmt.Errorf("%s: no commit %q", RulesFromKey, named)
		}
		return source, nil
	}
	// Git sets GIT_DIR for a driver only if the repository is not the .git folder of the work tree, which is rare.
	if noTree || s.Git.Dir == "" && os.Getenv("GIT_DIR") != "" {
		switch bare, err := s.Repo().IsBare(); {
		case err != nil || noTree && !bare:
			return nil, nil
		// the commit that is merged into
		case bare:
			source.root, source.commit = "", s.targetCommit()
			return source, nil
		}
	}
	switch current := s.Situation([3]string{}); {
	case current.Operation == situation.MergeTree:
		source.commit = s.targetCommit()
	// The rules in the work tree may come from the branch that is merged, which may be another author's.
	case current.Operation != situation.None || s.hasUnmergedPaths():
		source.commit, source.userEdits = "HEAD", !situation.IsRunByGit()
		if id := s.Repo().HeadCommit(); id != "" {
			source.commit, source.rulesNote = id, &note{current.NotePath("rules"), id + "\n"}
		}
	default:
		source.sparse = s.Repo().ConfigValue("core.sparseCheckout") == "true"
	}
	return source, nil
}

// resolveCommit returns the id of the commit that name refers to, or "" if it does not exist.
func (s *Session) resolveCommit(name string) string {
	id, _ := s.Git.Line("rev-parse", "--verify", "-q", "--end-of-options", name+"^{commit}")
	return id
}

// targetCommit returns the id of the commit that is merged into, or "HEAD" if git did not name it. s.Into is its name,
// as git passed it to the merge driver: git may append a colon and a path to the name, as in "main:web.yaml", or pass a
// label that is not a commit.
func (s *Session) targetCommit() string {
	id, name := "", s.Into
	if name, _, _ = strings.Cut(name, ":"); name != "" {
		id = s.resolveCommit(name)
	}
	return cmp.Or(id, "HEAD")
}

// hasUnmergedPaths reports whether the index has unmerged paths. After git stash pop, git merge --squash or git
// checkout --merge stopped in a conflict, they are the only trace of the operation. It reports false if there is no
// repository or if git fails.
func (s *Session) hasUnmergedPaths() bool {
	if _, _, err := s.Repo().GitDirs(); err != nil {
		return false
	}
	paths, _ := s.Git.Paths("ls-files", "-z", "--unmerged", "--", ":/")
	return len(paths) > 0
}

// Attributes returns the values of the git attributes names for each path, in the order of paths, as git check-attr
// prints them ("unspecified", "set", "unset" or a text). The .gitattributes files are read from where the team's rules
// are, because those of the work tree may be the other branch's; but edits of a stopped merge have no effect.
func (s *Session) Attributes(paths []string, names ...string) ([]map[string]string, error) {
	from, err := s.rulesSource()
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

// A readFunc reads one file of a work tree or of a commit. name is the path from the top of the repository, limit the
// largest size in bytes. The error is fs.ErrNotExist if there is no such regular file, and another error if it is
// larger than limit. The content of an existing file is not nil.
type readFunc func(name string, limit int64) ([]byte, error)

// repoPath returns the slash-separated path in the repository for a file name in git's configuration, which may be
// relative to the top of the work tree. The file need not exist. If the name leads out of the work tree or of the bare
// repository, isInside is false. In a work tree, the path is then one on disk.
func (f *rulesSource) repoPath(name string) (path string, isInside bool) {
	if f.root == "" {
		return filepath.ToSlash(filepath.Clean(name)), filepath.IsLocal(name)
	}
	top, _ := filepath.Abs(f.root)
	if !filepath.IsAbs(name) {
		name = filepath.Join(top, name)
	}
	// symbolic links are followed, except one at the file itself
	for _, file := range []string{name, filepath.Join(resolveLinks(filepath.Dir(name)), filepath.Base(name))} {
		for _, top := range []string{top, resolveLinks(top)} {
			if rel, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel), true
			}
		}
	}
	return name, false
}

// resolveLinks returns path with its symbolic links resolved, or path itself if that fails, as for a file that does not
// exist.
func resolveLinks(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

// read returns the content of the file name, a path from the top of the repository, in the commit or work tree of f;
// while a merge is stopped (f.userEdits), with the user's edits (see mergeUserEdit). It is an error if that fails, or
// if the file is larger than limit bytes. The error wraps fs.ErrNotExist if there is no such file.
func (f *rulesSource) read(name string, limit int64) ([]byte, error) {
	if f.commit == "" {
		data, err := f.readFromDisk(name, limit)
		if !f.sparse || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	var data []byte
	var err error
	if f.rulesNote != nil && name == RulesFileName {
		data, err = f.readRulesOfCommit(limit)
	} else {
		data, err = f.git.FileAt(cmp.Or(f.commit, "HEAD"), name, limit)
	}
	if f.userEdits && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		return f.mergeUserEdit(name, data, limit)
	}
	return data, err
}

// readRulesOfCommit returns the content of the team's rules file in f.commit. Git starts the driver once for each file
// of a merge, and asking git takes longer than a small merge: the first process writes the content to f.rulesNote, and
// the next ones read it there. That the file is missing is noted, too; the error is then fs.ErrNotExist.
func (f *rulesSource) readRulesOfCommit(limit int64) ([]byte, error) {
	const exists, missing = "exists", "missing" // the first line of the note; the content follows
	switch line, content, _ := strings.Cut(f.rulesNote.read(), "\n"); line {
	case missing:
		return nil, fs.ErrNotExist
	case exists:
		return []byte(content), nil
	}
	content, err := f.git.FileAt(f.commit, RulesFileName, limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.rulesNote.write(missing + "\n")
	case err == nil:
		f.rulesNote.write(exists + "\n" + string(content))
	}
	return content, err
}

// mergeUserEdit returns the rules file with the given name that counts while a merge is stopped: that of HEAD
// (committed, or nil), with the edit of the user. The edit is the difference between index and work tree, so that
// changes of the other branch have no effect. It fails if the edit conflicts with these changes, and with
// fs.ErrNotExist if there is no content.
//
//	HEAD          index         work tree     result
//	extends: a    extends: a    extends: a    extends: a
//	              deleted: []   deleted: []   crds: [x]
//	                            crds: [x]
func (f *rulesSource) mergeUserEdit(name string, committed []byte, limit int64) ([]byte, error) {
	useCommitted := func() ([]byte, error) {
		if committed == nil {
			return nil, fs.ErrNotExist
		}
		return committed, nil
	}
	work, err := f.readFromDisk(name, limit)
	// Git's content of a symbolic link is not that of the file.
	if err != nil || resolveLinks(filepath.Join(f.root, name)) != filepath.Join(resolveLinks(f.root), name) {
		return useCommitted()
	}
	staged, isFile, err := f.git.IndexContent(name)
	if err != nil || !isFile {
		return useCommitted()
	}
	edited, err := f.git.Clean(name, work)
	switch {
	case err != nil:
		return nil, err
	case staged != nil && (bytes.Equal(staged, work) || bytes.Equal(staged, edited)):
		return useCommitted()
	case bytes.Equal(staged, committed):
		return edited, nil
	}
	commonField := "" // a field added to all three, so that they are mappings if HEAD has no file
	if committed == nil {
		commonField = "kept: 1\n"
	}
	withCommonField := func(text []byte) []byte { return append([]byte(commonField), text...) }
	res, err := merge.Merge(withCommonField(staged), withCommonField(committed), withCommonField(edited), merge.Options{Path: name})
	merged, ok := bytes.CutPrefix(res.Bytes, []byte(commonField))
	if err != nil || !ok || !res.Clean() || res.Method == merge.MethodDelegated {
		return nil, errors.New("changed by you and by the merge at the same place; choose the rules with --config FILE")
	}
	return merged, nil
}

// readFromDisk returns the content of the file name, a path from the top of the work tree. Symbolic links are followed
// if they stay in the work tree. The error wraps fs.ErrNotExist only if there is nothing at the path. A link that leads
// nowhere or out of the work tree, and a file larger than limit bytes, is another error.
func (f *rulesSource) readFromDisk(name string, limit int64) ([]byte, error) {
	// Only one system call if the file does not exist, because most merges have no rules.
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
	case errors.Is(err, fs.ErrNotExist): // the target of a link: not fs.ErrNotExist, since the link exists
		return nil, errors.New(err.Error())
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return root.ReadFile(name)
}

// listFiles returns the sorted paths of all files in the commit or work tree of f, and a function that reads them. In a
// work tree, only files that match pathspecs, and that git does not ignore, are listed; in a commit, pathspecs are
// ignored. The caller must call closeReader, which is never nil, after the last file. Outside of a repository, there
// are no files. The error is that of git.
func (f *rulesSource) listFiles(pathspecs ...string) (paths []string, readFile readFunc, closeReader func(), err error) {
	if f.commit == "" && !f.sparse {
		paths, err := f.git.Paths(append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, pathspecs...)...)
		if errors.Is(git.Explain(err), git.ErrNoRepository) {
			return nil, f.readFromDisk, func() {}, nil // three files outside of a repository
		}
		slices.Sort(paths)
		return slices.Compact(paths), f.readFromDisk, func() {}, err
	}
	all, err := f.git.Files(cmp.Or(f.commit, "HEAD"))
	files := map[string]git.TreeFile{}
	for _, c := range all {
		files[c.Path] = c
		paths = append(paths, c.Path)
	}
	objects := f.git.Objects()
	readFile = func(name string, limit int64) ([]byte, error) {
		switch c := files[name]; {
		case !c.Mode.IsFile():
			// also a symbolic link
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
	return paths, readFile, func() { objects.Close() }, err
}

// readCRDFiles reads from f the files with custom resource definitions (CRDs) that match the patterns of rules, and
// returns them sorted by path. A pattern without files is no error. It is an error if more than maxCRDFiles files
// match, if they are larger than maxCRDBytes together, or if a file that exists cannot be read.
func (f *rulesSource) readCRDFiles(rules *merge.Rules) (all []merge.File, err error) {
	var specs []string
	for _, p := range rules.CRDs() {
		if !strings.Contains(p, "/") {
			p = "**/" + p
		}
		specs = append(specs, ":(top,glob)"+strings.TrimPrefix(p, "/"))
	}
	paths, read, done, err := f.listFiles(specs...)
	if err != nil {
		return nil, err
	}
	defer done()
	remaining := int64(maxCRDBytes)
	for _, path := range paths {
		if !rules.IsCRD(path) {
			continue
		}
		data, err := read(path, remaining)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // deleted in the work tree, but still in the index
		case err != nil:
			return nil, fmt.Errorf("crds: %s: %w", path, err)
		case len(all) == maxCRDFiles:
			return nil, fmt.Errorf("crds: more than %d files match; use narrower patterns", maxCRDFiles)
		}
		remaining -= int64(len(data))
		all = append(all, merge.File{Path: path, Data: data})
	}
	return all, nil
}
