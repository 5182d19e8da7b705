package regenerate

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// readTrust reads the file, in the program's folder in git's, with the rules that this clone
// was told to trust, each by a line that begins with its sum. All work trees share it.
func (r *regenerator) readTrust() error {
	_, common, err := r.session.Repo().Folders()
	if err != nil {
		return err
	}
	r.trustFile = filepath.Join(common, situation.Folder, "trusted")
	data, err := disk.ReadIfAny(r.trustFile)
	r.trusted = string(data)
	return err
}

// sum is what a rule is known by: all of its text but for its form.
func sum(g merge.Generated) string {
	text, _ := json.Marshal([]any{g.Files, g.From, g.By}) // texts can always be written
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

func (r *regenerator) trusts(g merge.Generated) bool {
	return strings.Contains("\n"+r.trusted, "\n"+sum(g)+" ")
}

// Trust lets the commands of the rules, as they are now, run in this clone.
func Trust(s *session.Session, out io.Writer) error {
	r, err := read(s, Options{Stdout: out})
	if err != nil {
		return err
	}
	for _, g := range r.rules {
		switch {
		case g.By == "":
			terminal.Say(r.Stdout, "%s: no command to trust", g.Source)
		case r.trusts(g):
			terminal.Say(r.Stdout, "%s: `%s` is trusted already", g.Source, g.By)
		default:
			r.trusted += fmt.Sprintf("%s %q\n", sum(g), g.By)
			before := g.Source + ": `"
			lines := strings.Split(strings.TrimSuffix(g.By, "\n"), "\n")
			for _, line := range lines[:len(lines)-1] { // a \n in it is no new line
				terminal.Say(r.Stdout, "%s%s", before, line)
				before = "   "
			}
			terminal.Say(r.Stdout, "%s%s` runs in this clone from now on, until the rule changes", before, lines[len(lines)-1])
		}
	}
	if err := os.MkdirAll(filepath.Dir(r.trustFile), 0o777); err != nil {
		return err
	}
	return disk.ReplaceOrMake(r.trustFile, []byte(r.trusted))
}

// agree says what would run, and refuses it if this clone was not told to trust all of it: it
// may have come with what is merged.
func (r *regenerator) agree() error {
	trusted := true
	for i, j := range r.jobs {
		before := fmt.Sprintf("%d. ", i+1)
		for line := range strings.SplitSeq(strings.TrimSuffix(j.by, "\n"), "\n") { // a \n in it is no new line
			terminal.Say(r.Stdout, "%s%s", before, line)
			before = "   "
		}
		for _, g := range j.rules {
			kind := "trusted"
			if !r.trusts(g) {
				kind, trusted = "not trusted", false
			}
			terminal.Say(r.Stdout, "   %s, %s: %s, from %s", g.Source, kind, strings.Join(g.Files, ", "), cmp.Or(strings.Join(g.From, ", "), "all else"))
		}
	}
	if !trusted {
		return errors.New("nothing was run, since a rule that is not trusted may have come with what is merged: read it, and what it runs; then git merge-yaml regenerate --trust lets this clone run the rules until they change")
	}
	return nil
}
