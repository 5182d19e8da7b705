package preview

import (
	"cmp"
	"os"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A State is what became of a merge.
type State string

// The states.
const (
	Merged    State = "merged"    // it is in the base already
	Clean     State = "clean"     // with git and the driver alike
	Driver    State = "driver"    // clean with the driver alone
	Otherwise State = "otherwise" // git's clean merge is wrong, and the driver's another one
	Conflict  State = "conflict"
	Failed    State = "failed" // no common ancestor, say
)

// IsClean reports whether a merge in this state may be committed.
func (s State) IsClean() bool { return s == Clean || s == Driver || s == Otherwise }

// A Branch is what is merged with the base, or a pair of branches on top of it.
type Branch struct {
	Name, With string // With is the second of a pair
	Commit     git.ID
	State      State
	Why        string // it failed
	Tree       git.ID // of what is clean
	Conflicts  []File
	ref        string // "" of what is no ref
}

// A File is what is in conflict about one.
type File struct {
	Path   string
	Why    string // about the file as a whole, "" if it is about fields
	Fields []Field
}

// A Field is a conflict, and a rule that would settle it.
type Field struct{ Path, Why, Rule string }

// options are those of git that have it call the driver by the rules of the base.
func (r *run) options() ([]string, error) {
	attributes, err := r.attributes()
	if err != nil {
		return nil, err
	}
	return slices.Concat([]string{"-c", "core.attributesFile=" + attributes}, r.line("yaml", ""), r.line("yaml-kustomize", "kustomize")), nil
}

// merge merges the branches that are not merged yet: first by lines, then with the driver
// those in which it has something to say.
func (r *run) merge(all []*Branch) error {
	open := slices.DeleteFunc(slices.Clone(all), func(b *Branch) bool { return b.State == Merged })
	lines := make([]git.MergedTree, len(open))
	off := r.git
	off.Env = append(off.Env[:len(off.Env):len(off.Env)], "GIT_MERGE_YAML=off")
	options, err := r.options()
	if err != nil {
		return err
	}
	plain := slices.Concat([]string{"-c", "core.attributesFile=" + os.DevNull}, r.line("yaml", linesOnly), r.line("yaml-kustomize", linesOnly))
	if err := off.MergeTrees(plain, r.sides(open), func(i int, m git.MergedTree) error {
		lines[i] = m
		r.progress(i, 2*len(open))
		return nil
	}); err != nil {
		return err
	}
	var asked []*Branch
	var before []git.MergedTree
	for i, b := range open {
		b.take(lines[i], lines[i])
		if lines[i].Failed == "" && len(lines[i].Touched) > 0 {
			asked, before = append(asked, b), append(before, lines[i])
		}
	}
	return r.git.MergeTrees(options, r.sides(asked), func(i int, m git.MergedTree) error {
		asked[i].take(before[i], m)
		r.progress(len(open)+i, len(open)+len(asked))
		return r.tell(asked[i], m)
	})
}

// sides are the branches with the base.
func (r *run) sides(all []*Branch) (pairs [][2]git.ID) {
	for _, b := range all {
		if r.Into {
			pairs = append(pairs, [2]git.ID{b.Commit, r.base})
		} else {
			pairs = append(pairs, [2]git.ID{r.base, b.Commit})
		}
	}
	return pairs
}

// take takes what git made of a branch without the driver, and with it.
func (b *Branch) take(lines, driven git.MergedTree) {
	b.Why, b.Tree = driven.Failed, driven.Tree
	switch {
	case driven.Failed != "":
		b.State = Failed
	case !driven.Clean:
		b.State = Conflict
	case !lines.Clean:
		b.State = Driver
	case lines.Tree != driven.Tree:
		b.State = Otherwise
	default:
		b.State = Clean
	}
}

// tell says what is in conflict in a branch.
func (r *run) tell(b *Branch, m git.MergedTree) error {
	b.Conflicts = nil
	if m.Clean || m.Failed != "" {
		return nil
	}
	objects := r.git.Objects()
	defer objects.Close()
	told := map[string]bool{}
	for _, u := range m.Unmerged {
		f, err := r.file(objects, u)
		if err != nil {
			return err
		}
		told[u.Path] = true
		b.Conflicts = append(b.Conflicts, f)
	}
	if len(b.Conflicts) == 0 { // of names, say
		for _, path := range m.Touched {
			if !told[path] {
				told[path] = true
				b.Conflicts = append(b.Conflicts, File{Path: path, Why: "its name, or that of a folder"})
			}
		}
	}
	slices.SortFunc(b.Conflicts, func(x, y File) int { return cmp.Compare(x.Path, y.Path) })
	return nil
}

func (r *run) progress(done, all int) {
	if r.Progress != nil {
		r.Progress(done, all)
	}
}

// file says what is in conflict about a file.
func (r *run) file(objects *git.Objects, u git.Unmerged) (File, error) {
	f := File{Path: u.Path}
	switch {
	case u.Ours.ID == "" && u.Theirs.ID == "":
		f.Why = "neither side has it under this name"
	case u.Ours.ID == "" || u.Theirs.ID == "":
		f.Why = "one side deleted or moved it, the other changed it"
	case !u.Ours.Mode.IsFile() || !u.Theirs.Mode.IsFile():
		f.Why = "it is no file on both sides"
	case !driver.IsYAML(u.Path):
		f.Why = "it is not YAML"
	}
	if f.Why != "" {
		return f, nil
	}
	v, err := objects.Blobs(u.Base.ID, u.Ours.ID, u.Theirs.ID)
	if err != nil {
		return f, err
	}
	in := r.session.File(u.Path, v[0], v[1], v[2], nil)
	res, err := in.Merge(nil)
	switch {
	case err != nil:
		f.Why = err.Error()
		return f, nil
	case res.Method == merge.Delegated:
		f.Why = "merged by lines: " + session.WhyByLines(res.Reason)
		return f, nil
	}
	settle := settler{File: in}
	for _, c := range res.Conflicts {
		why := c.Why()
		if c.Kind == merge.ConflictRefused && res.Refused != "" {
			why = res.Refused
		}
		f.Fields = append(f.Fields, Field{c.Path, why, settle.rule(c)})
	}
	if len(f.Fields) == 0 {
		f.Why = "it is another file than git merged" // a driver of the repository's own
	}
	return f, nil
}
