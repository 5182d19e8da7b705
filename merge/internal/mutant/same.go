package mutant

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"gopkg.in/yaml.v3"
)

// isSameFile reports whether a and b have identical lines, apart from blank lines, and the same data and styles
// for package yaml. Then a is not a mutant of b. isSameFile does not use package syntax, which the tests check.
func isSameFile(a, b []byte) bool {
	return slices.EqualFunc(nonBlankLines(a), nonBlankLines(b), bytes.Equal) && slices.EqualFunc(decodeDocuments(a), decodeDocuments(b), equalNodes)
}

// nonBlankLines returns the lines of b that are not blank.
func nonBlankLines(b []byte) [][]byte {
	return slices.DeleteFunc(slices.Collect(bytes.Lines(b)), func(l []byte) bool { return len(bytes.TrimSpace(l)) == 0 })
}

// decodeDocuments returns the documents of b, as package yaml decodes them. After a syntax error, it returns
// the documents before the error.
func decodeDocuments(b []byte) []*yaml.Node {
	var docs []*yaml.Node
	for d := yaml.NewDecoder(bytes.NewReader(b)); ; {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) || err != nil {
			return docs
		}
		docs = append(docs, &n)
	}
}

// equalNodes reports whether a and b have the same kind, style, tag, value, anchor and contents.
func equalNodes(a, b *yaml.Node) bool {
	return a.Style == b.Style && haveEqualData(a, b) && slices.EqualFunc(a.Content, b.Content, equalNodes)
}

// haveEqualData reports whether a and b have the same kind, tag, value, anchor and contents, in any style.
func haveEqualData(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, haveEqualData)
}
