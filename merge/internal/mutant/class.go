package mutant

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Classify returns the kind of the difference between the file original and its mutant m, if verification of a merge
// may accept it, otherwise "". Apart from its order, the data is equal in each kind. Classify reads it with package
// yaml, not with the verifier. original must parse.
//
//	place of a comment    comments with their own lines are in other places
//	format                quotes, or flow and block style, differ
//	blanks                spaces, tabs or blank lines differ
//	order                 the same lines are in another order
func Classify(original []byte, m Mutant) string {
	mutated := m.Stream.File.Bytes()
	docs, mutatedDocs := decodeDocuments(original), decodeDocuments(mutated)
	equalData := slices.EqualFunc(docs, mutatedDocs, equalNodes)
	switch {
	case equalData && slices.Equal(separateComments(original), separateComments(mutated)):
		return "place of a comment"
	case equalData && bytes.Equal(removeBlanks(original), removeBlanks(mutated)):
		return "blanks"
	case slices.EqualFunc(docs, mutatedDocs, haveEqualData) && slices.Equal(commentTexts(original), commentTexts(mutated)):
		return "format"
	// the data is equal if nothing in it has an order
	case formatUnordered(docs) == formatUnordered(mutatedDocs) && slices.Equal(sortLines(original), sortLines(mutated)):
		return "order"
	}
	return ""
}

// separateComments returns the lines of b without blank lines: first the lines that are not comments, in their
// order, then all comments with their own lines, sorted and without indentation. b must parse.
func separateComments(b []byte) []string {
	f := parseFile(b)
	isComment := map[int]bool{} // by the offset of the line
	for i, c := range f.comments {
		if f.hasOwnLine(i) {
			isComment[f.lineStart(c.Start)] = true
		}
	}
	var lines, comments []string
	offset := 0
	for _, l := range f.lines {
		switch s := strings.TrimSpace(string(l)); {
		case isComment[offset]:
			comments = append(comments, s)
		case s != "":
			lines = append(lines, string(l))
		}
		offset += len(l)
	}
	slices.Sort(comments)
	return append(lines, comments...)
}

// commentTexts returns the comments of b without blanks around them, in the order of the file. b must parse.
func commentTexts(b []byte) (texts []string) {
	f := parseFile(b)
	for _, c := range f.comments {
		texts = append(texts, strings.TrimSpace(string(b[c.Start:c.End])))
	}
	return texts
}

// removeBlanks returns b without spaces, tabs and blank lines.
func removeBlanks(b []byte) []byte {
	var out []byte
	for _, l := range nonBlankLines(b) {
		for _, c := range l {
			if c != ' ' && c != '\t' {
				out = append(out, c)
			}
		}
	}
	return out
}

// sortLines returns the lines of b, sorted, without their indentation and without blank lines.
func sortLines(b []byte) []string {
	var lines []string
	for _, l := range nonBlankLines(b) {
		lines = append(lines, strings.TrimSpace(string(l)))
	}
	slices.Sort(lines)
	return lines
}

// formatUnordered returns a string that is equal for two lists of nodes if their data is, regardless of the
// order of documents, fields and items. The data includes tags and anchors.
func formatUnordered(nodes []*yaml.Node) string {
	var all []string
	for _, n := range nodes {
		s := n.Tag + "&" + n.Anchor + "=" + n.Value
		switch n.Kind {
		case yaml.MappingNode:
			var fields []string
			for i := 0; i+1 < len(n.Content); i += 2 {
				fields = append(fields, formatUnordered(n.Content[i:i+1])+":"+formatUnordered(n.Content[i+1:i+2]))
			}
			slices.Sort(fields)
			s += "{" + strings.Join(fields, ",") + "}"
		case yaml.SequenceNode, yaml.DocumentNode:
			s += "[" + formatUnordered(n.Content) + "]"
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return strings.Join(all, ";")
}
