// Package template parses YAML with the actions of a template engine: Go templates, as in Helm charts, and Jinja.
//
// Parse returns a Template, with a syntax tree whose spans refer to the bytes of the file. An action within a key or a
// scalar is a part of it, and is not interpreted. In
//
//	{{- if .Values.debug }}
//	level: debug
//	{{- end }}
//	image: "web:{{ .Values.tag }}"
//
// level has the guard "if .Values.debug". image has no guard, and its value includes the quotes: "web:{{ .Values.tag
// }}". The terms of the package are:
//
//   - Action: a text such as {{ .a }} or {% if a %}. It opens, divides or closes a block, or is output: it prints,
//     assigns or is a comment.
//   - Block: what an action such as if, range or define opens, up to its end. An else divides it into branches. A block
//     is identified by the index of its opening action.
//   - Guard: the blocks around an entry, outermost first, each with the branch that the entry is in (a [Level]).
//   - Directive line: a line of actions only, or a comment with actions. It is trivia, like a comment.
//   - Content line: a line with anything else, such as a key, with or without actions.
//   - Text block: a block that contains parts of entries. All of its lines become trivia.
//   - Definition: a block that begins with define or macro, and is rendered where another action includes it.
//   - Mask: YAML of the same length that is parsed in place of the template. Directive lines are comments there, and
//     their columns decide which entries they belong to.
//   - Dot: the value that {{ . }} has in a Go template. The blocks with and range change it.
//
// Parse returns an error for a template in which text blocks are most of the file, and for one that is not YAML without
// its directive lines.
//
// The package does not render templates. Facts are further contents of a template, such as its directive lines, which
// verification compares between versions.
package template

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"text/template/parse"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Template is a parsed template. A block of it, such as {{ if .a }} ... {{ end }}, is identified by the index of its
// opening action in actions.
type Template struct {
	// Stream is the syntax tree. A scalar with actions has its text as the value, including its quotes, and the tag of
	// a string. If a mapping contains a key several times, in different blocks or branches, the Value of each key but
	// the first includes the blocks around it: "a" and "a {{ else }}".
	Stream        *syntax.Stream
	data          []byte
	engine        *engine
	actions       []action
	lines         []line
	directives    []line // the directive lines and the lines of text blocks, which are comments of the mask
	nesting       *nesting
	outputColumns []int // by action, the column to which it indents
	blockColumns
	collections   map[int]*syntax.Node     // by block, the collection that contains its entries; nil for the root of a document
	duplicateKeys map[*syntax.Entry]string // the original keys of fields to whose key distinguishKeys added blocks
	nestingErr    error                    // the error of NestingError
	err           error
	blamed        int    // the block that may be the cause of err, or noBlock
	facts         *Facts // nil until Facts is called
}

// Parse parses the template f. It fails with a *syntax.Error, for example if an action does not end, if the text is not
// YAML without its actions, or if too much of the file is in text blocks. For blocks that do not nest, it does not
// fail; NestingError then returns an error.
func Parse(f *text.File) (*Template, error) {
	t := &Template{data: f.Bytes(), engine: cmp.Or(detectEngine(f.Bytes()), goEngine)}
	var err error
	if t.actions, err = t.engine.parseActions(t.data); err != nil {
		return nil, err
	}
	if t.nesting, t.nestingErr = parseBlocks(t.data, t.actions); t.nesting.tooDeep >= 0 {
		return nil, newError(t.data, t.actions[t.nesting.tooDeep].Start, fmt.Sprintf("blocks nested deeper than %d levels", maxDepth))
	}
	t.lines, t.outputColumns = splitLines(t.data, t.actions), outputColumns(t.actions)
	newMasker(t, nil).findBlockColumns()
	searches := 0
	// each round reads the file with the text blocks so far; if that fails, the block to blame becomes a text block, too
	for range maxParses {
		spans := t.blockSpans(t.textBlocks)
		if t.areMostOfFile(spans) {
			return nil, newError(t.data, spans[0].Start, "a template block contains only a part of an entry")
		}
		m := newMasker(t, spans)
		t.parseTree(f, m)
		if t.err == nil {
			return t, nil
		}
		if t.Stream == nil && searches < maxCulpritSearches { // the mask is not YAML
			t.blamed, searches = t.findCulprit(m.masked), searches+1
		}
		if t.blamed == noBlock || t.textBlocks[t.blamed] {
			return nil, t.err
		}
		t.textBlocks[t.blamed] = true
	}
	return nil, newError(t.data, 0, "too many template blocks contain only a part of an entry")
}

// areMostOfFile reports whether blocks, spans of whole blocks, contain more than half of the lines of t. Blocks with
// define in their first line do not count, because a file of such named templates can be all text.
func (t *Template) areMostOfFile(blocks []text.Span) bool {
	lines := 0
	for _, s := range blocks {
		isDefinition := bytes.Contains(t.data[s.Start:lineEnd(t.data, s.Start)], []byte("define "))
		if !isDefinition {
			lines += bytes.Count(t.data[s.Start:s.End], []byte("\n"))
		}
	}
	return 2*lines > bytes.Count(t.data, []byte("\n"))
}

// NestingError returns an error about the first action of t that divides or closes no block, or that opens a block
// which is not closed, or nil if there is none.
func (t *Template) NestingError() error { return t.nestingErr }

const (
	// maxParses is the maximum number of attempts to parse a file. After each failed one, a further block is read as
	// text, so that its lines are ignored like comments.
	maxParses = 16
	noBlock   = -1 // no block is the cause of the error
)

// HasGuards reports whether an entry of t is in a template block.
func (t *Template) HasGuards() bool { return len(t.collections) > 0 }

// parseTree completes the mask of m, parses it, and adds to the tree what only the template shows, such as the guards
// of entries. It sets t.Stream, t.directives, t.duplicateKeys and t.collections. If that fails, it sets t.err, and
// t.blamed to the block that Parse can read as text instead:
//
//	the mask is not YAML                                t.blamed is noBlock, and t.Stream is nil
//	a block contains only a part of an entry            t.blamed is this block
//	an action is in a place in which it cannot be       t.blamed is noBlock
func (t *Template) parseTree(f *text.File, m *masker) {
	t.duplicateKeys, t.collections, t.blamed = map[*syntax.Entry]string{}, map[int]*syntax.Node{}, noBlock
	places := m.maskComments()
	if t.Stream, t.err = syntax.ParseAs(f, m.masked, places); t.err != nil {
		return
	}
	for _, d := range t.Stream.Docs {
		t.annotate(d.Root, nil, nil)
	}
}

// commentColumns returns, for each action, the column in which a directive line with this action starts as a comment of
// the mask. The parser decides by this column which entry the comment belongs to. noColumn means that the line keeps
// its own column.
//
//	{{ if .a }}      0, above the entry b
//	  b: 1
//	{{ end }}        3, right of b, and so below b
func (t *Template) commentColumns() []int {
	columns := make([]int, len(t.actions))
	// an action that indents its output: below the last entry that is in this column
	for a, column := range t.outputColumns {
		columns[a] = noColumn
		if column != noColumn {
			columns[a] = column + 1
		}
	}
	// actions of blocks, which do not indent: those of a block that only prints, in one column, are beside the entries
	// that are in this column
	for opening, column := range t.printColumns {
		for _, a := range t.nesting.blocks[opening] {
			columns[a] = column
		}
	}
	// those of a block with entries are above the entry that follows, but the closing action is below the last entry
	for opening, column := range t.firstColumns {
		block := t.nesting.blocks[opening]
		for _, a := range block {
			columns[a] = 0
		}
		columns[block[len(block)-1]] = column + 1
	}
	return columns
}

// annotate completes the tree below n by what only the template shows. It sets the Guard of entries, replaces the value
// of each scalar with actions by its source text, and makes repeated keys distinct. Errors are stored in t.err.
// collection is n, or nil if n is the root of a document. around is the innermost branch that contains n, or nil.
func (t *Template) annotate(n, collection *syntax.Node, around *branch) {
	if n.Kind == syntax.Scalar || n.Kind == syntax.Alias {
		t.annotateScalar(n)
		return
	}
	if n.Style == syntax.Flow {
		t.checkFlow(n)
	}
	hasGuards := false // around its entries, but not around n
	for _, e := range n.Entries {
		in := t.branchAt(e.Start)
		hasGuards = hasGuards || in != around
		if in != nil {
			all := in.levelsWithin(nil)
			e.Guard = &syntax.Guard{Levels: all, Outer: len(all) - len(in.levelsWithin(around))}
		}
		t.checkBlocksAround(in, around, collection)
		if e.Key != nil {
			t.annotateScalar(e.Key)
		}
		t.annotate(e.Value, e.Value, in)
	}
	if n.Kind == syntax.Mapping && hasGuards {
		t.distinguishKeys(n)
	}
}

// checkFlow records an error in t if a directive line is within the flow collection n.
func (t *Template) checkFlow(n *syntax.Node) {
	next := sort.Search(len(t.directives), func(i int) bool { return t.directives[i].Start > n.Content.Start })
	if next < len(t.directives) && t.directives[next].Start < n.Content.End {
		t.fail(t.directives[next].Start, "a line with only template actions in a flow collection")
	}
}

// annotateScalar replaces the value of the scalar n by its source text if n contains actions, and sets its tag to
// !!str: the value of `"web:{{ .tag }}"` includes the quotes. For a block scalar, the text is that of its lines.
func (t *Template) annotateScalar(n *syntax.Node) {
	if bytes.Equal(t.Stream.Masked[n.Content.Start:n.Content.End], t.data[n.Content.Start:n.Content.End]) {
		return // without actions
	}
	source := n.TextSpan()
	n.Value = string(t.data[source.Start:source.End])
	n.Tag = "!!str"
}

// checkBlocksAround checks that the blocks between an entry and its collection contain only complete entries of this
// collection, and stores the collection for each block. Otherwise, it records an error in t. branchOfEntry and
// branchOfCollection are the innermost branches around the two, or nil. collection is nil for the root of a document.
//
//	{{ if .x }}
//	a:
//	  b: 1
//	{{ end }}
//	  c: 1       # error: the block ends inside the entry a
func (t *Template) checkBlocksAround(branchOfEntry, branchOfCollection *branch, collection *syntax.Node) {
	// the block around the entry with collection does not contain this entry
	if !branchOfCollection.contains(branchOfEntry) {
		t.failBlock(branchOfCollection.block, "a template block ends inside an entry")
		return
	}
	for b := branchOfEntry; b != branchOfCollection; b = b.parent {
		other, isKnown := t.collections[b.block]
		if isKnown && other != collection { // the block also contains entries of another collection
			t.failBlock(b.block, "a template block contains parts of several entries")
			return
		}
		if !isKnown {
			t.collections[b.block] = collection
			t.checkOwnLines(b.block)
		}
	}
}

// checkOwnLines checks that each action of a block around entries is on a line with only actions. If one is not, it
// sets t.err, unless that is set already. opening is the index of the action that opens the block.
func (t *Template) checkOwnLines(opening int) {
	for _, a := range t.nesting.blocks[opening] {
		i := sort.Search(len(t.directives), func(i int) bool { return t.directives[i].endAction > a })
		if i == len(t.directives) || t.directives[i].firstAction > a {
			t.fail(t.actions[a].Start, "the actions of a template block around entries must be on lines of their own")
		}
	}
}

// distinguishKeys makes the keys of the mapping m distinct between branches, because a merge finds fields by key. The
// first field with a key keeps it. A field with the same key in another branch gets its guard appended to the Value of
// its key. t.duplicateKeys records the original keys.
//
//	{{ if .x }}
//	a: 1          key "a"
//	{{ else }}
//	a: 2          key "a {{ else }}"
//	{{ end }}
//	a: 3          key "a {{  }}", in no block
func (t *Template) distinguishKeys(m *syntax.Node) {
	guards := map[string][]Level{} // by key, the guard of its first field
	isElsewhere := func(key string, guard []Level) bool {
		first, exists := guards[key]
		return exists && guardText(first) != guardText(guard)
	}
	for _, e := range m.Entries {
		key, guard := e.Key.Value, t.branchAt(e.Start).levelsWithin(nil)
		if isElsewhere(key, guard) {
			t.duplicateKeys[e] = key
			e.Key.Value = key + " {{ " + guardNotSharedWith(guard, guards[key]) + " }}"
			if isElsewhere(e.Key.Value, guard) {
				// the part of the guard is also the key of a field in another branch: use the whole guard
				e.Key.Value = key + " {{ " + guardText(guard) + " }}"
			}
		}
		if _, exists := guards[e.Key.Value]; !exists {
			guards[e.Key.Value] = guard
		}
	}
}

// failBlock sets t.err, unless it is set, to an error with this message at the start of block, and t.blamed to block.
// block is the index of an opening action. It does nothing if the blocks of the file do not nest.
func (t *Template) failBlock(block int, msg string) {
	if t.err == nil && t.nestingErr == nil { // with a nestingErr, it is not known where blocks end
		t.blamed, t.err = block, newError(t.data, t.actions[block].Start, msg)
	}
}

// fail sets t.err to an error at offset off, if it is nil.
func (t *Template) fail(off int, msg string) {
	if t.err == nil {
		t.err = newError(t.data, off, msg)
	}
}

// blockSpans returns the lines of some blocks in file order, one span for each block from the line of its opening
// action to the line of its closing action. The keys of blocks are the indexes of the opening actions; the values are
// ignored. A block within another one of them is left out.
func (t *Template) blockSpans(blocks map[int]bool) []text.Span {
	var all []text.Span
	for opening := range blocks {
		all = append(all, t.blockSpan(opening))
	}
	slices.SortFunc(all, func(a, b text.Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) }) // an outer one is first
	end := 0
	return slices.DeleteFunc(all, func(s text.Span) bool {
		isInner := s.End <= end
		end = max(end, s.End)
		return isInner
	})
}

// blockSpan returns the complete lines from the opening to the closing action of a block. opening is the index of the
// opening action in t.actions.
func (t *Template) blockSpan(opening int) text.Span {
	actions := t.nesting.blocks[opening]
	start := bytes.LastIndexByte(t.data[:t.actions[opening].Start], '\n') + 1
	return text.Span{Start: start, End: lineEnd(t.data, t.actions[actions[len(actions)-1]].End-1)}
}

// textOpenings returns the set of the opening actions, such as "if .a", of all blocks that are read as text in one of
// the versions.
func textOpenings(versions [3]*Template) map[string]bool {
	all := map[string]bool{}
	for _, t := range versions {
		for opening := range t.textBlocks {
			all[t.actions[opening].body] = true
		}
	}
	return all
}

// CheckSameTextBlocks returns an error, without a position, if the edits of a block cannot be compared: the block
// exists and differs in all three versions, and it is a text block only in some. Blocks are the same if they have the
// same opening action.
//
//	a text block        complete entries
//	{{ if x }}          {{ if x }}
//	  b: 1              b: 1
//	c: 1                c: 1
//	{{ end }}           {{ end }}
func CheckSameTextBlocks(versions [3]*Template) error {
	for _, opening := range slices.Sorted(maps.Keys(textOpenings(versions))) {
		var lines [3][]byte
		var textCount [3]int
		for i, v := range versions {
			lines[i], textCount[i] = v.blocksOpenedBy(opening)
		}
		hasSameCount := textCount[0] == textCount[1] && textCount[0] == textCount[2]
		bothChanged := !bytes.Equal(lines[0], lines[1]) && !bytes.Equal(lines[0], lines[2]) && !bytes.Equal(lines[1], lines[2])
		isMissing := slices.ContainsFunc(lines[:], func(b []byte) bool { return len(b) == 0 })
		if !hasSameCount && bothChanged && !isMissing {
			return fmt.Errorf("the block %q contains only a part of an entry, but not in all versions", opening)
		}
	}
	return nil
}

// blocksOpenedBy finds all blocks with this opening action, such as "if .a". lines are the lines of these blocks, one
// block after the other; those of a block within another one are not repeated. textCount is how many of all these
// blocks are text blocks.
func (t *Template) blocksOpenedBy(opening string) (lines []byte, textCount int) {
	end := 0
	for i, block := range t.nesting.blocks {
		if block == nil || t.actions[i].body != opening {
			continue
		}
		if t.textBlocks[i] {
			textCount++
		}
		if s := t.blockSpan(i); s.Start >= end { // not within another
			lines = append(lines, t.data[s.Start:s.End]...)
			end = s.End
		}
	}
	return lines, textCount
}

// CheckNewTextBlocks checks result, a merged template, for text blocks that no version has. Such a block shows that the
// merge put an entry in a wrong place, such as left of its column, or that the result is not YAML. It returns a
// *syntax.Error about the first block, or nil. Blocks are the same if they have the same opening action.
func CheckNewTextBlocks(versions [3]*Template, result *Template) error {
	known := textOpenings(versions)
	for _, opening := range slices.Sorted(maps.Keys(result.textBlocks)) {
		if a := result.actions[opening]; !known[a.body] {
			return newError(result.data, a.Start, fmt.Sprintf("the block %q contains only a part of an entry, unlike in base, ours and theirs", a.body))
		}
	}
	return nil
}

const (
	// maxCulpritSize is the maximum size of files, in bytes, in which findCulprit searches.
	maxCulpritSize = 256 << 10
	// maxCulpritSearches is the maximum number of searches in a file. Each needs a parse for each halving of the lines.
	maxCulpritSearches = 4
)

// findCulprit returns the block that probably makes the mask invalid YAML, so that Parse can read it as text. That is
// the block with the first line that cannot be parsed or, if this line is in none, the last block of several lines
// above it. masked is the mask, and t.err the error of the parser for it. It returns noBlock if no block is found or
// the file is too large.
func (t *Template) findCulprit(masked []byte) int {
	if len(masked) > maxCulpritSize { // firstInvalidLine parses it several times
		return noBlock
	}
	i := firstInvalidLine(masked, t.lines, t.err)
	if i == len(t.lines) {
		return noBlock
	}
	if b := t.branchAt(t.lines[i].Start); b != nil {
		return b.block
	}
	// the last block of several lines above
	for opening, block := range slices.Backward(t.nesting.blocks) {
		if block == nil {
			continue
		}
		last := t.actions[block[len(block)-1]]
		hasSeveralLines := bytes.IndexByte(t.data[t.actions[opening].Start:last.End], '\n') >= 0
		if last.End <= t.lines[i].Start && hasSeveralLines {
			return opening
		}
	}
	return noBlock
}

// firstInvalidLine returns the index of the first line up to which masked cannot be parsed, or len(lines). It searches
// by bisection from the line of err, the parser's error for masked. It assumes that further lines do not make an
// invalid text valid again. lines are the lines of the template.
func firstInvalidLine(masked []byte, lines []line, err error) int {
	isInvalidUpTo := func(i int) bool {
		_, parseErr := syntax.Parse(text.New(masked[:lines[i].End]))
		return parseErr != nil
	}
	start := 0 // the line of err
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		at := text.New(masked).LineOffset(max(1, e.Line))
		start = min(sort.Search(len(lines), func(i int) bool { return lines[i].End > at }), len(lines)-1)
	}
	if start >= len(lines) || isInvalidUpTo(start) {
		return start
	}
	return start + sort.Search(len(lines)-start, func(k int) bool { return isInvalidUpTo(start + k) })
}

// CheckSyntax returns an error if result, a merged template, is invalid although all three versions are valid. Invalid
// means that an action does not end, a block is not closed, or the text is not a Go template. So most Jinja is not
// checked.
func CheckSyntax(versions [3][]byte, result []byte) error {
	l := detectEngine(result)
	if l == nil {
		return nil
	}
	err := l.checkSyntax(result)
	if err != nil && slices.ContainsFunc(versions[:], func(b []byte) bool { return l.checkSyntax(b) != nil }) {
		return nil
	}
	return err
}

// checkSyntax returns an error if data is not a valid template: if an action does not end, if blocks do not nest, or if
// data cannot be parsed as a Go template. That also applies to Jinja, whose {% %} is text of a Go template. Functions
// need not be defined.
func (e *engine) checkSyntax(data []byte) error {
	all, err := e.parseActions(data)
	if err == nil {
		_, err = parseBlocks(data, all)
	}
	if err == nil {
		_, err = parseGo(data)
	}
	return err
}

// fileTree is the name of the tree of the whole file among those that parseGo returns; the others are definitions.
const fileTree = "the whole file"

// parseGo parses data as a Go template. It returns the trees of its {{ define }} blocks by name, and that of the rest
// of the file as fileTree. A tree without content may be missing. Undefined variables are errors, undefined functions
// are not.
func parseGo(data []byte) (trees map[string]*parse.Tree, err error) {
	// The parser recurses for each block and each else if, without a limit; a stack overflow would end the process.
	const many = 10_000
	if bytes.Count(data, []byte("{{")) >= many {
		actions, err := goEngine.parseActions(data)
		if err != nil {
			return nil, err
		}
		n, _ := parseBlocks(data, actions)
		if n.tooDeep >= 0 || slices.ContainsFunc(n.blocks, func(actions []int) bool { return len(actions) >= many }) {
			return nil, errors.New("blocks nested too deep, or with too many branches")
		}
	}
	t := parse.New(fileTree)
	t.Mode = parse.SkipFuncCheck
	trees = map[string]*parse.Tree{}
	_, err = t.Parse(string(data), "", "", trees)
	return trees, err
}
