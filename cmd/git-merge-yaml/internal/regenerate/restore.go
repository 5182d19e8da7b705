package regenerate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// A removedFile is a file that prepareWorkTree removed from the work tree, or overwrote because it had conflict
// markers.
type removedFile struct {
	content []byte
	mode    fs.FileMode
	ours    []byte // what prepareWorkTree wrote instead; nil if it removed the file
}

// prepareWorkTree makes the unmerged files that the commands generate readable for them: one with conflict markers is
// overwritten with ours, and one that a side deleted is removed. Their content is stored in r.removed, for
// restoreFiles, even if there is an error. Then it stores the state of all changed files in r.statesBefore. The error
// is that of a file or of git.
func (r *regenerator) prepareWorkTree() (err error) {
	for _, u := range r.unmerged {
		name := r.tree.DiskPath(u.Path)
		info, err := os.Lstat(name)
		switch {
		case !r.isOutput(u.Path) || errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular():
			continue
		case err != nil:
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if u.Ours.ID == "" || u.Theirs.ID == "" {
			r.removed[u.Path] = removedFile{content, info.Mode().Perm(), nil}
			err = os.Remove(name)
		} else if len(linemerge.ParseConflicts(content, 0)) > 0 {
			var ours []byte
			if ours, err = r.tree.Run("cat-file", "--filters", "--path="+u.Path, u.Ours.ID.String()); err == nil {
				r.removed[u.Path] = removedFile{content, info.Mode().Perm(), append([]byte{}, ours...)}
				err = os.WriteFile(name, ours, info.Mode().Perm())
			}
		}
		if err != nil {
			return err
		}
	}
	r.statesBefore, err = r.changedFiles()
	return err
}

// restoreFiles writes the files that prepareWorkTree has removed or overwritten back into the work tree, with their
// conflict markers, unless a command wrote something else at their paths. A file that cannot be read counts as written
// by a command. It creates missing folders. It continues after errors and returns all errors of writing, joined. If
// prepareWorkTree changed nothing, it does nothing.
func (r *regenerator) restoreFiles() (err error) {
	for path, f := range r.removed {
		name := r.tree.DiskPath(path)
		if current, err := os.ReadFile(name); !errors.Is(err, fs.ErrNotExist) && (err != nil || f.ours == nil || !bytes.Equal(current, f.ours)) {
			continue
		}
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.content, f.mode))
	}
	return err
}

// changedFiles returns the state of files, by which stageOutputs finds out what a command wrote: mode, size and time of
// modification, or "" for a missing file. The keys are paths from the top of the work tree. It has the files that are
// unmerged, untracked, or differ from the index. Ignored files and nested repositories are left out. The error is that
// of git.
func (r *regenerator) changedFiles() (map[string]string, error) {
	paths, err := r.tree.Paths("ls-files", "-z", "--modified", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for _, u := range r.unmerged {
		paths = append(paths, u.Path)
	}
	states := map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "/") { // a nested repository
			continue
		}
		states[path] = ""
		if info, err := os.Lstat(r.tree.DiskPath(path)); err == nil {
			states[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return states, nil
}

// stageOutputs stages the files that the commands generate, as far as they were unmerged or differ from the index, even
// if no command wrote them. It prints their number to r.Stdout, and lists files that may surprise the user. One that a
// command changed although no rule lists it is among these, and is not staged. It returns the error of git.
func (r *regenerator) stageOutputs() error {
	statesAfter, err := r.changedFiles()
	if err != nil {
		return err
	}
	const (
		changedOutput   = "changed without a conflict"
		deletedOutput   = "no longer generated, deleted"
		unwrittenOutput = "not written by the command, kept ours"
		unlistedChange  = "changed, but not staged because no rule lists the file"
	)
	pathsByMessage := map[string][]string{} // keys are the messages above
	for path := range r.statesBefore {
		if _, ok := statesAfter[path]; !ok && !r.isOutput(path) {
			pathsByMessage[unlistedChange] = append(pathsByMessage[unlistedChange], path)
		}
	}
	var outputs []string
	for _, u := range r.unmerged {
		state := statesAfter[u.Path]
		if delete(statesAfter, u.Path); !r.isOutput(u.Path) {
			continue
		}
		// as ours or, if one side deleted the file, as a deletion, even if no command wrote it
		outputs = append(outputs, u.Path)
		switch state {
		case "":
			pathsByMessage[deletedOutput] = append(pathsByMessage[deletedOutput], u.Path)
		case r.statesBefore[u.Path]:
			pathsByMessage[unwrittenOutput] = append(pathsByMessage[unwrittenOutput], u.Path)
		}
	}
	for path, state := range statesAfter {
		switch {
		case r.isOutput(path):
			outputs = append(outputs, path)
			pathsByMessage[changedOutput] = append(pathsByMessage[changedOutput], path)
		case r.statesBefore[path] != state:
			pathsByMessage[unlistedChange] = append(pathsByMessage[unlistedChange], path)
		}
	}
	slices.Sort(outputs)
	if len(outputs) > 0 {
		if _, err := r.tree.RunInput([]byte(strings.Join(outputs, "\x00")+"\x00"), "update-index", "-z", "--add", "--remove", "--stdin"); err != nil {
			return err
		}
	}
	terminal.PrintLine(r.Stdout, "%s generated and staged", terminal.CountNoun(len(outputs), "file"))
	for _, message := range []string{changedOutput, deletedOutput, unwrittenOutput, unlistedChange} {
		paths := pathsByMessage[message]
		if len(paths) == 0 {
			continue
		}
		slices.Sort(paths)
		list := strings.Join(paths[:min(10, len(paths))], ", ")
		if len(paths) > 10 {
			list += fmt.Sprintf(" and %d more", len(paths)-10)
		}
		terminal.PrintLine(r.Stdout, "%s: %s", message, list)
	}
	return nil
}
