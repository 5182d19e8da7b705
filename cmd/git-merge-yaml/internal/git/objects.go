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

	"github.com/go-git/go-git/v5/plumbing"
)

// An ID is an object id: the raw bytes of a SHA-1 or SHA-256 hash, or "" for no object.
type ID string

// ParseID parses an object id in hexadecimal, in lower or upper case. It returns "" and an error if s is not
// hexadecimal, or does not have the length of a SHA-1 or SHA-256 hash (40 or 64 digits).
func ParseID(s string) (ID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != sha1.Size && len(b) != sha256.Size {
		return "", fmt.Errorf("%q is not an object id", s)
	}
	return ID(b), nil
}

// String returns the id in hexadecimal.
func (id ID) String() string { return hex.EncodeToString([]byte(id)) }

// MarshalText returns the id in hexadecimal. It makes ids readable in JSON.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Short returns the first ten hexadecimal digits of the id.
func (id ID) Short() string { return id.String()[:min(10, 2*len(id))] }

// IsBlob reports whether id is that of a file with this content.
func (id ID) IsBlob(content []byte) bool {
	if len(id) == sha256.Size {
		sum := sha256.Sum256(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
		return string(id) == string(sum[:])
	}
	sum := plumbing.ComputeHash(plumbing.BlobObject, content)
	return string(id) == string(sum[:])
}

// parseIDs parses object ids in hexadecimal that are separated by spaces or line breaks. It returns nil for a text
// without ids. It returns nil and an error if one of them is not an object id.
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

// errNoObject is returned if the repository lacks an object or the object is not a blob.
var errNoObject = errors.New("no such object")

// An Objects reads objects of a repository through one `git cat-file --batch` process, which it starts at the first
// read. It reads everything that git can read, such as SHA-256 repositories, alternates, and partial clones. It is
// safe for concurrent use, except for [Objects.Close].
type Objects struct {
	git    Git
	mu     sync.Mutex
	cmd    *exec.Cmd // nil before the first read
	stdin  io.WriteCloser
	stdout *bufio.Reader
	err    error // of the process; all later reads fail
}

// Objects returns a reader of the repository's objects. The caller must close it. No process is started before the
// first read. Replacements (refs/replace) are ignored, so that the history is as it was written.
func (g Git) Objects() *Objects { return &Objects{git: g.withoutReplaceRefs()} }

// Blobs returns the contents of blobs, in the order of ids, and nil for the id "". The content of an empty blob is not
// nil. The error wraps errNoObject if an object is missing or is not a blob. Pass a few ids at a time, not hundreds:
// with a longer request, this process and git would wait for each other.
func (o *Objects) Blobs(ids ...ID) ([][]byte, error) {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	blobs, err := o.BlobsByName(names...)
	for i, blob := range blobs {
		if blob == nil && names[i] != "" {
			return nil, fmt.Errorf("%w: %s", errNoObject, names[i])
		}
	}
	return blobs, err
}

// BlobsByName returns the contents of blobs by names such as main:web.yaml or :2:web.yaml, in the order of names. The
// content is nil, and not empty, if there is no such blob. If git fails, this and all later reads return an error. Pass
// a few names at a time, not hundreds: this process and git would wait for each other.
func (o *Objects) BlobsByName(names ...string) (blobs [][]byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cmd == nil {
		o.err = o.startProcess()
	}
	if o.err == nil {
		blobs, o.err = o.requestBlobs(names)
	}
	if o.err != nil { // the next answer may belong to an earlier request
		return nil, fmt.Errorf("git cat-file: %w", o.err)
	}
	return blobs, nil
}

// Close ends the process, if one was started, and returns its error. It must not be called during a read, and reads
// must not follow it.
func (o *Objects) Close() error {
	if o.cmd == nil || o.cmd.Process == nil {
		return nil
	}
	o.err = os.ErrClosed
	o.stdin.Close()
	return o.cmd.Wait()
}

// startProcess starts git cat-file --batch, from which objects are read. It stores the command in o.cmd and its pipes
// in o.stdin and o.stdout. The error is that the process cannot be started.
func (o *Objects) startProcess() (err error) {
	o.cmd = o.git.newCommand(context.Background(), []string{"cat-file", "--batch"})
	if o.stdin, err = o.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	o.stdout = bufio.NewReaderSize(out, 64<<10)
	return o.cmd.Start()
}

// requestBlobs asks the running git cat-file --batch for the contents of blobs by their names, and returns them in the
// order of names, nil for each name that is not that of one blob. It writes all requests before it reads the answers,
// so the caller must limit their number. After an error, the process cannot be used any more.
func (o *Objects) requestBlobs(names []string) ([][]byte, error) {
	var request strings.Builder
	for _, name := range names {
		if strings.Contains(name, "\n") {
			name = "" // git answers that it is missing
		}
		request.WriteString(name + "\n")
	}
	if _, err := io.WriteString(o.stdin, request.String()); err != nil {
		return nil, err
	}
	blobs := make([][]byte, len(names))
	for i := range names {
		// "ID TYPE SIZE", the content and a line feed, or "NAME missing", "NAME ambiguous" or "NAME submodule"
		line, err := o.stdout.ReadString('\n')
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
			return nil, fmt.Errorf("unexpected output %q", line)
		}
		data := make([]byte, size+1)
		if _, err := io.ReadFull(o.stdout, data); err != nil {
			return nil, err
		}
		if kind == "blob" {
			blobs[i] = data[:size:size]
		}
	}
	return blobs, nil
}

// A Mode is the mode of an entry of a tree or of the index: 0o100644 and 0o100755 for a file, 0o120000 for a symbolic
// link, 0o160000 for a submodule, and 0 for no entry.
type Mode uint32

// ModeExecutable is the mode of an executable file.
const ModeExecutable Mode = 0o100755

// IsFile reports whether m is the mode of a regular file.
func (m Mode) IsFile() bool { return m&0o170000 == 0o100000 }

// A Difference is the change of a path between two trees. From is zero if the path was added, To if it was deleted.
type Difference struct{ From, To Stage }

// DiffTrees compares pairs of trees with one git process, and returns, for each pair, in order, the differences by the
// path of the file. Folders are not listed. Renames are not detected: a renamed file is deleted at one path and added
// at the other. It returns an error if an object does not exist; diffs must not be used then.
func (g Git) DiffTrees(pairs [][2]ID) (diffs []map[string]Difference, err error) {
	args := []string{"diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames"}
	err = g.withoutReplaceRefs().runStreaming(formatPairs(pairs), args, func(r *bufio.Reader) error {
		for {
			header, err := r.ReadString(0)
			for header != "" && header[0] != ':' { // a line with the ids of the next pair
				_, header, _ = strings.Cut(header, "\n")
				diffs = append(diffs, map[string]Difference{})
			}
			if err == io.EOF && header == "" && len(diffs) == len(pairs) {
				return nil
			}
			path, err2 := r.ReadString(0)
			f := strings.Fields(strings.Trim(header, ":\x00"))
			if errors.Join(err, err2) != nil || len(f) != 5 || len(diffs) == 0 {
				return errUnexpectedOutput
			}
			from, err := parseStage(f[0], f[2])
			to, err2 := parseStage(f[1], f[3])
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			diffs[len(diffs)-1][strings.TrimSuffix(path, "\x00")] = Difference{from, to}
		}
	})
	return diffs, err
}

// ChangedByBoth returns the paths of the files that both sides of m changed or added, with different contents, sorted:
// those of which git merges the content if it detects no renames. m.Base must be set.
func (g Git) ChangedByBoth(m Merge) (paths []string, err error) {
	// A combined diff of the base, as if the sides were its parents, has only the paths that differ from both.
	in := fmt.Sprintln(m.Base, m.Ours, m.Theirs)
	out, err := g.RunInput([]byte(in), "diff-tree", "--stdin", "--no-commit-id", "-c", "-r", "-z", "--raw", "--no-renames")
	if err != nil {
		return nil, err
	}
	tuples, err := splitTuples(out, 2)
	for _, t := range tuples {
		f := strings.Fields(strings.TrimLeft(t[0], ":")) // modes and ids of ours, theirs and the base, and a status
		if len(f) != 7 {
			return nil, errUnexpectedOutput
		}
		var v [3]Stage
		for i := range v {
			if v[i], err = parseStage(f[i], f[3+i]); err != nil {
				return nil, err
			}
		}
		ours, theirs, base := v[0], v[1], v[2]
		areFiles := ours.Mode.IsFile() && theirs.Mode.IsFile() && (base.Mode.IsFile() || base.Mode == 0)
		if areFiles && ours.ID != theirs.ID && ours.ID != base.ID && theirs.ID != base.ID {
			paths = append(paths, t[1])
		}
	}
	return paths, err
}

// FileAt returns the content of the file at path, from the top, in a commit, given by any name such as HEAD. Symbolic
// links are followed within the commit. The error is [fs.ErrNotExist] if the commit or the path does not exist, and
// another error if path is not a regular file or is larger than limit bytes.
func (g Git) FileAt(commit, path string, limit int64) (content []byte, err error) {
	if strings.Contains(path, "\n") {
		return nil, fs.ErrNotExist
	}
	err = g.runStreaming([]byte(commit+":"+path+"\n"), []string{"cat-file", "--batch", "--follow-symlinks"}, func(r *bufio.Reader) error {
		line, err := r.ReadString('\n')
		if strings.HasSuffix(line, " missing\n") {
			return fs.ErrNotExist
		}
		f := strings.Fields(line)
		if err != nil || len(f) != 3 || f[1] != "blob" {
			return cmp.Or(err, errors.New("not a regular file, or a broken symbolic link"))
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

// A TreeFile is a regular file or a symbolic link in a tree.
type TreeFile struct {
	Stage
	Path string
}

// Files returns the files of a commit or tree, including those in its folders, with their modes and blob ids, sorted by
// path. Symbolic links are included; submodules are omitted. The result is nil if there are none. It returns nil and an
// error if treeish does not exist.
func (g Git) Files(treeish string) (files []TreeFile, err error) {
	out, err := g.Run("ls-tree", "-r", "-z", "--full-tree", treeish)
	if err != nil {
		return nil, err
	}
	for _, record := range splitNUL(out) {
		info, path, _ := strings.Cut(record, "\t")
		f := strings.Fields(info) // mode, type, id
		if len(f) != 3 {
			return nil, errUnexpectedOutput
		}
		if f[1] != "blob" {
			continue // a submodule
		}
		s, err := parseStage(f[0], f[2])
		if err != nil {
			return nil, err
		}
		files = append(files, TreeFile{s, path})
	}
	return files, nil
}

// SelectPaths returns the paths, sorted, that git's pathspecs select. paths are from the top of the repository, and
// need not exist; pathspecs are relative to g.Dir. Without pathspecs, all paths below g.Dir are selected. index is the
// name of a temporary index file, which must not exist and which the caller removes.
//
//	g.Dir   pathspecs        selected
//	top     *.yaml           a.yaml, a/b.yaml
//	top/a   b.yaml           a/b.yaml
//	top     a, :!a/vendor    a/b.yaml, but not a/vendor/c.yaml
func (g Git) SelectPaths(paths, pathspecs []string, index string) ([]string, error) {
	g = g.withEnv("GIT_INDEX_FILE=" + index)
	format, err := g.Line("rev-parse", "--show-object-format")
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	id := strings.Repeat("1", map[string]int{"sha1": 40, "sha256": 64}[format]) // an object that need not exist
	var in strings.Builder
	for _, p := range paths {
		in.WriteString("100644 " + id + "\t" + p + "\x00")
	}
	if _, err := g.RunInput([]byte(in.String()), "update-index", "-z", "--index-info"); err != nil {
		return nil, err
	}
	return g.Paths(append([]string{"ls-files", "-z", "--full-name", "--"}, pathspecs...)...)
}
