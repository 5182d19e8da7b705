// Package resolve merges the unmerged files of a stopped merge or rebase anew
// and, if it is asked to, asks a person about the conflicts that are left.
//
// It keeps no state: what is unmerged is in git's index, what is answered in the
// file.
package resolve

import (
	"cmp"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
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
	JSON    *show.JSON
	Answers map[string]merge.Answer
	Partial bool
	// Resolve is the side, ours or theirs, that decides what else would be in conflict.
	Resolve string
}

// A resolver merges unmerged files of a work tree anew, and asks about what is left of them.
type resolver struct {
	Options
	in      *session.Session
	head    *session.Session // in, with the rules by which git ran the driver
	tree    *git.WorkTree
	root    *os.Root // at the top of the work tree: all of its files are read and written beneath it
	objects *git.Objects
	files   []*unmergedFile
	deleted []*deletion
	left    bool // something is not resolved
	advised bool // a preset that nobody adopted was told of

	asker     *terminal.Asker
	conflicts []*conflict // of all files
	at        int         // the one at hand
	steps     []step      // what undo takes back
	situation *situation.Situation
}

func (r *resolver) say(format string, args ...any) { terminal.PrintLine(r.Stdout, format, args...) }

// Files merges the unmerged YAML files among those that pathspecs name,
// or all, and reports whether all of them are resolved.
//
// It merges, then locks the index, writes the files and stages: a run that is killed leaves
// stages from which the next one goes on.
func Files(in *session.Session, pathspecs []string, o Options) (all bool, err error) {
	tree, err := in.WorkTree()
	if err != nil {
		return false, err
	}
	r := &resolver{Options: o, in: in, head: in.WithRulesOf("HEAD"), tree: tree, objects: tree.Objects()}
	defer r.objects.Close()
	if r.root, err = os.OpenRoot(tree.Top); err != nil {
		return false, err
	}
	defer r.root.Close()
	disk.Clean(tree.File(".git"))
	if err := r.read(pathspecs); err != nil {
		return false, err
	}
	if len(r.files) == 0 && len(r.Answers) == 0 {
		for _, file := range pathspecs {
			if data, err := r.readNamed(file); err == nil && len(merge.ParseConflicts(data, 0)) > 0 {
				r.left = true
				r.say("%s: it has conflict markers, but git has no versions of it to merge (it is not unmerged): edit it by hand", file)
			}
		}
		if !r.left {
			r.say("nothing to resolve: no unmerged YAML files")
		}
		return !r.left, nil
	}
	r.takeDeletions()
	for _, f := range r.files {
		if f.skip == "" {
			if err := f.merge(); err != nil {
				f.skip = err.Error() // the others can do without it
			}
		}
	}
	if err := r.write(r.files...); err != nil {
		return false, err
	}
	told := map[string]bool{} // rules
	r.files = slices.DeleteFunc(r.files, func(f *unmergedFile) bool {
		switch left := f.skip == "" && session.NeedsRegeneration(f.result); {
		case left && told[f.rule.Source]:
		case left:
			r.left, told[f.rule.Source] = true, true
			r.say("%s", driver.GeneratedMessage(f.name(), f.rule))
		case f.asked != nil && f.skip == "":
			return false
		default:
			f.tell()
		}
		return true
	})
	switch {
	case r.JSON != nil || r.Answers != nil:
		err = r.outside()
	case r.Ask:
		err = r.interactive()
	}
	for _, d := range r.deleted {
		if !d.staged {
			r.left = true
			d.say("left: " + d.String() + " (resolve -i asks)")
		}
	}
	for _, f := range r.files {
		if !f.staged {
			f.tell()
		}
	}
	return !r.left, err
}

// readNamed reads a file that the user named, if it is a regular file of the work tree.
func (r *resolver) readNamed(file string) ([]byte, error) {
	name, err := filepath.Abs(file)
	if err == nil {
		name, err = filepath.Rel(r.tree.Top, name)
	}
	if err != nil {
		return nil, err
	}
	_, data, err := r.readFile(filepath.ToSlash(name))
	return data, err
}

// read finds the unmerged YAML files among those that the pathspecs name. A
// file is YAML by its name or by an attribute merge of this program's drivers;
// one that is named alone is, whatever it is called.
func (r *resolver) read(pathspecs []string) error {
	all, err := r.tree.Unmerged(pathspecs)
	if err != nil || len(all) == 0 {
		return err
	}
	paths := make([]string, len(all))
	for i, u := range all {
		paths[i] = u.Path
	}
	attributes, err := r.in.Attributes(paths, "merge", "conflict-marker-size")
	forms, err2 := r.tree.Attributes(paths, "filter", "working-tree-encoding") // by which git wrote the files
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for i, u := range all {
		maps.Copy(attributes[i], forms[i])
		named := slices.ContainsFunc(pathspecs, func(spec string) bool {
			if filepath.IsAbs(spec) {
				return filepath.Clean(spec) == r.tree.File(u.Path)
			}
			return path.Join(r.tree.Prefix, filepath.ToSlash(spec)) == u.Path
		})
		if _, ours := driver.RulesOf(attributes[i]["merge"]); ours || named || driver.IsYAML(u.Path) {
			r.files = append(r.files, &unmergedFile{Unmerged: u, resolver: r, attributes: attributes[i], named: named})
		}
	}
	return nil
}

// name is what people call the file, and say tells something about it.
func (f *unmergedFile) name() string    { return f.tree.Rel(f.Path) }
func (f *unmergedFile) say(what string) { f.resolver.say("%s: %s", f.name(), what) }

// tell says how a file ended on stdout, and on stderr what a driver would say.
func (f *unmergedFile) tell() {
	r := f.resolver
	switch {
	case f.skip != "":
		r.left = true
		f.say("skipped: " + f.skip)
		return
	case f.staged:
		f.say("resolved")
	case f.clean() && f.byHand && r.Stage:
		r.left = true
		f.say("resolved, not staged: git add it")
	case f.clean():
		r.left = r.left || r.Stage
		f.say("resolved, not staged")
	default:
		r.left = true
		f.say(terminal.CountNoun(len(f.result.Conflicts), "conflict") + " left")
	}
	said := f.result
	said.LineConflicts = 0 // stdout has it
	if f.asked != nil {
		said.Conflicts = nil // they have been shown
	}
	lines := f.merger("").Messages(f.name(), said)
	if !r.advised {
		if a, ok := f.merger("").Advice(said.Conflicts); ok {
			r.advised = true
			lines = append(lines, driver.AdviceMessage(f.name(), a))
		}
	}
	for _, line := range lines {
		terminal.PrintLine(r.Stderr, "%s", line)
	}
}
