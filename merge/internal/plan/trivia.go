package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Line is a whole line of a comment, or a blank line, with its line break. Version and Offset are where its text
// comes from. OwnerColumn is the column of the entry or node that the line belongs to, so that the line can be indented
// with it.
type Line struct {
	Text        []byte
	Version     three.Version
	Offset      int
	OwnerColumn int
}

// isBlank reports whether l has only blanks and a line break.
func (l Line) isBlank() bool { return len(bytes.TrimSpace(l.Text)) == 0 }

// Trivia is merged comments and blank lines at one place, such as above an entry, with the conflicts between them.
type Trivia []TriviaPart

// TriviaPart is a run of merged lines or, if Conflict is set, a conflict over three versions of them.
type TriviaPart struct {
	Lines    []Line
	Conflict *Slot
}

// HasConflict reports whether a comment in t is in conflict.
func (t Trivia) HasConflict() bool {
	return slices.ContainsFunc(t, func(p TriviaPart) bool { return p.Conflict != nil })
}

// Lines returns the lines at sp in f, the file of version s, which must be comments and blank lines. ownerColumn is the
// column of the entry or node that they belong to.
func Lines(f *text.File, s three.Version, sp text.Span, ownerColumn int) (ls []Line) {
	for _, at := range text.LineSpans(f, sp) {
		ls = append(ls, Line{f.Slice(at), s, at.Start, ownerColumn})
	}
	return ls
}

// A Slot has the comments and blank lines at one place, such as above an entry, in three versions, before they are
// merged. A version without lines has none.
type Slot struct {
	Lines [3][]Line
	Spans [3]text.Span
}

// Merge returns the merged lines of t, with a conflict where the sides' changes of comments cannot be combined. If only
// one side changed comments, all lines are from this side; changes of blank lines by the other side are lost. Changes
// of indentation and blank lines never conflict.
func (t Slot) Merge() Trivia {
	texts := t.commentTexts()
	s, ok := three.PickFunc(texts, slices.Equal)
	if !ok {
		return t.mergeChanged()
	}
	if slices.Equal(texts[three.Original], texts[three.Dest]) && slices.Equal(texts[three.Original], texts[three.Updated]) {
		s = t.spacingSide()
	}
	return t.Take(s)
}

// spacingSide returns the side from which the lines of t are copied if their comments are equal in all versions. It is
// the side that changed the indentation or the blank lines, or dest if both sides or neither did.
func (t Slot) spacingSide() three.Version {
	s, ok := three.PickFunc(t.Lines, func(a, b []Line) bool { return slices.EqualFunc(a, b, Line.isIdentical) })
	if !ok { // both sides changed bytes, but one perhaps only the blanks at the end of a comment
		s, _ = three.PickFunc(t.Lines, func(a, b []Line) bool { return slices.EqualFunc(a, b, Line.hasSameSpacing) })
	}
	return s
}

// Take returns the lines of version s as merged trivia.
func (t Slot) Take(s three.Version) Trivia { return Trivia{{Lines: t.Lines[s]}} }

// Comments returns the text of each line that is not blank, without the blanks around it (see Line.content). These are
// comments and template actions. The result is nil if there are none.
func Comments(ls []Line) []string {
	return contentsOf(ls, func(l Line) bool { return !l.isBlank() })
}

// contentsOf returns the text of each line for which isWanted returns true, without the blanks around it (see
// Line.content).
func contentsOf(ls []Line, isWanted func(Line) bool) (texts []string) {
	for _, l := range ls {
		if isWanted(l) {
			texts = append(texts, l.content())
		}
	}
	return texts
}

// content returns the text of the line for comparison, without the blanks around it. The blanks before a template
// action with an "indent" function, as in `  {{ x | indent 2 }}`, are part of the output, and kept. They are not kept
// if the action trims them with "{{-".
func (l Line) content() string {
	s := bytes.TrimSpace(l.Text)
	if bytes.HasPrefix(s, []byte("{{")) && !bytes.HasPrefix(s, []byte("{{-")) && bytes.Contains(s, []byte(" indent ")) {
		s = bytes.TrimRight(l.Text, " \t\r\n")
	}
	return string(s)
}

// indent returns the column of the line's text relative to the column of its owner.
func (l Line) indent() int { return len(l.Text) - len(bytes.TrimLeft(l.Text, " ")) - l.OwnerColumn }

// commentTexts returns the Comments of each version.
func (t Slot) commentTexts() (texts [3][]string) {
	for s, ls := range t.Lines {
		texts[s] = Comments(ls)
	}
	return texts
}

// hasSameSpacing reports whether two comments have the same indentation, relative to the entries to which they belong.
// Two blank lines have the same spacing if their bytes are the same.
func (l Line) hasSameSpacing(o Line) bool {
	if l.isBlank() || o.isBlank() {
		return bytes.Equal(l.Text, o.Text)
	}
	return l.indent() == o.indent()
}

// isIdentical reports whether two lines have the same text and the same indentation relative to the entries that they
// belong to.
func (l Line) isIdentical(o Line) bool {
	return l.hasSameSpacing(o) && bytes.Equal(bytes.TrimLeft(l.Text, " "), bytes.TrimLeft(o.Text, " "))
}

// mergeChanged merges comments if both sides changed their text. It tries in this order:
//
//   - one side only put the entry below into a block of a template (mergeWrappedComments)
//   - one side only closed blocks (mergeClosedBlocks)
//   - line by line, separately above the first block line, and from this line on
//
// A block line has a template action such as {{ if .x }} or {{ end }}. A conflict must not separate the lines of a
// block.
func (t Slot) mergeChanged() Trivia {
	if merged, ok := t.mergeWrappedComments(); ok {
		return merged
	}
	var above, below [3]diff3.Range // the lines before the first one of a block, and those from it on
	for s, ls := range t.Lines {
		first := slices.IndexFunc(ls, func(l Line) bool { return template.HasBlockActions(l.Text) })
		if first < 0 {
			first = len(ls)
		}
		above[s], below[s] = diff3.Range{End: first}, diff3.Range{Start: first, End: len(ls)}
	}
	if merged, ok := t.mergeClosedBlocks(below); ok {
		return merged
	}
	blocks := t.subSlot(below)
	out := blocks.mergeLineByLine()
	if out.HasConflict() {
		out = blocks.mergeCommonLines() // blocks are not split at lines of the original
	}
	return slices.Concat(t.subSlot(above).mergeLineByLine(), out)
}

// mergeWrappedComments merges t if one side only put the entry below into a block of a template ({{ if .x }}), and the
// other side only changed comments. The result has the block lines of the first side above the comments of the other
// side:
//
//	original   first side     other side   merged
//	# a        {{ if .x }}    # b          {{ if .x }}
//	           # a                         # b
//
// ok is false in all other cases. The block lines must be above all comments, and the original must have none, unless
// both sides have the same comments. The lines are then those of the first side.
func (t Slot) mergeWrappedComments() (merged Trivia, ok bool) {
	isBlock := func(l Line) bool { return template.HasBlockActions(l.Text) }
	isComment := func(l Line) bool { return !l.isBlank() && !isBlock(l) }
	blocks, comments := t.textsOf(isBlock), t.textsOf(isComment)
	changedBlocks := func(s three.Version) bool { return !slices.Equal(blocks[three.Original], blocks[s]) }
	wrapper, _ := three.PickFunc(blocks, slices.Equal) // the side that changed block lines, if only one did
	other := wrapper.Other()
	if !changedBlocks(wrapper) || changedBlocks(other) || len(comments[wrapper]) == 0 {
		return nil, false
	}
	if slices.Equal(comments[wrapper], comments[other]) {
		return t.Take(wrapper), true
	}
	first, firstOfOther := slices.IndexFunc(t.Lines[wrapper], isComment), slices.IndexFunc(t.Lines[other], isComment)
	keptComments := slices.Equal(comments[wrapper], comments[three.Original])
	blocksAreAbove := len(blocks[three.Original]) == 0 && !slices.ContainsFunc(t.Lines[wrapper][first:], isBlock)
	if !keptComments || !blocksAreAbove || firstOfOther < 0 {
		return nil, false
	}
	return Trivia{{Lines: slices.Concat(t.Lines[wrapper][:first], t.Lines[other][firstOfOther:])}}, true
}

// textsOf returns, for each version, the text of the lines for which isWanted returns true, without the blanks around
// it (see Line.content).
func (t Slot) textsOf(isWanted func(Line) bool) (texts [3][]string) {
	for s, ls := range t.Lines {
		texts[s] = contentsOf(ls, isWanted)
	}
	return texts
}

// mergeClosedBlocks merges t if one side only closed template blocks at its end, and the other side added comments
// there: they are written below the ends of the blocks.
//
//	original   closer      other side   result
//	# a        # a         # a          # a
//	           {{ end }}   # b          {{ end }}
//	                                    # b
//
// below has the lines of each version from the first block line on. ok is false for other changes.
func (t Slot) mergeClosedBlocks(below [3]diff3.Range) (merged Trivia, ok bool) {
	keys := t.lineKeys()
	for _, s := range three.Sides {
		original, other := keys[three.Original], keys[s.Other()]
		isOnlyWithBlocks := !below[s].Empty() && below[s.Other()].Empty() && below[three.Original].Empty()
		firstBlock := below[s].Start
		if !isOnlyWithBlocks || firstBlock >= len(other) {
			continue
		}
		// both sides must have all lines of the original, and their additions directly after them
		isSameAbove := slices.Equal(original, keys[s][:firstBlock]) && slices.Equal(original, other[:firstBlock])
		isNoEnd := func(l Line) bool { return !template.OnlyClosesBlocks(l.Text) }
		if isSameAbove && !slices.ContainsFunc(t.Lines[s][firstBlock:], isNoEnd) {
			return Trivia{{Lines: t.Lines[s]}, {Lines: t.Lines[s.Other()][firstBlock:]}}, true
		}
	}
	return nil, false
}

// mergeLineByLine merges the lines of t by a line merge of the three versions, which ignores blanks around a line:
//
//	original   dest   updated   result
//	# a        # x    # a       # x
//	# b        # b    # b       # b
//	# c        # c    # y       # y
//
// Lines that neither side changed are those of dest. Lines that both sides changed are merged by mergeCommonLines: the
// lines that the sides share are written once, and the others are usually in conflict.
func (t Slot) mergeLineByLine() Trivia {
	var out Trivia
	for _, c := range diff3.ChunksOf(t.lineKeys()) {
		part := t.subSlot([3]diff3.Range{c.Original, c.Dest, c.Updated})
		switch c.Kind {
		case diff3.BothChanged:
			out = append(out, part.mergeCommonLines()...)
		case diff3.UpdatedChanged:
			out = append(out, part.Take(three.Updated)...)
		default:
			out = append(out, part.Take(three.Dest)...)
		}
	}
	return out
}

// hasTemplateAction reports whether a line of any version in t contains a template action: "{{" or "{%".
func (t Slot) hasTemplateAction() bool {
	return slices.ContainsFunc(t.Lines[:], func(ls []Line) bool {
		return slices.ContainsFunc(ls, func(l Line) bool {
			return bytes.Contains(l.Text, []byte("{{")) || bytes.Contains(l.Text, []byte("{%"))
		})
	})
}

// lineKeys returns the text of each line for comparison, in each version, without the blanks around it; "" is a blank
// line. In a named template, the opening of the template is appended, so that lines of different templates are never
// equal:
//
//	{{ define "a" }}
//	{{ .x }}              its key is "{{ .x }}\ndefine \"a\""
func (t Slot) lineKeys() [3][]string {
	var keys [3][]string
	for s, ls := range t.Lines {
		var data []byte
		var starts []int
		for _, l := range ls {
			starts = append(starts, len(data))
			data = append(data, l.Text...)
		}
		definitions := template.Definitions(data)
		for i, l := range ls {
			key := l.content()
			if name := definitions[starts[i]]; name != "" {
				key += "\n" + name
			}
			keys[s] = append(keys[s], key)
		}
	}
	return keys
}

// addsDifferentDefinitions reports whether each side only added named templates ({{ define "x" }}), with other names
// than the other side, so that both can be kept. The templates must be complete, and the original must have no lines
// here. Blank lines are ignored.
func (t Slot) addsDifferentDefinitions() bool {
	keys, sideOf := t.lineKeys(), map[string]three.Version{} // the side of each named template
	for _, s := range three.Sides {
		for _, key := range keys[s] {
			if key == "" {
				continue
			}
			_, name, isInDefinition := strings.Cut(key, "\n") // lineKeys appends the name to lines of complete templates
			if other, known := sideOf[name]; !isInDefinition || known && other != s {
				return false
			}
			sideOf[name] = s
		}
	}
	return len(keys[three.Original]) == 0
}

// subSlot returns the part of t with the given range of lines in each version. The lines are not copied. The span of
// an empty range is empty: at the start of the line with the index Start, or at the end of the version's span.
func (t Slot) subSlot(ranges [3]diff3.Range) Slot {
	var p Slot
	for s, r := range ranges {
		p.Lines[s] = t.Lines[s][r.Start:r.End]
		at := t.Spans[s].End
		if r.Start < len(t.Lines[s]) {
			at = t.Lines[s][r.Start].Offset
		}
		p.Spans[s] = text.Span{Start: at, End: at}
		for _, l := range p.Lines[s] {
			p.Spans[s].End += len(l.Text)
		}
	}
	return p
}

// mergeCommonLines merges comments that both sides changed. Lines that both sides share are written once, as they are
// in dest. The lines between them are merged as a unit, usually to a conflict.
//
//	original   dest    updated   result
//	           # a     # a       # a
//	           # b     # c       (conflict of # b and # c)
//
// If the original has lines, only those at the start and at the end count as shared.
func (t Slot) mergeCommonLines() Trivia {
	keys := t.lineKeys()
	runs := diff3.Match(keys[three.Dest], keys[three.Updated])
	if len(keys[three.Original]) > 0 {
		// it is not known which of the original's lines the shared ones in the middle replaced
		runs = diff3.AffixRuns(keys[three.Dest], keys[three.Updated])
	}
	end := diff3.Run{A: len(keys[three.Dest]), B: len(keys[three.Updated])}
	var out Trivia
	var next [3]int // the first line of each version that is not merged yet
	for _, r := range append(runs, end) {
		// all lines of the original are before the shared lines at the end, and after those with which a side starts
		originalEnd := len(keys[three.Original])
		if isAtStart := r != end && (r.A == 0 || r.B == 0); isAtStart {
			originalEnd = 0
		}
		between := [3]diff3.Range{{Start: next[three.Original], End: originalEnd}, {Start: next[three.Dest], End: r.A}, {Start: next[three.Updated], End: r.B}}
		out = append(out, t.subSlot(between).resolveOrConflict()...)
		out = append(out, TriviaPart{Lines: t.Lines[three.Dest][r.A : r.A+r.Len]})
		next = [3]int{originalEnd, r.A + r.Len, r.B + r.Len}
	}
	return out
}

// resolveOrConflict merges the comments in t as a unit. It returns the lines of the side that changed them, or a
// conflict if both sides did. If both sides only added named templates ({{ define }}) with different names, it returns
// the lines of both. Changes of blank lines do not count.
func (t Slot) resolveOrConflict() Trivia {
	if s, ok := three.PickFunc(t.commentTexts(), slices.Equal); ok {
		return t.Take(s)
	}
	if t.addsDifferentDefinitions() {
		return slices.Concat(t.Take(three.Dest), t.Take(three.Updated))
	}
	return Trivia{{Conflict: &t}}
}

// CommentStart returns the offset of the comment or template action in a line of trivia: the first "#", "{{", "{%" or
// "{#", without regard to what is before it. It returns -1 if there is none.
func CommentStart(line []byte) int {
	at := bytes.IndexByte(line, '#')
	for _, action := range [...]string{"{{", "{%", "{#"} {
		if i := bytes.Index(line, []byte(action)); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}
