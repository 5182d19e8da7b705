package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/regenerate"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// generatedName is what rules add calls the entries about files that programs make.
const generatedName = "generated"

// addGenerated writes into the team's file what programs make here.
func (a *App) addGenerated() error {
	s := session.New(session.Options{})
	found, err := regenerate.Find(s)
	if err != nil {
		return err
	}
	tree, err := s.WorkTree()
	if err != nil {
		return err
	}
	file, err := team.RulesFile(tree)
	if err != nil {
		return err
	}
	name := filepath.Base(file)
	if len(found) == 0 {
		fmt.Fprintln(a.Stdout, terminal.Printable(name+": nothing to change: no file here says that a program made it, but those that it has rules for"))
		return nil
	}
	if err := team.AddGenerated(file, found); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	unknown := false
	for _, e := range found {
		line := fmt.Sprintf("%s: %s: %s", name, strings.Join(e.Files, ", "), e.Comment)
		fmt.Fprintln(a.Stdout, terminal.Printable(line))
		unknown = unknown || e.By == ""
	}
	if unknown {
		fmt.Fprintln(a.Stdout, terminal.Printable("write the commands that are missing into "+name+", behind by:"))
	}
	fmt.Fprintln(a.Stdout, "read the rest of it as well; commit it for others to have it")
	return nil
}
