package tree

import (
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// NotPlain is an error about what stands at Off, which JSON cannot say.
type NotPlain struct {
	Off int
	Msg string
}

func (e *NotPlain) Error() string { return e.Msg }

// JSON is n as package json reads it, with integers as they are; the error is a
// *NotPlain.
func JSON(n *syntax.Node) (any, error) {
	switch n.Kind {
	case syntax.Mapping:
		m := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind != syntax.Scalar || MergeKey(e) {
				return nil, &NotPlain{e.Start, "JSON has no such key"}
			}
			v, err := JSON(e.Value)
			if err != nil {
				return nil, err
			}
			m[e.Key.Value] = v
		}
		return m, nil
	case syntax.Sequence:
		l := make([]any, len(n.Entries))
		for i, e := range n.Entries {
			v, err := JSON(e.Value)
			if err != nil {
				return nil, err
			}
			l[i] = v
		}
		return l, nil
	case syntax.Alias:
		return nil, &NotPlain{n.Content.Start, "JSON has no aliases"}
	}
	return JSONScalar(n), nil
}

// JSONScalar is a scalar by its tag; what is no number to Go is a string.
func JSONScalar(n *syntax.Node) any {
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
		if i, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
			return i
		}
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && f-f == 0 {
			return f
		}
	}
	return n.Value
}
