package show

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A Save writes each case as a folder in Dir.
type Save struct{ Dir string }

// Case writes c to Dir/NUMBER-MERGE-NAME.
func (s Save) Case(c *history.Case) error {
	return Folder(filepath.Join(s.Dir, fmt.Sprintf("%04d-%s-%s", c.Number, c.Merge.Short(), folderName(c.Path))), c)
}

// Folder writes the versions of c to a folder: base.yaml, ours.yaml and so on as the case
// has them, and case.json.
func Folder(dir string, c *history.Case) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var err error
	for _, f := range versions(c) {
		if f.data != nil {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, f.name+".yaml"), f.data, 0o666))
		}
	}
	text, failed := json.Marshal(jsonOf(c))
	return errors.Join(err, failed, os.WriteFile(filepath.Join(dir, "case.json"), append(text, '\n'), 0o666))
}

// Summary writes nothing: a run that was interrupted leaves what it has saved.
func (s Save) Summary(history.Summary) error { return nil }

// About is what an issue needs to know beside the files of a folder.
type About struct {
	Rules    []byte   // the team's file, nil if there is none
	Settings []string // lines about the program and its surroundings
}

const rulesName = ".git-merge-yaml.yaml"

// Report is Folder with about.md, the text for an issue, and the team's rules.
func Report(dir string, c *history.Case, a About) error {
	err := Folder(dir, c)
	for name, data := range map[string][]byte{"about.md": []byte(about(c, a)), rulesName: a.Rules} {
		if data != nil {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o666))
		}
	}
	return err
}

// about is the text beside the files.
func about(c *history.Case, a About) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A merge of %s\n\n- git: %s\n- git-merge-yaml: %s\n", code(c.Path), code(left(c.Git)), code(outcome(c)))
	if c.Result.Refused != "" {
		fmt.Fprintf(&b, "- %s\n", code(c.Result.Refused))
	}
	for _, x := range c.Result.Conflicts {
		fmt.Fprintf(&b, "- conflict: %s (%s), line %d of the result\n", code(driver.PathOrDocument(x.Path)), x.Kind, x.Line)
	}
	for _, x := range c.Result.Resolved {
		fmt.Fprintf(&b, "- decided: %s by %s\n", code(driver.PathOrDocument(x.Path)), code(x.By))
	}
	for _, s := range a.Settings {
		fmt.Fprintf(&b, "- %s\n", code(s))
	}
	options := ""
	if c.File.RuleSet != "" {
		options = " --rules " + terminal.ShellWord(c.File.RuleSet)
	}
	if a.Rules != nil {
		options += " --config " + rulesName
		for side, own := range situation.Sides {
			if own == c.File.OwnSide() {
				options += " --own " + side
			}
		}
	}
	fmt.Fprintf(&b, "\ndriver.yaml is what this prints, here:\n\n    git merge-yaml -p --path %s%s base.yaml ours.yaml theirs.yaml\n\n",
		terminal.Printable(terminal.ShellWord(c.Path)), options)
	b.WriteString("git.yaml is git's line merge")
	if c.Content.Committed != nil {
		b.WriteString(", committed.yaml what was committed")
	}
	b.WriteString(".\n\nWhat was expected instead:\n")
	return b.String()
}

// folderName makes a path the name of one folder, on any system.
func folderName(path string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, path)
	const enough = 80
	return name[max(0, len(name)-enough):]
}
