package app

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const explainDescription = `Tells field by field what ours changed, what theirs changed, how the merge puts
them together and by which rule, and what is left in conflict. Nothing is
written.

PATH is a file that is unmerged right now. BASE OURS THEIRS are any three files.
--markdown tells the conflicts only, for a comment on a pull request; without
files, those of all YAML files that are unmerged.

Exits with 0, whether or not there are conflicts, and with 129 on any failure.`

func (a *App) explainCommand() *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Usage:       "tell field by field how a file merges",
		UsageText:   "git-merge-yaml explain [options] [--] BASE OURS THEIRS\ngit-merge-yaml explain [options] [--] PATH",
		Description: explainDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "path", Usage: "take the three files for the file at `PATH` of the repository", DefaultText: "where OURS is"},
			&cli.StringFlag{Name: "rules", Usage: "merge by the `RULES` default or kustomize", DefaultText: "what PATH's merge attribute says"},
			configFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object (docs/explain.md)"},
			&cli.BoolFlag{Name: "markdown", Usage: "print the conflicts as Markdown"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			files := c.Args().Slice()
			if err := checkOptionsFirst(files, c.Lineage()[1].Args().Slice(), "the files"); err != nil {
				return err
			}
			if c.Bool("json") && c.Bool("markdown") {
				return errors.New("--json and --markdown exclude each other")
			}
			return a.explain(c, files)
		},
	}
}

// explain accounts for the files that are named or, in Markdown, for all that
// are unmerged.
func (a *App) explain(c *cli.Context, files []string) error {
	place := placeHere(c.String("config"))
	rules, err := place.rulesOrFirstMistake()
	if err != nil {
		return err
	}
	ruleSet, err := parseRuleSet(c.String("rules"))
	if err != nil {
		return err
	}
	e := &explanation{rules: rules, ruleSet: ruleSet, ask: !c.IsSet("rules")}
	switch {
	case len(files) == 0 && c.Bool("markdown"):
		return a.explainUnmerged(*e)
	case len(files) == 1:
		err = e.readUnmerged(files[0])
	case len(files) == 3:
		err = e.readFiles(files)
		e.path = place.pathOf(files[1])
	default:
		err = fmt.Errorf("want BASE OURS THEIRS or the PATH of an unmerged file, got %s", terminal.Count(len(files), "file"))
	}
	if err != nil {
		return err
	}
	if p := c.String("path"); p != "" {
		e.path = p
	}
	if err := e.explain(a.Merge); err != nil {
		return err
	}
	switch {
	case c.Bool("json"):
		return e.writeJSON(a.Stdout)
	case c.Bool("markdown"):
		return e.writeMarkdown(a.Stdout)
	}
	return e.writeText(a.Stdout)
}

// An explanation is the account of one merge.
type explanation struct {
	path               string
	rules              *merge.Rules
	ruleSet            string // kustomize, or "" for the default rules
	ask                bool   // the merge attribute of an unmerged file, which says the rules
	base, ours, theirs []byte
	sides              [2]sideChanges // of ours and theirs
	result             merge.Result
}

// sideChanges are what one side changed, or why nobody can tell.
type sideChanges struct {
	name    string
	changes []merge.Change
	err     error
}

func (e *explanation) readFiles(files []string) error {
	for i, to := range []*[]byte{&e.base, &e.ours, &e.theirs} {
		in, err := disk.Read(files[i])
		if err != nil {
			return err
		}
		*to = in.Bytes
	}
	return nil
}

// readUnmerged reads what the index has for the path of a file.
func (e *explanation) readUnmerged(file string) error {
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		return err
	}
	all, err := tree.Unmerged([]string{":(literal)" + file})
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return fmt.Errorf("%s is not an unmerged file; explain BASE OURS THEIRS takes any three files", file)
	}
	u := all[0]
	if u.Ours.ID == "" || u.Theirs.ID == "" {
		return errors.New("one side deleted " + u.Path + ", so that there is nothing to merge: keep it with git add, or remove it with git rm")
	}
	attributes, err := tree.Attributes([]string{u.Path}, "merge")
	if err != nil {
		return err
	}
	return e.readStages(tree, u, attributes[0]["merge"])
}

// readStages reads the stages of a path, and by which rules its merge attribute
// has it merged, if that is to be asked.
func (e *explanation) readStages(tree *git.WorkTree, u git.Unmerged, attribute string) (err error) {
	e.path = u.Path
	if e.ask {
		e.ruleSet, _ = rulesOf(attribute)
	}
	objects := tree.Objects()
	defer objects.Close()
	for _, s := range []struct {
		stage git.Stage
		to    *[]byte
	}{{u.Base, &e.base}, {u.Ours, &e.ours}, {u.Theirs, &e.theirs}} {
		if s.stage.ID == "" {
			continue
		}
		if *s.to, err = objects.Blob(s.stage.ID); err != nil {
			return err
		}
	}
	return nil
}

// explain merges, and lists the changes of both sides.
func (e *explanation) explain(do func(original, dest, updated []byte, opts merge.Options) (merge.Result, error)) (err error) {
	opts := merge.Options{Path: e.path, Rules: e.rules, RuleSet: ruleSets[e.ruleSet]}
	if e.result, err = do(e.base, e.ours, e.theirs, opts); err != nil {
		return err
	}
	if e.result.Method == merge.Delegated {
		e.fillLines()
	}
	for i, s := range []struct {
		name string
		data []byte
	}{{"ours", e.ours}, {"theirs", e.theirs}} {
		e.sides[i].name = s.name
		e.sides[i].changes, e.sides[i].err = merge.Changes(e.base, s.data, opts)
	}
	return nil
}
