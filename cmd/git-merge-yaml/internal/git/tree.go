package git

import (
	"bufio"
	"bytes"
	"errors"
	"io"
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

// TreesOf returns the trees of commits, in one process.
func (g Git) TreesOf(commits []ID) ([]ID, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, id := range commits {
		in.WriteString(id.String() + "^{tree}\n")
	}
	out, err := g.asIs().Feed([]byte(in.String()), "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	ids, err := parseIDs(string(out))
	if err == nil && len(ids) != len(commits) {
		err = errFormat
	}
	return ids, err
}

// A Difference is what two trees have at a path; the zero Stage is nothing.
type Difference struct{ From, To Stage }

// DiffTrees compares pairs of trees in one process, and returns what differs by its path.
func (g Git) DiffTrees(pairs [][2]ID) ([]map[string]Difference, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var in bytes.Buffer
	for _, p := range pairs {
		in.WriteString(p[0].String() + " " + p[1].String() + "\n")
	}
	out, err := g.asIs().Feed(in.Bytes(), "diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames")
	if err != nil {
		return nil, err
	}
	all := make([]map[string]Difference, 0, len(pairs))
	for r := bufio.NewReader(bytes.NewReader(out)); ; {
		if next, err := r.Peek(1); err == io.EOF && len(all) == len(pairs) {
			return all, nil
		} else if err == nil && next[0] != ':' { // the pair, on a line of its own
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
			return nil, errFormat
		}
		from, err := parseStage(f[0], f[2])
		to, err2 := parseStage(f[1], f[3])
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		all[len(all)-1][strings.TrimSuffix(path, "\x00")] = Difference{from.ifAny(), to.ifAny()}
	}
}

// ifAny is s, or the zero Stage where git writes zeroes for nothing.
func (s Stage) ifAny() Stage {
	if s.Mode == 0 {
		return Stage{}
	}
	return s
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
