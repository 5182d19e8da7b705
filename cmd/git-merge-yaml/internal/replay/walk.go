package replay

import (
	"cmp"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// engine is one of the two that merge.
type engine int

const (
	byLine  engine = iota // git
	byField               // git with the driver
	engines
)

// versions is one file or folder in the base, in ours and in theirs.
type versions struct{ base, ours, theirs git.TreeEntry }

// all returns the versions in a fixed order.
func (v *versions) all() [3]*git.TreeEntry {
	return [3]*git.TreeEntry{&v.base, &v.ours, &v.theirs}
}

// contested reports whether both sides changed v differently.
func (v *versions) contested() bool {
	return !same(v.ours, v.theirs) && !same(v.base, v.ours) && !same(v.base, v.theirs)
}

// gone reports whether both sides deleted v.
func (v *versions) gone() bool { return v.ours.ID == "" && v.theirs.ID == "" }

// name is the name of the entries, all of which have the same.
func (v *versions) name() string {
	return cmp.Or(v.ours.Name, v.theirs.Name, v.base.Name)
}

// alike reports whether both sides made the same of the file v, about which git asks
// nobody.
func (v *versions) alike() bool {
	return v.ours.Mode.IsFile() && same(v.ours, v.theirs) && v.base.ID != "" && !same(v.base, v.ours)
}

func same(a, b git.TreeEntry) bool { return a.ID == b.ID && a.Mode == b.Mode }

// A file is one that both sides changed.
type file struct {
	path string // in the merge
	from string // the path in the base, where a side renamed it, else ""
	versions
}

// A walk looks for the files that both sides changed, in folders that both
// sides changed.
type walk struct {
	store
	want func(path string) bool
	// bumps reports whether the policy next is for a field of a file: two releases may
	// have one version there, where both sides made the file alike.
	bumps func(path string) bool
	files []file
	// half are files that one side deleted and the other changed: the former
	// may have renamed them.
	half []file
	// gone is true if both sides deleted something: each may have renamed it.
	gone  bool
	roots sides
	// clashes are the names that each side gave to another file.
	clashes map[string]bool
}

// at returns the file at path, nil if not both sides have it.
func (w *walk) at(path string) (*file, error) {
	for i := range w.files {
		if w.files[i].path == path {
			return &w.files[i], nil
		}
	}
	if w.clashes[path] {
		return nil, nil
	}
	f := &file{path: path}
	for i, root := range [3]git.ID{w.roots.base, w.roots.ours, w.roots.theirs} {
		e, err := lookup(w, root, path)
		if err != nil {
			return nil, err
		}
		if i > 0 && !e.Mode.IsFile() {
			return nil, nil
		}
		*f.all()[i] = e
	}
	return f, nil
}

// tree walks the folders of v, whose path is prefix, with its slash.
func (w *walk) tree(prefix string, v versions) error {
	var ids [3]git.ID
	for i, e := range v.all() {
		if e.Mode.IsTree() {
			ids[i] = e.ID
		}
	}
	trees, err := w.Trees(ids[:]...)
	if err != nil {
		return err
	}
	for {
		e, ok := next(trees)
		if !ok {
			return nil
		}
		v := versions{e[0], e[1], e[2]}
		w.gone = w.gone || v.gone()
		if !v.contested() && !(w.bumps != nil && v.alike() && w.bumps(prefix+v.name())) {
			continue
		}
		if err := w.entry(prefix, v); err != nil {
			return err
		}
	}
}

func (w *walk) entry(prefix string, v versions) error {
	path := prefix + v.name()
	for _, e := range v.all() {
		if e.Mode.IsTree() {
			return w.tree(path+"/", v)
		}
	}
	if w.want(path) {
		w.add(file{path: path, versions: v})
	}
	return nil
}

// add puts a file where it belongs; links and submodules nowhere.
func (w *walk) add(f file) {
	for _, e := range f.all() {
		if e.ID != "" && !e.Mode.IsFile() {
			return
		}
	}
	if f.ours.ID == "" || f.theirs.ID == "" {
		w.half = append(w.half, f)
		return
	}
	w.files = append(w.files, f)
}

// next takes the first entry off the trees, four at most, and all entries of
// its name and type. A file and a folder of one name are two.
func next(trees []git.Tree) (entries [4]git.TreeEntry, ok bool) {
	first := -1
	for i, t := range trees {
		if len(t) > 0 && (first < 0 || compare(t[0], trees[first][0]) < 0) {
			first = i
		}
	}
	if first < 0 {
		return entries, false
	}
	head := trees[first][0]
	for i, t := range trees {
		if len(t) > 0 && compare(t[0], head) == 0 {
			entries[i], trees[i] = t[0], t[1:]
		}
	}
	return entries, true
}

// compare orders entries as git does, folders as if their names ended in a
// slash.
func compare(a, b git.TreeEntry) int {
	if a.Name == b.Name && a.Mode.IsTree() == b.Mode.IsTree() {
		return 0
	}
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	return int(at(a, n)) - int(at(b, n))
}

// at returns byte n of the name that e is sorted by, 0 at its end.
func at(e git.TreeEntry, n int) byte {
	switch {
	case n < len(e.Name):
		return e.Name[n]
	case e.Mode.IsTree():
		return '/'
	}
	return 0
}
