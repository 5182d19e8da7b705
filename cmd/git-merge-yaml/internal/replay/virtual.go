package replay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A virtual is the common ancestor of two commits with several: git merges
// these first. What comes out is in no repository, but has the ids that it
// would have in one. It belongs to one merge.
type virtual struct {
	store
	git    git.Git
	bases  *git.Bases
	graph  *git.Graph
	want   func(path string) bool
	merge  contentMerge
	trees  map[git.ID]git.Tree
	blobs  map[git.ID][]byte
	sample git.ID // any id of the repository
	// scratch holds trees and blobs for git, once it is asked about them.
	scratch *git.Scratch
	// names are those of ours and theirs of the files that the merge on its
	// way knows by another name.
	names map[string][2]string
}

// A contentMerge merges the content of a file. The result has markers around
// what is in conflict.
type contentMerge func(path string, base, ours, theirs []byte, m merge.Markers) ([]byte, error)

func (v *virtual) Trees(ids ...git.ID) ([]git.Tree, error) {
	return overlaid(ids, v.trees, v.store.Trees)
}

func (v *virtual) Blobs(ids ...git.ID) ([][]byte, error) {
	return overlaid(ids, v.blobs, v.store.Blobs)
}

// overlaid returns the objects that over has, and reads the others.
func overlaid[T any](ids []git.ID, over map[git.ID]T, read func(...git.ID) ([]T, error)) ([]T, error) {
	rest := slices.Clone(ids)
	for i, id := range ids {
		if _, ok := over[id]; ok {
			rest[i] = ""
		}
	}
	all, err := read(rest...)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if x, ok := over[id]; ok {
			all[i] = x
		}
	}
	return all, nil
}

// Renames asks git, which sees the virtual folders for that.
func (v *virtual) Renames(old, new git.ID) ([]git.Rename, error) {
	if v.scratch == nil {
		s, err := v.git.NewScratch()
		if err != nil {
			return nil, err
		}
		v.scratch = s
	}
	for id, t := range v.trees {
		if err := v.scratch.AddTree(id, t); err != nil {
			return nil, err
		}
	}
	for id, b := range v.blobs {
		if err := v.scratch.AddBlob(id, b); err != nil {
			return nil, err
		}
	}
	return v.scratch.Git().Renames(old, new)
}

func (v *virtual) close() {
	if v.scratch != nil {
		v.scratch.Remove()
	}
}

// entry merges a file or folder, with markers longer than usual by extra. Of a file that one side deleted and the
// other changed, git takes the base.
func (v *virtual) entry(path string, base, ours, theirs git.TreeEntry, extra int) (git.TreeEntry, error) {
	switch {
	case same(ours, theirs), same(base, theirs):
		return ours, nil
	case same(base, ours):
		return theirs, nil
	case ours.Mode.IsTree() || theirs.Mode.IsTree() || base.Mode.IsTree():
		return v.tree(path, base, ours, theirs, extra)
	case ours.ID == "" || theirs.ID == "":
		return base, nil
	case !v.want(path) || !ours.Mode.IsFile() || !theirs.Mode.IsFile():
		return ours, nil
	}
	return v.file(path, base, ours, theirs, extra)
}

func (v *virtual) tree(path string, base, ours, theirs git.TreeEntry, extra int) (git.TreeEntry, error) {
	trees, err := v.Trees(base.ID, ours.ID, theirs.ID)
	if err != nil {
		return git.TreeEntry{}, err
	}
	if path != "" {
		path += "/"
	}
	var merged git.Tree
	for {
		x, ok := next(trees)
		if !ok {
			break
		}
		name := cmp.Or(x[0].Name, x[1].Name, x[2].Name)
		e, err := v.entry(path+name, x[0], x[1], x[2], extra)
		if err != nil {
			return e, err
		}
		if e.ID != "" {
			e.Name = name
			merged = append(merged, e)
		}
	}
	id := v.add(merged)
	if id == "" {
		return git.TreeEntry{}, nil
	}
	return folder(id), nil
}

// add returns the id of a folder, which it keeps; "" of an empty one.
func (v *virtual) add(t git.Tree) git.ID {
	if len(t) == 0 {
		return ""
	}
	slices.SortFunc(t, func(a, b git.TreeEntry) int { return cmp.Or(compare(a, b), strings.Compare(a.Name, b.Name)) })
	id := t.ID(v.sample)
	v.trees[id] = t
	return id
}

// file merges the content of a file. Markers grow by two with every level of
// virtual ancestors, so that those of one do not look like another's.
func (v *virtual) file(path string, base, ours, theirs git.TreeEntry, extra int) (git.TreeEntry, error) {
	content, err := v.Blobs(base.ID, ours.ID, theirs.ID)
	if err != nil {
		return git.TreeEntry{}, err
	}
	merged, err := v.merge(path, content[0], content[1], content[2], v.markers(path, extra))
	if err != nil { // binary: git takes ours
		return ours, nil
	}
	e := git.TreeEntry{Mode: ours.Mode, ID: git.BlobID(merged, v.sample)}
	if base.Mode == ours.Mode {
		e.Mode = theirs.Mode
	}
	v.blobs[e.ID] = merged
	return e, nil
}

// markers are those that git asks for. Where a side has the file under another
// name, the labels say it: they count where git asks how alike two files are.
func (v *virtual) markers(path string, extra int) merge.Markers {
	k := merge.Markers{Size: merge.DefaultMarkerSize + extra, Base: "merged common ancestors",
		Ours: "Temporary merge branch 1", Theirs: "Temporary merge branch 2"}
	if names, ok := v.names[path]; ok {
		k.Ours += ":" + names[0]
		k.Theirs += ":" + names[1]
	}
	return k
}
