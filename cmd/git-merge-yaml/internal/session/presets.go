package session

import (
	"bytes"
	"errors"
	"os"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ChangePresets makes a file with rules, which need not exist, extend presets, or no longer,
// and returns those that this changed. What are no rules then is not written, nor anything
// through a link: a repository could lead it out of the work tree.
func ChangePresets(file string, names []string, add bool) ([]string, error) {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file, so nothing is written to it")
	}
	old, err := disk.ReadIfAny(file)
	if err != nil {
		return nil, err
	}
	data, changed, err := withPresets(old, names, add)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	if _, err := merge.ParseRules(file, data, build.Version()); err != nil {
		return nil, err
	}
	return changed, disk.ReplaceOrMake(file, data)
}

// withPresets returns rules that extend presets, or no longer, and those of names that this
// changed. What is there keeps its bytes: the change is made to a copy of the data, and
// merged from there.
func withPresets(file []byte, names []string, add bool) (data []byte, changed []string, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(file, &doc); err != nil {
		return nil, nil, err
	}
	isNew := doc.Kind == 0 || doc.Content[0].Tag == "!!null"
	if isNew {
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, nil, errors.New("it is no mapping")
	}
	uncomment(&doc)
	before, err := yaml.Marshal(&doc)
	if err != nil {
		return nil, nil, err
	}
	at := 0
	for at < len(root.Content) && root.Content[at].Value != "extends" {
		at += 2
	}
	var value *yaml.Node
	var all []string
	if at < len(root.Content) {
		value = root.Content[at+1]
		if all = []string{value.Value}; value.Kind == yaml.SequenceNode {
			if err := value.Decode(&all); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, name := range names {
		switch i := slices.Index(all, name); {
		case add && i < 0:
			all, changed = append(all, name), append(changed, name)
		case !add && i >= 0:
			all, changed = slices.Delete(all, i, i+1), append(changed, name)
		}
	}
	if len(changed) == 0 {
		return file, nil, nil
	}
	written := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	if value != nil && value.Kind == yaml.SequenceNode {
		written.Style = value.Style
	}
	for _, name := range all {
		written.Content = append(written.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name})
	}
	if len(all) == 1 && (value == nil || value.Kind == yaml.ScalarNode) {
		written = written.Content[0]
	}
	switch {
	case value == nil:
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "extends"}, written)
	case len(all) == 0:
		root.Content = slices.Delete(root.Content, at, at+2)
	default:
		root.Content[at+1] = written
	}
	after, err := yaml.Marshal(&doc)
	if err != nil {
		return nil, nil, err
	}
	if isNew {
		if len(file) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
			file = append(bytes.Clone(file), '\n')
		}
		return append(bytes.Clone(file), after...), changed, nil
	}
	res, err := merge.Merge(before, file, after, merge.Options{Path: TeamFile})
	if err == nil && (!res.Clean() || res.Method == merge.Delegated) {
		err = errors.New("this cannot be written for certain; edit it by hand")
	}
	return res.Bytes, changed, err
}

// uncomment takes the comments away.
func uncomment(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		uncomment(c)
	}
}
