package verify

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A template has contents that its syntax tree does not have: blocks and lines of actions. A block is the part of the
// file from an action such as {{ if .a }} to its {{ end }}. {{ else }} divides it into branches. The guard of an entry
// is the list of the branches around the entry that are not around its parent, with the outermost first. A branch is
// written as the action that opens the block, with the action that starts the branch if it is not the first one:
//
//	{{ if .a }}
//	b: 1            # guard: if .a
//	{{ else }}
//	c:              # guard: if .a / else
//	  d: 1          # no guard: the block is around c, its parent
//	{{ end }}
//
// Guards are merged like the values of entries: a block that one side put around an entry is expected in the result.
// Lines that consist of actions are merged like comments. A block is identified by its opening action, which is called
// its condition, and not by its position. An output line is a line whose only action prints, as in {{ include "x" . }}.

// isTemplate reports whether the versions were read as templates (of Go or Jinja), and not as plain YAML.
func (c *checker) isTemplate() bool { return c.facts[result] != nil }

// guardOf returns the guard of n: the branches of template blocks around n that are not around its parent, with the
// outermost first. For a field between {{ if .a }} and {{ end }}, it is "if .a". The guard of a document has the
// branches around all of its entries. Lines only have a guard if c.nodeGuards has it. n may be nil. The result must not
// be changed.
func (c *checker) guardOf(n *Node) []template.Level {
	switch {
	case n == nil || !c.isTemplate() && n.Entry != nil:
		return nil
	case n.Entry == nil && n.reader != nil && c.isTemplate():
		return n.sharedLevels()
	case n.Entry == nil:
		return c.nodeGuards[n.Node]
	}
	return n.Entry.OwnLevels()
}

// sharedLevels returns the branches of template blocks around all entries at the top of document n, with the outermost
// first. It returns nil if there are none, or if n is empty or a scalar.
func (n *Node) sharedLevels() (all []template.Level) {
	for i := range n.Children {
		levels := n.Children[i].Entry.OwnLevels()
		if i == 0 {
			all = levels
		}
		same := 0
		for same < min(len(all), len(levels)) && all[same].Start == levels[same].Start {
			same++
		}
		all = all[:same]
	}
	return all
}

// withGuard returns a function that identifies the children of collection q, even if a template repeats one in several
// branches. An id that a version repeats is combined with the innermost branch around the child and, if that does not
// suffice, with all branches within q; the id 0 remains. A branch whose condition a side changed counts with the
// condition of the base.
//
//	{{ if .a }}
//	port: 80     # port, "if .a"
//	{{ else }}
//	port: 81     # port, "if .a / else"
//	{{ end }}
func (c *checker) withGuard(q nodeVersions, id func(*Node) uint64) func(*Node) uint64 {
	if !c.isTemplate() || len(q.repeatedIDs(false, id)) == 0 {
		return id
	}
	changed := c.changedBranches(q)
	textOf := func(guard []template.Level) string {
		guard = slices.Clone(guard)
		for i, l := range guard {
			guard[i].Said = cmp.Or(changed[l.Said], l.Said)
		}
		return guardText(guard)
	}
	byInnermost := q.disambiguate(false, id, func(n *Node) uint64 {
		g := c.guardOf(n)
		return Hash(textOf(g[max(0, len(g)-1):]))
	})
	return q.disambiguate(false, byInnermost, func(n *Node) uint64 { return Hash(textOf(c.guardOf(n))) })
}

// changedBranches maps the text of each branch around children of q whose condition a side changed to its text in the
// base. The base has no branch with the new text, the side none with the old one, and both have an equal child in it.
//
//	base           ours
//	{{ if .a }}    {{ if .b }}    "if .b": "if .a"
//	x: 1           x: 1
//	{{ end }}      {{ end }}
func (c *checker) changedBranches(q nodeVersions) map[string]string {
	contentOf := func(n *Node) uint64 { return syntax.CombineHashes(n.KeyHash, n.Data) }
	isIn, guards := [versions]map[string]bool{}, map[uint64][][]template.Level{} // guards of the base, by content
	for v, n := range q[:result] {
		isIn[v] = map[string]bool{}
		for i := range n.GetChildren() {
			k := &n.Children[i]
			for _, l := range c.guardOf(k) {
				isIn[v][l.Said] = true
			}
			if version(v) == base {
				guards[contentOf(k)] = append(guards[contentOf(k)], c.guardOf(k))
			}
		}
	}
	changed := map[string]string{}
	for _, s := range sides {
		unused := maps.Clone(guards)
		for i := range q[s].GetChildren() {
			k := &q[s].Children[i]
			inBase, g := unused[contentOf(k)], c.guardOf(k)
			if len(inBase) == 0 {
				continue
			}
			unused[contentOf(k)] = inBase[1:]
			for i := range min(len(g), len(inBase[0])) {
				now, before := g[i].Said, inBase[0][i].Said
				if !isIn[base][now] && !isIn[s][before] && changed[now] == "" {
					changed[now], isIn[s][before] = before, true
				}
			}
		}
	}
	return changed
}

// checkActions returns the first violation in what the lines of a template print: an output line in other blocks than
// the edits of both sides give (checkOutputGuards), an output in another column (checkColumns), or a block that is
// merged as text below another entry (checkTextBlocks). It returns nil if the versions are not templates.
func (c *checker) checkActions() *Violation {
	if !c.isTemplate() {
		return nil
	}
	return cmp.Or(c.checkOutputGuards(), c.checkColumns(), c.checkTextBlocks())
}

// checkOutputLines returns a violation if the result has an output line, such as {{ include "x" . }}, more than once
// and more often than each input. If ours and theirs each added a copy, both may remain unless the same entry is above
// them. Lines in conflicts are counted like the others. The versions must be templates.
func (c *checker) checkOutputLines() *Violation {
	type line struct {
		addr uint64 // 0 for the whole file
		text string
	}
	counts := occurrenceCounts[line]{}
	// the line with the last entry above it and the named template around it
	lineBelow := func(v version, l template.Line) line {
		addr := uint64(1)
		if l.Above != nil {
			addr, _ = c.addressAt(v, l.Above.Start)
		}
		if len(l.Guard) > 0 && strings.HasPrefix(l.Guard[0].Said, "define ") { // each definition prints for itself
			addr = syntax.CombineHashes(addr, Hash(l.Guard[0].Said))
		}
		return line{addr, l.Output}
	}
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Output != "" {
				counts.add(version(v), line{0, l.Output})
				counts.add(version(v), lineBelow(version(v), l))
			}
		}
	}
	for _, l := range c.facts[result].Lines {
		n := counts[line{0, l.Output}]
		if l.Output == "" || !n.exceedsInputs() {
			continue
		}
		if _, most := n.expectedRange(); n[result] > most || counts[lineBelow(result, l)].exceedsInputs() {
			r := ruleDuplicate
			if strings.Contains(l.Output, ":=") { // prints nothing
				r = ruleRepeated
			}
			return c.newViolationAt(r, l.Above, l.Text, "%s occurs more often than in base, ours or theirs", quoteLine(l.Output))
		}
	}
	return nil
}

// checkOutputGuards returns a violation if an output line of the result is in other template blocks than the edits of
// both sides give it. If only one side added the line, and the other side put a block around a neighbor (entry or
// output line) or removed one, the same change is accepted around the line, and expected if it is around both
// neighbors. Lines in a conflict and repeated ones are ignored.
//
//	base                  ours                  result
//	p: 1                  {{ if .f }}           {{ if .f }}
//	{{ include "x" . }}   p: 1                  p: 1
//	                      {{ include "x" . }}   {{ end }}
//	                      {{ end }}             {{ include "x" . }}    violation
func (c *checker) checkOutputGuards() *Violation {
	if !c.isTemplate() || !slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" }) {
		return nil
	}
	printed, inBase := map[*syntax.Node]*template.Line{}, map[string]bool{}
	for _, l := range c.facts[base].Lines {
		inBase[l.Output] = true
	}
	// The entries around a line only matter if a side added it.
	withEntries := slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" && !inBase[l.Output] })
	var lists nodeVersions
	for v := range versions {
		lists[v] = c.listOutputs(v, withEntries, printed)
	}
	g := &guardContext{checker: c, matches: slices.DeleteFunc(c.match(lists, pairing{ID: dataOf}), func(k *match) bool { return k.hasSeveral() })}
	for _, k := range g.matches {
		// not verified: entries, lines that the result or both sides lack, and lines in a conflict
		if k.nodes[result] == nil || printed[k.nodes[result].Node] == nil || k.nodes[ours] == nil && k.nodes[theirs] == nil || k.nodes.hasNode(func(n *Node) bool { return n.Partial }) {
			continue
		}
		if b := k.nodes[base]; b != nil && (k.nodes[ours] == nil || k.nodes[theirs] == nil) {
			continue // a side deleted the line
		}
		counts, isPartial := g.countBlocksAround(k)
		for _, branch := range slices.Sorted(maps.Keys(counts)) {
			least, most := g.expectedBlockCount(k, branch, counts[branch])
			if n := counts[branch][result]; !isPartial && (n < least || n > most) {
				l := printed[k.nodes[result].Node]
				return c.newViolationAt(ruleAction, l.Above, l.Text, "%s: %s", quoteLine(l.Output), describeBlockCount(branch, n, least))
			}
		}
	}
	return nil
}

// expectedBlockCount returns the limits for the number of template blocks with the given branch, such as "if .a /
// else", around output line k in the result. At least one side contains k. n are the numbers around k in the versions.
// If only one side added k, the limits follow the changes that the other side made around each of the two neighbors of
// k.
func (g *guardContext) expectedBlockCount(k *match, branch string, n versionCounts) (least, most int32) {
	switch {
	case k.nodes[base] != nil:
		return n.expectedRange()
	case k.nodes[ours] != nil && k.nodes[theirs] != nil:
		return min(n[ours], n[theirs]), max(n[ours], n[theirs])
	}
	// the change of each neighbor is allowed; without neighbors, the number remains
	s := k.nodes.anyNode().Version
	least, most = n[s], n[s]
	for i, m := range g.neighbors(k, s) {
		counts, _ := g.countBlocksAround(m)
		change := int32(0)
		if near := counts[branch]; m.nodes[base] != nil {
			change, _ = near.expectedRange()
			change -= near[s]
		}
		if i == 0 {
			least, most = n[s]+change, n[s]+change
		}
		least, most = min(least, n[s]+change), max(most, n[s]+change)
	}
	return max(least, 0), most
}

// listOutputs returns the output lines of v, such as {{ include "x" . }}, as a list of scalars in the order of the
// file. Data is a hash of the action; Partial is true in a conflict. If withEntries is true, the list also has a scalar
// for each entry of v at all depths, with a hash of its path as Data. The versions must be templates. listOutputs adds
// the template blocks around each child to c.nodeGuards, and the output lines to printed, by the syntax node of the
// child.
func (c *checker) listOutputs(v version, withEntries bool, printed map[*syntax.Node]*template.Line) *Node {
	lines, list := c.facts[v].Lines, &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v}
	add := func(at text.Span, hash uint64, levels []template.Level) *syntax.Node {
		n := Node{Node: syntax.NewPlainScalar(at, ""), Version: v, Data: hash}
		_, _, n.Partial = maskAt(c.masks[v], at)
		c.nodeGuards[n.Node] = levels
		list.Children = append(list.Children, n)
		return n.Node
	}
	addOutputsBefore := func(end int) {
		for ; len(lines) > 0 && lines[0].Start < end; lines = lines[1:] {
			if l := &lines[0]; l.Output != "" {
				printed[add(l.Span, Hash(l.Output)&^1, l.Guard)] = l
			}
		}
	}
	var visit func(n *Node, addr uint64, around []template.Level)
	visit = func(n *Node, addr uint64, around []template.Level) {
		for i := range n.Children {
			k := &n.Children[i]
			at, levels := c.addressBelow(k, addr), around
			if own := c.guardOf(k); k.Entry != nil && len(own) > 0 {
				levels = slices.Concat(around, own)
			}
			if k.Entry != nil {
				addOutputsBefore(k.Entry.Start)
				add(text.Span{Start: k.Entry.Start, End: k.Entry.Start + 1}, at|1, levels)
			}
			visit(k, at, levels)
		}
	}
	if withEntries {
		visit(c.docs[v], 0, nil)
	}
	addOutputsBefore(math.MaxInt)
	return list
}

// checkColumns returns a violation if the result has an action such as {{ include "x" . | nindent 4 }}, which indents
// its output by a fixed number, in a line with an indentation at which no input has the action. The output would not be
// in the mapping that it belongs to. The versions must be templates.
func (c *checker) checkColumns() *Violation {
	f := c.facts
	for _, x := range slices.SortedFunc(maps.Keys(f[result].IndentedOutputs), template.IndentedOutput.Compare) {
		if !slices.ContainsFunc(f[:result], func(f *template.Facts) bool { _, has := f.IndentedOutputs[x]; return has }) {
			return c.newViolationAt(ruleAction, f[result].IndentedOutputs[x], "", "%s is indented differently than in base, ours and theirs", quoteLine(x.Action))
		}
	}
	return nil
}

// checkDots returns a violation if an action of the result, such as {{ .b }}, reads another dot than every equal action
// of the inputs. The blocks with and range set the dot:
//
//	base               ours               theirs             result
//	{{ with .app }}    {{ if .app }}      {{ with .app }}    {{ if .app }}
//	name: web          name: web          name: web          name: web
//	{{ end }}          {{ end }}          port: {{ .port }}  port: {{ .port }}    violation: .port of another dot
//	                                      {{ end }}          {{ end }}
//
// Actions that no input has, or one has in a conflict, are accepted. The versions need not be templates: actions can be
// in the lines of a text.
func (c *checker) checkDots() *Violation {
	merged := c.streams[result].File.Bytes()
	hasSameActions := func(s *syntax.Stream) bool { return template.HasSameActions(s.File.Bytes(), merged) }
	if slices.ContainsFunc(c.streams[:result], hasSameActions) {
		return nil // no dot can differ; this is faster than parsing the templates
	}
	inInputs, inConflict := map[string][]template.DotUse{}, map[string]bool{}
	for v := range c.streams[:result] {
		for _, u := range c.Trees.dotUses(version(v)) { // none if it is not a valid Go template
			inInputs[u.Pipeline] = append(inInputs[u.Pipeline], u)
			if slices.ContainsFunc(c.Conflicts, func(o Conflict) bool { return o.At[v].Contains(text.Span{Start: u.Start, End: u.Start + 1}) }) {
				inConflict[u.Pipeline] = true
			}
		}
	}
	for _, u := range template.DotUses(merged) {
		known := inInputs[u.Pipeline]
		if len(known) > 0 && !inConflict[u.Pipeline] && !slices.ContainsFunc(known, u.HasSameDot) {
			return c.nodesAt(result, u.Start).newViolation(ruleAction, "the dot of {{ %s }} has another meaning than in each version", u.Pipeline)
		}
	}
	return nil
}

// checkOwners returns a violation if a line of the result prints into a mapping, list or value, or splits one (see
// ownerOf), as it does in no input or, in a file without conflicts, more often than the edits of both sides give. The
// column of the output determines this owner or, if it is not known, the entry above the line; a line that prints
// above it at a smaller column is part of the owner. Lines of the result in conflicts are ignored.
//
//	volumeMounts:
//	  - name: data
//	{{ toYaml .Values.mounts | indent 2 }}    # the owner is the list of volumeMounts
func (c *checker) checkOwners() *Violation {
	if !c.isTemplate() {
		return nil
	}
	type owner struct {
		text     string
		addr     uint64
		isInside bool
	}
	counts := occurrenceCounts[owner]{}
	for v, f := range c.facts {
		for i, l := range f.Lines {
			_, _, inConflict := maskAt(c.masks[v], l.Span)
			if !l.Prints || version(v) == result && inConflict {
				continue
			}
			x := owner{text: l.Text}
			x.addr, _, x.isInside = c.ownerOf(version(v), l)
			for i--; i >= 0 && f.Lines[i].Above == l.Above; i-- { // what is printed above may be its owner
				if p := &f.Lines[i]; p.Prints && (p.Column < l.Column || l.Column < 0) && !template.AreExclusive(p.Guard, l.Guard) {
					x.addr = syntax.CombineHashes(x.addr, Hash(p.Text))
					break
				}
			}
			counts.add(version(v), owner{text: x.text, addr: x.addr})
			// only at a place where an input has it inside of a collection that it may not print into
			if x.isInside {
				counts.add(version(v), x)
			}
			if version(v) != result {
				continue
			}
			n, inside := counts[owner{text: x.text, addr: x.addr}], counts[x]
			// in a merge with conflicts, one input with this owner suffices
			if _, most := n.expectedRange(); len(c.Conflicts) == 0 && n[result] > most || slices.Max(n[:result]) == 0 || slices.Max(inside[:result]) == 0 {
				return c.newViolationAt(ruleAction, l.Above, l.Text, "%s prints into a different entry than the edits of both sides give", quoteLine(l.Output))
			}
		}
	}
	return nil
}

// checkBlockAroundFile returns a violation if one side put a block around all documents, and the result has a further
// document, which the other side added, outside of that block. It is not known then whether the block should be around
// it, too.
func (c *checker) checkBlockAroundFile() *Violation {
	if !c.isTemplate() {
		return nil
	}
	for _, s := range sides {
		if len(c.docs[result].Children) <= len(c.docs[s].Children) {
			continue
		}
		around := c.conditionsAroundFile(s)
		maps.DeleteFunc(around, func(condition string, _ bool) bool { return c.conditionsAroundFile(base)[condition] })
		for i := range c.docs[result].Children {
			for k := range c.docs[result].Children[i].Children {
				n := &c.docs[result].Children[i].Children[k]
				for condition := range around {
					if !n.Masked && indexOfCondition(c.guardOf(n), condition) < 0 {
						return nodeVersions{result: n}.newViolation(ruleGuard, "not inside %s, which %s put around the whole file", quoteLine(condition), s)
					}
				}
			}
		}
	}
	return nil
}

// conditionsAroundFile returns the opening actions of the template blocks that contain all fields and items at the top
// of the documents of v, with the value true.
func (c *checker) conditionsAroundFile(v version) map[string]bool {
	var common map[string]bool
	for i := range c.docs[v].Children {
		if len(c.docs[v].Children[i].Children) == 0 {
			continue
		}
		isAround := map[string]bool{}
		for _, l := range c.guardOf(&c.docs[v].Children[i]) {
			isAround[l.Condition()] = common == nil || common[l.Condition()]
		}
		maps.DeleteFunc(isAround, func(_ string, isCommon bool) bool { return !isCommon })
		common = isAround
	}
	return common
}

// checkLineOrder returns a violation if each side added one of two lines that follow each other in the result, and
// their order counts: two branches of a block, such as {{ else if .a }} and {{ else if .b }}, or two lines that print
// in the column of a list and of the mapping around it. If the first prints a field, the second cannot print an item.
func (c *checker) checkLineOrder() *Violation {
	if !c.isTemplate() {
		return nil
	}
	type group struct { // of lines whose order counts
		openedBy string        // the opening action, of the branches of a block
		list     uint64        // into which lines print
		above    *syntax.Entry // the last entry above these lines
	}
	type line struct {
		group
		text string
	}
	has := map[line]*[versions]bool{}
	for v, f := range c.facts {
		last := map[group]line{} // in the result
		for _, l := range f.Lines {
			x := line{group{openedBy: l.OpenedBy}, l.Text}
			if l.Prints {
				if list, isShared, _ := c.ownerOf(version(v), l); isShared {
					x.list = list
				}
			}
			if x.group == (group{}) {
				continue
			}
			if has[x] == nil {
				has[x] = &[versions]bool{}
			}
			_, _, inConflict := maskAt(c.masks[v], l.Span)
			if has[x][v] = true; version(v) != result || inConflict {
				continue
			}
			g := x.group
			if l.Prints {
				g.above = l.Above
			}
			before, now := has[last[g]], has[x]
			if before != nil && !before[base] && !now[base] && before[ours] != now[ours] && before[theirs] != now[theirs] {
				return c.newViolationAt(ruleAction, l.Above, l.Text, "the order of %s and %s is that of neither side", quoteLine(last[g].text), quoteLine(l.Text))
			}
			if last[g] = x; template.OnlyClosesBlocks([]byte(l.Text)) {
				delete(last, g)
			}
		}
	}
	return nil
}

// ownerOf returns the address of the mapping, list or value of v into which l prints: the innermost one that is open
// above l and not right of the column of the output or, if that column is not known, the last entry above l. isShared
// reports whether the owner is a list in the column of the mapping around it, into which l may print instead. isInside
// reports whether the output may split a collection, because more items of such a list, or more entries of a collection
// inside the owner, follow l. In git's line merge, the names of items are not a part of the address.
func (c *checker) ownerOf(v version, l template.Line) (addr uint64, isShared, isInside bool) {
	column := -1 // of the collection around n
	for n := c.docs[v]; ; {
		i := sort.Search(len(n.Children), func(i int) bool {
			k := &n.Children[i]
			return k.Entry != nil && k.Entry.Start > l.Start || k.Entry == nil && k.Span.Start > l.Start
		})
		if i == 0 {
			return addr, false, false
		}
		k := &n.Children[i-1]
		isOpen := len(k.Children) > 0 && k.Style == syntax.Block && k.Indent <= l.Column
		if l.Column >= 0 && !isOpen && (k.Entry == nil || n.Indent >= l.Column) {
			isShared = n.Indent == column
			return addr, isShared, isShared && i < len(n.Children) || k.lastStart() > l.Start
		}
		if k.Entry != nil {
			column = n.Indent
		}
		if n = k; c.maker != byLines {
			addr = c.addressBelow(k, addr)
		} else { // a side may have renamed an item
			addr = syntax.CombineHashes(addr, cmp.Or(k.KeyHash, nameless))
		}
	}
}

// lastStart returns the offset at which the last entry below n starts, at any depth, or -1 if there is none.
func (n *Node) lastStart() (start int) {
	start = -1
	for len(n.Children) > 0 && n.Children[len(n.Children)-1].Entry != nil {
		n = &n.Children[len(n.Children)-1]
		start = n.Entry.Start
	}
	return start
}

// checkTextBlocks returns a violation in the blocks of the result that are merged as text, because they contain only a
// part of an entry. Their lines are not in the syntax tree. For a line with a field, such as "b: 1", these are
// violations:
//
//   - No input has the line below the same entry.
//   - The base has it below this entry, but no input in the same branch, such as else.
//   - Only in the result, a mapping around the line also has a field with its key.
//
// The versions must be templates.
func (c *checker) checkTextBlocks() *Violation {
	isKnown, inBase, isRepeated := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{} // found in the inputs
	var repeated *syntax.Entry
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Key == "" || l.Above == nil {
				continue
			}
			addr, key := uint64(0), Hash("="+l.Key)
			for n := range c.docs[v].NodesAt(l.Above.Start) {
				if n != c.docs[v] {
					addr = c.addressBelow(n, addr)
				}
				for i := range n.Children {
					switch at := syntax.CombineHashes(addr, key); {
					case n.Children[i].KeyHash != key:
					case version(v) != result:
						isRepeated[at] = true
					case !isRepeated[at] && (repeated == nil || n.Children[i].Entry.Start < repeated.Start):
						repeated = n.Children[i].Entry
					}
				}
			}
			here, branch := syntax.CombineHashes(addr, Hash(l.Text)), ""
			if n := len(l.Guard); n > 0 {
				branch = strings.TrimPrefix(l.Guard[n-1].Said, l.Guard[n-1].Condition())
			}
			inBranch := syntax.CombineHashes(here, Hash(branch))
			switch {
			case version(v) == base:
				inBase[here] = true
			case version(v) == result && !isKnown[here]:
				return c.newViolationAt(ruleAction, l.Above, "", "%s is below a different entry than in base, ours and theirs", quoteLine(l.Text))
			case version(v) == result && inBase[here] && !isKnown[inBranch]:
				return c.newViolationAt(ruleAction, l.Above, "", "%s is in a different branch than in base, ours and theirs", quoteLine(l.Text))
			}
			isKnown[here], isKnown[inBranch] = true, true
		}
	}
	if repeated != nil {
		return c.newViolationAt(ruleAction, repeated, "", "the key also occurs in a template block that is merged as text")
	}
	return nil
}

// newViolationAt returns a violation of rule r at e, an entry of the result, and at the entries with the same path in
// the inputs. If e is nil, it has no position. Its Subject is line, which may be "". format and a give its Detail, as
// in fmt.Sprintf.
func (c *checker) newViolationAt(r rule, e *syntax.Entry, line, format string, a ...any) *Violation {
	var q nodeVersions
	if e != nil {
		q = c.nodesAt(result, e.Start)
	}
	violation := q.newViolation(r, format, a...)
	violation.Subject = line
	return violation
}

// maxGuardsCompared is the maximum number of members of a collection for which checkGuards compares an added member of
// a line merge with the members that the result lacks.
const maxGuardsCompared = 1000

// checkGuards returns a violation if a member of a collection is in other template blocks than the edits of both sides
// give it. matches are the members in all versions: fields, items, or lines of a text. Members in a conflict, and
// blocks around the whole collection, do not count.
//
//	base     ours           theirs    result
//	a: 1     {{ if .x }}    a: 2      a: 2      violation: ours put "if .x" around a
//	         a: 1
//	         {{ end }}
//
// If one side added a member, the blocks that the other side put around its neighbors, or around the block that
// contains it, are expected around the member, too.
func (c *checker) checkGuards(matches []*match) *Violation {
	g := &guardContext{checker: c, matches: matches}
	// in a line merge, a new node may continue a node that only the base has
	isUncertain := func(k *match) bool {
		return k.nodes[base] == nil && (k.nodes.presentIn() == inResult || len(matches) > maxGuardsCompared || slices.ContainsFunc(matches, func(m *match) bool {
			return m.nodes[base] != nil && m.nodes[result] == nil && c.containsMostOf(k.nodes[result], m.nodes[base])
		}))
	}
	for _, k := range matches {
		if s, condition := g.findUnwrappedAndDeleted(k); condition != "" {
			return k.nodes.newViolation(ruleDeletedAndChanged, "deleted by %s, taken out of %s by %s", s.Other(), quoteLine(condition), s)
		}
		if k.nodes[result] == nil || k.hasMasked || !c.demands(ruleGuardMissing) && isUncertain(k) {
			continue
		}
		counts, inConflict := g.countBlocksAround(k)
		// the person may have decided the conditions
		if inConflict && c.maker == byPerson {
			continue
		}
		for _, branch := range slices.Sorted(maps.Keys(counts)) {
			n := counts[branch]
			for _, s := range sides {
				if k.nodes[s] == nil {
					n[s] = n[base] // treat a deleted node as unchanged
				}
			}
			bothAdded := k.nodes[base] == nil && k.nodes[ours] != nil && k.nodes[theirs] != nil && len(c.Conflicts) == 0
			fromOurs, fromTheirs := n[ours], n[theirs]
			// one side may have changed the condition of the block, removed it or put another one around it
			if bothAdded && fromOurs != fromTheirs {
				fromOurs, fromTheirs = fromOurs+g.changeAroundSide(k, ours, branch), fromTheirs+g.changeAroundSide(k, theirs, branch)
			}
			// added in different blocks: no result without a conflict is correct
			if bothAdded && fromOurs != fromTheirs && !g.isBlockAddedAroundNeighbors(k, branch) {
				return k.nodes.newViolation(ruleGuard, "added by both: %s in ours, %s in theirs", describeNesting(branch, n[ours]), describeNesting(branch, n[theirs]))
			}
			least, most := n.expectedRange()
			switch {
			case bothAdded:
				least, most = max(fromOurs, fromTheirs), max(fromOurs, fromTheirs)
			case g.isBlockAddedAroundNeighbors(k, branch):
				least, most = least+1, most+1
			default:
				change := g.changeAround(k, branch)
				least, most = least+change, most+change
			}
			violated := ruleGuard
			if n[result] >= min(n[base], n[ours], n[theirs]) && n[result] <= max(n[base], n[ours], n[theirs]) {
				violated = ruleGuardMissing
			}
			if c.demands(violated) && (n[result] < least || n[result] > most) {
				return k.nodes.newViolation(violated, "%s", describeBlockCount(branch, n[result], least))
			}
		}
	}
	return nil
}

// describeBlockCount returns a clause for a message about a node that is inside of n blocks with the given branch, such
// as "if .a", although expected would be right:
//
//	n   expected   result
//	0   1          not inside "if .a"
//	1   0          inside "if .a"
//	1   2          inside "if .a" 1 times, expected 2
func describeBlockCount(branch string, n, expected int32) string {
	if n+expected == 1 {
		return describeNesting(branch, n)
	}
	return fmt.Sprintf("inside %s %d times, expected %d", quoteLine(branch), n, expected)
}

// quoteLine returns s, a line of a file or a part of it, in quotes for a message. Special characters are escaped as in
// Go. The quotes are double ones, or single ones if s contains double quotes and no single ones: '{{ include "x" . }}'.
func quoteLine(s string) string {
	q := strconv.Quote(s)
	if !strings.Contains(s, `"`) || strings.Contains(s, "'") {
		return q
	}
	return "'" + strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`) + "'"
}

// describeNesting returns a clause for a message about a node that is inside of n blocks with the given branch:
//
//	n   branch   result
//	0   if .a    not inside "if .a"
//	1   if .a    inside "if .a"
//	2   if .a    inside "if .a" 2 times
func describeNesting(branch string, n int32) string {
	switch n {
	case 0:
		return fmt.Sprintf("not inside %s", quoteLine(branch))
	case 1:
		return fmt.Sprintf("inside %s", quoteLine(branch))
	}
	return fmt.Sprintf("inside %s %d times", quoteLine(branch), n)
}

// A guardContext contains the members of one collection, for the verification of the template blocks around them.
type guardContext struct {
	*checker
	matches []*match
	shared  [versions][]*match // of a side: the members that both sides contain, in its order; computed on first use
	// inBlock maps, for each side, a branch of a template block to the members in it that all inputs contain. A Level with
	// only the offset of a block (Block) has the members in all branches of the block. It is computed on first use.
	inBlock [versions]map[template.Level][]*match
	changes map[branchChangeKey]int32 // results of changeOfBranch
}

// countBlocksAround returns how often each branch of a template block, such as "if .a / else", is around k, a member of
// the collection, in each version. A block of a side that starts in a conflict is not counted; one of the base in a
// conflict is also counted for the side that was not chosen. If one side lacks k, counts also has, with zeros, the
// branches that this side has around a neighbor of k or, if the base lacks k too, around a member of a block that
// contains k, because they may be expected around k. inConflict reports whether a block around k starts in a conflict.
func (g *guardContext) countBlocksAround(k *match) (counts occurrenceCounts[string], inConflict bool) {
	counts = occurrenceCounts[string]{}
	for _, s := range sides {
		if near := g.neighbors(k, s); len(near) > 0 && k.nodes[s.Other()] == nil {
			for _, l := range g.guardOf(near[0].nodes[s.Other()]) {
				counts[l.Said] = versionCounts{}
			}
		}
		for _, l := range g.guardOf(k.nodes[s]) {
			if in, _ := g.membersAround(s, l); k.nodes[base] == nil && len(in) > 0 {
				for _, l := range g.guardOf(in[0].nodes[s.Other()]) {
					counts[l.Said] = versionCounts{}
				}
			}
		}
	}
	for v, n := range k.nodes {
		for _, l := range g.guardOf(n) {
			// in a conflict, the side that was not chosen has the blocks of the base
			cut, _, touched := maskAt(g.masks[n.Version], text.Span{Start: l.Block, End: l.Block + 1})
			inConflict = inConflict || touched
			if v := version(v); !touched || v == base || v == result {
				counts.add(v, l.Said)
			}
			if touched && version(v) == base && cut.CountsFor != base && k.nodes[cut.CountsFor] != nil {
				counts.add(cut.CountsFor, l.Said)
			}
		}
	}
	return counts, inConflict
}

// neighbors returns the two members next to k, a member that s added, among those that both sides contain: the last one
// before k and the first one after k, in the order of s. If k is before or after all of them, it returns the first and
// the last one. It returns nil if there are fewer than two, or if s did not add k.
func (g *guardContext) neighbors(k *match, s version) []*match {
	if k.nodes[s] == nil || k.nodes[base] != nil {
		return nil
	}
	if g.shared[s] == nil {
		g.shared[s] = slices.DeleteFunc(slices.Clone(g.matches), func(m *match) bool { return m.nodes[s] == nil || m.nodes[s.Other()] == nil })
		slices.SortStableFunc(g.shared[s], func(a, b *match) int { return cmp.Compare(a.index[s], b.index[s]) })
	}
	shared := g.shared[s]
	i, _ := slices.BinarySearchFunc(shared, k.index[s], func(m *match, at int32) int { return cmp.Compare(m.index[s], at) })
	before, after := shared[:i], shared[i:]
	if len(after) > 0 && after[0] == k {
		after = after[1:]
	}
	switch {
	case i > 0 && len(after) > 0:
		return []*match{before[i-1], after[0]}
	case i > 1:
		return []*match{before[0], before[i-1]}
	case len(after) > 1:
		return []*match{after[0], after[len(after)-1]}
	}
	return nil
}

// isBlockAddedAroundNeighbors reports whether one side added k, and the other side put a new template block around both
// neighbors of k, which are then in the given branch of it, such as "if .a". The block is then expected around k, too.
//
//	base     ours     theirs
//	a: 1     a: 1     {{ if .a }}
//	c: 1     b: 1     a: 1
//	         c: 1     c: 1
//	                  {{ end }}      true for b and "if .a"
func (g *guardContext) isBlockAddedAroundNeighbors(k *match, branch string) bool {
	return slices.ContainsFunc(sides[:], func(s version) bool {
		near := g.neighbors(k, s)
		return len(near) == 2 && g.hasAddedBlockAround(near, s.Other(), branch)
	})
}

// membersAround returns the members in branch l of a template block of side s that all inputs contain, if they are also
// inside of a block with this opening action in the base. If there are none, isBlock is true, and it returns such
// members, if any, in all branches of the block of l. The result must not be changed.
func (g *guardContext) membersAround(s version, l template.Level) (members []*match, isBlock bool) {
	if g.inBlock[s] == nil {
		g.inBlock[s] = map[template.Level][]*match{}
		for _, m := range g.matches {
			if m.nodes[base] == nil || m.nodes[s] == nil || m.nodes[s.Other()] == nil {
				continue
			}
			for _, l := range g.guardOf(m.nodes[s]) {
				if indexOfCondition(g.guardOf(m.nodes[base]), l.Condition()) >= 0 {
					for _, key := range [...]template.Level{l, {Block: l.Block}} {
						g.inBlock[s][key] = append(g.inBlock[s][key], m)
					}
				}
			}
		}
	}
	if members = g.inBlock[s][l]; len(members) > 0 {
		return members, false
	}
	return g.inBlock[s][template.Level{Block: l.Block}], true
}

// indexOfCondition returns the index of the first branch in guard of a block with the given opening action: 1 for "if
// .b" in the guard "if .a", "if .b / else". It returns -1 if there is none.
func indexOfCondition(guard []template.Level, condition string) int {
	return slices.IndexFunc(guard, func(l template.Level) bool { return l.Condition() == condition })
}

// findUnwrappedAndDeleted returns the side that removed the template block with the given condition around k, if the
// other side deleted k with everything else in this block, and the result lacks k. condition is "" if there is no such
// block.
//
//	base           ours    theirs
//	{{ if .a }}
//	b: 1           b: 1                ours, "if .a"
//	{{ end }}
func (g *guardContext) findUnwrappedAndDeleted(k *match) (s version, condition string) {
	if k.nodes[base] == nil || k.nodes[result] != nil || k.hasMasked || g.isMoved(k) || (k.nodes[ours] == nil) == (k.nodes[theirs] == nil) {
		return s, ""
	}
	s = ours
	if k.nodes[ours] == nil {
		s = theirs
	}
	for _, l := range g.guardOf(k.nodes[base]) {
		// whether the other side kept a member of the block, or added an item, which may replace k
		isKept := func(m *match) bool {
			if n := m.nodes[s.Other()]; n == nil || m.nodes[base] == nil {
				return n != nil && n.KeyHash == 0 && n.Entry != nil
			}
			return slices.ContainsFunc(g.guardOf(m.nodes[base]), func(x template.Level) bool { return x.Block == l.Block })
		}
		if indexOfCondition(g.guardOf(k.nodes[s]), l.Condition()) < 0 && !slices.ContainsFunc(g.matches, isKept) {
			return s, l.Condition()
		}
	}
	return s, ""
}

// A branchChangeKey is a key of the cache of changeOfBranch: how the side other than side changed the blocks with a
// branch of this text, such as "if .a / else", around the members of branch.
type branchChangeKey struct {
	side   version
	branch template.Level
	text   string
}

// changeAround returns changeAroundSide for the side that added k. If both sides added k, the first result that is not
// 0 counts, that of ours first.
func (g *guardContext) changeAround(k *match, branch string) int32 {
	return cmp.Or(g.changeAroundSide(k, ours, branch), g.changeAroundSide(k, theirs, branch))
}

// changeAroundSide returns by how much the number of blocks with the given branch around k, a member that s added, is
// expected to change, because the other side changed one of the blocks that k is in: 1, -1 or 0. The outermost change
// decides. For example, theirs added c to the block {{ if x }}, and ours put {{ if y }} around this block. The result
// is 1 for c and "if y". It is 0 if s did not add k.
func (g *guardContext) changeAroundSide(k *match, s version, branch string) int32 {
	if k.nodes[base] != nil {
		return 0
	}
	for _, l := range g.guardOf(k.nodes[s]) {
		at := branchChangeKey{s, l, branch}
		change, known := g.changes[at]
		if !known {
			change = g.changeOfBranch(s, l, branch)
			if g.changes == nil {
				g.changes = map[branchChangeKey]int32{}
			}
			g.changes[at] = change
		}
		if change != 0 {
			return change
		}
	}
	return 0
}

// changeOfBranch returns how the side other than s changed the template blocks around the entries in l, a branch of a
// block of s. text is the branch to look for, such as "if .a / else":
//
//	1     it put a new block with this branch around all of them, or replaced l by this branch
//	-1    it removed the block of this branch from all of them, or replaced this branch
//	0     otherwise
//
// Only entries that all inputs contain show this (see membersAround).
func (g *guardContext) changeOfBranch(s version, l template.Level, text string) int32 {
	members, isBlock := g.membersAround(s, l)
	wrapped, unwrapped := len(members) > 0, len(members) > 0
	condition := template.Level{Said: text}.Condition()
	// without members in l, only the condition can be compared: if the other side changed that of another branch of the
	// block, it changed that of l, too
	isSameBranch := func(x template.Level) bool { return x.Condition() == condition && (isBlock || x.Said == text) }
	for _, m := range members {
		baseGuard, sideGuard, otherGuard := g.guardOf(m.nodes[base]), g.guardOf(m.nodes[s]), g.guardOf(m.nodes[s.Other()])
		outer, inner := slices.IndexFunc(otherGuard, isSameBranch), indexOfCondition(otherGuard, l.Condition())
		isKnown := slices.ContainsFunc(baseGuard, isSameBranch) || slices.ContainsFunc(sideGuard, isSameBranch)
		// the other side replaced an else of the block by one that the base lacks
		isReplaced := condition == l.Condition() && !isBlock && inner >= 0 && !g.isBranchOfBase(otherGuard[inner].Said)
		if inner < 0 { // replaced the condition; without members in l, it is unknown whether it also replaced an else
			isReplaced = !isBlock || strings.TrimPrefix(text, condition) == strings.TrimPrefix(l.Said, l.Condition())
		}
		wrapped = wrapped && !isKnown && outer >= 0 && (isReplaced || outer < inner)
		isRemoved := indexOfCondition(otherGuard, condition) < 0 || isReplaced && text == l.Said
		// the members of one branch, without their condition, say nothing about another branch
		if isBlock && len(otherGuard) < len(baseGuard) {
			isRemoved = false
		}
		unwrapped = unwrapped && indexOfCondition(baseGuard, condition) >= 0 && slices.ContainsFunc(sideGuard, isSameBranch) && isRemoved
	}
	switch {
	case wrapped:
		return 1
	case unwrapped:
		return -1
	}
	return 0
}

// isBranchOfBase reports whether a member of the collection is in a branch with this text, such as "if .a / else", in
// the base.
func (g *guardContext) isBranchOfBase(text string) bool {
	return slices.ContainsFunc(g.matches, func(m *match) bool {
		return slices.ContainsFunc(g.guardOf(m.nodes[base]), func(l template.Level) bool { return l.Said == text })
	})
}

// hasAddedBlockAround reports whether side put one new template block around all of members, so that they are in the
// given branch of it, such as "if .a" or "if .a / else". A block of which side only changed the condition is not new.
//
//	base     side
//	a: 1     {{ if .x }}
//	b: 1     a: 1
//	         b: 1
//	         {{ end }}      true for the members a and b and the branch "if .x"
func (c *checker) hasAddedBlockAround(members []*match, side version, branch string) bool {
	block, condition := -1, template.Level{Said: branch}.Condition()
	for _, m := range members {
		for _, v := range [...]version{base, side.Other()} {
			if slices.ContainsFunc(c.guardOf(m.nodes[v]), func(l template.Level) bool { return l.Condition() == condition }) {
				return false // not new, or added by both sides
			}
		}
		levels := c.guardOf(m.nodes[side])
		i := slices.IndexFunc(levels, func(l template.Level) bool { return l.Said == branch })
		// in no more blocks than in the base: side only changed a condition
		isReplaced := m.nodes[base] != nil && len(levels) <= len(c.guardOf(m.nodes[base]))
		if i < 0 || isReplaced || block >= 0 && levels[i].Block != block {
			return false
		}
		block = levels[i].Block
	}
	return true
}
