package replay

import (
	"context"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Decision is what people chose in one field that both sides of a merge changed.
type Decision struct {
	Merge git.ID
	Time  time.Time // of the merge
	Path  string    // of the file
	// Repository is its name where there are several.
	Repository string
	Own        merge.Own // which side was the own one
	merge.Choice
}

// Read counts what Decisions has seen.
type Read struct {
	Commits, Merges int
	Files           int // that git leaves in conflict
	Unread          int // of them: no YAML, say
	Large           int // left out for their size
	Generated       int // of Files: a program makes them
	Named           int // of Generated: as the team's rules say
}

// Add adds what was read elsewhere.
func (s *Read) Add(o Read) {
	s.Commits += o.Commits
	s.Merges += o.Merges
	s.Files += o.Files
	s.Unread += o.Unread
	s.Large += o.Large
	s.Generated += o.Generated
	s.Named += o.Named
}

// Decisions reads what people chose in the merges of a history, those of each merge
// together, children before their parents or the newest first: in the files that git leaves in conflict, each field that both sides changed
// differently and that the team's rules do not decide.
func Decisions(ctx context.Context, o Options, each func(Decision) error) (s Read, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRun(ctx, o)
	r.anyOrder = true
	if err := r.open(ctx); err != nil {
		return s, err
	}
	defer r.trees.Close()
	s.Commits = r.graph.Len()
	err = inOrder(ctx, r, (*merger).decisions, func(d decided) error {
		s.Merges++
		s.Add(d.Read)
		r.progress(s.Merges, s.Files)
		for _, x := range d.found {
			if err := each(x); err != nil {
				return err
			}
		}
		return nil
	})
	return s, err
}

// decided is what was decided in one merge.
type decided struct {
	found []Decision
	Read
}

// decisions reads those of a merge. One that cannot be read has none.
func (m *merger) decisions(commit int) (d decided) {
	ours, theirs, bases, kind := m.parents(commit)
	if kind != replayed || len(bases) == 1 && (bases[0] == ours || bases[0] == theirs) {
		return d
	}
	roots, s, err := m.over(bases, mergeLines)
	if err != nil {
		return d
	}
	if v, ok := s.(*virtual); ok {
		defer v.close()
	}
	w, _, err := m.find(s, sides{roots[0], m.graph.Tree(ours), m.graph.Tree(theirs)})
	if err != nil {
		return d
	}
	about := Decision{Merge: m.graph.ID(commit), Time: m.graph.Time(commit)}
	for _, f := range w.files {
		if f.contested() {
			d.file(m, s, f, commit, about)
		}
	}
	return d
}

// largest is the size of files that are read for decisions. Those above are made
// by programs, and take most of the time.
const largest = 128 << 10

// file reads what was decided in a file.
func (d *decided) file(m *merger, s store, f file, commit int, about Decision) {
	there, err := lookup(s, m.graph.Tree(commit), f.path)
	if err != nil || !there.Mode.IsFile() {
		return
	}
	v, err := s.Blobs(f.base.ID, f.ours.ID, f.theirs.ID, there.ID)
	if err != nil {
		return
	}
	if len(v[0]) > largest || len(v[3]) > largest {
		d.Large++
		return
	}
	if _, conflicts, err := merge.MergeLines(v[0], v[1], v[2], merge.Markers{}); err != nil || conflicts == 0 {
		return // git decided, or nobody can
	}
	d.Files++
	merged := m.file(commit, f.path, content{v[0], v[1], v[2]})
	if _, ok := merged.Maker(); ok {
		d.Generated++
	}
	if _, ok := merged.Rule(); ok {
		d.Named++
		return // what people wrote there says nothing
	}
	opts := merged.Merging()
	choices, err := merge.Choices(v[0], v[1], v[2], v[3], opts)
	if err != nil {
		d.Unread++
		return
	}
	for _, c := range choices {
		about.Path, about.Own, about.Choice = f.path, opts.Own(), c
		d.found = append(d.found, about)
	}
}
