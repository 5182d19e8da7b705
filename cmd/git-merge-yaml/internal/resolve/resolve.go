// Package resolve merges the unmerged files of a stopped merge or rebase anew
// and, if it is asked to, asks a person about the conflicts that are left.
//
// It keeps no state: what is unmerged is in git's index, what is answered in the
// file.
package resolve

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Options say what is done about unmerged files, and who is told and asked.
type Options struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Colours        bool // on Stdout
	Ask            bool // about the conflicts that are left
	Force          bool // merge also what was edited since
	Stage          bool // what comes out clean
	// JSON, unless nil, gets what is open, in place of asking a person. Answers, by
	// the ids in it, decide it first; they count all or, with Partial, one by one.
	JSON    io.Writer
	Answers map[string]merge.Answer
	Partial bool
	// Resolve is the side, ours or theirs, that decides what else would be in conflict.
	Resolve string
}

// A resolver merges unmerged files of a work tree anew.
type resolver struct {
	Options
	in      *here.Session
	tree    *git.WorkTree
	objects *git.Objects
	left    bool // something is not resolved
	advised bool // a preset that nobody adopted was told of
}

func (r *resolver) say(line string) { fmt.Fprintln(r.Stdout, terminal.Printable(line)) }

// Files merges the unmerged YAML files among those that pathspecs name,
// or all, and reports whether all of them are resolved.
func Files(in *here.Session, pathspecs []string, o Options) (all bool, err error) {
	tree, err := in.WorkTree()
	if err != nil {
		return false, err
	}
	r := &resolver{Options: o, in: in, tree: tree, objects: tree.Objects()}
	defer r.objects.Close()
	err = r.run(pathspecs)
	return !r.left, err
}

// run merges, then writes the files, then stages: a run that is killed leaves
// stages from which the next one goes on.
func (r *resolver) run(pathspecs []string) error {
	files, err := r.files(pathspecs)
	if err != nil {
		return err
	}
	if len(files) == 0 && len(r.Answers) == 0 {
		for _, file := range pathspecs {
			if data, err := os.ReadFile(file); err == nil && len(merge.ParseConflicts(data, 0)) > 0 {
				r.left = true
				r.say(file + ": it has conflict markers, but git has no versions of it to merge (it is not unmerged): edit it by hand")
			}
		}
		if !r.left {
			r.say("nothing to resolve: no unmerged YAML files")
		}
		return nil
	}
	deleted, files := r.deletions(files)
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
	told := map[string]bool{} // rules
	for _, f := range files {
		switch left := f.skip == "" && here.IsLeft(f.result); {
		case left && told[f.rule.Source]:
		case left:
			r.left, told[f.rule.Source] = true, true
			r.say(driver.GeneratedMessage(r.tree.Rel(f.Path), f.rule))
		case f.asked != nil && f.skip == "":
			asked = append(asked, f)
		default:
			r.tell(f)
		}
	}
	switch {
	case r.JSON != nil || r.Answers != nil:
		return r.outside(asked, deleted)
	case len(asked) > 0 || len(deleted) > 0 && r.Ask:
		return r.interactive(asked, deleted)
	}
	r.tellDeleted(deleted)
	return nil
}

// tellDeleted tells of files that one side deleted, and that nobody decided about.
func (r *resolver) tellDeleted(all []*deletion) {
	for _, d := range all {
		if !d.file.staged {
			r.left = true
			r.say(r.tree.Rel(d.file.Path) + ": left: " + d.String() + " (resolve -i asks)")
		}
	}
}

// files returns the unmerged YAML files among those that the pathspecs name. A
// file is YAML by its name or by an attribute merge of this program's drivers;
// one that is named alone is, whatever it is called.
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
		if _, ours := driver.RulesOf(attributes[i]["merge"]); ours || f.named || driver.IsYAML(u.Path) {
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
		r.left = r.left || r.Stage
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
	lines := f.merger("").Messages(name, said)
	if !r.advised {
		if a, ok := f.merger("").File().Advice(said.Conflicts); ok {
			r.advised = true
			lines = append(lines, driver.AdviceMessage(name, a))
		}
	}
	for _, line := range lines {
		fmt.Fprintln(r.Stderr, terminal.Printable(line))
	}
}
