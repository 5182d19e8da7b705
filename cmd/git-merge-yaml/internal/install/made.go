package install

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// noteMade plans to set down which files and folders install makes on its way, so
// that uninstall knows them from those that were there.
func (s *setup) noteMade(d gitattrs.Driver) error {
	made, err := s.made(d)
	if err != nil {
		return err
	}
	before := len(made)
	for _, path := range s.missing {
		if !slices.Contains(made, path) {
			made = append(made, path)
		}
	}
	if len(made) == before {
		return nil
	}
	return s.set(gitattrs.Setting{Key: d.Key(gitattrs.MadeKey), Value: strings.Join(made, string(filepath.ListSeparator))})
}

// made are the paths that install set down.
func (s *setup) made(d gitattrs.Driver) ([]string, error) {
	paths, err := s.git.Config(s.Scope, d.Key(gitattrs.MadeKey))
	return filepath.SplitList(paths), err
}

// missConfiguration notes the user's configuration, if git is about to make it.
func (s *setup) missConfiguration() error {
	if s.Scope != git.Global {
		return nil
	}
	path, err := s.git.MissingGlobal()
	if path != "" {
		s.missing = append(s.missing, path)
	}
	return err
}

// missFolders notes the folders on the way to a file that are not there.
func (s *setup) missFolders(file string) {
	var folders []string
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			break
		}
		folders = append(folders, dir)
	}
	slices.Reverse(folders)
	s.missing = append(s.missing, folders...)
}

// removeMade plans to remove what install made, the last first, where nothing else
// is in it.
func (s *setup) removeMade(paths []string) {
	for _, path := range slices.Backward(paths) {
		s.change("remove "+path+", which install had made, if it is empty", func() error { return removeEmpty(path) })
	}
}

// removeEmpty removes a file or a folder, unless something is in it. Of a link it
// removes what that leads to.
func removeEmpty(path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return errStays // it is gone already
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(target)
		if len(entries) > 0 || err != nil {
			return errStays
		}
		return os.Remove(target)
	}
	if content, err := os.ReadFile(target); err != nil || len(bytes.TrimSpace(content)) > 0 {
		return errStays
	}
	return os.Remove(target)
}
