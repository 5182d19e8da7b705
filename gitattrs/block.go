package gitattrs

import (
	"bytes"
	"slices"
	"strings"
)

// The lines that enclose the block of this program in an attributes file.
const (
	// openingLine is the beginning of the first line. Other text may follow on the same line.
	openingLine = "# >>> git-merge-yaml >>>"
	// closingLine is the whole last line.
	closingLine = "# <<< git-merge-yaml <<<"
	// newFileSuffix follows openingLine if SetPatterns created the file. RemoveBlock then knows that it may
	// delete the file.
	newFileSuffix = " (new file)"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// SetPatterns returns the attributes file with a block in which the patterns, and no others, are assigned to the
// driver. Each must have passed CheckPattern; empty ones are ignored. A nil file does not exist yet, which the block
// records for RemoveBlock. A new block is first in the file, so that lines of the user take precedence.
//
//	before              SetPatterns(file, "yaml", []string{"*.yaml"})
//	*.sh text eol=lf    # >>> git-merge-yaml >>>
//	                    *.yaml merge=yaml
//	                    # <<< git-merge-yaml <<<
//	                    *.sh text eol=lf
func SetPatterns(file []byte, driver string, patterns []string) []byte {
	b := parseFile(file)
	lines := slices.DeleteFunc(b.lines, func(l attributeLine) bool { return l.driver == driver })
	for _, p := range patterns {
		if p != "" {
			lines = append(lines, attributeLine{p, driver})
		}
	}
	// If a path matches patterns of several drivers, git takes the last line, so the last driver by name merges it.
	slices.SortStableFunc(lines, func(a, b attributeLine) int { return strings.Compare(a.driver, b.driver) })
	eol := "\n"
	if i := bytes.IndexByte(file, '\n'); i > 0 && file[i-1] == '\r' {
		eol = "\r\n"
	}
	text := openingLine
	if b.fileWasMissing {
		text += newFileSuffix
	}
	text += eol
	for _, l := range lines {
		text += quotePattern(l.pattern) + " merge=" + l.driver + eol
	}
	return slices.Concat(b.rest[:b.start], []byte(text+closingLine+eol), b.rest[b.start:])
}

// RemoveBlock returns the attributes file without its blocks. Lines in a block that SetPatterns would not write are
// kept. The result is nil, for a file to be deleted, only if SetPatterns created the file and nothing else is in it, or
// if file is nil.
//
//	before                      RemoveBlock(file)
//	# >>> git-merge-yaml >>>    *.lock -diff
//	*.yaml merge=yaml
//	*.lock -diff
//	# <<< git-merge-yaml <<<
func RemoveBlock(file []byte) []byte {
	b := parseFile(file)
	if b.fileWasMissing && len(b.rest) == 0 {
		return nil
	}
	return b.rest
}

// Patterns returns the patterns that SetPatterns has assigned to the driver in an attributes file, in the order of
// their lines. It reads only the first block of this package; other lines with merge=NAME are ignored.
//
//	# >>> git-merge-yaml >>>    Patterns(file, "yaml") is [*.yaml *.yml]
//	*.yaml merge=yaml
//	*.yml merge=yaml
//	# <<< git-merge-yaml <<<
func Patterns(file []byte, driver string) (patterns []string) {
	for _, l := range parseFile(file).lines {
		if l.driver == driver {
			patterns = append(patterns, l.pattern)
		}
	}
	return patterns
}

// An attributeLine assigns the files of a pattern to a driver. In the file it is "PATTERN merge=DRIVER".
type attributeLine struct{ pattern, driver string }

// A block is the first block of an attributes file, together with the rest of the file. Without a block in the file,
// it has no lines, and start is the place for a new block.
type block struct {
	lines          []attributeLine
	fileWasMissing bool   // SetPatterns created the file, or there is no file
	rest           []byte // the file without the lines that SetPatterns writes, in any block; never nil
	start          int    // offset of the block in rest
}

// parseFile splits an attributes file into its first block and the rest. The block has the lines between openingLine
// and closingLine; without a closing line, it ends at the first line that SetPatterns would not write. The rest has all
// lines outside of blocks, and those inside that SetPatterns would not write. Other lines of further blocks are
// dropped. A nil file does not exist.
func parseFile(file []byte) block {
	content, hasBOM := bytes.CutPrefix(file, utf8BOM)
	b := block{fileWasMissing: file == nil, rest: []byte{}}
	if hasBOM {
		b.rest = append(b.rest, utf8BOM...)
	}
	b.start = len(b.rest)
	lastClosing := bytes.LastIndex(content, []byte(closingLine))
	blockCount, isInside, end := 0, false, 0 // end is that of the current line
	for line := range bytes.Lines(content) {
		end += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		opening, hasLineBOM := strings.CutPrefix(text, string(utf8BOM)) // after another file was joined to the first
		l, isOfBlock := parseBlockLine(text)
		switch {
		case strings.HasPrefix(opening, openingLine):
			if hasLineBOM {
				b.rest = append(b.rest, utf8BOM...)
			}
			if blockCount++; blockCount == 1 {
				b.start, b.fileWasMissing = len(b.rest), strings.HasSuffix(text, newFileSuffix)
			}
			isInside = true
		case isInside && text == closingLine:
			isInside = false
		case isInside && isOfBlock:
			if blockCount == 1 {
				b.lines = append(b.lines, l)
			}
		default: // a line of the user, which ends a block that is not closed
			isInside = isInside && end <= lastClosing
			b.rest = append(b.rest, line...)
		}
	}
	return b
}

// parseBlockLine parses a line in the form "PATTERN merge=DRIVER", as SetPatterns writes it. ok is false for any other
// line, such as one with further attributes or a comment.
func parseBlockLine(line string) (l attributeLine, ok bool) {
	pattern, attribute := unquotePattern(line)
	driver, ok := strings.CutPrefix(attribute, "merge=")
	return attributeLine{pattern, driver}, ok && line[0] != '#' && !strings.ContainsAny(driver, " \t")
}
