package resolve

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// makeQuestions makes the conflicts of f questions, if there are any that can be
// asked. A file that is merged by lines since the team's rules have a mistake is
// not asked about.
func (f *unmergedFile) makeQuestions(m *driver.Merger) error {
	if f.result.Clean() {
		return nil
	}
	asked, err := merge.NewResolution(f.in.Base, f.in.Ours, f.in.Theirs, m.LibraryOptions())
	if err != nil {
		return err
	}
	result := asked.Result()
	if f.byLines() && (len(asked.Questions()) == 0 || result.Reason != f.result.Reason) {
		return nil
	}
	f.asked, f.result = asked, result
	return nil
}

// byLines reports whether f is not merged as YAML, so that nothing is verified.
func (f *unmergedFile) byLines() bool { return f.result.Method == merge.Delegated }

// doubt is what else is to be said of f once it is resolved.
func (f *unmergedFile) doubt() string {
	if f.byLines() {
		return ", but not verified: it is merged by lines"
	}
	return ""
}

// questions are the conflicts of f, decided or not, without those of a sops block that sops is going to make, the last ones.
func (f *unmergedFile) questions() []merge.Question {
	if f.skip == "" && f.asked != nil && f.known == nil {
		f.known = f.asked.Questions()
		for n := len(f.known) - 1; f.opened != nil && n >= 0 && sops.InBlock(f.known[n].Path); n-- {
			f.known = f.known[:n]
		}
	}
	return f.known
}

// decide answers a question about f.
func (f *unmergedFile) decide(i int, a merge.Answer) error {
	return f.decideAll(map[int]merge.Answer{i: a})
}

// decideAll answers questions about f together.
func (f *unmergedFile) decideAll(all map[int]merge.Answer) error {
	err := f.asked.DecideAll(all)
	if err == nil {
		f.known = nil
	}
	return err
}

// resume takes over what was edited since git merged f, or says why it cannot.
func (f *unmergedFile) resume() (skip string) {
	const again = " (--force merges it again, and loses the edit)"
	if f.asked == nil {
		return "edited since git merged it" + again
	}
	err := f.asked.Resume(f.text)
	wrong, ok := errors.AsType[*merge.AnswerError](err)
	switch {
	case err == nil:
		f.byHand, f.result = true, f.asked.Result()
		return ""
	case ok:
		return "edited since git merged it, and not YAML now: " + wrong.Error() + again
	case errors.Is(err, merge.ErrHalfResolved):
		return "edited since git merged it: " + err.Error() + ": finish that one by hand, down to its markers, and run this again" + again
	}
	return "edited since git merged it, also outside of its conflicts: go on by hand, and git add it" + again
}

// A question is one conflict of a file.
type question struct {
	file  *unmergedFile
	index int  // among those of the file
	shown bool // a person asked for what sops decrypted of it
}

// known is what is known of the question now.
func (q *question) known() merge.Question { return q.file.questions()[q.index] }

// open reports whether a question can be asked.
func (q *question) open() bool {
	return q.file.skip == "" && q.known().Answer.Take == merge.Undecided
}
