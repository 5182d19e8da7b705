// Package disk reads and replaces whole files, and makes temporary folders. A file that changes while it is read is an
// error. A file that is replaced contains the complete old content or the complete new content at all times; whether
// that is also true after a crash of the machine depends on the file system, because the content is not flushed to the
// disk. The package does not lock files.
//
// Read and ReadIfExists read a file; Replace, ReplaceOrCreate and WriteInRoot write one. MakeTempFolder
// creates a folder, and RemoveStaleTemps removes the temporary files of runs that were killed. For example, after
//
//	err := disk.Replace("web.yaml", []byte("image: web:2\n"))
//
// web.yaml has the new content and its old permissions, or err is not nil and web.yaml is unchanged.
package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Read returns the content of the file at path. If the file changes while it is read, it returns an error. It is also
// an error if there is no file, or if it is a folder. The errors are messages for the user.
func Read(path string) ([]byte, error) { return readUnchanged(os.ReadFile, path) }

// readUnchanged returns the content of the file at path, which it reads with the function read. If a regular file
// changes meanwhile, it returns an error, because the data may be a mixture of the old and the new content. It is also
// an error if there is no file, or if it is a folder. The errors are messages for the user.
func readUnchanged(read func(string) ([]byte, error), path string) ([]byte, error) {
	before, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", cmp.Or(path, `""`))
	case err != nil:
		return nil, err
	case before.IsDir():
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	data, err := read(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf(`%w; run "chmod u+r FILE"`, err)
	} else if err != nil || !before.Mode().IsRegular() {
		return data, err
	}
	after, err := os.Stat(path)
	if err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return nil, fmt.Errorf("%s: file changed while reading; try again", path)
	}
	return data, nil
}

// ReadIfExists returns the content of the file at path. It returns nil and no error if there is no file, and an empty
// content that is not nil for an empty file. It returns an error if the file cannot be read, for example because it is
// a folder.
func ReadIfExists(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Replace replaces the content of the file at path in one step: another program reads the complete old or the complete
// new content. The permissions remain. A symbolic link is followed; other hard links keep the old content. A pipe or a
// device is written to directly. The error wraps fs.ErrNotExist if there is no file.
func Replace(path string, content []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a directory")
	case info.Mode().IsRegular():
		return writeByRename(target, content, info.Mode().Perm())
	}
	f, err := os.OpenFile(target, os.O_WRONLY, 0) // without O_CREATE, which Linux refuses for another user's pipe in /tmp
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return cmp.Or(err, f.Close())
}

// ReplaceOrCreate replaces the content of the file at path like Replace, or creates the file if it does not exist. A
// new file is written in place, not in one step, with the permissions of the process's umask. It is an error if path is
// a folder or its folder does not exist.
func ReplaceOrCreate(path string, content []byte) error {
	err := Replace(path, content)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// writeByRename writes content to a temporary file with the permissions perm and renames it to target, so that other
// programs find the complete old or the complete new content. target need not exist, but its folder must. It must not
// be a symbolic link, because the link itself would be replaced. If an error is returned, target is unchanged.
func writeByRename(target string, content []byte, perm os.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer root.Close()
	return WriteInRoot(root, filepath.Base(target), content, perm)
}

// WriteInRoot writes content to the file name beneath root in one step, with the permissions perm. name is relative to
// root, such as charts/web.yaml. The file need not exist, but its folder must, and it must not be a symbolic link,
// which would be replaced itself. After an error, for example because the path leads out of root, the file is
// unchanged.
func WriteInRoot(root *os.Root, name string, content []byte, perm os.FileMode) error {
	var err error
	// The first one is in the folder .git, where git does not list the temporary file if this process is killed.
	for _, tmp := range tempPaths(root, name) {
		retryElsewhere := false
		if retryElsewhere, err = writeVia(root, tmp, name, content, perm); !retryElsewhere {
			break
		}
	}
	return err
}

// tempPaths returns the paths beneath root at which WriteInRoot may write a temporary file, before it renames it to
// name. They are tried in this order: in .git, if root has such a folder, then in the folder of name. The file names
// contain the process id and the time. Nothing is created.
//
//	.git/git-merge-yaml.tmp-1234-dkq2x8
//	charts/.git-merge-yaml.tmp-1234-dkq2x8
func tempPaths(root *os.Root, name string) (paths []string) {
	tmp := tempPrefix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if info, err := root.Lstat(".git"); err == nil && info.IsDir() {
		paths = append(paths, filepath.Join(".git", tmp))
	}
	return append(paths, filepath.Join(filepath.Dir(name), "."+tmp))
}

// writeVia writes content to the temporary file tmp, with the permissions perm, and renames it to name, both beneath
// root. tmp must not exist, and is removed after an error. retryElsewhere reports whether another try with a temporary
// file in another folder may succeed, because tmp could not be created or renamed.
func writeVia(root *os.Root, tmp, name string, content []byte, perm os.FileMode) (retryElsewhere bool, err error) {
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return true, err
	}
	_, err = f.Write(content)
	if err = cmp.Or(err, f.Chmod(perm), f.Close()); err == nil {
		err = moveOver(root, tmp, name)
		retryElsewhere = err != nil
	}
	if err != nil {
		root.Remove(tmp)
	}
	return retryElsewhere, err
}
