package syntax

import (
	"strconv"
)

// JSON is n as package json reads it, with integers as they are; the error is a
// *JSONError.
func (n *Node) JSON() (any, error) {
	switch n.Kind {
	case Mapping:
		m := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind != Scalar || e.MergeKey() {
				return nil, &JSONError{e.Start, "JSON has no such key"}
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
		return nil, &JSONError{n.Content.Start, "JSON has no aliases"}
	}
	return n.JSONScalar(), nil
}

// JSONScalar is a scalar by its tag; what is no number to Go is a string.
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

// JSONError is an error about what stands at Off, which JSON cannot say.
type JSONError struct {
	Off int
	Msg string
}

func (e *JSONError) Error() string { return e.Msg }
