package merge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// lastAppliedKey is the annotation in which kubectl keeps what it applied.
const lastAppliedKey = "kubectl.kubernetes.io/last-applied-configuration"

// LastApplied returns what kubectl applied last to the resources of live, as a
// stream of JSON documents; empty if no resource has the annotation.
func LastApplied(live []byte) ([]byte, error) {
	st, err := syntax.Parse(text.New(live))
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, d := range st.Docs {
		if s := scalarAt(d.Root, "metadata", "annotations", lastAppliedKey); s != "" {
			out = fmt.Appendf(out, "---\n%s\n", bytes.TrimSpace([]byte(s)))
		}
	}
	return out, nil
}

// Annotate returns config with itself in the annotation of what was applied
// last, as kubectl sends and writes it: compact JSON with sorted keys and a
// line break.
func Annotate(config []byte, opts Options) ([]byte, error) {
	opts.name("", "LIVE", "CONFIG")
	st, err := syntax.Parse(text.New(config))
	if err != nil {
		return nil, err
	}
	var src []byte
	for _, d := range st.Docs {
		if d.Root.Kind != syntax.Mapping {
			continue
		}
		v, err := plainJSON(d.Root)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", opts.Names[updated], errorIn(st.File, err))
		}
		withoutAnnotation(v.(map[string]any))
		src = append(src, annotation(d.Root, v)...)
	}
	res, err := Merge2(src, config, Options{Path: opts.Path, Rules: opts.Rules, Names: opts.Names})
	return res.Bytes, err
}

// withoutAnnotation is what kubectl keeps of a config: its annotations without
// this one, which are there even if there are none.
func withoutAnnotation(v map[string]any) {
	meta, ok := v["metadata"].(map[string]any)
	if !ok {
		return
	}
	a, ok := meta["annotations"].(map[string]any)
	if !ok {
		a = map[string]any{}
	}
	delete(a, lastAppliedKey)
	meta["annotations"] = a
}

// annotation is a resource of n's identity that holds the annotation alone.
func annotation(n *syntax.Node, v any) []byte {
	b := []byte("---\n")
	for _, f := range []string{"apiVersion", "kind"} {
		if s := scalarAt(n, f); s != "" {
			b = fmt.Appendf(b, "%s: %q\n", f, s)
		}
	}
	b = append(b, "metadata:\n"...)
	for _, f := range []string{"name", "namespace"} {
		if s := scalarAt(n, "metadata", f); s != "" {
			b = fmt.Appendf(b, "  %s: %q\n", f, s)
		}
	}
	compact, _ := json.Marshal(v) // of maps, lists and scalars
	return fmt.Appendf(b, "  annotations:\n    %s: |\n      %s\n", lastAppliedKey, compact)
}

// notPlain is an error about a node that JSON cannot say.
type notPlain struct {
	off int
	msg string
}

func (e *notPlain) Error() string { return e.msg }

func errorIn(f *text.File, err error) error {
	e := err.(*notPlain)
	return fmt.Errorf("%d:%d: %s", f.Line(e.off), e.off-f.LineStart(e.off)+1, e.msg)
}

// plainJSON is n as package json writes it.
func plainJSON(n *syntax.Node) (any, error) {
	switch n.Kind {
	case syntax.Mapping:
		m := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind != syntax.Scalar || mergeKey(e) {
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
