package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

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
