package replay

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// aligned gives what one side renamed its new name in the base and on the
// other side too, so that its content is merged under that name.
func (v *virtual) aligned(x sides) (sides, error) {
	if !v.mayRename(x) {
		return x, nil
	}
	r := &renames{store: v, roots: x}
	ours, theirs, err := r.both()
	if err != nil {
		return x, err
	}
	for _, m := range []struct {
		of, other names
		root      *git.ID
	}{{ours, theirs, &x.theirs}, {theirs, ours, &x.ours}} {
		for _, from := range slices.Sorted(maps.Keys(m.of.to)) {
			if err := v.follow(git.Rename{From: from, To: m.of.to[from]}, m.other, m.root, &x.base); err != nil {
				return x, err
			}
		}
	}
	return x, nil
}

// mayRename reports whether a file was deleted by one side and changed by the
// other, or added by both.
func (v *virtual) mayRename(x sides) bool {
	w := &walk{store: v, want: v.want}
	b := folder(x.base)
	if w.tree("", versions{base: [engines]git.TreeEntry{b, b}, ours: folder(x.ours), theirs: folder(x.theirs)}) != nil {
		return false
	}
	return len(w.half) > 0 || slices.ContainsFunc(w.files, func(f file) bool { return f.base[byLine].ID == "" })
}

// follow renames in root and in base, where root has the file under its old
// name, or under the same new one.
func (v *virtual) follow(r git.Rename, other names, root, base *git.ID) error {
	if !v.want(r.To) || other.to[r.From] != "" && other.to[r.From] != r.To {
		return nil
	}
	old, err := lookup(v, *root, r.From)
	if err != nil {
		return err
	}
	taken, err := lookup(v, *root, r.To)
	switch {
	case err != nil:
		return err
	case other.to[r.From] == r.To:
	case old.ID == "" || taken.ID != "":
		return nil
	default:
		if err := v.rename(root, r); err != nil {
			return err
		}
	}
	return v.rename(base, r)
}

// rename moves a file within the folder root, if it is there.
func (v *virtual) rename(root *git.ID, r git.Rename) error {
	e, err := lookup(v, *root, r.From)
	if err != nil || e.ID == "" {
		return err
	}
	if *root, err = v.put(*root, r.From, git.TreeEntry{}); err != nil {
		return err
	}
	*root, err = v.put(*root, r.To, e)
	return err
}

// put returns the folder root with e at path; the zero e is nothing there.
func (v *virtual) put(root git.ID, path string, e git.TreeEntry) (git.ID, error) {
	t, err := v.Tree(root)
	if err != nil {
		return "", err
	}
	name, rest, deeper := strings.Cut(path, "/")
	if deeper {
		id := git.ID("")
		if sub := t.Find(name); sub.Mode.IsTree() {
			id = sub.ID
		}
		if id, err = v.put(id, rest, e); err != nil {
			return "", err
		}
		e = git.TreeEntry{}
		if id != "" {
			e = folder(id)
		}
	}
	t = slices.DeleteFunc(slices.Clone(t), func(x git.TreeEntry) bool { return x.Name == name })
	if e.ID != "" {
		e.Name = name
		t = append(t, e)
	}
	return v.add(t), nil
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
