package mutant

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// newBlockScalarMutation returns a mutation of block scalars. n is the block scalar.
func newBlockScalarMutation(name string, apply func(f *file, n *syntax.Node) []byte) mutation {
	return mutation{
		name:        name,
		countPlaces: func(f *file) int { return len(f.blockScalars) },
		line:        func(f *file, i int) int { return f.lineOf(f.blockScalars[i].Content.Start) },
		apply:       func(f *file, i int) []byte { return apply(f, f.blockScalars[i]) },
	}
}

// newChompingMutation returns a mutation that sets the chomping indicator of a block scalar: "", "-" or "+". It
// keeps the indentation indicator, so that "|2-" becomes "|2+", for example.
func newChompingMutation(name, indicator string) mutation {
	return newBlockScalarMutation(name, func(f *file, n *syntax.Node) []byte {
		header := f.src[n.Content.Start:n.Lines.Start]
		end := 1
		for end < len(header) && strings.IndexByte("+-123456789", header[end]) >= 0 {
			end++
		}
		digits := strings.Trim(string(header[1:end]), "+-")
		return f.replace([]text.Span{{Start: n.Content.Start, End: n.Content.Start + end}}, string(header[:1])+digits+indicator)
	})
}

var blockScalarMutations = []mutation{
	newChompingMutation("clip the text", ""),
	newChompingMutation("strip the text", "-"),
	newChompingMutation("keep the text's end", "+"),
	newBlockScalarMutation("indent the text's end", func(f *file, n *syntax.Node) []byte {
		lines := strings.SplitAfter(f.textOf(n.Lines), "\n")
		half := len(lines) / 2
		for i := half; i < len(lines); i++ {
			if strings.TrimSpace(lines[i]) != "" {
				lines[i] = " " + lines[i]
			}
		}
		return f.replace([]text.Span{n.Lines}, strings.Join(lines, ""))
	}),
}
