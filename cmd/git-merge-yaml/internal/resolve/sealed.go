package resolve

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// open has sops decrypt f, into memory, if a person lets it: then f is merged, asked about and written in ciphertext, in
// which each value has one, and only a line that a person asks to see says what it means. If it cannot be opened, the
// result says why.
func (f *unmergedFile) open(m *driver.Merger) {
	if !m.File().MaySeal(f.result) {
		return
	}
	opened, err := sops.Open(f.in.Base, f.in.Ours, f.in.Theirs)
	if err != nil {
		return
	}
	f.opened = opened
	for _, text := range []*[]byte{&f.in.Base, &f.in.Ours, &f.in.Theirs, &f.text} {
		*text = opened.One(*text)
	}
}

// seal has sops make the MAC of what was decided, once that is all.
func (f *unmergedFile) seal() error {
	isValue := func(c merge.Conflict) bool { return !sops.InBlock(c.Path) }
	if f.opened == nil || slices.ContainsFunc(f.result.Conflicts, isValue) {
		return nil
	}
	sealed, err := here.Seal(f.opened, f.result)
	if err != nil {
		return fmt.Errorf("sops did not make its MAC: %w", err)
	}
	f.result = sealed
	return nil
}

// settle writes the file in the work tree, in which a person decided all values, with the MAC that sops makes.
func (f *unmergedFile) settle(m *driver.Merger) error {
	sealed, err := m.File().Settled(f.opened, f.text)
	if err != nil {
		return fmt.Errorf("edited since git merged it, and sops did not make its MAC: %w", err)
	}
	f.result, f.asked = sealed, nil
	return f.write()
}

// settled reports whether no conflict is left in f above its sops block.
func (f *unmergedFile) settled() bool {
	return f.opened != nil && len(merge.ParseConflicts(sops.Above(f.text), 0)) == 0
}

// reveals reports whether q is shown with what sops decrypted.
func (q *question) reveals() bool { return q.file.opened != nil && q.shown }
