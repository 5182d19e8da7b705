package regenerate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A file is what was taken out of the work tree.
type file struct {
	content []byte
	mode    fs.FileMode
}

// prepare takes out of the work tree what only one side still has: if that is made again it is
// there to stay. Markers are none of what a command should read, so ours stands for them.
func (r *regenerator) prepare() (err error) {
	for _, u := range r.unmerged {
		name := r.tree.File(u.Path)
		info, err := os.Lstat(name)
		switch {
		case !r.makes(u.Path) || errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular():
			continue
		case err != nil:
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if u.Ours.ID == "" || u.Theirs.ID == "" {
			r.aside[u.Path] = file{content, info.Mode().Perm()}
			err = os.Remove(name)
		} else if len(merge.ParseConflicts(content, 0)) > 0 {
			if content, err = r.tree.Run("cat-file", "--filters", "--path="+u.Path, u.Ours.ID.String()); err == nil {
				err = os.WriteFile(name, content, info.Mode().Perm())
			}
		}
		if err != nil {
			return err
		}
	}
	r.before, err = r.changed()
	return err
}

// putBack gives the work tree what prepare took, where nobody made it meanwhile.
func (r *regenerator) putBack() (err error) {
	for path, f := range r.aside {
		name := r.tree.File(path)
		if _, is := os.Lstat(name); is == nil {
			continue
		}
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.content, f.mode))
	}
	return err
}

// changed are the files of the work tree that are not as the index has them, the unmerged ones
// among them, each with what tells that it was written again: "" if it is not there.
func (r *regenerator) changed() (map[string]string, error) {
	paths, err := r.tree.Paths("ls-files", "-z", "--modified", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for _, u := range r.unmerged {
		paths = append(paths, u.Path)
	}
	all := map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "/") { // a repository inside
			continue
		}
		all[path] = ""
		if info, err := os.Lstat(r.tree.File(path)); err == nil {
			all[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return all, nil
}

// stage stages what was made, all or nothing, and says what there is to say.
func (r *regenerator) stage() error {
	after, err := r.changed()
	if err != nil {
		return err
	}
	const (
		more     = "not in conflict, but made otherwise"
		gone     = "no longer made, so deleted"
		stale    = "not written by its command, so that ours stands"
		unlisted = "changed, but among the files of no rule, so not staged"
	)
	told := map[string][]string{} // what of which paths
	for path := range r.before {
		if _, is := after[path]; !is && !r.makes(path) {
			told[unlisted] = append(told[unlisted], path)
		}
	}
	var made []string
	for _, u := range r.unmerged {
		now := after[u.Path]
		if delete(after, u.Path); !r.makes(u.Path) {
			continue
		}
		made = append(made, u.Path)
		switch now {
		case "":
			told[gone] = append(told[gone], u.Path)
		case r.before[u.Path]:
			told[stale] = append(told[stale], u.Path)
		}
	}
	for path, now := range after {
		switch {
		case r.makes(path):
			made = append(made, path)
			told[more] = append(told[more], path)
		case r.before[path] != now:
			told[unlisted] = append(told[unlisted], path)
		}
	}
	slices.Sort(made)
	if len(made) > 0 {
		if _, err := r.tree.Feed([]byte(strings.Join(made, "\x00")+"\x00"), "update-index", "-z", "--add", "--remove", "--stdin"); err != nil {
			return err
		}
	}
	terminal.Say(r.Stdout, "%s made and staged", terminal.Count(len(made), "file"))
	for _, what := range []string{more, gone, stale, unlisted} {
		paths := told[what]
		if len(paths) == 0 {
			continue
		}
		slices.Sort(paths)
		some := strings.Join(paths[:min(10, len(paths))], ", ")
		if len(paths) > 10 {
			some += fmt.Sprintf(" and %d more", len(paths)-10)
		}
		terminal.Say(r.Stdout, "%s: %s", what, some)
	}
	return nil
}
