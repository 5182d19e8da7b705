package mutant

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func onText(name string, do func(f *file, n *syntax.Node) []byte) way {
	return way{
		name:   name,
		places: func(f *file) int { return len(f.texts) },
		line:   func(f *file, i int) int { return f.lineOf(f.texts[i].Content.Start) },
		do:     func(f *file, i int) []byte { return do(f, f.texts[i]) },
	}
}

// chomped gives a block scalar another chomping.
func chomped(name, chomping string) way {
	return onText(name, func(f *file, n *syntax.Node) []byte {
		header := f.src[n.Content.Start:n.Lines.Start]
		end := 1
		for end < len(header) && strings.IndexByte("+-123456789", header[end]) >= 0 {
			end++
		}
		digits := strings.Trim(string(header[1:end]), "+-")
		return f.splice([]text.Span{{Start: n.Content.Start, End: n.Content.Start + end}}, string(header[:1])+digits+chomping)
	})
}

var textWays = []way{
	chomped("clip the text", ""),
	chomped("strip the text", "-"),
	chomped("keep the text's end", "+"),
	onText("indent the text's end", func(f *file, n *syntax.Node) []byte {
		lines := strings.SplitAfter(f.text(n.Lines), "\n")
		half := len(lines) / 2
		for i := half; i < len(lines); i++ {
			if strings.TrimSpace(lines[i]) != "" {
				lines[i] = " " + lines[i]
			}
		}
		return f.splice([]text.Span{n.Lines}, strings.Join(lines, ""))
	}),
}
