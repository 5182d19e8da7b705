package resolve

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
)

// files returns the unmerged YAML files among those that the pathspecs name. A
// file is YAML by its name or by an attribute merge of this program's drivers;
// one that is named alone is, whatever it is called.
func (r *resolver) files(pathspecs []string) ([]*unmergedFile, error) {
	all, err := r.tree.Unmerged(pathspecs)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	paths := make([]string, len(all))
	for i, u := range all {
		paths[i] = u.Path
	}
	attributes, err := r.tree.Attributes(paths, "merge", "filter", "working-tree-encoding", "conflict-marker-size")
	if err != nil {
		return nil, err
	}
	var files []*unmergedFile
	for i, u := range all {
		f := &unmergedFile{Unmerged: u, resolver: r, attributes: attributes[i], named: r.named(u.Path, pathspecs)}
		if _, ours := driver.RulesOf(attributes[i]["merge"]); ours || f.named || driver.IsYAML(u.Path) {
			files = append(files, f)
		}
	}
	return files, nil
}

// named reports whether a pathspec is that very path.
func (r *resolver) named(p string, pathspecs []string) bool {
	return slices.ContainsFunc(pathspecs, func(spec string) bool {
		if filepath.IsAbs(spec) {
			return filepath.Clean(spec) == r.tree.File(p)
		}
		return path.Join(r.tree.Prefix, filepath.ToSlash(spec)) == p
	})
}
