package syntax

import (
	"bytes"
	"hash/maphash"
	"sort"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The versions of a file and the results of their merge have most lines in common. The YAML parser takes two thirds of
// the time of Parse, so what it read of a file is kept, and used again for a similar file: each run of entries that has
// the same lines there is replaced by one entry, the placeholder, in the text that the parser reads. Its nodes then take
// the place of the placeholder's. The lines of a run include the line of the token after it, which ends its last entry.
// The placeholder shows that the run is in a block collection of the same kind and column. Everything else, and each of
// the nodes, is located in the file as usual, so that a node in the wrong place is an error; the file is then parsed
// without reuse.

// placeholder is the key or the item of the entry that replaces a run.
const placeholder = "..reused.."

// maxReusedSize is the maximum size in bytes of a file of which the parser's nodes are kept. They take thirty times as
// much memory as their text. Without a maximum, a merge of mappings with 300,000 fields, of which the sides change one
// in five, would need a quarter more memory, and would not be faster.
const maxReusedSize = 1 << 20

// A parsedFile is what the YAML parser read of a file.
type parsedFile struct {
	src     []byte
	entries []parsedEntry // of the block collections, in the order of the file
	// lines returns the lines of src, and linesByHash the numbers, from 0, of those that src has once.
	lines       func() []parsedLine
	linesByHash func() map[uint64]int
}

// A parsedEntry is an entry of a block collection. Its numbers are small, because there is one for almost each line.
type parsedEntry struct {
	nodes  []*yaml.Node // the key and the value, or the item
	start  int32        // offset of the line on which the entry starts
	token  int32        // offset of the line of the next token after the entry; the size of the file if there is none
	next   int32        // index of the first entry after those in this one
	column int32
	// references is the number of anchors and aliases before the entry.
	references int32
	// isFixed is set if the nodes cannot be used elsewhere: the entry follows other text on its line, or has an anchor or
	// an alias.
	isFixed bool
}

// A parsedLine is a line of a file with its line break.
type parsedLine struct {
	start int
	hash  uint64
}

var lineSeed = maphash.MakeSeed()

// newParsedFile returns a parsedFile of src without entries, or nil if src cannot be reused: because of its size, a
// line break other than LF, a directive, a byte order mark, or the text of a placeholder.
func newParsedFile(src []byte) *parsedFile {
	if len(src) > maxReusedSize || bytes.HasPrefix(src, []byte{'%'}) {
		return nil
	}
	for _, s := range [...]string{"\n%", "\r", "\u0085", "\u2028", "\u2029", "\ufeff", placeholder} {
		if bytes.Contains(src, []byte(s)) {
			return nil
		}
	}
	f := &parsedFile{src: src}
	f.lines = sync.OnceValue(func() []parsedLine { return hashLines(src) })
	f.linesByHash = sync.OnceValue(func() map[uint64]int {
		lines := f.lines()
		byHash := make(map[uint64]int, len(lines))
		for i, l := range lines {
			if _, isRepeated := byHash[l.hash]; isRepeated {
				i = -1
			}
			byHash[l.hash] = i
		}
		return byHash
	})
	return f
}

// newReusingLocator returns a locator for f that reuses the nodes of what one of similar has in common with f, or nil if
// there is too little. Its parse may fail for a file without a mistake. places are those of ParseAs, and parsed is what
// newParsedFile returned for f.
func newReusingLocator(f *text.File, places map[int]CommentPlace, parsed *parsedFile, similar []*Stream) *locator {
	if parsed == nil {
		return nil
	}
	var others []*parsedFile
	for _, o := range similar {
		if o != nil && o.parsed != nil {
			others = append(others, o.parsed)
		}
	}
	if len(others) == 0 {
		return nil
	}
	runs := parsed.findRuns(others)
	if len(runs) == 0 {
		return nil
	}
	p := newLocator(f, places, parsed, parsed.replaceRuns(runs))
	p.runs = runs
	return p
}

// hashLines returns the lines of src, and after them a line of no bytes at the end of src.
func hashLines(src []byte) []parsedLine {
	lines := make([]parsedLine, 0, bytes.Count(src, []byte{'\n'})+2)
	for off := 0; off < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
			end = off + i + 1
		}
		lines = append(lines, parsedLine{off, maphash.Bytes(lineSeed, src[off:end])})
		off = end
	}
	return append(lines, parsedLine{len(src), maphash.Bytes(lineSeed, nil)})
}

// lineAt returns the number, from 0, of the line of f that starts at off.
func (f *parsedFile) lineAt(off int) int {
	lines := f.lines()
	return sort.Search(len(lines), func(i int) bool { return lines[i].start >= off })
}

// A reusedRun is a run of entries of one block collection that another file has, too.
type reusedRun struct {
	of          *parsedFile // the other file
	first, last int         // the first and the last entry in of.entries
	start, end  int         // the lines of the entries, as offsets in the file that is parsed
	line        int         // the number of the line at start, from 1
	shift       int         // the number of lines to add to those of the nodes
	missing     int         // the number of lines that the placeholder has less than the run
}

// firstEntry returns the first entry of r.
func (r *reusedRun) firstEntry() *parsedEntry { return &r.of.entries[r.first] }

// isItem reports whether e is an item of a sequence.
func (e *parsedEntry) isItem() bool { return len(e.nodes) == 1 }

// findRuns returns the runs of entries that f has in common with one of others, in the order of f. They do not overlap.
func (f *parsedFile) findRuns(others []*parsedFile) (runs []reusedRun) {
	lines := f.lines()
	for done, i := 0, 0; i < len(lines); {
		// the longest range of lines of f around line i that another file has, too
		var other *parsedFile
		var start, at, count int
		for _, o := range others {
			j, ok := o.linesByHash()[lines[i].hash]
			if !ok || j < 0 {
				continue
			}
			all := o.lines()
			before, after := 0, 1
			for i-before > done && j-before > 0 && lines[i-before-1].hash == all[j-before-1].hash {
				before++
			}
			for i+after < len(lines) && j+after < len(all) && lines[i+after].hash == all[j+after].hash {
				after++
			}
			if before+after > count {
				other, start, at, count = o, i-before, j-before, before+after
			}
		}
		if other == nil {
			i++
			continue
		}
		runs = f.appendRuns(runs, other, start, at, count)
		i, done = start+count, start+count
	}
	return runs
}

// appendRuns appends to runs the runs of entries of other in count lines, which begin with line at of other and line
// start of f.
func (f *parsedFile) appendRuns(runs []reusedRun, other *parsedFile, start, at, count int) []reusedRun {
	lines, others, entries := f.lines(), other.lines(), other.entries
	from, end := others[at].start, len(other.src)
	if at+count < len(others) {
		end = others[at+count].start
	}
	moved := lines[start].start - from
	if !bytes.Equal(other.src[from:end], f.src[from+moved:end+moved]) {
		return runs // different lines with the same hash
	}
	canReuse := func(i int) bool {
		e := &entries[i]
		return !e.isFixed && (int(e.token) < end || at+count == len(others))
	}
	i := sort.Search(len(entries), func(i int) bool { return int(entries[i].start) >= from })
	for i < len(entries) && int(entries[i].start) < end {
		if !canReuse(i) {
			i++ // maybe a part of its value can be reused
			continue
		}
		first, last := &entries[i], i
		next := int(first.next)
		isSibling := func(e *parsedEntry) bool {
			return e.start == entries[last].token && e.column == first.column && e.isItem() == first.isItem()
		}
		for ; next < len(entries) && isSibling(&entries[next]) && canReuse(next); next = int(entries[last].next) {
			last = next
		}
		runs = append(runs, reusedRun{
			of: other, first: i, last: last, start: int(first.start) + moved, end: int(entries[last].token) + moved,
		})
		i = next
	}
	return runs
}

// replaceRuns returns the text of f with a placeholder, which is one line, in place of each of runs. It sets line, shift
// and missing of each.
func (f *parsedFile) replaceRuns(runs []reusedRun) (replaced []byte) {
	done := 0
	for i := range runs {
		r := &runs[i]
		replaced = append(replaced, f.src[done:r.start]...)
		entry := r.firstEntry()
		replaced = append(replaced, strings.Repeat(" ", int(entry.column))...)
		if entry.isItem() {
			replaced = append(replaced, "- "+placeholder+"\n"...)
		} else {
			replaced = append(replaced, placeholder+":\n"...)
		}
		done = r.end
		firstLine := f.lineAt(r.start)
		r.line, r.shift = firstLine+1, firstLine-r.of.lineAt(int(entry.start))
		r.missing = f.lineAt(r.end) - firstLine - 1
	}
	return append(replaced, f.src[done:]...)
}

// insertRuns sets the lines of y and of the nodes below it to those in the file, and replaces placeholders among them by
// the nodes of the next of p.runs, which it removes. A placeholder is only recognized in its place. y is a node that the
// YAML parser has just returned, and is changed.
func (p *locator) insertRuns(y *yaml.Node) {
	y.Line += p.missing
	if !isCollection(y) {
		return
	}
	step, content := nodesPerEntry(y), y.Content
	y.Content = make([]*yaml.Node, 0, len(content))
	for ; len(content) > 0; content = content[step:] {
		first := content[0]
		if len(p.runs) == 0 || first.Line+p.missing != p.runs[0].line || first.Value != placeholder {
			for _, n := range content[:step] {
				p.insertRuns(n)
				y.Content = append(y.Content, n)
			}
			continue
		}
		r := &p.runs[0]
		isItem, column := r.firstEntry().isItem(), int(r.firstEntry().column)+1
		if isItem {
			column += len("- ")
		}
		if !isBlock(y) || first.Column != column || isItem != (step == 1) {
			p.fail("a placeholder in an unexpected place")
		}
		for e := r.first; e <= r.last; e = int(r.of.entries[e].next) {
			for _, n := range r.of.entries[e].nodes {
				y.Content = append(y.Content, shiftLines(n, r.shift))
			}
		}
		p.missing += r.missing
		p.runs = p.runs[1:]
	}
}

// shiftLines returns y with the given number added to its line and to those of the nodes below it. y is not changed.
func shiftLines(y *yaml.Node, lines int) *yaml.Node {
	if lines == 0 {
		return y
	}
	shifted := *y
	shifted.Line += lines
	shifted.Content = make([]*yaml.Node, len(y.Content))
	for i, n := range y.Content {
		shifted.Content[i] = shiftLines(n, lines)
	}
	return &shifted
}

// startParsedEntry keeps the nodes y of the entry at the cursor for similar files, and returns its index in
// p.parsedEntries. The entry is in a block collection in this column. inline means that other text precedes it on its
// line.
func (p *locator) startParsedEntry(y []*yaml.Node, column int, inline bool) int {
	if p.parsed != nil {
		if p.parsedEntries == nil {
			p.parsedEntries = make([]parsedEntry, 0, bytes.Count(p.src, []byte{'\n'})+1)
		}
		p.parsedEntries = append(p.parsedEntries, parsedEntry{
			nodes: y, column: int32(column), start: int32(p.lineStart), references: p.references,
			isFixed: inline,
		})
	}
	return len(p.parsedEntries) - 1
}

// endParsedEntry completes entry i of p.parsedEntries, whose Foot has been located.
func (p *locator) endParsedEntry(i int) {
	if p.parsed != nil {
		e := &p.parsedEntries[i]
		e.token, e.next = int32(p.currentGap().tokenLine), int32(len(p.parsedEntries))
		e.isFixed = e.isFixed || p.references > e.references
	}
}
