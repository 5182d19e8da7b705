package team

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Policy is an answer to all conflicts of one field.
type Policy struct {
	Take            merge.Take
	Field, Resource string
	// File is where it counts, if there is no resource; Pattern is that of many.
	File, Pattern string
	// Comment are lines that stand above it.
	Comment []string
}

// PolicyTakes are the answers that the team's file has a policy for.
var PolicyTakes = []merge.Take{merge.TakeOwn, merge.TakeUpstream, merge.TakeOurs, merge.TakeTheirs, merge.TakeHighest, merge.TakeLowest}

// entry is the policy as an entry of `rules`.
func (p Policy) entry() policyEntry {
	e := policyEntry{Fields: map[string]string{p.Field: string(p.Take)}}
	switch {
	case p.Resource != "":
		e.Kinds = []string{p.Resource}
	case p.Pattern != "":
		e.Files = []string{p.Pattern}
	default:
		e.Files = []string{"/" + p.File}
	}
	return e
}

// node is the entry with its comment.
func (p Policy) node() (*yaml.Node, error) {
	n := &yaml.Node{}
	err := n.Encode(p.entry())
	for _, line := range p.Comment {
		n.HeadComment += "# " + line + "\n"
	}
	return n, err
}

// policyEntry is what is written of an entry.
type policyEntry struct {
	Files  []string          `yaml:"files,omitempty,flow"`
	Kinds  []string          `yaml:"kinds,omitempty,flow"`
	Fields map[string]string `yaml:"fields"`
}

// PolicyFile is the file with rules that counts in a work tree, or will.
func PolicyFile(tree *git.WorkTree) (string, error) {
	team := filepath.Join(tree.Top, File)
	if _, err := os.Lstat(team); !errors.Is(err, fs.ErrNotExist) {
		return team, err
	}
	set, err := tree.Settings(Key)
	if err != nil {
		return "", err
	}
	switch named := set[Key]; {
	case named == "":
		return team, nil
	case filepath.IsAbs(named):
		return named, nil
	default:
		return filepath.Join(tree.Top, named), nil
	}
}

// AddPolicy adds a policy to a file with rules, which need not exist.
func AddPolicy(file string, p Policy) error {
	return edit(file, func(old []byte) ([]byte, error) { return withPolicy(old, p) })
}

// withPolicy returns rules with one entry more, before the others since the
// first that knows a field decides.
func withPolicy(file []byte, p Policy) ([]byte, error) {
	entry, err := p.node()
	if err != nil {
		return nil, err
	}
	return edited(file, func(root *yaml.Node) error {
		list := field(root, "rules")
		if list == nil {
			list = &yaml.Node{Kind: yaml.SequenceNode}
			addField(root, "rules", list)
		}
		if list.Kind != yaml.SequenceNode {
			return errors.New("its rules are no list")
		}
		list.Content = append([]*yaml.Node{entry}, list.Content...)
		return nil
	})
}
