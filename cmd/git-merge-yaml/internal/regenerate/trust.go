package regenerate

import (
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
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// readTrust sets r.trustFile and r.trustList to the path and the content of the file with the rules that the user has
// trusted in this clone, which all its work trees share. The list is "" if the file does not exist. It returns an error
// if there is no repository, or if the file cannot be read.
func (r *regenerator) readTrust() error {
	_, common, err := r.session.Repo().GitDirs()
	if err != nil {
		return err
	}
	r.trustFile = filepath.Join(common, situation.NotesDir, "trusted")
	data, err := disk.ReadIfExists(r.trustFile)
	r.trustList = string(data)
	return err
}

// ruleHash returns the SHA-256 of a rule's patterns ("files" and "from") and command in hexadecimal. The hash is the
// same if the rule moves in the rules file or is formatted in another way.
func ruleHash(g program.Generated) string {
	text, _ := json.Marshal([]any{g.Files, g.From, g.By}) // strings can always be encoded
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// isTrusted reports whether the user has trusted the rule g in this clone with exactly these files and this command.
func (r *regenerator) isTrusted(g program.Generated) bool {
	return strings.Contains("\n"+r.trustList, "\n"+ruleHash(g)+" ")
}

// Trust adds all rules for generated files with a command, as they are now, to the list of trusted rules of this clone,
// so that Run may run their commands, and reports each to out. A rule that changes later is not trusted. It fails if
// the team has no rules for generated files, or if the list cannot be read or written.
func Trust(s *session.Session, out io.Writer) error {
	r, err := newRegenerator(s, Options{Stdout: out})
	if err != nil {
		return err
	}
	for _, g := range r.rules {
		switch {
		case g.By == "":
			terminal.PrintLine(r.Stdout, "%s: no command to trust", g.Source)
		case r.isTrusted(g):
			terminal.PrintLine(r.Stdout, "%s: `%s` is already trusted", g.Source, g.By)
		default:
			r.trustList += fmt.Sprintf("%s %q\n", ruleHash(g), g.By)
			before := g.Source + ": `"
			lines := strings.Split(strings.TrimSuffix(g.By, "\n"), "\n")
			for _, line := range lines[:len(lines)-1] { // a \n in it is no new line
				terminal.PrintLine(r.Stdout, "%s%s", before, line)
				before = "   "
			}
			terminal.PrintLine(r.Stdout, "%s%s` is trusted in this clone until the rule changes", before, lines[len(lines)-1])
		}
	}
	if err := os.MkdirAll(filepath.Dir(r.trustFile), 0o777); err != nil {
		return err
	}
	return disk.ReplaceOrCreate(r.trustFile, []byte(r.trustList))
}

// checkTrust writes the commands of r.jobs, with the rules that name them, to r.Stdout, and returns an error unless the
// user has trusted all of these rules in this clone. A rule that is not trusted may have come with the merged branch,
// and its command could do anything.
func (r *regenerator) checkTrust() error {
	allTrusted := true
	for i, j := range r.jobs {
		prefix := fmt.Sprintf("%d. ", i+1)
		for line := range strings.SplitSeq(strings.TrimSuffix(j.command, "\n"), "\n") { // PrintLine would escape the line feed
			terminal.PrintLine(r.Stdout, "%s%s", prefix, line)
			prefix = "   "
		}
		for _, g := range j.rules {
			kind := "trusted"
			if !r.isTrusted(g) {
				kind, allTrusted = "not trusted", false
			}
			from := `; no "from": a change of a source does not start the command`
			if len(g.From) > 0 {
				from = ", from " + strings.Join(g.From, ", ")
			}
			terminal.PrintLine(r.Stdout, "   %s, %s: %s%s", g.Source, kind, strings.Join(g.Files, ", "), from)
		}
	}
	if !allTrusted {
		return errors.New("no command was run, because a rule is not trusted in this clone and may come from the merged branch; review the commands above, trust them with \"git merge-yaml regenerate --trust\", then run \"git merge-yaml regenerate\" again")
	}
	return nil
}
