package verify

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A template has facts beside its tree: the guards of its entries, which are slots like their
// values, and its directive lines, which are remarks. A block is known by its condition, and
// by no place.

// isTemplate reports whether the versions are templates.
func (c *checker) isTemplate() bool { return c.facts[result] != nil }

// guard are the blocks around n, an entry or a line of a text, that are not around what n is in,
// under the names that the base has for them.
func (c *checker) guard(n *Node) []template.Level {
	switch {
	case n == nil:
		return nil
	case n.Entry == nil:
		return c.guarded[n.Node]
	case !c.isTemplate():
		return nil
	}
	return renamed(n.Entry.OwnLevels(), c.renamed[n.V])
}

// renamed are levels with the conditions that the base has for them.
func renamed(levels []template.Level, names map[int]string) []template.Level {
	if len(names) == 0 {
		return levels
	}
	levels = slices.Clone(levels)
	for i, l := range levels {
		if was, ok := names[l.Block]; ok {
			levels[i].Said = l.Called(was)
		}
	}
	return levels
}

// byGuard is id of a member of q, and its guard too where a version has several of one id.
func (c *checker) byGuard(q quad, id func(*Node) uint64) func(*Node) uint64 {
	if !c.isTemplate() {
		return id
	}
	inner := q.apart(false, id, func(n *Node) uint64 {
		if g := c.guard(n); len(g) > 0 {
			return Hash(g[len(g)-1].Said)
		}
		return Hash("")
	})
	return q.apart(false, inner, func(n *Node) uint64 { return Hash(guardText(c.guard(n))) })
}

// branches are the blocks of a version, and those around what stands once in it, by where it stands
// and by what it says there.
type branches struct {
	around map[uint64][]template.Level
	called map[int]string // the condition of each block
	within map[int]int    // the block around a block
	stood  map[uint64]bool
}

func newBranches() branches {
	return branches{map[uint64][]template.Level{}, map[int]string{}, map[int]int{}, map[uint64]bool{}}
}

// note notes what stands at addr, under levels.
func (b branches) note(addr uint64, levels []template.Level) {
	for i, l := range levels {
		b.called[l.Block] = l.Condition()
		if i > 0 {
			b.within[l.Block] = levels[i-1].Block
		}
	}
	b.around[addr] = levels
	if b.stood[addr] {
		delete(b.around, addr)
	}
	b.stood[addr] = true
}

// blocksOf pairs the blocks of a version with those of the base: what is in a branch of one stands
// in the same one of the other, under as many blocks, and nothing of it in another. Of what is
// left, and said is what else a block of the base is called, those of one name are one, and then
// those around the same blocks.
func (b branches) blocksOf(was branches, said map[int][]string) map[int]int {
	to, from, several := map[int]int{}, map[int]int{}, map[int]bool{}
	for addr, old := range was.around {
		now := b.around[addr]
		for i := 0; i < len(old) && len(old) == len(now); i++ {
			if old[i].Called("") != now[i].Called("") {
				continue
			}
			x, y := now[i].Block, old[i].Block
			if first, known := to[x]; known && first != y {
				several[x] = true
			}
			if first, known := from[y]; known && first != x {
				several[x], several[first] = true, true
			}
			to[x], from[y] = y, x
		}
	}
	free, named := map[string][]int{}, map[string][]int{}
	for x, name := range b.called {
		if _, ok := to[x]; !ok {
			free[name] = append(free[name], x)
		}
	}
	for y, name := range was.called {
		if _, ok := from[y]; !ok {
			for _, name := range append([]string{name}, said[y]...) {
				named[name] = append(named[name], y)
			}
		}
	}
	for name, x := range free {
		if y := named[name]; len(x) == 1 && len(y) == 1 {
			to[x[0]], from[y[0]] = y[0], x[0]
		}
	}
	for _, x := range slices.Backward(slices.Sorted(maps.Keys(to))) {
		if several[x] {
			continue
		}
		outer, inside := b.within[x]
		old, too := was.within[to[x]]
		_, paired := to[outer]
		if _, taken := from[old]; inside && too && !paired && !taken {
			to[outer], from[old] = old, outer
		}
	}
	maps.DeleteFunc(to, func(x, _ int) bool { return several[x] })
	return to
}

// renames finds the blocks that a version calls otherwise than the base does: the result, as a side does.
func renames(in [versions]branches) (names [versions]map[int]string) {
	was, said := in[base], map[int][]string{} // what the sides call the blocks of the base
	for _, v := range [...]version{ours, theirs, result} {
		to := in[v].blocksOf(was, said)
		names[v] = map[int]string{}
		for x, y := range to {
			is, old := in[v].called[x], was.called[y]
			if is == old || v == result && !slices.Contains(said[y], is) {
				continue
			}
			names[v][x] = old
			if v != result && !slices.Contains(said[y], is) {
				said[y] = append(said[y], is)
			}
		}
	}
	return names
}

// renames finds those of a template's entries. Only what stands right in a block of the base pairs
// blocks, so that of what has no guard nothing else is noted.
func (c *checker) renames() (none [versions]map[int]string) {
	guarded := map[uint64]bool{}
	c.docs[base].Each(func(n *Node) {
		if n.Entry != nil && len(n.Entry.OwnLevels()) > 0 {
			guarded[n.Addr], guarded[syntax.CombineHashes(n.Addr, n.Data)] = true, true
		}
	})
	if len(guarded) == 0 {
		return none
	}
	var in [versions]branches
	for v := range versions {
		in[v] = newBranches()
		note := func(addr uint64, levels []template.Level) {
			if len(levels) > 0 || guarded[addr] {
				in[v].note(addr, levels)
			}
		}
		c.docs[v].Each(func(n *Node) {
			if n.Entry == nil {
				note(n.Addr, nil)
				return
			}
			levels := n.Entry.OwnLevels()
			note(n.Addr, levels)
			note(syntax.CombineHashes(n.Addr, n.Data), levels)
		})
	}
	return renames(in)
}

// actions holds what a template prints, and where.
func (c *checker) actions() *Violation {
	if !c.isTemplate() {
		return nil
	}
	return cmp.Or(c.blocksOnce(), c.printGuards(), c.columns(), c.hidden(), c.actionOrder())
}

// blocksOnce refuses a block that the result has more often than each version: what both sides added appears once.
func (c *checker) blocksOnce() *Violation {
	blocks := bag[string]{}
	for v, f := range c.facts {
		for _, b := range f.RepeatedBlocks {
			blocks.Add(version(v), b.Said)
		}
	}
	for _, b := range c.facts[result].RepeatedBlocks {
		if !blocks[b.Said].More() {
			continue
		}
		line, _, _ := strings.Cut(b.Said, "}}")
		return c.at(result, b.Start).violation(ruleAction, "the block %s}} stands %d times, more often than in each version", line, blocks[b.Said][result])
	}
	return nil
}

// prints refuses a line of an action that prints, which the result has more often below an entry than each version
// has it there, and more often than each version in all; or more often in all than the edits of both sides give. An answer of
// a page is judged by all that it has, also in its conflicts. It also refuses a line that prints left of all entries of
// its document, where it does so in no version.
func (c *checker) prints() *Violation {
	type line struct {
		home uint64 // 0 is anywhere
		text string
	}
	prints := bag[line]{}
	below := func(v version, l template.Line) line {
		home := uint64(1)
		if l.Above != nil {
			home, _ = c.home(v, l.Above.Start)
		}
		return line{home, l.Output}
	}
	left := map[string]bool{} // what a version prints left of all entries
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if version(v) != result {
				left[l.Output] = left[l.Output] || l.IsLeftOfEntries
			}
			if l.Output != "" {
				prints.Add(version(v), line{0, l.Output})
				prints.Add(version(v), below(version(v), l))
			}
		}
	}
	for _, l := range c.facts[result].Lines {
		n := prints[line{0, l.Output}]
		if l.IsLeftOfEntries && !left[l.Output] {
			return c.violationAt(ruleAction, l.Above, l.Text, "%q prints left of all entries, as in no version", l.Output)
		}
		if l.Output == "" || !n.More() {
			continue
		}
		if _, most := n.Merged(); n[result] > most || prints[below(result, l)].More() {
			return c.violationAt(ruleDoubled, l.Above, l.Text, "%q prints more often than in each version", l.Output)
		}
	}
	return nil
}

// printGuards returns a violation if a line of an action that prints is not under the blocks under which the edits of both sides put
// it; nil if all are. What one side did to the blocks around what is beside a line that the other side added, it did to that line.
// Lines that a version has twice are not judged, nor those in conflict.
//
//	base                  ours                  result
//	p: 1                  {{ if .f }}           {{ if .f }}
//	{{ include "x" . }}   p: 1                  p: 1
//	                      {{ include "x" . }}   {{ end }}
//	                      {{ end }}             {{ include "x" . }}    refused
func (c *checker) printGuards() *Violation {
	if !c.isTemplate() || !slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" }) {
		return nil
	}
	printed := map[*syntax.Node]*template.Line{}
	var all quad
	for v := range versions {
		all[v] = c.guardedIn(v, printed)
	}
	g := &surroundings{checker: c, rows: slices.DeleteFunc(c.match(all, pairing{ID: valueOf}), func(k *match) bool { return k.several() })}
	for _, k := range g.rows {
		if k.q[result] == nil || printed[k.q[result].Node] == nil || k.q[ours] == nil && k.q[theirs] == nil || k.q.has(func(n *Node) bool { return n.Partial }) {
			continue
		}
		if b := k.q[base]; b != nil && (k.q[ours] == nil || k.q[theirs] == nil) {
			continue
		}
		levels, open := g.levels(k)
		for _, said := range slices.Sorted(maps.Keys(levels)) {
			least, most := g.between(k, said, levels[said])
			if n := levels[said][result]; !open && (n < least || n > most) {
				l := printed[k.q[result].Node]
				return c.violationAt(ruleAction, l.Above, l.Text, "%q stands under %q %d times, not %d times", l.Output, said, n, least)
			}
		}
	}
	return nil
}

// between returns how often a block stands around k, a line that stands under it n times, at least and at most.
func (g *surroundings) between(k *match, said string, n counts) (least, most int32) {
	switch {
	case k.q[base] != nil:
		return n.Merged()
	case k.q[ours] != nil && k.q[theirs] != nil:
		return min(n[ours], n[theirs]), max(n[ours], n[theirs])
	}
	s := k.q.any().V
	least, most = n[s], n[s]
	for i, m := range g.near(k, s) {
		levels, _ := g.levels(m)
		by := int32(0)
		if beside := levels[said]; m.q[base] != nil {
			by, _ = beside.Merged()
			by -= beside[s]
		}
		if i == 0 {
			least, most = n[s]+by, n[s]+by
		}
		least, most = min(least, n[s]+by), max(most, n[s]+by)
	}
	return max(least, 0), most
}

// guardedIn returns the entries of v and its lines of actions that print, as a list in the order of the file, with all blocks
// around each in c.guarded. It notes the lines in printed.
func (c *checker) guardedIn(v version, printed map[*syntax.Node]*template.Line) *Node {
	list := &Node{Node: syntax.NewNode(syntax.Sequence, 0), V: v}
	add := func(at text.Span, said uint64, levels []template.Level) *syntax.Node {
		n := Node{Node: syntax.NewNode(syntax.Scalar, 0), V: v, Data: said}
		n.Span = at
		_, _, n.Partial = maskAt(c.masks[v], at)
		c.guarded[n.Node] = levels
		list.Kids = append(list.Kids, n)
		return n.Node
	}
	var in func(n *Node, home uint64, around []template.Level)
	in = func(n *Node, home uint64, around []template.Level) {
		for i := range n.Kids {
			k := &n.Kids[i]
			at, levels := c.below(k, home), slices.Concat(around, c.guard(k))
			if k.Entry != nil {
				add(text.Span{Start: k.Entry.Start, End: k.Entry.Start + 1}, at|1, levels)
			}
			in(k, at, levels)
		}
	}
	in(c.docs[v], 0, nil)
	for i := range c.facts[v].Lines {
		if l := &c.facts[v].Lines[i]; l.Output != "" {
			printed[add(l.Span, Hash(l.Output)&^1, renamed(l.Guard, c.renamed[v]))] = l
		}
	}
	slices.SortStableFunc(list.Kids, func(a, b Node) int { return a.Span.Start - b.Span.Start })
	return list
}

// columns holds that an action that says how far it indents stands in the column in which it
// does in a version: elsewhere it would print to the wrong place.
func (c *checker) columns() *Violation {
	f := c.facts
	for _, x := range slices.SortedFunc(maps.Keys(f[result].IndentedOutputs), template.IndentedOutput.Compare) {
		if !slices.ContainsFunc(f[:result], func(f *template.Facts) bool { _, has := f.IndentedOutputs[x]; return has }) {
			return c.violationAt(ruleAction, f[result].IndentedOutputs[x], "", "%q prints where it does in no version", x.Action)
		}
	}
	return nil
}

// hidden holds that a block that merges as lines stands below an entry below which a version has it, and that no
// key stands beside it that it has too, if that is so in no version.
func (c *checker) hidden() *Violation {
	below, doubled := map[uint64]bool{}, map[uint64]bool{} // what the versions have
	var twice *syntax.Entry
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Key == "" || l.Above == nil {
				continue
			}
			home, key := uint64(0), Hash("="+l.Key)
			for n := range c.docs[v].Down(l.Above.Start) {
				if n != c.docs[v] {
					home = c.below(n, home)
				}
				for i := range n.Kids {
					switch at := syntax.CombineHashes(home, key); {
					case n.Kids[i].ID != key:
					case version(v) != result:
						doubled[at] = true
					case !doubled[at] && (twice == nil || n.Kids[i].Entry.Start < twice.Start):
						twice = n.Kids[i].Entry
					}
				}
			}
			here := syntax.CombineHashes(home, Hash(l.Text))
			if version(v) == result && !below[here] {
				return c.violationAt(ruleAction, l.Above, "", "%q stands below another entry than in the versions", l.Text)
			}
			below[here] = true
		}
	}
	if twice != nil {
		return c.violationAt(ruleAction, twice, "", "it stands in a block of lines too")
	}
	return nil
}

// actionOrder holds that directive lines which the result shares with a side stand in the
// order of that side, unless the other side changed that order.
func (c *checker) actionOrder() *Violation {
	if len(c.Conflicts) > 0 {
		return nil
	}
	var lines quad
	for v, f := range c.facts {
		lines[v] = &Node{Node: syntax.NewNode(syntax.Sequence, 0), V: version(v)}
		for _, l := range f.Lines {
			lines[v].Kids = append(lines[v].Kids, Node{Node: syntax.NewNode(syntax.Scalar, 0), V: version(v), Data: Hash(l.Text)})
		}
	}
	if order(c.match(lines, pairing{ID: ByValue}), false) == nil {
		return nil
	}
	return quad{}.violation(ruleAction, "the lines of actions stand in another order than in the versions")
}

// violationAt refuses something at an entry of the result, or about a line.
func (c *checker) violationAt(broken rule, e *syntax.Entry, line, format string, a ...any) *Violation {
	var q quad
	if e != nil {
		q = c.at(result, e.Start)
	}
	r := q.violation(broken, format, a...)
	r.Subject = line
	return r
}

// mostAlike bounds the members of a collection that are compared for their guards.
const mostAlike = 1000

// guards holds the guards of matches, the members of a collection: each block around a member is a
// fact of its own. What a side added within a block that the other side put around all that
// stands there has that block.
func (c *checker) guards(rows []*match) *Violation {
	g := &surroundings{checker: c, rows: rows}
	// of a line merge it cannot be told which of the versions' things it is: most of it is what the base has alone
	untold := func(k *match) bool {
		return k.q[base] == nil && (k.q.in() == inResult || len(rows) > mostAlike || slices.ContainsFunc(rows, func(m *match) bool {
			return m.q[base] != nil && m.q[result] == nil && c.mostly(k.q[result], m.q[base])
		}))
	}
	for _, k := range rows {
		if k.q[result] == nil || k.open || !c.demands(ruleGuardOwn) && untold(k) {
			continue
		}
		levels, decided := g.levels(k)
		if decided && c.by == byPerson {
			continue
		}
		for _, said := range slices.Sorted(maps.Keys(levels)) {
			n := levels[said]
			for _, s := range sides {
				if k.q[s] == nil {
					n[s] = n[base] // it changed nothing there
				}
			}
			both := k.q[base] == nil && k.q[ours] != nil && k.q[theirs] != nil && len(c.Conflicts) == 0
			if both && n[ours] != n[theirs] && !g.wrapped(k, said) {
				return k.q.violation(ruleGuard, "ours added it under %q %d times, theirs %d times", said, n[ours], n[theirs])
			}
			least, most := n.Merged()
			switch {
			case both:
				least, most = max(n[ours], n[theirs]), max(n[ours], n[theirs])
			case g.wrapped(k, said):
				least, most = least+1, most+1
			default:
				by := g.follows(k, said)
				least, most = least+by, most+by
			}
			broken := ruleGuard
			if n[result] <= max(n[base], n[ours], n[theirs]) {
				broken = ruleGuardOwn
			}
			if c.demands(broken) && (n[result] < least || n[result] > most) {
				return k.q.violation(broken, "under %q %d times, not %d times", said, n[result], least)
			}
		}
	}
	return nil
}

// surroundings are the members of a collection, whose guards are asked for.
type surroundings struct {
	*checker
	rows   []*match
	shared [versions][]*match // of a side, those that both sides have, in its order
	// inside are, by the blocks of a side, the members in them that all versions have, once they are asked for.
	inside  [versions]map[int][]*match
	changes map[change]int32 // what follows remembers
}

// levels are how often each block stands around k. What the condition of a block is that is in
// conflict is what the side that was taken says: the other one has what the base has. It
// reports whether there is one.
func (g *surroundings) levels(k *match) (levels bag[string], open bool) {
	levels = bag[string]{}
	for _, s := range sides {
		if near := g.near(k, s); len(near) > 0 && k.q[s.Other()] == nil {
			for _, l := range g.guard(near[0].q[s.Other()]) {
				levels[l.Said] = counts{}
			}
		}
		for _, l := range g.guard(k.q[s]) {
			if in := g.inBlock(s, l.Block); k.q[base] == nil && len(in) > 0 {
				for _, l := range g.guard(in[0].q[s.Other()]) {
					levels[l.Said] = counts{}
				}
			}
		}
	}
	for v, n := range k.q {
		for _, l := range g.guard(n) {
			cut, _, touched := maskAt(g.masks[n.V], text.Span{Start: l.Block, End: l.Block + 1})
			open = open || touched
			if v := version(v); !touched || v == base || v == result {
				levels.Add(v, l.Said)
			}
			if touched && version(v) == base && cut.For != base && k.q[cut.For] != nil {
				levels.Add(cut.For, l.Said)
			}
		}
	}
	return levels, open
}

// near is what stands beside k, which s added: both neighbours of what the other side has too; at an end, the first and the
// last of that.
func (g *surroundings) near(k *match, s version) []*match {
	if k.q[s] == nil || k.q[base] != nil {
		return nil
	}
	if g.shared[s] == nil {
		g.shared[s] = slices.DeleteFunc(slices.Clone(g.rows), func(m *match) bool { return m.q[s] == nil || m.q[s.Other()] == nil })
		slices.SortStableFunc(g.shared[s], func(a, b *match) int { return cmp.Compare(a.at[s], b.at[s]) })
	}
	all := g.shared[s]
	i, _ := slices.BinarySearchFunc(all, k.at[s], func(m *match, at int32) int { return cmp.Compare(m.at[s], at) })
	before, after := all[:i], all[i:]
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

// wrapped reports whether the other side put the block said around all that stands beside k,
// which a side added.
func (g *surroundings) wrapped(k *match, said string) bool {
	return slices.ContainsFunc(sides[:], func(s version) bool {
		near := g.near(k, s)
		return len(near) == 2 && g.wraps(near, s.Other(), said)
	})
}

// inBlock returns the members that stand in a block of s, which starts at an offset there, if the base and the other side have
// them too, and the base has a block with that condition around them.
func (g *surroundings) inBlock(s version, block int) []*match {
	if g.inside[s] == nil {
		g.inside[s] = map[int][]*match{}
		for _, m := range g.rows {
			if m.q[base] == nil || m.q[s] == nil || m.q[s.Other()] == nil {
				continue
			}
			for _, l := range g.guard(m.q[s]) {
				if under(g.guard(m.q[base]), l.Condition()) >= 0 {
					g.inside[s][l.Block] = append(g.inside[s][l.Block], m)
				}
			}
		}
	}
	return g.inside[s][block]
}

// under is which of the blocks of a guard has a condition, -1 if none has.
func under(levels []template.Level, condition string) int {
	return slices.IndexFunc(levels, func(l template.Level) bool { return l.Condition() == condition })
}

// A change is what the other side than side did to the block said: to all that stands in a block of side.
type change struct {
	side  version
	block int
	said  string
}

// follows returns 1 if the other side put the block said around a block in which a side added k, -1 if it took the block said
// away from there, and else 0. What it did to all that stands in the block, it did to k.
//
//	base        ours          theirs
//	{{ if x }}  {{ if y }}    {{ if x }}
//	b: 1        {{ if x }}    b: 1
//	{{ end }}   b: 1          c: 2         1 of c and "if y"
//	            {{ end }}     {{ end }}
//	            {{ end }}
func (g *surroundings) follows(k *match, said string) int32 {
	if k.q[base] != nil {
		return 0
	}
	condition := template.Level{Said: said}.Condition()
	for _, s := range sides {
		for _, l := range g.guard(k.q[s]) {
			at := change{s, l.Block, said}
			by, known := g.changes[at]
			if !known {
				by = g.changed(s, l, condition)
				if g.changes == nil {
					g.changes = map[change]int32{}
				}
				g.changes[at] = by
			}
			if by != 0 {
				return by
			}
		}
	}
	return 0
}

// changed is 1 if the other side than s put a block with a condition around all that stands in the block l of s, -1 if it took
// such a block away from all of it, and else 0.
func (g *surroundings) changed(s version, l template.Level, condition string) int32 {
	all := g.inBlock(s, l.Block)
	wrapped, unwrapped := len(all) > 0, len(all) > 0
	for _, m := range all {
		was, own := under(g.guard(m.q[base]), condition), under(g.guard(m.q[s]), condition)
		other := g.guard(m.q[s.Other()])
		is := under(other, condition)
		wrapped = wrapped && was < 0 && own < 0 && is >= 0 && is < under(other, l.Condition())
		unwrapped = unwrapped && was >= 0 && own >= 0 && is < 0
	}
	switch {
	case wrapped:
		return 1
	case unwrapped:
		return -1
	}
	return 0
}

// wraps reports whether t has one block said around all of near, which the others have not in
// any branch.
func (c *checker) wraps(near []*match, t version, said string) bool {
	block, condition := -1, template.Level{Said: said}.Condition()
	for _, m := range near {
		for _, v := range [...]version{base, t.Other()} {
			if slices.ContainsFunc(c.guard(m.q[v]), func(l template.Level) bool { return l.Condition() == condition }) {
				return false
			}
		}
		i := slices.IndexFunc(c.guard(m.q[t]), func(l template.Level) bool { return l.Said == said })
		if i < 0 || block >= 0 && c.guard(m.q[t])[i].Block != block {
			return false
		}
		block = c.guard(m.q[t])[i].Block
	}
	return true
}
