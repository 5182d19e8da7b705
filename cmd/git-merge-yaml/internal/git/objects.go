package git

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// An ID is the id of an object: the raw bytes of a SHA-1 or SHA-256 hash, or
// "" for no object.
type ID string

// ParseID reads an id in hexadecimal.
func ParseID(s string) (ID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != sha1.Size && len(b) != sha256.Size {
		return "", fmt.Errorf("%q is no object id", s)
	}
	return ID(b), nil
}

// String returns the id in hexadecimal.
func (id ID) String() string { return hex.EncodeToString([]byte(id)) }

// MarshalText is String, for JSON.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Short returns the first ten digits of the id.
func (id ID) Short() string { return id.String()[:min(10, 2*len(id))] }

// parseIDs reads ids with blanks or line breaks between them.
func parseIDs(s string) (ids []ID, err error) {
	for hex := range strings.FieldsSeq(s) {
		id, err := ParseID(hex)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// ErrNoObject says that the repository has no such file.
var ErrNoObject = errors.New("no such object")

// Objects reads the objects of a repository through `git cat-file --batch`, so
// that whatever git can read (SHA-256, alternates, a partial clone) is read. It
// is safe for concurrent use.
type Objects struct {
	git  Git
	lock sync.Mutex
	cmd  *exec.Cmd // nil before the first object is read
	in   io.WriteCloser
	out  *bufio.Reader
	err  error // why the process is of no more use
}

// Objects returns the object store of the repository. Nothing is started
// before the first object is read.
//
// Replacements (refs/replace) are not followed: history is told as it is.
func (g Git) Objects() *Objects { return &Objects{git: g.asIs()} }

// Blobs returns the contents of files, in the time of one; nil of no file. A
// few at once, not hundreds: git answers while it is asked.
func (o *Objects) Blobs(ids ...ID) ([][]byte, error) {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	all, err := o.Named(names...)
	for i, blob := range all {
		if blob == nil && names[i] != "" {
			return nil, fmt.Errorf("%w: %s", ErrNoObject, names[i])
		}
	}
	return all, err
}

// Named returns the contents of files by names of git's, as main:web.yaml; nil of one that
// is not there, or has a line break in its name.
func (o *Objects) Named(names ...string) (all [][]byte, err error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.cmd == nil {
		o.err = o.start()
	}
	if o.err == nil {
		all, o.err = o.ask(names)
	}
	if o.err != nil { // out of step
		return nil, fmt.Errorf("git cat-file: %w", o.err)
	}
	return all, nil
}

// Close ends the process. Nothing may be read while it is called, or after.
func (o *Objects) Close() error {
	if o.cmd == nil || o.cmd.Process == nil {
		return nil
	}
	o.err = os.ErrClosed
	o.in.Close()
	return o.cmd.Wait()
}

func (o *Objects) start() (err error) {
	o.cmd = o.git.command(context.Background(), []string{"cat-file", "--batch"})
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	o.out = bufio.NewReaderSize(out, 64<<10)
	return o.cmd.Start()
}

// ask returns the contents of files. All are asked for before the first answer is read, so that
// git does not wait:
//
//	<id> SP <type> SP <size> LF <content> LF
func (o *Objects) ask(names []string) ([][]byte, error) {
	var question strings.Builder
	for _, n := range names {
		if strings.Contains(n, "\n") {
			n = "" // which is missing
		}
		question.WriteString(n + "\n")
	}
	if _, err := io.WriteString(o.in, question.String()); err != nil {
		return nil, err
	}
	all := make([][]byte, len(names))
	for i := range names {
		line, err := o.out.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSuffix(line, "\n")
		if strings.HasSuffix(line, " missing") || strings.HasSuffix(line, " ambiguous") || strings.HasSuffix(line, " submodule") {
			continue
		}
		var id, kind string
		var size int
		if _, err := fmt.Sscanf(line, "%s %s %d", &id, &kind, &size); err != nil {
			return nil, fmt.Errorf("unexpected answer %q", line)
		}
		data := make([]byte, size+1)
		if _, err := io.ReadFull(o.out, data); err != nil {
			return nil, err
		}
		if kind == "blob" {
			all[i] = data[:size:size]
		}
	}
	return all, nil
}

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
	args := []string{"diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames"}
	err = g.asIs().stream(inPairs(pairs), args, func(r *bufio.Reader) error {
		for {
			about, err := r.ReadString(0)
			for about != "" && about[0] != ':' { // a pair, on a line of its own
				_, about, _ = strings.Cut(about, "\n")
				all = append(all, map[string]Difference{})
			}
			if err == io.EOF && about == "" && len(all) == len(pairs) {
				return nil
			}
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

// FileAt returns the content of the file at path in a commit. Symbolic links are followed as long as they stay in the
// commit. The error is fs.ErrNotExist if there is no such file, or no such commit.
func (g Git) FileAt(commit, path string, limit int64) (content []byte, err error) {
	if strings.Contains(path, "\n") {
		return nil, fs.ErrNotExist
	}
	err = g.stream([]byte(commit+":"+path+"\n"), []string{"cat-file", "--batch", "--follow-symlinks"}, func(r *bufio.Reader) error {
		line, err := r.ReadString('\n')
		if strings.HasSuffix(line, " missing\n") {
			return fs.ErrNotExist
		}
		f := strings.Fields(line)
		if err != nil || len(f) != 3 || f[1] != "blob" {
			return cmp.Or(err, errors.New("no regular file, or a symbolic link to none"))
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if size > limit {
			err = fmt.Errorf("larger than %d bytes", limit)
		}
		if err != nil {
			return err
		}
		content = make([]byte, size)
		_, err = io.ReadFull(r, content)
		return err
	})
	return content, err
}

// A File is a file, or a link, of a tree.
type File struct {
	Stage
	Path string
}

// Files returns the files of a commit or a tree.
func (g Git) Files(of string) (all []File, err error) {
	out, err := g.Run("ls-tree", "-r", "-z", "--full-tree", of)
	if err != nil {
		return nil, err
	}
	for _, r := range records(out) {
		about, path, _ := strings.Cut(r, "\t")
		f := strings.Fields(about) // mode, type, id
		if len(f) != 3 {
			return nil, errFormat
		}
		if f[1] != "blob" {
			continue // of another repository
		}
		s, err := parseStage(f[0], f[2])
		if err != nil {
			return nil, err
		}
		all = append(all, File{s, path})
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
	return g.Paths(append([]string{"ls-files", "-z", "--full-name", "--"}, pathspecs...)...)
}
