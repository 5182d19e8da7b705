package read

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Twins are nodes of the unified versions, as the versions have them.
func (in *Inputs) Twins(all []three.Nodes) []three.Nodes {
	out := append([]three.Nodes(nil), all...)
	for s := range in.Streams {
		if len(all) == 0 || in.Proof[s] == in.Streams[s] {
			continue
		}
		twins := twinsOf(in.Streams[s], in.Proof[s])
		for i := range out {
			out[i][s] = twins[out[i][s]]
		}
	}
	return out
}

// twinsOf returns the node of b in the place of each of a: trees of one text in two forms.
func twinsOf(a, b *syntax.Stream) map[*syntax.Node]*syntax.Node {
	twins := map[*syntax.Node]*syntax.Node{}
	var pair func(x, y *syntax.Node)
	pair = func(x, y *syntax.Node) {
		twins[x] = y
		for i := range min(len(x.Entries), len(y.Entries)) {
			pair(x.Entries[i].Value, y.Entries[i].Value)
		}
	}
	for i := range min(len(a.Docs), len(b.Docs)) {
		pair(a.Docs[i].Root, b.Docs[i].Root)
	}
	return twins
}
