package git

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// A Mode is what an entry of a tree is.
type Mode filemode.FileMode

// The modes that are told apart.
const (
	ModeExecutable = Mode(filemode.Executable)
	ModeTree       = Mode(filemode.Dir)
)

// IsTree reports whether m is that of a folder.
func (m Mode) IsTree() bool { return m == ModeTree }

// IsFile reports whether m is that of a file with content: no folder, no
// symbolic link, no submodule.
func (m Mode) IsFile() bool { return m&0o170000 == 0o100000 }

// A TreeEntry is a file or folder of a tree. The zero value is none.
type TreeEntry struct {
	Name string
	Mode Mode
	ID   ID
}

// A Tree is a folder: its entries in git's order.
type Tree []TreeEntry

// Find returns the entry called name, the zero value if there is none.
func (t Tree) Find(name string) TreeEntry {
	for _, e := range t {
		if e.Name == name {
			return e
		}
	}
	return TreeEntry{}
}

// ID returns the id that the tree would have beside the object like.
func (t Tree) ID(like ID) ID { return sum(plumbing.TreeObject, t.encode(), len(like)) }

// encode writes the tree object.
func (t Tree) encode() []byte {
	sorted := slices.SortedFunc(slices.Values(t), func(a, b TreeEntry) int { return strings.Compare(a.sortName(), b.sortName()) })
	var b []byte
	for _, e := range sorted {
		b = strconv.AppendUint(b, uint64(e.Mode), 8)
		b = append(b, ' ')
		b = append(b, e.Name...)
		b = append(b, 0)
		b = append(b, e.ID...)
	}
	return b
}

// sortName is the name by which git sorts: folders as if they ended in a slash.
func (e TreeEntry) sortName() string {
	if e.Mode.IsTree() {
		return e.Name + "/"
	}
	return e.Name
}

var errTree = errors.New("malformed tree object")

// parseTree reads a tree object with ids of size bytes. The entries share one
// copy of data.
func parseTree(data []byte, size int) (Tree, error) {
	tree := make(Tree, 0, len(data)/(size+12)+1)
	for s := string(data); s != ""; {
		head, rest, ok := strings.Cut(s, "\x00")
		mode, name, ok2 := strings.Cut(head, " ")
		m, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !ok2 || err != nil || len(rest) < size {
			return nil, errTree
		}
		tree = append(tree, TreeEntry{Name: name, Mode: Mode(m), ID: ID(rest[:size])})
		s = rest[size:]
	}
	return tree, nil
}
