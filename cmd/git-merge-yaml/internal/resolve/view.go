package resolve

import (
	"cmp"
	"slices"
	"strings"

	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A view is a question as a person sees it.
type view struct {
	merge.Question
	question     *question
	name         string // of the file
	number, of   int    // of the question in its file
	file, files  int    // number of the file, of the session's
	list         string // how the list around it pairs
	unverified   string // why no answer is, "" if each is
	ours, theirs string // who they are
	offers       []merge.Take
	alike        int  // other open conflicts of its kind
	undoable     bool // something was answered before
	openBefore   neighbour
	openAfter    neighbour
	whole        bool
	shortened    bool
}

// view gathers what there is to know of a question.
func (s *session) view(q *question) *view {
	f := q.file
	v := &view{
		Question: q.known(), question: q,
		name: s.tree.Rel(f.Path), number: 1 + q.index, of: len(f.questions()),
		file: 1 + slices.Index(s.files, f), files: len(s.files),
		offers: f.asked.Offers(q.index),
	}
	if f.byLines() {
		v.unverified = "merged by lines (" + here.WhyByLines(f.result.Reason) + ")"
	} else {
		v.list = f.listAround(v.Path)
	}
	v.ours, v.theirs = s.sides(f)
	v.alike = len(s.alike(v))
	v.undoable = len(s.steps) > 0
	v.findNeighbours()
	return v
}

// sides names both sides of a merge and their last commits to the file. Theirs is perhaps a
// stash, where nothing else says it.
func (s *session) sides(f *unmergedFile) (ours, theirs string) {
	if f.sides == [2]string{} {
		side := s.theirs
		if side.Name == "" {
			side, _ = situation.StashOf(s.tree.Git, f.Path, f.in.Theirs)
		}
		f.sides = [2]string{s.side(f, s.ours, 0), s.side(f, side, 2)}
	}
	return f.sides[0], f.sides[1]
}

// side describes a side; what git does not tell has the label of the markers.
func (s *session) side(f *unmergedFile, of situation.Side, label int) string {
	name := cmp.Or(of.Name, f.merger("").Labels[label])
	if last, ok := s.situation.Last(of, f.Path); ok {
		return name + ": " + last
	}
	return name
}

// listAround says how the items of the list around a conflict were paired.
func (f *unmergedFile) listAround(path string) string {
	if f.changes == nil {
		file := f.merger("").File()
		for _, side := range [][]byte{file.Ours, file.Theirs} {
			changes, _ := file.Changes(side)
			f.changes = append(f.changes, changes...)
		}
	}
	for _, c := range f.changes {
		if c.OfActions() {
			continue // it is in no list
		}
		if c.Path == path || strings.HasPrefix(c.Path, path) && path != "" && strings.ContainsAny(c.Path[len(path):len(path)+1], ".[") {
			return c.List
		}
	}
	return ""
}
