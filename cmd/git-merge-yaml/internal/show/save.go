package show

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	return save(filepath.Join(s.Dir, fmt.Sprintf("%04d-%s-%s", c.Number, c.Merge.Short(), folderName(c.Path))), c, nil)
}

// Summary writes nothing: a run that was interrupted leaves what it has saved.
func (s Save) Summary(history.Summary) error { return nil }

// save writes the versions of c to a folder, as far as there are any, case.json, and other files.
func save(dir string, c *history.Case, other map[string][]byte) error {
	text, err := json.Marshal(fileOf(c))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	v := &c.Content
	files := map[string][]byte{
		"base.yaml": v.Base, "ours.yaml": v.Ours, "theirs.yaml": v.Theirs, "committed.yaml": v.Committed,
		"git.yaml": v.Git, "driver.yaml": v.Driver, "case.json": append(text, '\n'),
	}
	maps.Copy(files, other)
	for name, data := range files {
		if data != nil {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o666))
		}
	}
	return err
}

const rulesName = ".git-merge-yaml.yaml"

// Report writes the folder for an issue: the versions, the team's rules, nil if there are
// none, and about.md, the text, with what made it.
func Report(dir string, c *history.Case, rules []byte, programs ...string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# A merge of %s\n\n", code(c.Path))
	var line strings.Builder
	headline(&terminal.Painter{W: &line}, c)
	for _, s := range append([]string{strings.TrimSpace(line.String()), c.Result.Refused}, programs...) {
		if s != "" {
			fmt.Fprintf(&b, "- %s\n", code(s))
		}
	}
	for _, x := range c.Result.Conflicts {
		fmt.Fprintf(&b, "- conflict: %s (%s), line %d of the result\n", code(driver.PathOrDocument(x.Path)), x.Kind, x.Line)
	}
	for _, x := range c.Result.Resolved {
		fmt.Fprintf(&b, "- decided: %s by %s\n", code(driver.PathOrDocument(x.Path)), code(x.By))
	}
	options := ""
	if c.File.RuleSet != "" {
		options = " --rules " + terminal.ShellWord(c.File.RuleSet)
	}
	if rules != nil {
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
	return save(dir, c, map[string][]byte{"about.md": []byte(b.String()), rulesName: rules})
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
