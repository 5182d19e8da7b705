package mergetest

import (
	"bytes"
	"regexp"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// partRegexp matches the parts of a line that GuessSources searches one by one: words, blanks, and single characters of
// punctuation.
var partRegexp = regexp.MustCompile(`[^ \t\r\n,:\[\]{}]+|[ \t]+|[\r\n]+|.`)

// GuessSources returns sources for the bytes of a result that was not written by package page, such as a wrong result.
// A line in known has the sources given there, and a line of a version is a copy of it, even with another indentation.
// Of other lines, each word is a copy from a line that begins with the same word. If there is none, the source is
// outside of all versions, which verification refuses.
func GuessSources(versions [3][]byte, known map[string][]three.Piece, result []byte) (pieces []three.Piece) {
	lines := map[string]three.Piece{}
	byWord := map[string][]three.Piece{} // lines by their first word
	for v, b := range versions {
		at := 0
		for line := range bytes.Lines(b) {
			content := bytes.TrimLeft(line, " \t")
			p := three.Piece{Len: len(content), Version: three.Version(v), Offset: at + len(line) - len(content)}
			lines[string(content)] = p
			byWord[firstWord(content)] = append(byWord[firstWord(content)], p)
			at += len(line)
		}
	}
	for line := range bytes.Lines(result) {
		if all, ok := known[string(line)]; ok {
			for _, p := range all {
				pieces = three.AppendPieces(pieces, p)
			}
			continue
		}
		content := bytes.TrimLeft(line, " \t")
		pieces = three.AppendPieces(pieces, three.Piece{Len: len(line) - len(content), Written: three.Indent})
		if p, ok := lines[string(content)]; ok {
			pieces = three.AppendPieces(pieces, p)
			continue
		}
		for _, part := range partRegexp.FindAll(content, -1) {
			pieces = three.AppendPieces(pieces, sourceOfPart(versions, byWord[firstWord(content)], part))
		}
	}
	return pieces
}

// firstWord returns the first word of a line, without a dash.
func firstWord(line []byte) string {
	word, _, _ := bytes.Cut(bytes.TrimLeft(line, "- "), []byte(":"))
	return string(word)
}

// sourceOfPart returns a source of a part of a line, in one of the lines.
func sourceOfPart(versions [3][]byte, lines []three.Piece, part []byte) three.Piece {
	p := three.Piece{Len: len(part)}
	switch {
	case string(part) == " ":
		p.Written = three.Punctuation
		return p
	case part[0] == '\r' || part[0] == '\n':
		p.Written = three.LineBreak
		return p
	}
	for _, line := range lines {
		if at := bytes.Index(versions[line.Version][line.Offset:line.Offset+line.Len], part); at >= 0 {
			p.Version, p.Offset = line.Version, line.Offset+at
			return p
		}
	}
	p.Offset = 1 << 40
	return p
}
