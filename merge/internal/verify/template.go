package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// A template has facts beside its tree: the guards of its entries, which are slots like their
// values, and its directive lines, which are remarks. A block is known by its condition, and
// by no place.

// isTemplate reports whether the versions are templates.
func (c *checker) isTemplate() bool { return c.facts[result] != nil }

// guard are the blocks around n, an entry or a line of a text, that are not around what n is in,
// under the names that the base has for them.
func (c *checker) guard(n *node) []template.Level {
	switch {
	case n == nil:
		return nil
	case n.Entry == nil:
		return c.guarded[n.Node]
	case !c.isTemplate():
		return nil
	}
	return renamed(c.facts[n.V].Guards[n.Entry], c.renamed[n.V])
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
func (c *checker) byGuard(q quad, id func(*node) uint64) func(*node) uint64 {
	if !c.isTemplate() {
		return id
	}
	inner := c.apart(q, id, func(n *node) string {
		if g := c.guard(n); len(g) > 0 {
			return g[len(g)-1].Said
		}
		return ""
	})
	return c.apart(q, inner, func(n *node) string { return facts.GuardText(c.guard(n)) })
}

// apart is id, and what is said of a member of q too where a version has several of one id.
func (c *checker) apart(q quad, id func(*node) uint64, said func(*node) string) func(*node) uint64 {
	several := map[uint64]bool{}
	for v := range versions {
		seen := map[uint64]bool{}
		for _, n := range q.members(v, false) {
			x := id(n)
			several[x] = several[x] || seen[x]
			seen[x] = true
		}
	}
	return func(n *node) uint64 {
		x := id(n)
		if x != 0 && several[x] {
			return facts.Mix(x, facts.Hash(said(n)))
		}
		return x
	}
}

// branches are the blocks of a version, and those around what stands once in it, by where it stands
// and by what it says there.
type branches struct {
	around map[uint64][]template.Level
	called map[int]string // the condition of each block
	stood  map[uint64]bool
}

func newBranches() branches {
	return branches{map[uint64][]template.Level{}, map[int]string{}, map[uint64]bool{}}
}

// note notes what stands at addr, under levels.
func (b branches) note(addr uint64, levels []template.Level) {
	for _, l := range levels {
		b.called[l.Block] = l.Condition()
	}
	b.around[addr] = levels
	if b.stood[addr] {
		delete(b.around, addr)
	}
	b.stood[addr] = true
}

// blocksOf pairs the blocks of a version with those of the base: what is in a branch of one stands
// in the same one of the other, under as many blocks, and nothing of it in another. Of what is
// left, and said is what else a block of the base is called, those of one name are one.
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
			to[x[0]] = y[0]
		}
	}
	maps.DeleteFunc(to, func(x, _ int) bool { return several[x] })
	return to
}

// renames finds the blocks that a version calls otherwise than the base does. No other block is
// called as it was, or was called as it is: of these it could not be told which is which.
func renames(in [versions]branches) (names [versions]map[int]string) {
	was, said := in[base], map[int][]string{} // what the sides call the blocks of the base
	for _, v := range [...]version{ours, theirs, result} {
		to := in[v].blocksOf(was, said)
		free := in[v].unpaired(was, to)
		names[v] = map[int]string{}
		for x, y := range to {
			is, old := in[v].called[x], was.called[y]
			if is == old || free[is] || free[old] || v == result && !slices.Contains(said[y], is) {
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

// unpaired are the conditions of the blocks that are in one of b and was alone, by to.
func (b branches) unpaired(was branches, to map[int]int) map[string]bool {
	free, paired := map[string]bool{}, map[int]bool{}
	for x, said := range b.called {
		if y, ok := to[x]; ok {
			paired[y] = true
		} else {
			free[said] = true
		}
	}
	for y, said := range was.called {
		free[said] = free[said] || !paired[y]
	}
	return free
}

// renames finds those of a template's entries. Only what stands right in a block of the base pairs
// blocks, so that of what has no guard nothing else is noted.
func (c *checker) renames() (none [versions]map[int]string) {
	if len(c.facts[base].Guards) == 0 {
		return none
	}
	guarded := map[uint64]bool{}
	c.docs[base].Each(func(n *node) {
		if n.Entry != nil && len(c.facts[base].Guards[n.Entry]) > 0 {
			guarded[n.Addr], guarded[facts.Mix(n.Addr, n.Data)] = true, true
		}
	})
	var in [versions]branches
	for v := range versions {
		in[v] = newBranches()
		note := func(addr uint64, levels []template.Level) {
			if len(levels) > 0 || guarded[addr] {
				in[v].note(addr, levels)
			}
		}
		c.docs[v].Each(func(n *node) {
			if n.Entry == nil {
				note(n.Addr, nil)
				return
			}
			levels := c.facts[v].Guards[n.Entry]
			note(n.Addr, levels)
			note(facts.Mix(n.Addr, n.Data), levels)
		})
	}
	return renames(in)
}

// actions holds what a template prints, and where.
func (c *checker) actions() *Violation {
	if !c.isTemplate() {
		return nil
	}
	for _, holds := range []func() *Violation{c.blocks, c.printed, c.columns, c.hidden, c.actionOrder} {
		if r := holds(); r != nil {
			return r
		}
	}
	return nil
}

// blocks holds that no block stands more often than in each version: what both sides added
// stands once.
func (c *checker) blocks() *Violation {
	if len(c.Conflicts) > 0 {
		return nil
	}
	said := facts.Bag[string]{}
	for v, f := range c.facts {
		for _, b := range f.Blocks {
			said.Add(version(v), b.Said)
		}
	}
	for _, b := range c.facts[result].Blocks {
		if n := said[b.Said]; n.More() {
			line, _, _ := strings.Cut(b.Said, "}}")
			return c.violationAt(c.behind(b.Off), "", "the block %s}} stands %d times, not %d times", line, n[result], n.Most())
		}
	}
	return nil
}

// behind is the first entry of the result behind off, or the last one.
func (c *checker) behind(off int) (e *syntax.Entry) {
	c.docs[result].Each(func(n *node) {
		if n.Entry != nil && (e == nil || e.Start < off) {
			e = n.Entry
		}
	})
	return e
}

// printed holds that no line prints the same below an entry more often than in each version.
func (c *checker) printed() *Violation {
	if len(c.Conflicts) > 0 {
		return nil
	}
	type at struct {
		home   uint64
		prints string
	}
	over := func(n counts) bool { return n[result] > max(n[base], n[ours], n[theirs]) }
	n := facts.Bag[at]{}
	for v, f := range c.facts { // the result is the last
		for _, l := range f.Lines {
			if l.Prints == "" {
				continue
			}
			anywhere := at{prints: l.Prints}
			n.Add(version(v), anywhere)
			if l.Above == nil {
				continue
			}
			here := at{c.home(version(v), l.Above.Start), l.Prints}
			n.Add(version(v), here)
			if version(v) == result && over(n[anywhere]) && over(n[here]) {
				return c.violationAt(l.Above, l.Said, "%q prints more often than in each version", l.Prints)
			}
		}
	}
	return nil
}

// columns holds that an action that says how far it indents stands in the column in which it
// does in a version: elsewhere it would print to the wrong place.
func (c *checker) columns() *Violation {
	f := c.facts
	for _, x := range slices.SortedFunc(maps.Keys(f[result].Prints), template.Print.Compare) {
		e := f[result].Prints[x]
		_, ofO := f[base].Prints[x]
		_, ofD := f[ours].Prints[x]
		if _, ofU := f[theirs].Prints[x]; !ofO && !ofD && !ofU {
			return c.violationAt(e, "", "%q prints where it does in no version", x.Said)
		}
	}
	return nil
}

// hidden holds that no key stands beside a block that merges as lines and has it too, if that
// is so in no version.
func (c *checker) hidden() *Violation {
	var doubled [versions]map[uint64]*syntax.Entry
	below := map[uint64]bool{} // what stands below which entry
	for v, f := range c.facts {
		doubled[v] = map[uint64]*syntax.Entry{}
		for _, l := range f.Lines {
			if l.Key == "" || l.Above == nil {
				continue
			}
			here := facts.Mix(c.home(facts.Version(v), l.Above.Start), facts.Hash(l.Said))
			if facts.Version(v) == result && !below[here] {
				return c.violationAt(l.Above, "", "%q stands below another entry than in the versions", l.Said)
			}
			below[here] = true
			home, key := uint64(0), facts.Hash("="+l.Key)
			for n := range c.docs[v].Down(l.Above.Start) {
				if n != c.docs[v] {
					home = c.below(n, home)
				}
				kids := n.Kids
				for i := range kids {
					if kids[i].ID == key {
						doubled[v][facts.Mix(home, key)] = kids[i].Entry
					}
				}
			}
		}
	}
	var first *syntax.Entry
	for addr, e := range doubled[result] {
		if doubled[base][addr] == nil && doubled[ours][addr] == nil && doubled[theirs][addr] == nil && (first == nil || e.Start < first.Start) {
			first = e
		}
	}
	if first != nil {
		return c.violationAt(first, "", "it stands in a block of lines too")
	}
	return nil
}

// actionOrder holds that directive lines which the result shares with a side stand in the
// order of that side, unless the other side changed that order.
func (c *checker) actionOrder() *Violation {
	if len(c.Conflicts) > 0 {
		return nil
	}
	var lines [versions][]*node
	for v, f := range c.facts {
		for _, l := range f.Lines {
			lines[v] = append(lines[v], &node{Data: facts.Hash(l.Said)})
		}
	}
	for _, s := range sides {
		if !inOrder(lines[s], lines[result]) && inOrder(lines[base], lines[s.Other()]) {
			return quad{}.violation("template", "the lines of actions stand in another order than in the versions")
		}
	}
	return nil
}

// inOrder reports whether what a and b share stands in one order in both.
func inOrder(a, b []*node) bool {
	count, shared := map[uint64]int{}, 0
	for _, x := range a {
		count[x.Data]++
	}
	for _, x := range b {
		if count[x.Data]--; count[x.Data] >= 0 {
			shared++
		}
	}
	return len(facts.Common(a, b)) == shared
}

// violationAt refuses something at an entry of the result, or about a line.
func (c *checker) violationAt(e *syntax.Entry, line, format string, a ...any) *Violation {
	var q quad
	if e != nil {
		q = c.standing(c.home(result, e.Start))
	}
	r := q.violation("template", format, a...)
	r.Subject = line
	return r
}
