package team

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
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
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := withPolicy(old, p)
	if err != nil {
		return err
	}
	if _, err := merge.ParseRules(file, data, build.Version()); err != nil {
		return err
	}
	return disk.ReplaceOrMake(file, data)
}

// withPolicy returns rules with one entry more, before the others since the
// first that knows a field decides. What is there keeps its bytes: the entry
// is added to a copy of the data, and merged from there.
func withPolicy(file []byte, p Policy) ([]byte, error) {
	entry, err := p.node()
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(file, &root); err != nil {
		return nil, err
	}
	if root.Kind == 0 || root.Content[0].Tag == "!!null" {
		added, err := encode(map[string][]*yaml.Node{"rules": {entry}})
		return append(wholeLines(file), added...), err
	}
	uncommented(&root)
	before, err := encode(&root)
	if err != nil {
		return nil, err
	}
	if err := addRule(root.Content[0], entry); err != nil {
		return nil, err
	}
	after, err := encode(&root)
	if err != nil {
		return nil, err
	}
	res, err := merge.Merge(before, file, after, merge.Options{Path: File})
	if err == nil && (!res.Clean() || res.Method == merge.Delegated) {
		err = errors.New("it has no place for it that is certain")
	}
	return res.Bytes, err
}

// encode writes YAML with the usual indent.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(v)
	return b.Bytes(), errors.Join(err, e.Close())
}

// uncommented takes the comments away.
func uncommented(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		uncommented(c)
	}
}

// addRule puts an entry before the others.
func addRule(root, entry *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return errors.New("it is no mapping")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "rules" {
			list := root.Content[i+1]
			if list.Kind != yaml.SequenceNode {
				return errors.New("its rules are no list")
			}
			list.Content = append([]*yaml.Node{entry}, list.Content...)
			return nil
		}
	}
	root.Content = append(root.Content,
		&yaml.Node{Kind: yaml.ScalarNode, Value: "rules"},
		&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{entry}})
	return nil
}

// wholeLines is b, ended by a line break.
func wholeLines(b []byte) []byte {
	if len(b) == 0 || bytes.HasSuffix(b, []byte("\n")) {
		return b
	}
	return append(bytes.Clone(b), '\n')
}
