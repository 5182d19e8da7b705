package template

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

const branchSeparator = syntax.BranchSeparator

// A branch is one branch of a block, such as the part between else and end of {{ if .a }} ... {{ else }} ... {{ end }},
// together with the blocks around it. Its embedded Level names the branch ("if .a / else"). A nil *branch stands for
// the part of the file outside of all blocks.
type branch struct {
	parent *branch
	block  int // the block it belongs to: the index of the action that opens the block
	Level
}

// maxDepth is the greatest depth to which blocks may nest. It is far greater than in real templates, and limits the
// work for each entry, which grows with the depth.
const maxDepth = 100

// A nesting is the block structure of a file.
type nesting struct {
	// blocks contains, at the index of each action that opens a block, the indexes of the actions that open, divide and
	// close that block. It contains nil at other indexes.
	blocks [][]int
	// branchAfter contains, for each action, the branch that the bytes after the action are in.
	branchAfter []*branch
	tooDeep     int // the first action that opens a block at a depth of maxDepth or more; -1 if there is none
}

// parseBlocks returns the block structure of data, such as which {{ end }} closes which {{ if }}. all has the actions
// in file order. The error is about an action that fits no block, or a block that is not closed; n is set even then.
func parseBlocks(data []byte, all []action) (n *nesting, err error) {
	n = &nesting{blocks: make([][]int, len(all)), branchAfter: make([]*branch, len(all)), tooDeep: -1}
	var in *branch // the innermost branch after the actions so far
	depth := 0
	fail := func(a action, msg string) {
		if err == nil { // only the first error is returned
			err = newError(data, a.Start, msg)
		}
	}
	for i, a := range all {
		switch {
		case a.kind == kindOutput:
		case a.kind == kindOpen:
			n.blocks[i] = []int{i}
			in = &branch{parent: in, block: i, Level: Level{Said: a.body, Block: a.Start, Start: a.Start}}
			if depth++; depth > maxDepth && n.tooDeep < 0 {
				n.tooDeep = i
			}
		case in == nil:
			fail(a, fmt.Sprintf("unexpected %q, no block such as {{ if }} is open here", a.firstWord()))
		case a.kind == kindDivide:
			if isElse := in.Said == in.Condition()+branchSeparator+"else"; isElse {
				fail(a, "unexpected "+a.firstWord()+" after else")
			}
			n.blocks[in.block] = append(n.blocks[in.block], i)
			// The branch also depends on the branches before it, but its level names only the opening action
			// and a. So a new branch between them does not change the level.
			in = &branch{in.parent, in.block, Level{Said: in.Condition() + branchSeparator + a.body, Block: in.Block, Start: a.Start}}
		case a.kind == kindClose:
			n.blocks[in.block] = append(n.blocks[in.block], i)
			in, depth = in.parent, depth-1
		}
		n.branchAfter[i] = in
	}
	if in != nil {
		fail(all[in.block], "unclosed "+all[in.block].firstWord())
	}
	return n, err
}

// contains reports whether b is other or is around other. A nil b, the part outside of all blocks, contains every
// branch.
func (b *branch) contains(other *branch) bool {
	for b != other && other != nil {
		other = other.parent
	}
	return b == other
}

// guardText returns the text of the blocks around an entry, such as "if .a > if .b", as a part of a key. It is "" if
// there are none.
func guardText(guard []Level) string {
	var all []string
	for _, l := range guard {
		all = append(all, l.Said)
	}
	return strings.Join(all, " > ")
}

// SharedBlock returns the innermost block around two entries, with the blocks around it, even if they are in different
// branches of it, or "" if there is none. a and b are the guards of the entries. Guards and result have one block a
// line, the outermost first.
//
//	a                        b                  result
//	"if .x / else\nif .y"    "if .x"            "if .x"
//	"if .x\nif .y"           "if .x\nif .z"     "if .x"
func SharedBlock(a, b string) string {
	for !IsInBlock(b, a) {
		a = a[:max(0, strings.LastIndex(a, "\n"), strings.LastIndex(a, branchSeparator))]
	}
	return a
}

// IsInBlock reports whether an entry with this guard is in a block, in any branch of it. Both have one block a line,
// the outermost first. An empty block contains every entry.
//
//	guard               block     result
//	"if .x\nif .y"      "if .x"   true
//	"if .x / else"      "if .x"   true
//	"if .xy"            "if .x"   false
func IsInBlock(guard, block string) bool {
	rest, ok := strings.CutPrefix(guard, block)
	isWhole := rest == "" || strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, branchSeparator)
	return ok && (block == "" || isWhole)
}

// levelsWithin returns the Levels of b and the branches around it, outermost first, up to the branch outer, which is
// not included. For {{ if .b }} within {{ if .a }}, it returns both if outer is nil. It returns all if outer is not
// around b.
func (b *branch) levelsWithin(outer *branch) (all []Level) {
	for ; b != outer && b != nil; b = b.parent {
		all = append(all, b.Level)
	}
	slices.Reverse(all)
	return all
}

// guardNotSharedWith returns a text for the blocks around one field that are not around another field with the same
// key, so that the two fields get distinct keys. own and other are the guards of the two. At least the innermost block
// of own is in the text. The text is "" if own is empty. If the two are in different branches of one block, its
// condition is left out:
//
//	own                        other                result
//	if .x > if .y              if .x                if .y
//	if .x / else > if .y       if .x                else > if .y
//	if .x                      if .x > if .z        if .x
func guardNotSharedWith(own, other []Level) string {
	for len(own) > 1 && len(other) > 0 && own[0] == other[0] {
		own, other = own[1:], other[1:]
	}
	text := guardText(own)
	if len(own) > 0 && len(other) > 0 && own[0].Block == other[0].Block {
		condition := strings.LastIndex(own[0].Said, branchSeparator) // text begins with own[0].Said
		if condition >= 0 {
			return text[condition+len(branchSeparator):]
		}
	}
	return text
}

// branchAt returns the innermost branch of a block that contains the byte at offset off, or nil if off is outside of
// all blocks. An action that opens a block is not in the block; an action that divides or closes a block is in the
// branch that it ends.
func (t *Template) branchAt(off int) *branch {
	i := sort.Search(len(t.actions), func(i int) bool { return t.actions[i].End > off })
	if i == 0 {
		return nil
	}
	return t.nesting.branchAfter[i-1]
}

// HasBlockActions reports whether line contains an action that opens, divides or closes a block. It returns false if an
// action of line does not end in it.
func HasBlockActions(line []byte) bool {
	return slices.ContainsFunc(actionsOfLine(line), func(a action) bool { return a.kind != kindOutput })
}

// Definitions maps the start of each line of a named template in data to the action that opens the template, so that
// messages can name the template. A template that is not closed in data, or is within another block, is left out. A
// comment directly above a template belongs to it.
//
//	{{ define "x" }}    0: `define "x"`
//	a: 1                17: `define "x"`
//	{{ end }}           22: `define "x"`
func Definitions(data []byte) map[int]string {
	found := map[int]string{}
	actions := actionsOfLine(data)
	n, _ := parseBlocks(data, actions)
	for i, block := range n.blocks {
		if block == nil || actions[i].firstWord() != "define" || n.branchAfter[i].parent != nil {
			continue // no template, or one within another block
		}
		last := actions[block[len(block)-1]]
		if last.kind != kindClose {
			continue // not closed in data
		}
		for at := definitionStart(data, actions, i); at < last.End; at = lineEnd(data, at) {
			found[at] = actions[i].body
		}
	}
	return found
}

// definitionStart returns the offset at which the text of a named template starts, to keep a comment about it with it.
// i is the index in actions of the action that opens the template. The text starts with the line of this action or of a
// comment of the template engine directly above. A blank line above belongs to it, too.
func definitionStart(data []byte, actions []action, i int) int {
	start := actions[i].Start
	// a comment belongs to the template if only blanks are between the two
	if i > 0 && actions[i-1].isComment() && len(bytes.TrimSpace(data[actions[i-1].End:start])) == 0 {
		start = actions[i-1].Start
	}
	start = bytes.LastIndexByte(data[:start], '\n') + 1
	above := bytes.LastIndexByte(data[:max(start-1, 0)], '\n') + 1
	if len(bytes.TrimSpace(data[above:start])) == 0 { // a blank line, or none
		return above
	}
	return start
}

// OnlyClosesBlocks reports whether line contains actions, and each of them closes a block, as {{ end }} does. It
// returns false if line has no action, or one that does not end in it.
func OnlyClosesBlocks(line []byte) bool {
	all := actionsOfLine(line)
	return len(all) > 0 && !slices.ContainsFunc(all, func(a action) bool { return a.kind != kindClose })
}

// actionsOfLine returns the actions of line, a line or another part of a file, in order. The template engine, Go or
// Jinja, is guessed from line alone. It returns nil if line contains no action, or an action that does not end.
func actionsOfLine(line []byte) []action {
	l := detectEngine(line)
	if l == nil {
		return nil
	}
	all, _ := l.parseActions(line)
	return all
}

// A Level is one of the blocks around an entry, with the branch of it that the entry is in: "if .a", or "if .a / else".
// A list of Levels, with the outermost first, is the guard of an entry.
type Level = syntax.Level

// AreExclusive reports whether two entries are never rendered together, as far as the text of their guards a and b
// shows: they are in different definitions, or a branch of a and a branch of b exclude each other. Such pairs are:
//
//	if .a             if .a / else         two branches of one condition, even in two blocks with this condition
//	if .a / else      if .a / else if .b   two further branches, but only in one block
//	if .a             if not .a            a condition and its negation
//	define "x"        define "y"           two templates of one file
//	define "x"        (no define)          a template and the file itself
func AreExclusive(a, b []Level) bool {
	if definitionOf(a) != definitionOf(b) {
		return true
	}
	return slices.ContainsFunc(a, func(x Level) bool {
		return slices.ContainsFunc(b, func(y Level) bool { return areBranchesOfOne(x, y) || areOpposite(x, y) })
	})
}

// areBranchesOfOne reports whether x and y are different branches of one block, or a first branch and another one of
// two blocks that have the same condition.
func areBranchesOfOne(x, y Level) bool {
	isOneFirst := x.Said == x.Condition() || y.Said == y.Condition()
	return x.Condition() == y.Condition() && x.Said != y.Said && (isOneFirst || x.Block == y.Block)
}

// areOpposite reports whether branch x is only rendered if a condition holds, and branch y only if it does not, or the
// reverse: "if .a" and "if not .a".
func areOpposite(x, y Level) bool {
	conditionX, holdsX := splitNegation(x)
	conditionY, holdsY := splitNegation(y)
	return conditionX == conditionY && holdsX != holdsY
}

// definitionOf returns the opening action of the first define or macro among levels, the blocks around an entry: for
// example `define "x"` for {{ define "x" }}. It returns "" if there is none.
func definitionOf(levels []Level) string {
	for _, l := range levels {
		if c := l.Condition(); strings.HasPrefix(c, "define ") || strings.HasPrefix(c, "macro ") {
			return c
		}
	}
	return ""
}

// splitNegation returns the condition of block l without a negation, and whether the branch l can be rendered only if
// that condition holds, or only if it does not hold.
//
//	if .a                   .a, true
//	if not .a               .a, false
//	range .a / else         .a, false
//	if not .a / else        .a, true
//	if .a / else if .b      .a, false
func splitNegation(l Level) (condition string, holds bool) {
	_, condition, _ = strings.Cut(l.Condition(), " ")
	condition, isNegated := strings.CutPrefix(condition, "not ")
	isElse := l.Said != l.Condition()
	return condition, isNegated == isElse
}

// A Line is a directive line, or a line of a text block. A directive line consists only of actions, as in {{ if .a }},
// or is a comment with actions, as in # {{ if .a }}. A text block contains a part of an entry, so that its lines are
// not in the syntax tree.
type Line struct {
	text.Span
	Text     string // with each run of blanks replaced by one space
	OpenedBy string // the actions that opened the blocks that the line divides or closes, one a line
	// Output is the body of the action, if the line is a single action that prints or assigns; otherwise "".
	Output string
	Above  *syntax.Entry // the last entry above the line; nil if there is none
	// Key is the key of the field, if the line is one in a text block; otherwise "".
	Key   string
	Guard []Level // the blocks around the line, the outermost first
	// Prints reports whether the line is a single action that prints something, and Column is the column in which it
	// starts to do so. Column is -1 if that is not known.
	Prints bool
	Column int
}

// Facts are the contents of a template that its syntax tree does not contain: lines that consist of actions, and keys
// that occur several times under different conditions. Verification compares them between the versions and the result.
type Facts struct {
	Lines []Line
	// DuplicateKeys contains the keys of fields that occur several times in their mapping, in different blocks or
	// branches of blocks, except for the first field with a key. In the syntax tree, the Value of such a key includes
	// the blocks around the field: "a {{ else }}" for the key a.
	DuplicateKeys map[*syntax.Entry]string
}

// OwnGuard returns the actions of the blocks that are opened inside the collection of e and contain e, with the
// outermost first. Fields of one mapping thus have the same OwnGuard if they are in the same branch. It is "" without
// such a block.
//
//	{{ if .a }}                  in the first branch of a block
//	{{ if .a }} {{ else }}       in its else branch, with the condition that it depends on
//	{{ if .a }} {{ range .b }}   in a block within another one
func OwnGuard(e *syntax.Entry) string {
	var all []string
	for _, level := range e.OwnLevels() {
		all = append(all, "{{ "+strings.ReplaceAll(level.Said, branchSeparator, " }} {{ ")+" }}")
	}
	return strings.Join(all, " ")
}

// Facts returns what a template contains beside its syntax tree: its directive lines, the lines of its text blocks, and
// its duplicate keys. Verification compares them between versions. The first call computes the result and stores it in
// t, so Facts is not safe for concurrent use.
func (t *Template) Facts() *Facts {
	if t.facts != nil {
		return t.facts
	}
	w := factCollector{template: t, facts: &Facts{DuplicateKeys: t.duplicateKeys}}
	for _, d := range t.Stream.Docs {
		w.above = nil
		w.collectBelow(d.Root)
		w.collectUntil(d.Span.End)
	}
	w.collectUntil(len(t.data))
	t.facts = w.facts
	return t.facts
}

// LevelsOfLines returns for each of lines its conditions: the template blocks around the start of the line, outermost
// first. whole is the span in data of a text that contains the lines, and only blocks opened within it count. It
// returns nil if blocks nest too deep.
func LevelsOfLines(data []byte, whole text.Span, lines []text.Span) [][]Level {
	b := data[whole.Start:whole.End]
	t := &Template{data: b, actions: actionsOfLine(b)}
	if t.nesting, _ = parseBlocks(b, t.actions); t.nesting.tooDeep >= 0 {
		return nil
	}
	all := make([][]Level, len(lines))
	for i, l := range lines {
		all[i] = t.branchAt(l.Start - whole.Start).levelsWithin(nil)
	}
	return all
}

// A factCollector computes the Facts of a template. It walks once through the entries, the directive lines and the
// lines of text blocks, in file order.
type factCollector struct {
	template      *Template
	facts         *Facts
	nextDirective int           // index in template.directives of the next line to add
	above         *syntax.Entry // the last entry so far
}

// collectBelow visits all entries below n in file order, and adds the Line of each directive or text line that is above
// one of them to the facts. w.above is the last entry visited, to which such a line is assigned. The lines after the
// last entry are left to the caller.
func (w *factCollector) collectBelow(n *syntax.Node) {
	for _, e := range n.Entries {
		w.collectUntil(e.Start)
		w.above = e
		w.collectBelow(e.Value)
	}
}

// collectUntil adds to w.facts the lines that start before offset off and were not added by an earlier call. The entry
// above each of these lines is w.above.
func (w *factCollector) collectUntil(off int) {
	directives := w.template.directives
	for ; w.nextDirective < len(directives) && directives[w.nextDirective].Start < off; w.nextDirective++ {
		w.facts.Lines = append(w.facts.Lines, w.template.newLine(directives[w.nextDirective], w.above))
	}
}

// newLine returns d, a directive line or a line of a text block, in the form that verification compares. above is the
// last entry above d, or nil.
func (t *Template) newLine(d line, above *syntax.Entry) Line {
	l := Line{
		Span: d.Span, Text: collapseBlanks(t.data[d.Start:d.End]), Above: above, Guard: t.branchAt(d.Start).levelsWithin(nil),
	}
	actions := t.actions[d.firstAction:d.endAction]
	for _, a := range actions {
		ended := t.branchAt(a.Start) // by an action that divides or closes a block
		if (a.kind == kindDivide || a.kind == kindClose) && ended != nil {
			l.OpenedBy += t.actions[ended.block].body + "\n"
		}
	}
	if len(actions) == 1 && actions[0].kind == kindOutput {
		l.Output, l.Prints = actions[0].body, actions[0].prints()
		l.Column = printColumn(t.data, d, actions[0], t.outputColumns[d.firstAction])
	}
	// the key of a field, or of the first field of an item
	if d.maskedAs == asBlockText && d.kind == contentLine {
		if key, _, ok := strings.Cut(strings.TrimLeft(l.Text, "- "), ":"); ok && !strings.ContainsAny(key, " {}") {
			l.Key = strings.Trim(key, `"'`)
		}
	}
	return l
}

// UnpairedActions returns, for each of parts of a file, the actions that open, divide or close a block without the
// counterpart in the part, one a line. For the part {{ end }} a {{ if .x }}, that is "end\nif .x". The text is "..." if
// an action does not end within the part.
func UnpairedActions(file []byte, parts []text.Span) []string {
	all := make([]string, len(parts))
	if l := detectEngine(file); l != nil {
		for i, p := range parts {
			all[i] = l.unpairedActions(file[p.Start:p.End])
		}
	}
	return all
}

// unpairedActions returns the bodies of the actions in part, a part of a file, that open, divide or close a block
// without their counterpart in part. There is one a line: first the actions of blocks opened before part, then those of
// blocks that part does not close. The text is "..." if an action does not end.
func (e *engine) unpairedActions(part []byte) string {
	all, err := e.parseActions(part)
	if err != nil {
		return "..."
	}
	var open, outer []string
	for _, a := range all {
		switch {
		case a.kind == kindOutput:
		case a.kind == kindOpen:
			open = append(open, a.body)
		case len(open) == 0:
			outer = append(outer, a.body)
		case a.kind != kindDivide:
			open = open[:len(open)-1]
		}
	}
	return strings.Join(append(outer, open...), "\n")
}
