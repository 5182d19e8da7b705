package sops

import (
	"regexp"

	"gopkg.in/yaml.v3"
)

// staySecret reports whether each step sets what stands open in a version anyway, or sets it where a version has
// something encrypted: a side could have given things a name that sops does not encrypt.
func (f *files) staySecret(steps []step) bool {
	values, places := map[string]bool{}, map[string]bool{}
	for _, d := range f.data {
		if n := parse(d); n != nil {
			leaves("", n, func(index string, leaf *yaml.Node) {
				if secret().MatchString(leaf.Value) {
					places[index] = true
				} else {
					values[leaf.Value] = true
				}
			})
		}
	}
	item := regexp.MustCompile(`\[\d+\]`)
	for _, s := range steps {
		if !s.unset && !values[s.text] && !places[item.ReplaceAllString(s.index, "")] {
			return false
		}
	}
	return true
}

// leaves shows all scalars below n with their indices, without the numbers of items.
func leaves(index string, n *yaml.Node, show func(index string, leaf *yaml.Node)) {
	switch n.Kind {
	case yaml.ScalarNode:
		show(index, n)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			leaves(index, item, show)
		}
	case yaml.MappingNode:
		for k, v := range fields(n) {
			leaves(index+`["`+n.Content[k].Value+`"]`, v, show)
		}
	}
}
