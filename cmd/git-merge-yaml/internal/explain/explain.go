// Package explain accounts for merges field by field: what each side changed, by
// which rule it was put together, and what is in conflict. It is told as text,
// as JSON and as Markdown.
package explain

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/own"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Options say by which rules a merge is explained.
type Options struct {
	Path    string // of the file in its repository, "" for where an unmerged one is
	Rules   *merge.Rules
	RuleSet string // kustomize, or "" for the default rules
	Ask     bool   // the merge attribute of an unmerged file, which says the rules
	Library driver.Library
	Own     func() merge.Own // nil for what git tells
}

// An Explanation is the account of one merge.
type Explanation struct {
	Options
	unmerged           bool // it is of an unmerged file
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

// Files accounts for the merge of three files: base, ours and theirs.
func Files(files [3]string, o Options) (*Explanation, error) {
	e := &Explanation{Options: o}
	if err := e.readFiles(files); err != nil {
		return nil, err
	}
	return e, e.explain()
}

// Versions accounts for the merge of base, ours and theirs.
func Versions(base, ours, theirs []byte, o Options) (*Explanation, error) {
	e := &Explanation{Options: o, base: base, ours: ours, theirs: theirs}
	return e, e.explain()
}

// Unmerged accounts for the merge of a file that is unmerged.
func Unmerged(file string, o Options) (*Explanation, error) {
	e := &Explanation{Options: o, unmerged: true}
	if err := e.readUnmerged(file); err != nil {
		return nil, err
	}
	e.Path = cmp.Or(o.Path, e.Path)
	return e, e.explain()
}

func (e *Explanation) readFiles(files [3]string) error {
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
func (e *Explanation) readUnmerged(file string) error {
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
func (e *Explanation) readStages(tree *git.WorkTree, u git.Unmerged, attribute string) (err error) {
	e.Path = u.Path
	if e.Ask {
		e.RuleSet, _ = driver.RulesOf(attribute)
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

// own is the side that the driver would take for one's own.
func (e *Explanation) own() merge.Own {
	if e.Own != nil {
		return e.Own()
	}
	return own.Side(git.Git{}, [3]string{}, !e.unmerged)
}

// explain merges, and lists the changes of both sides.
func (e *Explanation) explain() (err error) {
	opts := merge.Options{Path: e.Path, Rules: e.Rules, RuleSet: driver.RuleSets[e.RuleSet], Own: e.own}
	if e.result, err = e.Library(e.base, e.ours, e.theirs, opts); err != nil {
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
