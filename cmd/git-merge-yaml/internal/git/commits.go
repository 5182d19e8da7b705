package git

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Commit is one of a history.
type Commit struct {
	ID      ID
	Tree    ID
	Parents []ID
	Time    time.Time
	Subject string
}

// errEnough ends what is read.
var errEnough = errors.New("enough")

// Commits gives the commits that git rev-list names for args to each, in its order, until
// that returns false. What refs/replace says is not followed: history is told as it is.
func (g Git) Commits(args []string, each func(Commit) bool) error {
	args = append([]string{"rev-list", "--no-commit-header", "--format=%ct %H %T %P%x00%s"}, args...)
	err := g.asIs().stream(nil, args, func(r *bufio.Reader) error {
		for {
			line, err := r.ReadString('\n')
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			c, err := parseCommit(line)
			if err != nil {
				return err
			}
			if !each(c) {
				return errEnough
			}
		}
	})
	if err == errEnough {
		return nil
	}
	return err
}

// parseCommit reads `time id tree parents... NUL subject`.
func parseCommit(line string) (c Commit, err error) {
	about, subject, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\x00")
	at, rest, _ := strings.Cut(about, " ")
	seconds, bad := strconv.ParseInt(at, 10, 64)
	ids, err := parseIDs(rest)
	if err != nil || bad != nil || len(ids) < 2 {
		return c, errFormat
	}
	return Commit{ids[0], ids[1], ids[2:], time.Unix(seconds, 0).UTC(), subject}, nil
}

// MergeBases returns the best common ancestors of pairs of commits, the newest first, in
// one process.
func (g Git) MergeBases(pairs [][2]ID) (all [][]ID, err error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	args := []string{"rev-parse"}
	for _, p := range pairs {
		args = append(args, p[0].String()+"..."+p[1].String())
	}
	out, err := g.asIs().Run(args...)
	if err != nil {
		return nil, err
	}
	sides := 0
	for hex := range strings.FieldsSeq(string(out)) { // both sides, and behind them, with a ^, their bases
		base, isBase := strings.CutPrefix(hex, "^")
		id, err := ParseID(base)
		switch {
		case err != nil:
			return nil, err
		case isBase:
			all[len(all)-1] = append(all[len(all)-1], id)
		default:
			if sides++; sides%2 == 1 {
				all = append(all, nil)
			}
		}
	}
	if len(all) != len(pairs) {
		return nil, errFormat
	}
	return all, nil
}

// FirstParents returns commits, their first parents, the first parents of these, and
// so on; none where refs name nothing.
func (g Git) FirstParents(refs ...string) []ID {
	ids, _ := g.ids(append([]string{"rev-list", "--first-parent", "--end-of-options"}, refs...)...)
	return ids
}

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

// ids are the ids that git prints.
func (g Git) ids(args ...string) ([]ID, error) {
	out, err := g.asIs().Run(args...)
	if err != nil {
		return nil, err
	}
	return parseIDs(string(out))
}

// ErrShallow says that a shallow clone lacks what is asked for.
var ErrShallow = errors.New("this clone is shallow: git fetch --unshallow fetches what it lacks")

// Shallow returns the commits whose parents the repository lacks, being a shallow
// clone; it is empty for any other.
func (g Git) Shallow() (map[ID]bool, error) {
	path, err := g.Line("rev-parse", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.Dir, path)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ids, err := parseIDs(string(data))
	shallow := map[ID]bool{}
	for _, id := range ids {
		shallow[id] = true
	}
	return shallow, err
}
