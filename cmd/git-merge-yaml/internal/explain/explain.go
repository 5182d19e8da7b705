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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An Explanation is the account of one merge.
type Explanation struct {
	session.File
	sides  [2]sideChanges // of ours and theirs
	result merge.Result
	twice  []merge.Finding // versions for two releases
}

// sideChanges are what one side changed, or why nobody can tell.
type sideChanges struct {
	name    string
	changes []merge.Change
	err     error
}

// Of accounts for a merge.
func Of(f session.File) (*Explanation, error) {
	e := &Explanation{File: f}
	return e, e.explain()
}

// Files accounts for the merge of three files by hand: base, ours and theirs, for the
// file at path or, where that is "", at that of ours.
func Files(s *session.Session, path string, files [3]string) (*Explanation, error) {
	var v [3][]byte
	for i, name := range files {
		in, err := disk.Read(name)
		if err != nil {
			return nil, err
		}
		v[i] = in.Bytes
	}
	return Of(s.File(cmp.Or(path, s.PathOf(files[1])), v[0], v[1], v[2], nil).Now([3]string{}, true))
}

// A NotUnmergedError says that a file is in the index, and is not unmerged.
type NotUnmergedError struct{ File string }

func (e *NotUnmergedError) Error() string {
	return e.File + " is not an unmerged file; explain BASE OURS THEIRS takes any three files"
}

// Unmerged accounts for the merge of a file that is unmerged, for the file at path or,
// where that is "", for itself.
func Unmerged(s *session.Session, path, file string) (*Explanation, error) {
	tree, err := s.WorkTree()
	if err != nil {
		return nil, err
	}
	all, err := tree.Unmerged([]string{":(literal)" + file})
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, &NotUnmergedError{file}
	}
	u := all[0]
	if u.Ours.ID == "" || u.Theirs.ID == "" {
		return nil, errors.New("one side deleted " + u.Path +
			", so that there is nothing to merge: keep it with git add, or remove it with git rm")
	}
	if said := ofNames(u); said != "" {
		return nil, fmt.Errorf("%s: %s", u.Path, said)
	}
	attributes, err := tree.Attributes([]string{u.Path}, "merge")
	if err != nil {
		return nil, err
	}
	f, err := stages(s, u, attributes[0]["merge"])
	if err != nil {
		return nil, err
	}
	f.Path = cmp.Or(path, f.Path)
	return Of(f)
}

// stages reads the stages of a path, and by which rules its merge attribute has it
// merged, if no option says it.
func stages(s *session.Session, u git.Unmerged, attribute string) (f session.File, err error) {
	objects := s.Git.Objects()
	defer objects.Close()
	v, err := objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
	if err != nil {
		return f, err
	}
	f = s.File(u.Path, v[0], v[1], v[2], nil).Now([3]string{}, false)
	if s.RuleSet == "" {
		f.RuleSet, _ = driver.RulesOf(attribute)
	}
	return f, nil
}

// ofNames says what is in conflict about a path that not both sides have a file at, ""
// of one that they have.
func ofNames(u git.Unmerged) string {
	for _, s := range []git.Stage{u.Base, u.Ours, u.Theirs} {
		if s.ID != "" && !s.Mode.IsFile() {
			return "a symbolic link or a submodule on a side, which is no YAML"
		}
	}
	switch base, ours, theirs := u.Base.ID != "", u.Ours.ID != "", u.Theirs.ID != ""; {
	case ours && theirs:
		return ""
	case base && ours:
		return "theirs deleted the file, ours changed it"
	case base && theirs:
		return "ours deleted the file, theirs changed it"
	case ours:
		return "only ours has a file of this name"
	case theirs:
		return "only theirs has a file of this name"
	}
	return "neither side has the file under this name any more"
}

// explain merges, and lists the changes of both sides.
func (e *Explanation) explain() (err error) {
	if e.result, err = e.Merge(nil); err != nil {
		return err
	}
	if e.result.Method == merge.Delegated && !session.IsLeft(e.result) {
		e.fillLines()
	}
	e.twice = e.Twice(e.result.Bytes)
	for i, s := range []struct {
		name string
		data []byte
	}{{"ours", e.Ours}, {"theirs", e.Theirs}} {
		e.sides[i].name = s.name
		e.sides[i].changes, e.sides[i].err = e.Changes(s.data)
	}
	return nil
}
