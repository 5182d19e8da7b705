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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// RulesFile is the file with rules that counts in a work tree, or will.
func RulesFile(tree *git.WorkTree) (string, error) {
	team := filepath.Join(tree.Top, File)
	if _, err := os.Lstat(team); !errors.Is(err, fs.ErrNotExist) {
		return team, err
	}
	switch named := repo.At(tree.Git).Path(Key); {
	case named == "":
		return team, nil
	case filepath.IsAbs(named):
		return named, nil
	default:
		return filepath.Join(tree.Top, named), nil
	}
}

// edit changes a file with rules, which need not exist. What are no rules then is not
// written, nor anything through a link: a repository could lead it out of the work tree.
func edit(file string, change func(old []byte) ([]byte, error)) error {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is no regular file, so nothing is written to it")
	}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := change(old)
	if err != nil {
		return err
	}
	if _, err := merge.ParseRules(file, data, build.Version()); err != nil {
		return err
	}
	return disk.ReplaceOrMake(file, data)
}

// edited returns rules after a change of their root, a mapping. What is there keeps its
// bytes: the change is made to a copy of the data, and merged from there.
func edited(file []byte, change func(root *yaml.Node) error) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(file, &root); err != nil {
		return nil, err
	}
	if root.Kind == 0 || root.Content[0].Tag == "!!null" {
		made := &yaml.Node{Kind: yaml.MappingNode}
		if err := change(made); err != nil {
			return nil, err
		}
		added, err := encode(made)
		return append(wholeLines(file), added...), err
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("it is no mapping")
	}
	uncommented(&root)
	before, err := encode(&root)
	if err != nil {
		return nil, err
	}
	if err := change(root.Content[0]); err != nil {
		return nil, err
	}
	after, err := encode(&root)
	if err != nil {
		return nil, err
	}
	res, err := merge.Merge(before, file, after, merge.Options{Path: File})
	if err == nil && (!res.Clean() || res.Method == merge.Delegated) {
		err = errors.New("this cannot be written for certain; edit it by hand")
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

// field is the value of a field, nil if there is none.
func field(root *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == name {
			return root.Content[i+1]
		}
	}
	return nil
}

// addField adds a field behind the others.
func addField(root *yaml.Node, name string, value *yaml.Node) {
	root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
}

// wholeLines is b, ended by a line break.
func wholeLines(b []byte) []byte {
	if len(b) == 0 || bytes.HasSuffix(b, []byte("\n")) {
		return b
	}
	return append(bytes.Clone(b), '\n')
}
