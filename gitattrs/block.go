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
// patterns to the driver of that name, in place of the block that it has. A
// nil file is one that does not exist.
//
// A new block stands at the top: in git the last matching line wins, so every
// line that somebody wrote keeps its say.
func Add(file []byte, driver string, patterns []string) []byte {
	at := 0
	if bytes.HasPrefix(file, bom) {
		at = len(bom)
	}
	isNew := file == nil
	rest := file
	if b, ok := find(file); ok {
		at, isNew = b.start, b.isNew
		rest = removeBlocks(file)
	}
	return slices.Concat(rest[:at], block(driver, patterns, isNew, lineEnd(file)), rest[at:])
}

// Remove returns the attributes file without its block, byte for byte as it
// was before Add, later edits outside the block kept; nil if there was no file
// and nothing else is in it now.
//
// What somebody else wrote between the lines of the block stays.
func Remove(file []byte) []byte {
	b, ok := find(file)
	if !ok {
		return file
	}
	rest := removeBlocks(file)
	if b.isNew && len(rest) == 0 {
		return nil
	}
	return rest
}

// Patterns returns the patterns of the block in file, and whether it has one.
func Patterns(file []byte) (patterns []string, ok bool) {
	b, ok := find(file)
	return b.patterns, ok
}

// block writes a whole block.
func block(driver string, patterns []string, isNew bool, eol string) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	if isNew {
		b.WriteString(newFile)
	}
	b.WriteString(eol)
	for _, p := range patterns {
		b.WriteString(quotePattern(p) + " merge=" + driver + eol)
	}
	b.WriteString(closing + eol)
	return b.Bytes()
}

// lineEnd returns the line ending of the first line of file.
func lineEnd(file []byte) string {
	if i := bytes.IndexByte(file, '\n'); i > 0 && file[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// A found is a block in a file.
type found struct {
	start    int
	own      [][2]int // byte ranges of the lines that Add wrote
	patterns []string
	isNew    bool
}

// find returns the first block of file.
func find(file []byte) (b found, ok bool) {
	start := 0
	for line := range bytes.Lines(file) {
		end := start + len(line)
		text := strings.TrimRight(string(bytes.TrimPrefix(line, bom)), "\r\n")
		if strings.HasPrefix(text, opening) {
			start = end - len(bytes.TrimPrefix(line, bom))
			b = found{start: start, own: [][2]int{{start, end}}, isNew: strings.HasSuffix(text, newFile)}
			b.read(file, end)
			return b, true
		}
		start = end
	}
	return b, false
}

// read takes in the lines from start up to the closing line or, where that is
// gone, as far as they are a block's.
func (b *found) read(file []byte, start int) {
	closed := bytes.Contains(file[start:], []byte(closing))
	for line := range bytes.Lines(file[start:]) {
		end := start + len(line)
		text := strings.TrimRight(string(line), "\r\n")
		pattern, rest, ok := unquotePattern(text)
		switch {
		case text == closing:
			b.own = append(b.own, [2]int{start, end})
			return
		case ok && text[0] != '#' && strings.HasPrefix(rest, "merge=") && !strings.ContainsAny(rest, " \t"):
			b.own = append(b.own, [2]int{start, end})
			b.patterns = append(b.patterns, pattern)
		case !closed:
			return
		}
		start = end
	}
}

// removeBlocks returns file without the lines of any block.
func removeBlocks(file []byte) []byte {
	rest := file
	for b, ok := find(rest); ok; b, ok = find(rest) {
		kept := []byte{} // not nil: the file exists
		last := 0
		for _, r := range b.own {
			kept = append(kept, rest[last:r[0]]...)
			last = r[1]
		}
		rest = append(kept, rest[last:]...)
	}
	return rest
}
