package git

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// An AttributesFile is a file from which git takes attributes.
type AttributesFile struct {
	Path string // on disk
	// Folder is the one below which it counts, as the index has it: "" for all.
	Folder  string
	Content []byte
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
			files = append(files, AttributesFile{Path: file, Folder: folder})
		}
	}
	global, err := t.GlobalAttributes()
	if err != nil {
		return nil, err
	}
	files = append(files, AttributesFile{Path: global})
	for i := range files {
		files[i].Content, _ = os.ReadFile(files[i].Path) // what cannot be read says nothing
	}
	return files, nil
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

// Supplier returns the one of files, the most important first, that gives the file at path
// a value of the attribute, "" if none does.
func Supplier(files []AttributesFile, path, attribute string) string {
	for _, f := range files {
		rel, below := path, true
		if f.Folder != "" {
			rel, below = strings.CutPrefix(path, f.Folder+"/")
		}
		if below && gitattrs.Sets(f.Content, rel, attribute) {
			return f.Path
		}
	}
	return ""
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
