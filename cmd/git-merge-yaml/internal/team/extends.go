package team

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ExtendsKey names, in git's configuration, presets that a person has beside the team's
// rules.
const ExtendsKey = "merge.yaml.extends"

// AddPresets makes a file with rules, which need not exist, extend presets, and returns
// those that it did not extend before.
func AddPresets(file string, names ...string) (added []string, err error) {
	err = edit(file, func(old []byte) ([]byte, error) {
		var data []byte
		data, added, err = withPresets(old, names)
		return data, err
	})
	return added, err
}

// withPresets returns rules that extend presets, and those of names that they did not.
func withPresets(file []byte, names []string) (data []byte, added []string, err error) {
	data, err = edited(file, func(root *yaml.Node) error {
		have := field(root, "extends")
		for _, name := range names {
			switch word := (&yaml.Node{Kind: yaml.ScalarNode, Value: name}); {
			case have == nil:
				have = word
				addField(root, "extends", have)
			case have.Kind == yaml.ScalarNode && have.Value != name:
				old := *have
				*have = yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: []*yaml.Node{&old, word}}
			case have.Kind == yaml.SequenceNode && !slices.ContainsFunc(have.Content, func(n *yaml.Node) bool { return n.Value == name }):
				have.Content = append(have.Content, word)
			default:
				continue
			}
			added = append(added, name)
		}
		return nil
	})
	if len(added) == 0 && err == nil {
		data = file
	}
	return data, added, err
}

// SplitPresets are the names in a value of ExtendsKey.
func SplitPresets(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// personal are the rules of the presets that git's configuration names.
func (p Place) personal() (*merge.Rules, error) {
	if p.Config != "" || !p.Settings.MayBeSet(ExtendsKey) {
		return nil, nil
	}
	names := SplitPresets(p.Settings.Value(ExtendsKey))
	if len(names) == 0 {
		return nil, nil
	}
	return merge.ExtendRules(ExtendsKey, names...)
}
