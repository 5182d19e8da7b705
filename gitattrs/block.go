package gitattrs

import (
	"bytes"
	"slices"
	"strings"
)

// The lines around the managed block of an attributes file.
const (
	opening = "# >>> git-merge-yaml >>>"
	closing = "# <<< git-merge-yaml <<<"
	// newFile stands behind opening where there was no file before.
	newFile = " (new file)"
)

var bom = []byte("\xef\xbb\xbf")

// Add returns the attributes file with a block that gives the files of the
// patterns to the driver of that name, in place of what its block gives to it.
// What the block gives to other drivers stays; where a file matches lines of
// several, the last driver by name has it. A nil file is one that does not exist.
//
// A new block stands at the top: in git the last matching line wins, so every
// line that somebody wrote keeps its say.
func Add(file []byte, driver string, patterns []string) []byte {
	b := parse(file)
	lines := slices.DeleteFunc(b.given, func(g given) bool { return g.driver == driver })
	for _, p := range patterns {
		lines = append(lines, given{p, driver})
	}
	slices.SortStableFunc(lines, func(a, b given) int { return strings.Compare(a.driver, b.driver) })
	eol := "\n"
	if i := bytes.IndexByte(file, '\n'); i > 0 && file[i-1] == '\r' {
		eol = "\r\n"
	}
	text := opening
	if b.isNew {
		text += newFile
	}
	text += eol
	for _, l := range lines {
		text += quotePattern(l.pattern) + " merge=" + l.driver + eol
	}
	return slices.Concat(b.rest[:b.start], []byte(text+closing+eol), b.rest[b.start:])
}

// Remove returns the attributes file without its block, byte for byte as it
// was before Add, later edits outside the block kept; nil if there was no file
// and nothing else is in it now.
//
// What somebody else wrote between the lines of the block stays.
func Remove(file []byte) []byte {
	b := parse(file)
	if b.isNew && len(b.rest) == 0 {
		return nil
	}
	return b.rest
}

// Patterns returns the patterns whose files the block in file gives to the
// driver.
func Patterns(file []byte, driver string) (patterns []string) {
	for _, g := range parse(file).given {
		if g.driver == driver {
			patterns = append(patterns, g.pattern)
		}
	}
	return patterns
}

// A given is a line of a block.
type given struct{ pattern, driver string }

// A block is what an attributes file has in its first block, or the lack of one.
type block struct {
	given []given
	isNew bool   // there was no file before
	rest  []byte // the file without the lines of any block
	start int    // in rest, of the block
}

// parse takes the lines of blocks out of file. A block goes up to its closing line or, where
// that is gone, as far as its lines are such as Add writes.
func parse(file []byte) block {
	b := block{isNew: file == nil, rest: []byte{}}
	if bytes.HasPrefix(file, bom) {
		b.start = len(bom)
	}
	blocks, inside, closed, end := 0, false, false, 0
	for line := range bytes.Lines(file) {
		end += len(line)
		mark := len(line) - len(bytes.TrimPrefix(line, bom))
		text := strings.TrimRight(string(line[mark:]), "\r\n")
		pattern, attribute := unquotePattern(text)
		driver, isGiven := strings.CutPrefix(attribute, "merge=")
		isGiven = isGiven && text[0] != '#' && !strings.ContainsAny(driver, " \t")
		switch {
		case strings.HasPrefix(text, opening):
			b.rest = append(b.rest, line[:mark]...)
			if blocks++; blocks == 1 {
				b.start, b.isNew = len(b.rest), strings.HasSuffix(text, newFile)
			}
			inside, closed = true, bytes.Contains(file[end:], []byte(closing))
		case inside && text == closing:
			inside = false
		case inside && isGiven:
			if blocks == 1 {
				b.given = append(b.given, given{pattern, driver})
			}
		default:
			inside = inside && closed
			b.rest = append(b.rest, line...)
		}
	}
	return b
}
