package history

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Checked is a file of a merge commit as merge.Check finds it.
type Checked struct {
	Merge    git.ID
	Path     string // "" for what is said of the merge
	Findings []merge.Finding
	// Without says that a file for the driver was merged without it: it merges the file clean, and
	// to other data, where git leaves a conflict.
	Without bool
	// Not says why it was not checked, "" if it was.
	Not string
	// Deleted is a file that one side deleted and the other one changed, which is not checked:
	// that people did either is no fault.
	Deleted *Name
}

// Checks counts what was checked.
type Checks struct {
	Merges, Files, Findings int
	Faulty                  int // files with findings
	Not                     int // merges and files that were not checked
	Deleted                 int // files that one side deleted and the other one changed
	Without                 int // files that were merged without the driver
	// Short says that a merge was not, or that merges may not be known: it is a
	// shallow clone.
	Short bool
}

// Check checks merge commits, the newest first, whoever made them: the files that a parent
// changed, and that the commit has otherwise than by taking the only change. The rules, definitions and attributes are
// those of the commit behind which the revisions begin, so that a branch is not judged by rules of its own; without such a
// commit, those of the session.
func Check(ctx context.Context, o Options, each func(Checked) error) (s Checks, err error) {
	here := o.Session
	base, err := here.Git.Excluded(o.Revisions)
	if err != nil {
		return s, err
	}
	if base != "" {
		o.Session = here.WithRulesOf(base.String())
	}
	if err := o.Session.FirstRulesError(); err != nil {
		return s, err
	}
	w, err := open(ctx, o)
	if err != nil {
		return s, err
	}
	if base != "" {
		w.here = here.Attributes
	}
	defer w.close()
	s.Short = w.cut
	err = w.inOrder(w.check, func(m *Merge) error {
		s.Merges++
		if m.Err != nil {
			m.checked = append(m.checked, Checked{Merge: m.ID, Not: m.Err.Error()})
		}
		for _, c := range m.checked {
			s.add(c)
			if err := each(c); err != nil {
				return err
			}
		}
		w.progress(s.Merges, s.Files)
		return nil
	})
	return s, err
}

// notHere is why a merge is not checked of which a shallow clone has too little.
const notHere = "its common ancestor is not in this shallow clone"

func (s *Checks) add(c Checked) {
	s.Findings += len(c.Findings)
	switch {
	case c.Deleted != nil:
		s.Deleted++
		return
	case c.Not != "":
		s.Not++
		s.Short = s.Short || c.Not == notHere
	case len(c.Findings) > 0:
		s.Faulty++
	}
	if c.Path != "" {
		s.Files++
	}
	if c.Without {
		s.Without++
	}
}

// check checks a merge commit.
func (w *walk) check(m *Merge) error {
	for _, n := range m.Names {
		if n.File != nil {
			m.checked = append(m.checked, Checked{Merge: m.ID, Path: n.Path, Deleted: &n})
		}
	}
	switch {
	case m.Octopus:
		m.checked = append(m.checked, Checked{Merge: m.ID, Not: "it merges more than two branches"})
		return nil
	case m.CutOff:
		m.checked = append(m.checked, Checked{Merge: m.ID, Not: notHere})
		return nil
	}
	deleted := len(m.checked)
	checked := map[string]bool{}
	check := func(path string, v [4][]byte) {
		checked[path] = true
		x := Checked{Merge: m.ID, Path: path}
		c := w.newCase(m, path, v)
		var err error
		if v[3] == nil {
			x.Findings = []merge.Finding{{Rule: "lost", Detail: "the file is gone, and no parent deleted it"}}
		} else if x.Findings, err = c.File.Findings(v[3]); err != nil {
			x.Not = err.Error()
		} else if m.known[path].driven {
			// What a person changed of the driver's clean result looks as if it was merged without it.
			if c.line(); c.Git.Conflicts > 0 {
				c.field()
				x.Without = c.Driver.Clean() && c.compare(c.Content.Driver) == Different
			}
		}
		m.checked = append(m.checked, x)
	}
	for _, u := range m.files {
		v, err := w.objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID, m.committed(u))
		if err != nil {
			return err
		}
		check(u.Path, [4][]byte(v))
	}
	for _, path := range slices.Concat(m.alike, slices.Sorted(maps.Keys(m.diff))) {
		d, differs := m.diff[path]
		if checked[path] || !m.known.wants(path) || differs && !d.From.Mode.IsFile() {
			continue
		}
		v, err := w.versions(m, path)
		if err != nil {
			return err
		}
		if differs && !d.To.Mode.IsFile() { // a link, say
			v[3] = nil
		}
		base, ours, theirs := v[0], v[1], v[2]
		isDeleted := base != nil && (ours == nil || theirs == nil) || ours == nil && theirs == nil
		if !isDeleted && !(same(base, ours) && same(base, theirs)) {
			check(path, v)
		}
	}
	slices.SortFunc(m.checked[deleted:], func(a, b Checked) int { return strings.Compare(a.Path, b.Path) })
	return nil
}
