package team

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// What is read of a work tree to find definitions is bounded.
const (
	maxVisited  = 200_000 // files and folders looked at
	maxCRDFiles = 2_000
	maxCRDBytes = 64 << 20 // of all of them
)

// crdFiles returns the files of the work tree at top that the rules name as
// custom resource definitions, in the order of their paths. None is read that
// a symbolic link leads out of the work tree for.
func crdFiles(top string, rules *merge.Rules) ([]merge.File, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	c := &collector{root: root, rules: rules, left: maxCRDBytes}
	for _, dir := range searched(rules.CRDs()) {
		if _, err := root.Stat(dir); err != nil {
			continue // nothing is there yet, or it is outside
		}
		if err := fs.WalkDir(root.FS(), dir, c.visit); err != nil {
			return nil, fmt.Errorf("crds: %w", err)
		}
	}
	return c.files, nil
}

// searched returns the folders in which files may match the patterns, none
// of them within another.
func searched(patterns []string) []string {
	var dirs []string
	for _, p := range patterns {
		dirs = append(dirs, fixed(p))
	}
	slices.Sort(dirs)
	var outer []string
	for _, d := range dirs {
		within := func(o string) bool { return o == "." || d == o || strings.HasPrefix(d, o+"/") }
		if !slices.ContainsFunc(outer, within) {
			outer = append(outer, d)
		}
	}
	return outer
}

// fixed returns the folders of a pattern that it names without wildcards.
func fixed(pattern string) string {
	if !strings.Contains(pattern, "/") {
		return "." // at any depth
	}
	pattern = strings.TrimPrefix(pattern, "/")
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		pattern = pattern[:i+1]
	}
	return path.Dir(pattern)
}

// A collector walks a work tree.
type collector struct {
	root    *os.Root
	rules   *merge.Rules
	files   []merge.File
	visited int
	left    int64
}

func (c *collector) visit(name string, d fs.DirEntry, err error) error {
	c.visited++
	switch {
	case err != nil:
		return err
	case c.visited > maxVisited:
		return fmt.Errorf("more than %d files to look at; name their folders", maxVisited)
	case d.IsDir() && d.Name() == ".git":
		return fs.SkipDir
	case d.IsDir() || !c.rules.IsCRD(name):
		return nil
	case len(c.files) == maxCRDFiles:
		return fmt.Errorf("more than %d files match; name them more narrowly", maxCRDFiles)
	}
	data, err := readWithin(c.root, name, c.left)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.left -= int64(len(data))
	c.files = append(c.files, merge.File{Path: name, Data: data})
	return nil
}
