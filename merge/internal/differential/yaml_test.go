package differential

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"
)

// An anchored value is written with an anchor. An alias is written as an alias of the anchored value.
type (
	anchored struct{ value any }
	alias    struct{ value any }
)

// anchor is the name of the only anchor of a resource.
const anchor = "x"

// text returns a stream of resources as YAML with sorted fields.
func text(t *testing.T, resources []any) string {
	t.Helper()
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	for _, r := range resources {
		if err := e.Encode(node(r)); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func node(v any) *yaml.Node {
	n := new(yaml.Node)
	switch x := v.(type) {
	case object:
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		for _, k := range slices.Sorted(maps.Keys(x)) {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: k}, node(x[k]))
		}
	case []any:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		for _, e := range x {
			n.Content = append(n.Content, node(e))
		}
	case anchored:
		n = node(x.value)
		n.Anchor = anchor
	case alias:
		n.Kind, n.Value, n.Alias = yaml.AliasNode, anchor, node(x.value)
	default:
		_ = n.Encode(v) // a scalar
	}
	return n
}

// resources parses a stream of resources and leaves out empty documents.
func resources(t *testing.T, text string) (out []any) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		var v any
		if err := d.Decode(&v); err != nil {
			if err.Error() == "EOF" {
				return out
			}
			t.Fatalf("%v in\n%s", err, text)
		}
		if v != nil {
			out = append(out, v)
		}
	}
}

// plain returns v with anchored values and aliases replaced by their values.
func plain(v any) any {
	switch x := v.(type) {
	case object:
		out := object{}
		for k, e := range x {
			out[k] = plain(e)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range x {
			out = append(out, plain(e))
		}
		return out
	case anchored:
		return plain(x.value)
	case alias:
		return plain(x.value)
	}
	return v
}
