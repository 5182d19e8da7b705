package replay

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// aligned gives what a side renamed its new name in the base and on the other
// side too, so that its content is merged under that name. Where that cannot
// be, it is what git makes of names in conflict where it merges ancestors.
func (v *virtual) aligned(x sides, extra int) (sides, error) {
	v.names = map[string][2]string{}
	if !v.mayRename(x) {
		return x, nil
	}
	r := &renames{store: v, roots: x}
	ours, theirs, err := r.both()
	if err != nil {
		return x, err
	}
	a := &alignment{virtual: v, was: [3]git.ID{x.base, x.ours, x.theirs}, extra: extra}
	a.now = a.was
	sources := slices.Concat(slices.Collect(maps.Keys(ours.to)), slices.Collect(maps.Keys(theirs.to)))
	slices.Sort(sources)
	for _, from := range slices.Compact(sources) {
		a.file(from, ours.to[from], theirs.to[from])
	}
	return sides{a.now[0], a.now[1], a.now[2]}, a.err
}

// mayRename reports whether a side may have renamed a file that the other
// changed, deleted or renamed, or that it added too.
func (v *virtual) mayRename(x sides) bool {
	w := &walk{store: v, want: v.want}
	if w.tree("", x.folders()) != nil {
		return false
	}
	return w.gone || len(w.half) > 0 || slices.ContainsFunc(w.files, func(f file) bool { return f.base.ID == "" })
}

// An alignment moves files within the roots of base, ours and theirs.
type alignment struct {
	*virtual
	was, now [3]git.ID
	extra    int   // the length of markers above the usual one
	err      error // the first one
}

// file aligns the file from, which became ours or theirs, "" for not renamed.
func (a *alignment) file(from, ours, theirs string) {
	switch {
	case ours != "" && !a.want(ours) || theirs != "" && !a.want(theirs):
	case ours == theirs:
		a.names[ours] = [2]string{ours, ours}
		a.set(0, ours, a.at(0, from))
	case theirs == "":
		a.one(1, from, ours)
	case ours == "":
		a.one(2, from, theirs)
	default:
		a.names[from] = [2]string{ours, theirs}
		merged := a.merged(from, a.at(0, from), a.at(1, ours), a.at(2, theirs))
		a.set(0, from, git.TreeEntry{})
		a.set(1, ours, merged)
		a.set(2, theirs, merged)
	}
}

// one aligns a file that one side renamed: root 1 or 2.
func (a *alignment) one(side int, from, to string) {
	other := 3 - side
	names := [2]string{from, from}
	names[side-1] = to
	base, changed, taken := a.at(0, from), a.at(other, from), a.at(other, to)
	a.set(0, from, git.TreeEntry{})
	a.set(other, from, git.TreeEntry{})
	switch {
	case changed.ID == "" && taken.ID == "": // of what the other side deleted, git takes the base
		a.set(side, to, base)
	case changed.ID == "": // both sides have another file there
	case taken.ID == "":
		a.names[to] = names
		a.set(0, to, base)
		a.set(other, to, changed)
	case side == 1:
		a.names[from] = names
		a.set(1, to, a.merged(from, base, a.at(1, to), changed))
	default:
		a.names[from] = names
		a.set(2, to, a.merged(from, base, changed, a.at(2, to)))
	}
}

// merged merges a file whose name is in conflict too. Its markers are longer
// by one.
func (a *alignment) merged(path string, base, ours, theirs git.TreeEntry) git.TreeEntry {
	e, err := a.entry(path, base, ours, theirs, a.extra+1)
	a.err = cmp.Or(a.err, err)
	return e
}

// at returns what stood at path in a root before.
func (a *alignment) at(root int, path string) git.TreeEntry {
	e, err := lookup(a, a.was[root], path)
	a.err = cmp.Or(a.err, err)
	return e
}

// set puts e, nothing if it is the zero value, at path in a root.
func (a *alignment) set(root int, path string, e git.TreeEntry) {
	if a.err == nil {
		a.now[root], a.err = a.put(a.now[root], path, e)
	}
}

// put returns the folder root with e at path; the zero e is nothing there.
func (v *virtual) put(root git.ID, path string, e git.TreeEntry) (git.ID, error) {
	trees, err := v.Trees(root)
	if err != nil {
		return "", err
	}
	t := trees[0]
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
