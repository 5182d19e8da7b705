package annotation

import (
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// notPlain is an error about a node that JSON cannot say.
type notPlain struct {
	off int
	msg string
}

func (e *notPlain) Error() string { return e.msg }

// plainJSON is n as package json writes it.
func plainJSON(n *syntax.Node) (any, error) {
	switch n.Kind {
	case syntax.Mapping:
		m := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind != syntax.Scalar || tree.MergeKey(e) {
				return nil, &notPlain{e.Start, "JSON has no such key"}
			}
			v, err := plainJSON(e.Value)
			if err != nil {
				return nil, err
			}
			m[e.Key.Value] = v
		}
		return m, nil
	case syntax.Sequence:
		l := make([]any, len(n.Entries))
		for i, e := range n.Entries {
			v, err := plainJSON(e.Value)
			if err != nil {
				return nil, err
			}
			l[i] = v
		}
		return l, nil
	case syntax.Alias:
		return nil, &notPlain{n.Content.Start, "JSON has no aliases"}
	}
	return plainScalar(n), nil
}

// plainScalar is a scalar by its tag; what is no number to Go is a string.
func plainScalar(n *syntax.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		if b, err := strconv.ParseBool(n.Value); err == nil {
			return b
		}
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return i
		}
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && f-f == 0 {
			return f
		}
	}
	return n.Value
}
