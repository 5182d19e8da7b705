package read

import (
	"fmt"
	"maps"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

const defaultMaxSize = 64 << 20

// Unfit says why the inputs cannot be merged as YAML, before they are parsed.
func (in *Inputs) Unfit(limit int) string {
	if limit == 0 {
		limit = defaultMaxSize
	}
	for s, b := range in.Raw {
		if len(b) > limit {
			return fmt.Sprintf("%s is larger than %d bytes", in.called(three.Side(s)), limit)
		}
		if line := conflict.Left(b); line > 0 {
			if in.Names[s] != "" {
				return fmt.Sprintf("%s:%d:1: a conflict marker: resolve the conflicts of this file first", in.Names[s], line)
			}
			return fmt.Sprintf("%s has conflict markers at line %d", in.called(three.Side(s)), line)
		}
	}
	return ""
}

// called is what messages call a version.
func (in *Inputs) called(s three.Side) string {
	if n := in.Names[s]; n != "" {
		return n
	}
	return three.Names[s]
}

// Doubled says which key a side made stand twice in a mapping: most readers refuse such a
// file, so that it cannot be merged cleanly. What base has twice already is nobody's change.
func (in *Inputs) Doubled() string {
	had := map[string]int{}
	for e := range tree.DoubledKeys(in.Streams[three.Original]) {
		had[tree.FieldKey(e)]++
	}
	for _, s := range three.Sides {
		left := maps.Clone(had)
		for e := range tree.DoubledKeys(in.Streams[s]) {
			if left[tree.FieldKey(e)]--; left[tree.FieldKey(e)] < 0 {
				return in.doubled(s, e)
			}
		}
	}
	return ""
}

// Twice says which key stands twice in a side.
func (in *Inputs) Twice() string {
	for _, s := range three.Sides {
		if e := tree.DoubledKey(in.Streams[s]); e != nil {
			return in.doubled(s, e)
		}
	}
	return ""
}

func (in *Inputs) doubled(s three.Side, e *syntax.Entry) string {
	at := in.Streams[s].File.Position(e.Start)
	return fmt.Sprintf("%s:%d:%d: the key %q occurs twice in its mapping", in.called(s), at.Line, at.Column, e.Key.Value)
}
