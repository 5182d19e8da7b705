package app

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const resolveDescription = `Merges the unmerged YAML files of the repository anew, or those that PATH names,
from the versions that git keeps of them; no driver needs to be configured. It
stages what comes out clean and leaves the conflicts of the rest, in the middle
of a merge, rebase, cherry-pick, revert, stash pop or am.

Files that were edited since git merged them stay as they are. To undo it for a
file: git checkout -m -- PATH

With -i it then asks about the conflicts that are left, one by one: it shows the
versions and who made them, and takes a side, or a text from your editor. ? lists
the answers. Each is proven and saved at once, so that you can stop anywhere and
go on later, with -i or by hand. git config interactive.singleKey true spares Enter.

Exits with 0 if all of these files are resolved, with 1 if any is not, and with
129 on any failure.`

func (a *App) resolveCommand() *cli.Command {
	return &cli.Command{
		Name:        "resolve",
		Usage:       "merge the unmerged YAML files of a stopped merge or rebase anew",
		UsageText:   "git-merge-yaml resolve [options] [--] [PATH...]",
		Description: resolveDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "interactive", Aliases: []string{"i"}, Usage: "ask about the conflicts that are left, one by one"},
			&cli.BoolFlag{Name: "no-stage", Usage: "write the files, but do not stage them"},
			&cli.BoolFlag{Name: "force", Usage: "merge files anew that were edited since, and lose the edits"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			paths := c.Args().Slice()
			if err := checkOptionsFirst(paths, c.Lineage()[1].Args().Slice(), "PATH"); err != nil {
				return err
			}
			tree, err := git.Git{}.WorkTree()
			if err != nil {
				return err
			}
			r := &resolver{app: a, tree: tree, objects: tree.Objects(), force: c.Bool("force"), stage: !c.Bool("no-stage"), asks: c.Bool("interactive")}
			defer r.objects.Close()
			return r.run(paths)
		},
	}
}

// A resolver merges unmerged files of a work tree anew.
type resolver struct {
	app     *App
	tree    *git.WorkTree
	objects *git.Objects
	team    *merge.Rules // once they are read
	force   bool         // also what was edited
	stage   bool
	asks    bool // about what is left
	left    bool // something is not resolved
}

// run merges, then writes the files, then stages: a run that is killed leaves
// stages from which the next one goes on.
func (r *resolver) run(pathspecs []string) error {
	files, err := r.files(pathspecs)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		r.say("nothing to resolve: no unmerged YAML files")
		return nil
	}
	for _, f := range files {
		if f.skip = f.reason(); f.skip == "" {
			if err := f.merge(); err != nil {
				f.skip = err.Error() // the others can do without it
			}
		}
	}
	if err := r.stageAll(files); err != nil {
		return fmt.Errorf("the files are merged, but not staged: %w", err)
	}
	var asked []*unmergedFile
	for _, f := range files {
		if f.asked != nil && f.skip == "" {
			asked = append(asked, f)
			continue
		}
		r.tell(f)
	}
	if len(asked) > 0 {
		if err := r.interactive(asked); err != nil {
			return err
		}
	}
	if r.left {
		return errConflicts
	}
	return nil
}

// stageAll stages what came out clean. A file whose stages changed meanwhile
// is not resolved.
func (r *resolver) stageAll(files []*unmergedFile) error {
	var clean []*unmergedFile
	var staged []git.Staged
	for _, f := range files {
		if f.clean() && r.stage && !f.byHand {
			clean = append(clean, f)
			staged = append(staged, f.toStage())
		}
	}
	if len(staged) == 0 {
		return nil
	}
	changed, err := r.tree.Stage(staged)
	for i, f := range clean {
		if f.staged = err == nil && !slices.Contains(changed, staged[i]); !f.staged {
			f.skip = stagesChanged
		}
	}
	return err
}

// stagesChanged says that somebody else staged the file, or merged it.
const stagesChanged = "merged, but not staged: its stages changed in this very moment"

// files returns the unmerged YAML files among those that the pathspecs name.
// A file is YAML by its name or by the attribute merge=yaml or merge=yaml-kustomize; one that is named
// alone is whatever it is called.
func (r *resolver) files(pathspecs []string) ([]*unmergedFile, error) {
	all, err := r.tree.Unmerged(pathspecs)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	paths := make([]string, len(all))
	for i, u := range all {
		paths[i] = u.Path
	}
	attributes, err := r.tree.Attributes(paths, "merge", "filter", "working-tree-encoding", "conflict-marker-size")
	if err != nil {
		return nil, err
	}
	var files []*unmergedFile
	for i, u := range all {
		f := &unmergedFile{Unmerged: u, resolver: r, attributes: attributes[i], named: r.named(u.Path, pathspecs)}
		if _, ours := rulesOf(attributes[i]["merge"]); ours || f.named || isYAML(u.Path) {
			files = append(files, f)
		}
	}
	return files, nil
}

// named reports whether a pathspec is that very path.
func (r *resolver) named(p string, pathspecs []string) bool {
	return slices.ContainsFunc(pathspecs, func(spec string) bool {
		if filepath.IsAbs(spec) {
			return filepath.Clean(spec) == r.tree.File(p)
		}
		return path.Join(r.tree.Prefix, filepath.ToSlash(spec)) == p
	})
}

func isYAML(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".yaml" || ext == ".yml"
}

// tell says how a file ended on stdout, and on stderr what a driver would say.
func (r *resolver) tell(f *unmergedFile) {
	name := r.tree.Rel(f.Path)
	switch {
	case f.skip != "":
		r.left = true
		r.say(name + ": skipped: " + f.skip)
		return
	case f.staged:
		r.say(name + ": resolved")
	case f.clean():
		r.left = r.left || r.stage
		r.say(name + ": resolved, not staged")
	default:
		r.left = true
		r.say(name + ": " + terminal.Count(len(f.result.Conflicts), "conflict") + " left")
	}
	said := f.result
	said.LineConflicts = 0 // stdout has it
	if f.asked != nil {
		said.Conflicts = nil // they have been shown
	}
	for _, line := range messages(name, said) {
		fmt.Fprintln(r.app.Stderr, terminal.Printable(line))
	}
}

func (r *resolver) say(line string) { fmt.Fprintln(r.app.Stdout, terminal.Printable(line)) }

// markerSize is what git gives a driver as %L.
func markerSize(attribute string) int {
	n, err := strconv.Atoi(attribute)
	if err != nil || n < 1 || n > maxMarkerSize {
		return defaultMarkerSize
	}
	return n
}

// errChanged says that somebody else was at work.
var errChanged = errors.New("it changed in this very moment")
