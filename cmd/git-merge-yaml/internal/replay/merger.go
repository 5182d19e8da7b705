package replay

import (
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// mergeKind says what a merge commit is to the replay.
type mergeKind int

const (
	replayed mergeKind = iota
	octopus            // more than two parents: git calls no driver
	cutOff             // what is between the parents and their common ancestors is not all in this shallow clone
)

// A merger replays one merge at a time.
type merger struct {
	*run
	bases *git.Bases
}

func (m *merger) merge(commit int) found {
	ours, theirs, bases, kind := m.parents(commit)
	if kind != replayed || len(bases) == 1 && (bases[0] == ours || bases[0] == theirs) {
		return found{kind: kind}
	}
	f, err := m.files(commit, ours, theirs, bases)
	f.err = err
	return f
}

// parents returns what a merge commit merged, with the best common ancestors.
func (m *merger) parents(commit int) (ours, theirs int, bases []int, kind mergeKind) {
	if p, ok := m.picks[commit]; ok {
		return p.ours, p.theirs, p.bases, replayed
	}
	parents := m.graph.Parents(commit)
	if len(parents) != 2 {
		return 0, 0, nil, octopus
	}
	ours, theirs = int(parents[0]), int(parents[1])
	bases = m.bases.Of([]int{ours}, []int{theirs})
	if len(m.shallow) > 0 && m.bases.AnyApart(func(c int) bool { return m.shallow[m.graph.ID(c)] }) {
		kind = cutOff
	}
	return ours, theirs, bases, kind
}

// bumps reports whether the policy next is for a field of the file at path.
func (m *merger) bumps(path string) bool {
	rules, _ := m.Session.Rules()
	return rules.Bumps(path)
}

// files merges the files that both parents of a merge changed.
func (m *merger) files(commit, ours, theirs int, bases []int) (found found, err error) {
	roots, s, err := m.ancestors(bases)
	if err != nil {
		return found, err
	}
	if v, ok := s.(*virtual); ok {
		defer v.close()
	}
	pairs, found, err := m.pairs(s, roots, m.graph.Tree(ours), m.graph.Tree(theirs))
	if err != nil {
		return found, err
	}
	about := Case{Merge: m.graph.ID(commit), Time: m.graph.Time(commit), Parents: [2]git.ID{m.graph.ID(ours), m.graph.ID(theirs)}}
	for _, b := range bases {
		about.Bases = append(about.Bases, m.graph.ID(b))
	}
	committed := m.graph.Tree(commit)
	if m.picks[commit].open {
		committed = ""
	}
	for _, p := range pairs {
		c := about
		c.alike = p[byLine] != nil && p[byLine].alike()
		if err := m.judge(&c, commit, p, s, committed); err != nil {
			return found, err
		}
		if c.alike && c.Review.Verdict != Twice && c.Path != m.File {
			continue
		}
		found.cases = append(found.cases, &c)
	}
	return found, nil
}

// A pair is a file as each engine merges it: nil where that has nothing to
// merge, since it finds other renames over another base.
type pair [engines]*file

// pairs returns the files that both sides changed, for any engine.
func (m *merger) pairs(s store, bases [engines]git.ID, ours, theirs git.ID) (pairs []pair, found found, err error) {
	var walks [engines]*walk
	for e, base := range bases {
		if e > 0 && base == bases[byLine] {
			walks[e] = walks[byLine]
			continue
		}
		w, deleted, err := m.find(s, sides{base, ours, theirs})
		if err != nil {
			return nil, found, err
		}
		walks[e] = w
		if engine(e) == byLine {
			found.deleted, found.names = deleted, len(w.clashes)
		}
	}
	seen := map[string]bool{}
	add := func(path string) error {
		if seen[path] {
			return nil
		}
		seen[path] = true
		var p pair
		for e := range engines {
			if p[e], err = walks[e].at(path); err != nil {
				return err
			}
		}
		if p != (pair{}) {
			pairs = append(pairs, p)
		}
		return nil
	}
	for _, w := range walks {
		for _, f := range w.files {
			if f.contested() || f.alike() {
				if err := add(f.path); err != nil {
					return nil, found, err
				}
			}
		}
	}
	if m.File != "" {
		err = add(m.File)
	}
	return pairs, found, err
}

// find returns all files of a merge that both sides changed, and how many one
// side deleted and the other changed.
func (m *merger) find(s store, roots sides) (w *walk, deleted int, err error) {
	w = &walk{store: s, want: m.Want, bumps: m.bumps, roots: roots, clashes: map[string]bool{}}
	if v := roots.folders(); v.contested() {
		if err := w.tree("", v); err != nil {
			return nil, 0, err
		}
	}
	deleted, err = w.renamed()
	return w, deleted, err
}
