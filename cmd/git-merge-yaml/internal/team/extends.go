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

// ChangePresets makes a file with rules, which need not exist, extend presets, or no longer,
// and returns those that this changed.
func ChangePresets(file string, names []string, add bool) (changed []string, err error) {
	err = edit(file, func(old []byte) (data []byte, err error) {
		data, changed, err = withPresets(old, names, add)
		return data, err
	})
	return changed, err
}

// Changed is have with names, or without them, and those of names that this changed.
func Changed(have, names []string, add bool) (all, changed []string) {
	all = slices.Clone(have)
	for _, name := range names {
		switch i := slices.Index(all, name); {
		case add && i < 0:
			all, changed = append(all, name), append(changed, name)
		case !add && i >= 0:
			all, changed = slices.Delete(all, i, i+1), append(changed, name)
		}
	}
	return all, changed
}

// withPresets returns rules that extend presets, or no longer, and those of names that this
// changed.
func withPresets(file []byte, names []string, add bool) (data []byte, changed []string, err error) {
	data, err = edited(file, func(root *yaml.Node) error {
		value := field(root, "extends")
		var have []string
		if value != nil {
			if have = []string{value.Value}; value.Kind == yaml.SequenceNode {
				if err := value.Decode(&have); err != nil {
					return err
				}
			}
		}
		all, of := Changed(have, names, add)
		if changed = of; len(changed) == 0 {
			return nil
		}
		written := &yaml.Node{}
		switch {
		case len(all) == 0:
			i := slices.Index(root.Content, value)
			root.Content = slices.Delete(root.Content, i-1, i+1)
		case len(all) == 1 && (value == nil || value.Kind == yaml.ScalarNode):
			err = written.Encode(all[0])
		default:
			err = written.Encode(all)
			written.Style = yaml.FlowStyle
			if value != nil && value.Kind == yaml.SequenceNode {
				written.Style = value.Style
			}
		}
		if value == nil {
			addField(root, "extends", written)
		} else if len(all) > 0 {
			*value = *written
		}
		return err
	})
	if len(changed) == 0 && err == nil {
		data = file
	}
	return data, changed, err
}

// SplitPresets are the names in a value of ExtendsKey.
func SplitPresets(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// personal are the rules of the presets that git's configuration names.
func (p Place) personal() (*merge.Rules, error) {
	if p.Config != "" {
		return nil, nil
	}
	names := SplitPresets(p.Repo.Value(ExtendsKey))
	if len(names) == 0 {
		return nil, nil
	}
	return merge.ExtendRules(ExtendsKey, names...)
}
