package resolve

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// opened is a file that sops encrypted and a person let it decrypt. What it says is shown to who asks for it, one
// conflict at a time; it is written once all of them are decided, as sops encrypts the whole of a file.
type opened struct {
	*sops.Opened
	left merge.Result // with all conflicts, in ciphertext
	told bool         // that it is decrypted
}

// open decrypts f to ask about it, if that can be done; else the result says why not.
func (f *unmergedFile) open(m *driver.Merger) {
	clear, err := m.File().Opened()
	if err != nil {
		return
	}
	asked, err := merge.NewResolution(clear.Clear[0], clear.Clear[1], clear.Clear[2], m.LibraryOptions())
	if err == nil && asked.Result().Method == merge.Structural && len(asked.Questions()) > 0 {
		f.asked, f.opened = asked, &opened{Opened: clear, left: f.result}
	}
}

// seal has sops write what was decided, once that is all.
func (f *unmergedFile) seal() error {
	result := f.asked.Result()
	if !result.Clean() {
		f.result = f.opened.left
		return nil
	}
	content, err := f.opened.Seal(result.Bytes)
	if err != nil {
		return fmt.Errorf("sops was not let write it: %w", err)
	}
	f.result = merge.Result{Bytes: content, Method: merge.Structural, LineConflicts: f.opened.left.LineConflicts, Reason: f.opened.Note}
	return nil
}

// hides reports whether nothing of the values of q is to be shown now.
func (q *question) hides() bool { return q.file.opened != nil && !q.shown }

// told is a text about q that can have values in it.
func (q *question) told(text string) string {
	if q.hides() {
		return "(hidden, v shows what is in conflict)"
	}
	return text
}

// hidden stands for the lines of a version.
func hidden(lines []string) []string {
	return []string{"(hidden: " + terminal.Count(len(lines), "line") + ", v shows it)"}
}

// tellOpened says, before the first question about f, that it is decrypted.
func (s *session) tellOpened(f *unmergedFile) {
	if f.opened == nil || f.opened.told {
		return
	}
	f.opened.told = true
	s.say(s.tree.Rel(f.Path) + ": sops decrypted it, into memory; v shows what is in conflict")
	s.say("It is encrypted again and written once all of its conflicts are decided; to type another value, sops edit it then.")
}
