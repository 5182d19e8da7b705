package replay

import "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"

// sides are the roots of a merge's versions.
type sides struct {
	base, ours, theirs git.ID
}

func (x sides) folders() versions {
	return versions{folder(x.base), folder(x.ours), folder(x.theirs)}
}

// renamed gives files to w that a side renamed: those that one side deleted
// and the other changed, and those that both have under a new name. It returns
// how many files are left that one side deleted and the other changed.
func (w *walk) renamed() (deleted int, err error) {
	r := renames{store: w, roots: w.roots}
	files := w.files
	w.files = nil
	for _, f := range files {
		if err := w.bothHave(f, &r); err != nil {
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

// bothHave adds a file that both sides have: one that the base has not, with
// the base that it has under another name in both. A file that a side renamed
// to a name that the other has given to something else is not merged alone.
func (w *walk) bothHave(f file, r *renames) error {
	if f.base.ID != "" {
		w.files = append(w.files, f)
		return nil
	}
	ours, theirs, err := r.both()
	if err != nil {
		return err
	}
	from, other := ours.from[f.path], theirs.from[f.path]
	if from == other && from != "" {
		base, err := lookup(w, w.roots.base, from)
		if err != nil {
			return err
		}
		if base.Mode.IsFile() {
			f.from, f.base = from, base
		}
	} else if clash, err := w.clash(from, other); clash || err != nil {
		w.clashes[f.path] = true
		return err
	}
	w.files = append(w.files, f)
	return nil
}

// clash reports whether the content of a renamed file is to be merged with
// what has its new name by chance: the side that did not rename it still has it.
func (w *walk) clash(ours, theirs string) (bool, error) {
	for _, x := range []struct {
		from string
		root git.ID
	}{{ours, w.roots.theirs}, {theirs, w.roots.ours}} {
		if x.from == "" {
			continue
		}
		if e, err := lookup(w, x.root, x.from); e.ID != "" || err != nil {
			return true, err
		}
	}
	return false, nil
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
		w.clashes[to] = true
		return true, err
	}
	f.from, f.path = f.path, to
	if missing.Mode.IsFile() {
		w.files = append(w.files, f)
	}
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
