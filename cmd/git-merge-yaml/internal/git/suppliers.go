package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An AttributesFile is a file from which git takes attributes.
type AttributesFile struct {
	Path string // on disk
	// Folder is the one below which it counts, as the index has it: "" for all.
	Folder string
}

// AttributesFiles returns the attributes files that git reads for the merge of
// paths, the most important first, the system's left out.
func (t *WorkTree) AttributesFiles(paths []string) (files []AttributesFile, err error) {
	info, err := t.InfoAttributes()
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(info) {
		info = filepath.Join(t.Top, info)
	}
	files = append(files, AttributesFile{Path: info})
	for _, folder := range foldersOf(paths) {
		file := t.File(path.Join(folder, ".gitattributes"))
		if !IsLink(file) || t.FollowsAttributes() {
			files = append(files, AttributesFile{file, folder})
		}
	}
	global, err := t.GlobalAttributes()
	if err != nil {
		return nil, err
	}
	files = append(files, AttributesFile{Path: global})
	return slices.DeleteFunc(files, func(f AttributesFile) bool {
		info, err := os.Stat(f.Path)
		return err != nil || !info.Mode().IsRegular()
	}), nil
}

// LinkedAttributes returns the attributes files on the way to paths, as the index has
// them, that git does not read, being links.
func (t *WorkTree) LinkedAttributes(paths []string) (links []string) {
	if t.FollowsAttributes() {
		return nil
	}
	for _, folder := range foldersOf(paths) {
		if file := path.Join(folder, ".gitattributes"); IsLink(t.File(file)) {
			links = append(links, file)
		}
	}
	return links
}

// FollowsAttributes reports whether git reads .gitattributes where it is a symbolic
// link.
func (g Git) FollowsAttributes() bool { return !g.AtLeast(2, 32) }

// IsLink reports whether there is a symbolic link at path.
func IsLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == os.ModeSymlink
}

// foldersOf returns the folders on the way to paths, the deepest first and ""
// last.
func foldersOf(paths []string) []string {
	seen := map[string]bool{}
	var folders []string
	for _, p := range paths {
		for p != "" {
			if p = path.Dir(p); p == "." {
				p = ""
			}
			if seen[p] {
				break
			}
			seen[p] = true
			folders = append(folders, p)
		}
	}
	slices.SortStableFunc(folders, func(a, b string) int { return depth(b) - depth(a) })
	return folders
}

func depth(folder string) int {
	if folder == "" {
		return 0
	}
	return 1 + strings.Count(folder, "/")
}

// UnusedAttributes returns the attributes files of the index that are not in
// the work tree, as in a sparse checkout, with their content. A merge does not
// read them, though git check-attr does.
func (t *WorkTree) UnusedAttributes() (map[string][]byte, error) {
	out, err := t.Run("ls-files", "-z", "--cached", "--", ":(glob)**/.gitattributes")
	if err != nil {
		return nil, err
	}
	unused := map[string][]byte{}
	for p := range records(out) {
		if _, err := os.Lstat(t.File(p)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if unused[p], err = t.Run("cat-file", "blob", ":0:"+p); err != nil {
			return nil, err
		}
	}
	return unused, nil
}

// Suppliers returns, for every path, the one of files that gives it a value of
// the attribute, "" if none does. Git itself reads each file, in a repository
// without anything else.
func (t *WorkTree) Suppliers(files []AttributesFile, paths []string, attribute string) ([]string, error) {
	empty, remove, err := emptyRepository()
	if err != nil {
		return nil, err
	}
	defer remove()
	suppliers := make([]string, len(paths))
	for _, f := range files {
		if !mentions(f.Path, attribute) {
			continue
		}
		if err := supplied(empty, f, paths, attribute, suppliers); err != nil {
			return nil, err
		}
	}
	return suppliers, nil
}

// mentions reports whether an attributes file may set the attribute: it names
// it, or a macro.
func mentions(file, attribute string) bool {
	data, err := os.ReadFile(file)
	return err == nil && (bytes.Contains(data, []byte(attribute)) || bytes.Contains(data, []byte("binary")))
}

// supplied notes f for the paths that have no supplier yet and get the
// attribute from f.
func supplied(empty Git, f AttributesFile, paths []string, attribute string, suppliers []string) error {
	var at []int
	var below []string
	for i, p := range paths {
		rel, ok := within(p, f.Folder)
		if ok && suppliers[i] == "" {
			at, below = append(at, i), append(below, rel)
		}
	}
	if len(below) == 0 {
		return nil
	}
	in := []byte(strings.Join(below, "\x00") + "\x00")
	out, err := empty.Feed(in, "-c", "core.attributesFile="+f.Path, "check-attr", "-z", "--stdin", attribute)
	if err != nil {
		return err
	}
	values, err := parseAttributes(out, len(below), 1)
	for i, v := range values {
		if v[attribute] != "unspecified" {
			suppliers[at[i]] = f.Path
		}
	}
	return err
}

// within returns path as seen from folder, and whether it is in there.
func within(path, folder string) (rel string, ok bool) {
	if folder == "" {
		return path, true
	}
	return strings.CutPrefix(path, folder+"/")
}

// emptyRepository makes a repository without files, history, configuration and
// attributes, also of the system, but for those of the user.
func emptyRepository() (g Git, remove func(), err error) {
	dir, err := os.MkdirTemp("", "git-merge-yaml-*")
	if err != nil {
		return g, nil, err
	}
	g = At(dir)
	g.Env = append(g.Env, "GIT_ATTR_NOSYSTEM=1")
	if _, err := g.Run("init", "-q", "--template="); err != nil {
		os.RemoveAll(dir)
		return g, nil, err
	}
	return g, func() { os.RemoveAll(dir) }, nil
}

// At returns a Git for the repository whose work tree is dir, whatever
// repository the environment names.
func At(dir string) Git {
	meta := filepath.Join(dir, ".git")
	return Git{Dir: dir, Env: []string{
		"GIT_DIR=" + meta,
		"GIT_COMMON_DIR=" + meta,
		"GIT_WORK_TREE=" + dir,
		"GIT_INDEX_FILE=" + filepath.Join(meta, "index"),
		"GIT_OBJECT_DIRECTORY=" + filepath.Join(meta, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=",
		"GIT_PREFIX=",
	}}
}
