package resolve

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// read reads the file in the work tree, or says why it cannot be replaced.
func (f *unmergedFile) read() (skip string) {
	for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
		if info, err := os.Lstat(f.tree.File(dir)); err == nil && !info.IsDir() {
			return dir + " is not a folder in the work tree"
		}
	}
	name := f.tree.File(f.Path)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Force:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return "deleted in the work tree (--force brings it back, merged)"
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "no regular file in the work tree"
	}
	f.info = info
	f.work, err = os.ReadFile(name)
	if f.text = f.work; err == nil && f.filtered() {
		f.text, err = f.tree.Clean(f.Path, f.work)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// filtered reports whether the file in the work tree is not in YAML's own form.
func (f *unmergedFile) filtered() bool {
	return f.attributes["filter"] != "unspecified" || f.attributes["working-tree-encoding"] != "unspecified"
}

// readStages reads the three versions; that of a base that is missing, where
// both sides added the file, is empty.
func (f *unmergedFile) readStages() (err error) {
	for _, v := range []struct {
		stage git.Stage
		to    *[]byte
	}{
		{f.Base, &f.in.Base}, {f.Ours, &f.in.Ours}, {f.Theirs, &f.in.Theirs},
	} {
		if v.stage.ID == "" {
			continue
		}
		if *v.to, err = f.objects.Blob(v.stage.ID); err != nil {
			return err
		}
	}
	return nil
}
