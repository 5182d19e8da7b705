package regenerate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A work is what is known of the files in the work tree before the commands ran.
type work struct {
	tree     *git.WorkTree
	jobs     []*job
	unmerged []git.Unmerged
	clean    []string // merged clean, by the driver

	before  map[string]string    // the sums of those that are not as staged
	written map[string]time.Time // when the unmerged ones were
	aside   map[string]file
}

// A file is what was taken out of the work tree.
type file struct {
	content []byte
	mode    fs.FileMode
}

func (w *work) makes(path string) bool {
	return slices.ContainsFunc(w.jobs, func(j *job) bool { return j.makes(path) })
}

// prepare looks at the work tree, and takes out of it what only one side still has: if that
// is made again it is there to stay. Markers are none of what a command should read, so ours
// stands for them.
func (w *work) prepare() (err error) {
	if w.before, err = w.changed(); err != nil {
		return err
	}
	w.written, w.aside = map[string]time.Time{}, map[string]file{}
	for _, u := range w.unmerged {
		if !w.makes(u.Path) {
			continue
		}
		if err := w.prepareFile(u); err != nil {
			return errors.Join(err, w.putBack())
		}
	}
	return nil
}

func (w *work) prepareFile(u git.Unmerged) error {
	name := w.tree.File(u.Path)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return nil
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if u.Ours.ID == "" || u.Theirs.ID == "" {
		w.aside[u.Path] = file{content, info.Mode().Perm()}
		return os.Remove(name)
	}
	if len(merge.ParseConflicts(content, 0)) > 0 {
		if content, err = w.tree.Run("cat-file", "--filters", "--path="+u.Path, u.Ours.ID.String()); err != nil {
			return err
		}
		if err := os.WriteFile(name, content, info.Mode().Perm()); err != nil {
			return err
		}
		if info, err = os.Lstat(name); err != nil {
			return err
		}
	}
	w.written[u.Path] = info.ModTime()
	return nil
}

// putBack gives the work tree what prepare took, where nobody made it meanwhile.
func (w *work) putBack() error {
	var errs []error
	for path, f := range w.aside {
		name := w.tree.File(path)
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, os.WriteFile(name, f.content, f.mode))
	}
	return errors.Join(errs...)
}

// changed are the files of the work tree that are not as the index has them, with sums.
func (w *work) changed() (map[string]string, error) {
	out, err := w.tree.Run("ls-files", "-z", "--modified", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if path != "" && !strings.HasSuffix(path, "/") { // a repository inside
			all[path] = sumOf(w.tree.File(path))
		}
	}
	return all, nil
}

// sumOf is what tells a file from another one, "" if it is not there.
func sumOf(name string) string {
	info, err := os.Lstat(name)
	if err != nil {
		return ""
	}
	if data, err := os.ReadFile(name); err == nil && info.Mode().IsRegular() {
		s := sha256.Sum256(data)
		return hex.EncodeToString(s[:])
	}
	target, _ := os.Readlink(name)
	return info.Mode().String() + target
}

// stage stages what was made, all or nothing, and says what there is to say.
func (w *work) stage() ([]string, error) {
	after, err := w.changed()
	if err != nil {
		return nil, err
	}
	var made []string
	told := map[string][]string{} // what of which paths
	tell := func(what, path string) { told[what] = append(told[what], path) }
	const (
		clean    = "merged clean, but made otherwise"
		more     = "not in conflict, but made otherwise"
		gone     = "no longer made, so deleted"
		stale    = "not written by its command, so that ours stands"
		unlisted = "changed, but among the files of no rule, so not staged"
	)
	open := map[string]bool{}
	for _, u := range w.unmerged {
		if open[u.Path] = true; !w.makes(u.Path) {
			continue
		}
		made = append(made, u.Path)
		info, err := os.Lstat(w.tree.File(u.Path))
		if was, known := w.written[u.Path]; err != nil {
			tell(gone, u.Path)
		} else if known && info.ModTime().Equal(was) {
			tell(stale, u.Path)
		}
	}
	for path, sum := range after {
		switch {
		case open[path]:
		case !w.makes(path):
			if w.before[path] != sum {
				tell(unlisted, path)
			}
		default:
			made = append(made, path)
			if slices.Contains(w.clean, path) {
				tell(clean, path)
			} else {
				tell(more, path)
			}
		}
	}
	for path := range w.before {
		if _, is := after[path]; !is && !w.makes(path) && !open[path] {
			tell(unlisted, path)
		}
	}
	slices.Sort(made)
	if len(made) > 0 {
		_, err = w.tree.Feed([]byte(strings.Join(made, "\x00")+"\x00"), "update-index", "-z", "--add", "--remove", "--stdin")
	}
	lines := []string{terminal.Count(len(made), "file") + " made and staged"}
	for _, what := range []string{clean, more, gone, stale, unlisted} {
		if paths := told[what]; len(paths) > 0 {
			slices.Sort(paths)
			some, rest := paths[:min(10, len(paths))], ""
			if len(paths) > len(some) {
				rest = fmt.Sprintf(" and %d more", len(paths)-len(some))
			}
			lines = append(lines, what+": "+strings.Join(some, ", ")+rest)
		}
	}
	return lines, err
}
