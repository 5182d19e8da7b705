package resolve

import (
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// reason says why the stages of f are none to be merged, or "".
func (f *unmergedFile) reason() string {
	m := f.attributes["merge"]
	_, ours := driver.RulesOf(m)
	switch {
	case f.failed != "":
		return f.failed
	case f.Ours.ID == "" && f.Theirs.ID == "":
		return "deleted or renamed by both sides"
	case f.Ours.ID == "":
		return "added or renamed by them, not there for us"
	case f.Theirs.ID == "":
		return "added or renamed by us, not there for them"
	case !f.Ours.Mode.IsFile() || !f.Theirs.Mode.IsFile() || f.Base.ID != "" && !f.Base.Mode.IsFile():
		return "a symbolic link or a submodule"
	case f.attributes["filter"] == "lfs":
		return "kept by git LFS"
	case !f.named && m != "unspecified" && !ours:
		return "its merge attribute is " + m + " (name it alone to have it merged)"
	}
	return ""
}

// merge merges the stages, and writes the file unless it is to be skipped.
func (f *unmergedFile) merge() error {
	if f.skip = f.read(); f.skip != "" {
		return nil
	}
	if err := f.readStages(); err != nil {
		return err
	}
	if f.in.BeyondLines() {
		f.skip = "binary"
		return nil
	}
	m := f.merger("")
	m.Resolve = f.Resolve
	result, err := m.Run(false)
	if err != nil {
		return err
	}
	f.result = result
	f.open(m)
	m = f.merger("")
	if here.IsLeft(result) {
		f.rule, _ = m.File().Rule()
		return f.restore()
	}
	if f.Ask {
		if err := f.makeQuestions(m); err != nil {
			return err
		}
	}
	if !f.Force {
		edited, err := f.edited()
		if err != nil {
			return err
		}
		if edited && f.settled() {
			return f.settle(m)
		}
		if edited {
			f.skip = f.resume()
			return nil
		}
	}
	return f.write()
}

// restore puts ours in the place of markers in a file that is to be made again.
func (f *unmergedFile) restore() error {
	if len(merge.ParseConflicts(f.text, 0)) == 0 {
		return nil
	}
	if edited, err := f.edited(); edited || err != nil {
		return err
	}
	return f.write()
}
