package read

import (
	"fmt"
	"maps"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
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

// mostMemory bounds the memory that a merge takes, as the bytes of its versions that may begin or end
// a node, each of which takes up to 150 bytes of memory, and five times as much where versions differ.
// That is less than a gigabyte in all. A version of 3 MB of which every line was changed is within it,
// and so is one of 15 MB with some changes.
const mostMemory = 5 << 20

// endsNode are the bytes that may begin or end a node. A version has at most two nodes for each.
var endsNode = [256]bool{'\n': true, '\r': true, ',': true, '-': true, ':': true, '?': true, '[': true, '{': true}

// tooMuch says that to read the versions would take too much memory.
func (in *Inputs) tooMuch() string {
	const differs = 5
	if differs*(len(in.Raw[0])+len(in.Raw[1])+len(in.Raw[2])) <= mostMemory {
		return ""
	}
	all := 0
	for _, b := range in.Raw {
		all += ends(b)
	}
	if differs*all <= mostMemory {
		return ""
	}
	shared := 0
	if m, err := diff3.Of(in.Raw[0], in.Raw[1], in.Raw[2]).Shared(diff3.Merge); err == nil {
		for _, s := range m.Shared {
			if s.Len < leastShared {
				continue
			}
			shared += len(in.Raw) * ends(in.Raw[0][s.Original:s.Original+s.Len])
		}
	}
	if shared+differs*(all-shared) <= mostMemory {
		return ""
	}
	return "so much differs in so large a file that to merge its fields would take more than a gigabyte of memory"
}

// leastShared is how many bytes between two changes are not read for these.
const leastShared = 64

// ends counts the bytes of b that may begin or end a node.
func ends(b []byte) (n int) {
	for _, c := range b {
		if endsNode[c] {
			n++
		}
	}
	return n
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
