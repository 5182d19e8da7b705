package template

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

const branchSeparator = syntax.BranchSeparator

// A branch is one branch of a block, such as the part between else and end, together with the blocks around it. A nil
// branch is outside of all blocks.
type branch struct {
	parent *branch
	depth  int // number of branches around it
	block  int // the block it belongs to: the index of the action that opens the block
	Level
}

// maxDepth is the greatest depth to which blocks may nest. It is far greater than in real templates, and limits the work
// for each entry, which grows with the depth.
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

// parseBlocks returns the block structure of data, which has the actions all. The error is about the first action
// without its counterpart. The nesting is usable nevertheless: an unmatched action that divides or closes a block is
// ignored, and an open block has no closing action.
func parseBlocks(data []byte, all []action) (n *nesting, err error) {
	n = &nesting{blocks: make([][]int, len(all)), branchAfter: make([]*branch, len(all)), tooDeep: -1}
	var at *branch
	for i, a := range all {
		switch {
		case a.kind == kindOpen:
			n.blocks[i] = []int{i}
			at = &branch{parent: at, block: i, Level: Level{Said: a.body, Block: a.Start}}
			if at.parent != nil {
				at.depth = at.parent.depth + 1
			}
			if at.depth >= maxDepth && n.tooDeep < 0 {
				n.tooDeep = i
			}
		case a.kind == kindOutput:
		case at == nil:
			if err == nil {
				err = newError(data, a.Start, "an "+a.firstWord()+" without a block that it is of")
			}
		default:
			n.blocks[at.block] = append(n.blocks[at.block], i)
			if a.kind == kindDivide {
				// The branch also depends on the branches before it, but its level names only the opening action
				// and a. So a new branch between them does not change the level.
				at = &branch{at.parent, at.depth, at.block, Level{Said: at.Condition() + branchSeparator + a.body, Block: at.Block}}
			} else {
				at = at.parent
			}
		}
		n.branchAfter[i] = at
	}
	if at != nil && err == nil {
		open := all[at.block]
		err = newError(data, open.Start, "the "+open.firstWord()+" is not closed")
	}
	return n, err
}

// contains reports whether b is other or around other.
func (b *branch) contains(other *branch) bool {
	for b != other && other != nil {
		other = other.parent
	}
	return b == other
}

// guardWithin returns the levels of b that are not around the given branch, as text for messages and keys:
// "if .a > if .b".
func (b *branch) guardWithin(around *branch) string {
	var all []string
	for _, l := range b.levelsWithin(around) {
		all = append(all, l.Said)
	}
	return strings.Join(all, " > ")
}

// SharedBlock returns the innermost block around two entries with the guards a and b, or "" if there is none. A guard
// consists of the text of its levels, one a line. The block "if .x" is shared by "if .x / else\nif .y" and "if .x".
func SharedBlock(a, b string) string {
	for a != "" && !IsInBlock(b, a) {
		a = a[:max(0, strings.LastIndex(a, "\n"), strings.LastIndex(a, branchSeparator))]
	}
	return a
}

// IsInBlock reports whether an entry with this guard is in the block, in any of its branches. Every entry is in the
// block "".
func IsInBlock(guard, block string) bool {
	rest, ok := strings.CutPrefix(guard, block)
	return ok && (block == "" || rest == "" || strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, branchSeparator))
}

// levelsWithin returns the levels of b and the branches around it, up to but without the branch around, which contains
// f. The outermost level is first.
func (b *branch) levelsWithin(around *branch) (all []Level) {
	for ; b != around && b != nil; b = b.parent {
		all = append(all, b.Level)
	}
	slices.Reverse(all)
	return all
}

// guardApartFrom returns the part of the guard of b that is not shared with other. If they are in two branches of one
// block, that part starts with the branch: "else > if .y" for "if .x / else > if .y" and "if .x".
func (b *branch) guardApartFrom(other *branch) string {
	if b == nil {
		return ""
	}
	for outer := b; outer != nil; outer = outer.parent {
		if !outer.parent.contains(other) {
			continue
		}
		for ; other != nil && other.parent != outer.parent; other = other.parent {
		}
		rest := b.guardWithin(outer.parent)
		if other != nil && other.block == outer.block {
			if i := strings.LastIndex(outer.Said, branchSeparator); i >= 0 {
				return rest[i+len(branchSeparator):]
			}
		}
		return rest
	}
	return b.guardWithin(nil)
}

// branchAt returns the innermost branch that contains offset off, or nil.
func (t *Template) branchAt(off int) *branch {
	i := sort.Search(len(t.actions), func(i int) bool { return t.actions[i].End > off })
	if i == 0 {
		return nil
	}
	return t.nesting.branchAfter[i-1]
}

// HasBlockActions reports whether line contains an action that opens, divides or closes a block.
func HasBlockActions(line []byte) bool {
	return slices.ContainsFunc(actionsOfLine(line), func(a action) bool { return a.kind != kindOutput })
}

// OnlyClosesBlocks reports whether line contains actions, and all of them close blocks.
func OnlyClosesBlocks(line []byte) bool {
	all := actionsOfLine(line)
	return len(all) > 0 && !slices.ContainsFunc(all, func(a action) bool { return a.kind != kindClose })
}

// actionsOfLine returns the actions of line, or nil if one of them does not end on the line.
func actionsOfLine(line []byte) []action {
	l := detectEngine(line)
	if l == nil {
		return nil
	}
	all, err := l.parseActions(line)
	if err != nil {
		return nil
	}
	return all
}

// A Level is a branch of a block, as part of a guard.
type Level = syntax.Level

// AreExclusive reports whether entries with the guards a and b are never rendered together, as far as the text of the
// guards shows. They are exclusive in these cases:
//
//	if .a          if .a / else    two branches of one condition
//	if .a          if not .a       a condition and its negation
//	define "x"     define "y"      two templates of one file
//	define "x"                     in a template and outside of it
//
// An entry in a define is rendered where the template is included, so it does not occur beside the others.
func AreExclusive(a, b []Level) bool {
	if definitionOf(a) != definitionOf(b) {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			conditionX, holdsX := splitNegation(x)
			conditionY, holdsY := splitNegation(y)
			if x.Said != y.Said && (x.Condition() == y.Condition() || conditionX == conditionY && holdsX != holdsY) {
				return true
			}
		}
	}
	return false
}

// definitionOf returns the condition of the define or macro among levels, or "" if there is none.
func definitionOf(levels []Level) string {
	for _, l := range levels {
		if c := l.Condition(); strings.HasPrefix(c, "define ") || strings.HasPrefix(c, "macro ") {
			return c
		}
	}
	return ""
}

// splitNegation returns the condition of l without a negation, and whether l is the branch in which that condition
// holds. It returns ".a" and false for "if not .a" and for "if .a / else". It returns l.Said and true if l is not the
// first branch or the else branch of an if.
func splitNegation(l Level) (condition string, holds bool) {
	word, condition, _ := strings.Cut(l.Condition(), " ")
	positive, negated := strings.CutPrefix(condition, "not ")
	branch := l.Said[len(l.Condition()):]
	if word != "if" || branch != "" && branch != branchSeparator+"else" {
		return l.Said, true
	}
	return positive, negated == (branch != "")
}

// A Line is a directive line, or a line of a block that is read as text. A directive line consists of actions, or is a
// comment with an action of a block.
type Line struct {
	text.Span
	Text     string // with each run of blanks replaced by one space
	OpenedBy string // the actions that opened the blocks that the line divides or closes, one a line
	// Output is the body of the action, if the line is a single action that prints; otherwise "".
	Output string
	Above  *syntax.Entry // the last entry above the line; nil if there is none
	// IsValueOfAbove reports whether Above has no value of its own, so that the output of the line is its value.
	IsValueOfAbove bool
	// Key is the key of a field, if the line is a field in a block that is read as text; otherwise "".
	Key string
	// Guard contains the blocks around a line that prints, the outermost first.
	Guard []Level
	// IsLeftOfEntries reports whether a line that prints does so in a column left of all entries of its document.
	IsLeftOfEntries bool
}

// An IndentedOutput is an action that indents its output explicitly, as with nindent. Column is the indentation of the
// line that contains the action.
type IndentedOutput struct {
	Action string
	Column int
}

// Compare orders indented outputs by column, then by action.
func (x IndentedOutput) Compare(y IndentedOutput) int {
	return cmp.Or(x.Column-y.Column, strings.Compare(x.Action, y.Action))
}

// Facts are the contents of a template that its tree and the guards of its entries do not contain.
type Facts struct {
	Lines []Line
	// IndentedOutputs contains the actions that indent their output explicitly, with the last entry above the first of
	// each.
	IndentedOutputs map[IndentedOutput]*syntax.Entry
	// DuplicateKeys contains the keys of fields that occur several times in their mapping, under different guards.
	// Package syntax has each but the first with its guard added to the key: see Template.Stream.
	DuplicateKeys map[*syntax.Entry]string
	// RepeatedBlocks contains the blocks whose opening action occurs several times.
	RepeatedBlocks []Block
}

// OwnGuard returns the actions of the blocks around e that are not around the collection that contains it, such as "{{
// if .a }} {{ else }}". It returns "" if there are none.
func OwnGuard(e *syntax.Entry) string {
	var all []string
	for _, level := range e.OwnLevels() {
		all = append(all, "{{ "+strings.ReplaceAll(level.Said, branchSeparator, " }} {{ ")+" }}")
	}
	return strings.Join(all, " ")
}

// Facts returns the facts of t, or nil if t is nil. The first call computes them.
func (t *Template) Facts() *Facts {
	switch {
	case t == nil:
		return nil
	case t.facts != nil:
		return t.facts
	}
	w := factCollector{template: t, facts: &Facts{IndentedOutputs: map[IndentedOutput]*syntax.Entry{}, DuplicateKeys: t.duplicateKeys, RepeatedBlocks: t.repeatedBlocks()}}
	for _, d := range t.Stream.Docs {
		w.above, w.rootColumn = nil, max(d.Root.Indent, 0)
		w.collectBelow(d.Root)
		w.collectUntil(d.Span.End)
	}
	w.collectUntil(len(t.data))
	t.facts = w.facts
	return t.facts
}

// LevelsOfLines returns, for each of some lines in the text at whole of data, the blocks of that text around the line.
// Blocks around the text itself are not included. It returns nil if the text contains no block.
func LevelsOfLines(data []byte, whole text.Span, lines []text.Span) [][]Level {
	b := data[whole.Start:whole.End]
	if !HasBlockActions(b) {
		return nil
	}
	t := &Template{data: b, actions: actionsOfLine(b)}
	t.nesting, _ = parseBlocks(b, t.actions)
	all := make([][]Level, len(lines))
	for i, l := range lines {
		all[i] = t.branchAt(l.Start - whole.Start).levelsWithin(nil)
	}
	return all
}

// A factCollector collects the facts of a template in one pass over the file.
type factCollector struct {
	template      *Template
	facts         *Facts
	nextDirective int           // index of the first directive line not yet passed
	nextAction    int           // index of the first action not yet passed
	above         *syntax.Entry // the last entry passed
	rootColumn    int           // column of the entries at the root of the current document
}

// collectBelow collects the facts that precede the last entry below n, at any depth.
func (w *factCollector) collectBelow(n *syntax.Node) {
	for _, e := range n.Entries {
		w.collectUntil(e.Start)
		w.above = e
		w.collectBelow(e.Value)
	}
}

// collectUntil collects the facts of the actions and directive lines that start before off.
func (w *factCollector) collectUntil(off int) {
	for ; w.nextAction < len(w.template.actions) && w.template.actions[w.nextAction].Start < off; w.nextAction++ {
		if a := w.template.actions[w.nextAction]; w.template.outputColumns[w.nextAction] != noColumn {
			before := w.template.data[bytes.LastIndexByte(w.template.data[:a.Start], '\n')+1 : a.Start]
			x := IndentedOutput{a.body, len(before) - len(bytes.TrimLeft(before, " "))}
			if _, ok := w.facts.IndentedOutputs[x]; !ok {
				w.facts.IndentedOutputs[x] = w.above
			}
		}
	}
	for ; w.nextDirective < len(w.template.directives) && w.template.directives[w.nextDirective].Start < off; w.nextDirective++ {
		d := w.template.directives[w.nextDirective]
		l := Line{Span: d.Span, Text: collapseBlanks(w.template.data[d.Start:d.End]), Above: w.above}
		for i := d.firstAction; i < d.endAction; i++ {
			if k := w.template.actions[i].kind; (k == kindDivide || k == kindClose) && i > 0 && w.template.nesting.branchAfter[i-1] != nil {
				l.OpenedBy += w.template.actions[w.template.nesting.branchAfter[i-1].block].body + "\n"
			}
		}
		if d.endAction == d.firstAction+1 && w.template.actions[d.firstAction].kind == kindOutput {
			l.Output, l.Guard = w.template.actions[d.firstAction].body, w.template.branchAt(d.Start).levelsWithin(nil)
			column := w.template.outputColumns[d.firstAction]
			if column == noColumn {
				column = d.column
			}
			l.IsLeftOfEntries = column < w.rootColumn && l.Output != ""
		}
		l.IsValueOfAbove = w.above != nil && w.above.Value.Content.Empty() && !d.isComment && l.Output != ""
		if d.maskedAs == asBlockText && d.kind == contentLine {
			if key, _, ok := strings.Cut(strings.TrimLeft(l.Text, "- "), ":"); ok && !strings.ContainsAny(key, " {}") {
				l.Key = strings.Trim(key, `"'`)
			}
		}
		w.facts.Lines = append(w.facts.Lines, l)
	}
}

// A Block is the text of a block that spans several lines, and its offset. Runs of blanks are replaced by one space.
type Block struct {
	Said  string
	Start int
}

// repeatedBlocks returns the blocks whose opening action occurs several times, in file order. Blocks on one line and
// blocks of maxBlockLen bytes or more are left out.
func (t *Template) repeatedBlocks() (all []Block) {
	starts := map[string]int{}
	for opening, b := range t.nesting.blocks {
		if b != nil {
			starts[t.actions[opening].body]++
		}
	}
	for opening, b := range t.nesting.blocks {
		a := t.actions[opening]
		if b == nil || starts[a.body] < 2 {
			continue
		}
		if s := t.data[a.Start:t.actions[b[len(b)-1]].End]; len(s) < maxBlockLen && bytes.IndexByte(s, '\n') >= 0 {
			all = append(all, Block{collapseBlanks(s), a.Start})
		}
	}
	return all
}

// maxBlockLen is the limit for the length of blocks that are compared by their text. The text of nested blocks is
// compared once for each level, so long blocks would be slow.
const maxBlockLen = 4 << 10

// UnpairedActions returns, for each of some parts of a file, the actions without a counterpart in the part, one a line:
// those that divide or close a block opened before the part, and those that open a block that is not closed in it. The
// text is "..." if an action of the part does not end within the part.
func UnpairedActions(file []byte, parts []text.Span) []string {
	all := make([]string, len(parts))
	if l := detectEngine(file); l != nil {
		for i, p := range parts {
			all[i] = l.unpairedActions(file[p.Start:p.End])
		}
	}
	return all
}

// unpairedActions returns the actions of part without a counterpart; see UnpairedActions.
func (l *engine) unpairedActions(part []byte) string {
	all, err := l.parseActions(part)
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
