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
// several, the last driver by name has it, so that yaml-kustomize has some
// files of yaml's. A nil file is one that does not exist.
//
// A new block stands at the top: in git the last matching line wins, so every
// line that somebody wrote keeps its say.
func Add(file []byte, driver string, patterns []string) []byte {
	return add(file, mergeBy(driver), patterns)
}

// AddDiff is Add for the driver of git diff of that name.
func AddDiff(file []byte, driver string, patterns []string) []byte {
	return add(file, diffBy(driver), patterns)
}

// mergeBy and diffBy are the attributes that name a driver.
func mergeBy(driver string) string { return "merge=" + driver }
func diffBy(driver string) string  { return "diff=" + driver }

func add(file []byte, attribute string, patterns []string) []byte {
	at := 0
	if bytes.HasPrefix(file, bom) {
		at = len(bom)
	}
	isNew := file == nil
	rest := file
	var lines []given
	if b, ok := find(file); ok {
		at, isNew = b.start, b.isNew
		rest = removeBlocks(file)
		lines = slices.DeleteFunc(b.given, func(g given) bool { return g.attribute == attribute })
	}
	for _, p := range patterns {
		lines = append(lines, given{p, attribute})
	}
	slices.SortStableFunc(lines, func(a, b given) int { return strings.Compare(a.attribute, b.attribute) })
	return slices.Concat(rest[:at], block(lines, isNew, lineEnd(file)), rest[at:])
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

// Patterns returns the patterns whose files the block in file gives to the
// driver, and whether there is a block.
func Patterns(file []byte, driver string) (patterns []string, ok bool) {
	b, ok := find(file)
	for _, g := range b.given {
		if g.attribute == mergeBy(driver) {
			patterns = append(patterns, g.pattern)
		}
	}
	return patterns, ok
}

// A given is a line of a block.
type given struct{ pattern, attribute string }

// block writes a whole block.
func block(lines []given, isNew bool, eol string) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	if isNew {
		b.WriteString(newFile)
	}
	b.WriteString(eol)
	for _, l := range lines {
		b.WriteString(quotePattern(l.pattern) + " " + l.attribute + eol)
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
	start int
	own   [][2]int // byte ranges of the lines that Add wrote
	given []given
	isNew bool
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
		pattern, attribute, _ := unquotePattern(text)
		ok := strings.HasPrefix(attribute, mergeBy("")) || strings.HasPrefix(attribute, diffBy(""))
		switch {
		case text == closing:
			b.own = append(b.own, [2]int{start, end})
			return
		case ok && text[0] != '#' && !strings.ContainsAny(attribute, " \t"):
			b.own = append(b.own, [2]int{start, end})
			b.given = append(b.given, given{pattern, attribute})
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
