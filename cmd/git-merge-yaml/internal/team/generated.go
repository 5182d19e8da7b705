package team

import (
	"errors"

	"gopkg.in/yaml.v3"
)

// A GeneratedEntry is an entry of `generated`: of files that a program makes.
type GeneratedEntry struct {
	Comment string   `yaml:"-"` // a line that stands above it
	Files   []string `yaml:"files,flow"`
	From    []string `yaml:"from,omitempty,flow"`
	By      string   `yaml:"by"`
}

func (e GeneratedEntry) node() (*yaml.Node, error) {
	n := &yaml.Node{}
	err := n.Encode(e)
	n.HeadComment = "# " + e.Comment
	if by := field(n, "by"); by != nil && e.By == "" {
		*by = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return n, err
}

// AddGenerated adds entries to a file with rules, which need not exist, behind those of
// `generated` that it has.
func AddGenerated(file string, entries []GeneratedEntry) error {
	return edit(file, func(old []byte) ([]byte, error) {
		return edited(old, func(root *yaml.Node) error {
			list := field(root, "generated")
			if list == nil {
				list = &yaml.Node{Kind: yaml.SequenceNode}
				addField(root, "generated", list)
			}
			if list.Kind != yaml.SequenceNode {
				return errors.New("its generated is no list")
			}
			for _, e := range entries {
				n, err := e.node()
				if err != nil {
					return err
				}
				list.Content = append(list.Content, n)
			}
			return nil
		})
	})
}
