package replay

import "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"

// sides are the roots of a merge's versions.
type sides struct {
	base, ours, theirs git.ID
}

// renamed gives files to w that a side renamed: those that one side deleted
// and the other changed, and those that both have under a new name. It returns
// how many files are left that one side deleted and the other changed.
func (w *walk) renamed(roots sides) (deleted int, err error) {
	r := renames{store: w, roots: roots}
	for i := range w.files {
		if err := w.bothRenamed(&w.files[i], &r); err != nil {
			return 0, err
		}
	}
	for _, f := range w.half {
		ok, err := w.oneRenamed(f, &r)
		if err != nil {
			return 0, err
		}
		if !ok {
			deleted++
		}
	}
	return deleted, nil
}

// bothRenamed gives a file that both sides have and the base has not the base
// that it has under another name in both.
func (w *walk) bothRenamed(f *file, r *renames) error {
	if f.base[byLine].ID != "" || f.base[byField].ID != "" {
		return nil
	}
	ours, theirs, err := r.both()
	if err != nil || ours.from[f.path] == "" || ours.from[f.path] != theirs.from[f.path] {
		return err
	}
	from := ours.from[f.path]
	for e, root := range w.bases {
		base, err := lookup(w, root, from)
		if err != nil {
			return err
		}
		if base.Mode.IsFile() {
			f.from, f.base[e] = from, base
		}
	}
	return nil
}

// oneRenamed adds f under the name that the side without it gave it, if it did.
func (w *walk) oneRenamed(f file, r *renames) (bool, error) {
	ours, theirs, err := r.both()
	if err != nil {
		return false, err
	}
	var to string
	missing, root, other := &f.ours, r.roots.ours, r.roots.theirs
	if to = ours.to[f.path]; f.ours.ID != "" {
		to = theirs.to[f.path]
		missing, root, other = &f.theirs, r.roots.theirs, r.roots.ours
	}
	if to == "" || !w.want(to) {
		return false, nil
	}
	if *missing, err = lookup(w, root, to); err != nil {
		return false, err
	}
	if taken, err := lookup(w, other, to); err != nil || taken.ID != "" {
		return false, err
	}
	f.from, f.path = f.path, to
	if !missing.Mode.IsFile() || !f.contested() {
		return true, nil
	}
	w.files = append(w.files, f)
	return true, nil
}

// renames asks git for the renames of both sides, once, and only if needed.
type renames struct {
	store        store
	roots        sides
	asked        bool
	ours, theirs names
}

// names are the renames of a side.
type names struct{ to, from map[string]string }

func (r *renames) both() (ours, theirs names, err error) {
	if !r.asked {
		r.asked = true
		if r.ours, err = r.of(r.roots.ours); err == nil {
			r.theirs, err = r.of(r.roots.theirs)
		}
	}
	return r.ours, r.theirs, err
}

func (r *renames) of(side git.ID) (names, error) {
	n := names{map[string]string{}, map[string]string{}}
	if r.roots.base == "" || side == "" {
		return n, nil
	}
	list, err := r.store.Renames(r.roots.base, side)
	for _, x := range list {
		n.to[x.From], n.from[x.To] = x.To, x.From
	}
	return n, err
}
