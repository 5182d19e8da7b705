package git

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Mode is what an entry of a tree is.
type Mode uint32

// ModeExecutable is that of a file that can be run.
const ModeExecutable Mode = 0o100755

// IsFile reports whether m is that of a file with content: no folder, no
// symbolic link, no submodule.
func (m Mode) IsFile() bool { return m&0o170000 == 0o100000 }

// A Difference is what two trees have at a path; the zero Stage is nothing.
type Difference struct{ From, To Stage }

// DiffTrees compares pairs of trees in one process, and returns what differs by its path.
func (g Git) DiffTrees(pairs [][2]ID) (all []map[string]Difference, err error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	args := []string{"diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames"}
	err = g.asIs().stream(inPairs(pairs), args, func(r *bufio.Reader) error {
		for {
			next, err := r.Peek(1)
			if err == io.EOF && len(all) == len(pairs) {
				return nil
			}
			if err == nil && next[0] != ':' { // the pair, on a line of its own
				_, err = r.ReadString('\n')
				all = append(all, map[string]Difference{})
				if err == nil {
					continue
				}
			}
			about, err := r.ReadString(0)
			path, err2 := r.ReadString(0)
			f := strings.Fields(strings.Trim(about, ":\x00"))
			if errors.Join(err, err2) != nil || len(f) != 5 || len(all) == 0 {
				return errFormat
			}
			from, err := parseStage(f[0], f[2])
			to, err2 := parseStage(f[1], f[3])
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			all[len(all)-1][strings.TrimSuffix(path, "\x00")] = Difference{from, to}
		}
	})
	return all, err
}

// A File is a file, or a link, of a tree.
type File struct {
	Stage
	Path string
	Size int64
}

// Files returns the files of a commit or a tree, those at or below paths if any are given.
func (g Git) Files(of string, paths ...string) (all []File, err error) {
	out, err := g.Run(append([]string{"ls-tree", "-r", "-z", "-l", "--full-tree", of, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	for r := range records(out) {
		about, path, _ := strings.Cut(r, "\t")
		f := strings.Fields(about) // mode, type, id, size
		if len(f) != 4 {
			return nil, errFormat
		}
		if f[1] != "blob" {
			continue // of another repository
		}
		s, err := parseStage(f[0], f[2])
		size, err2 := strconv.ParseInt(f[3], 10, 64)
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		all = append(all, File{s, path, size})
	}
	return all, nil
}

// Selected returns those of paths, from the top of the repository, that pathspecs select, as seen
// from where git runs. The index, a file of this name, is written for it.
func (g Git) Selected(paths, pathspecs []string, index string) ([]string, error) {
	g = g.with("GIT_INDEX_FILE=" + index)
	format, err := g.Line("rev-parse", "--show-object-format")
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	id := strings.Repeat("1", map[string]int{"sha1": 40, "sha256": 64}[format]) // it need not be there
	var in strings.Builder
	for _, p := range paths {
		in.WriteString("100644 " + id + "\t" + p + "\x00")
	}
	if _, err := g.Feed([]byte(in.String()), "update-index", "-z", "--index-info"); err != nil {
		return nil, err
	}
	out, err := g.Run(append([]string{"ls-files", "-z", "--full-name", "--"}, pathspecs...)...)
	return slices.Collect(records(out)), err
}
