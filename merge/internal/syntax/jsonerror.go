package syntax

import (
	"strconv"
)

// JSON returns n as a value that package encoding/json can encode: map[string]any, []any, or a scalar (see JSONScalar).
// A key becomes its text: "1" for 1: a. If a key is repeated, the last value counts. The error is a *JSONError if n
// contains an alias, also as a key, or a merge key (<<).
func (n *Node) JSON() (any, error) {
	switch n.Kind {
	case Mapping:
		m := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind != Scalar || e.IsMergeKey() {
				return nil, &JSONError{e.Start, "JSON does not support a merge key, or a key that is not a scalar"}
			}
			v, err := e.Value.JSON()
			if err != nil {
				return nil, err
			}
			m[e.Key.Value] = v
		}
		return m, nil
	case Sequence:
		l := make([]any, len(n.Entries))
		for i, e := range n.Entries {
			v, err := e.Value.JSON()
			if err != nil {
				return nil, err
			}
			l[i] = v
		}
		return l, nil
	case Alias:
		return nil, &JSONError{n.Content.Start, "JSON does not support aliases"}
	}
	return n.JSONScalar(), nil
}

// JSONScalar returns the value of the scalar n according to its tag, as a value that package encoding/json can encode:
// nil, bool, int64, uint64, float64, or the text of n for other tags and for values such as .inf. An !!int is read as
// Go reads it: 010 is 8 and 0x1f is 31.
func (n *Node) JSONScalar() any {
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

// A JSONError is an error about a part of a file, at offset Off, that JSON cannot represent.
type JSONError struct {
	Off int
	Msg string
}

func (e *JSONError) Error() string { return e.Msg }
