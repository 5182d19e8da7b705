package verify

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Whoever made a result, and however its parts came together: no mapping has a key twice,
// no keyed list an item, and no file a resource, unless a version has it twice there. This
// knows of no claims; a thing is at its address.

// sound looks for what stands twice.
func (c *checker) sound() *Violation {
	if r := c.json(); r != nil {
		return r
	}
	if !c.isTemplate() { // of which blocks choose documents
		if r := c.twice(c.docs, facts.ResourceID); r != nil {
			return r
		}
	}
	return c.soundIn(nil, c.docs)
}

// soundIn looks at what is in q[result], beside what the versions have there.
func (c *checker) soundIn(at *place, q quad) *Violation {
	known := map[uint64]bool{} // what a version has there, it may have
	for _, n := range q[:result] {
		for _, k := range n.Inside() {
			known[facts.Mix(k.ID, k.Data)] = true
		}
	}
	kids, nth := q[result].Kids, map[uint64]int{}
	index := sync.OnceValue(func() (all [result]map[uint64][]*node) {
		for v := range all {
			all[v] = q[v].ByName()
		}
		return all
	})
	for i := range kids {
		k := &kids[i]
		name := k.Called()
		nth[name]++
		if len(k.Kids) == 0 || known[facts.Mix(k.ID, k.Data)] {
			continue
		}
		in := quad{result: k}
		for v, names := range index() {
			if same := names[name]; len(same) > 0 {
				in[v] = same[min(nth[name], len(same))-1]
			}
		}
		below := at.below(k, q)
		r := c.twice(in, c.idIn(below, in))
		if r == nil && slices.ContainsFunc(k.Entries, func(e *syntax.Entry) bool { return len(e.Value.Entries) > 0 }) {
			r = c.soundIn(below, in)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// idIn is what no two entries of q may have in common; nil where there is no such thing.
func (c *checker) idIn(at *place, q quad) func(*node) uint64 {
	r := q[result]
	switch {
	case r.Kind == syntax.Mapping:
		return func(n *node) uint64 {
			if n.Entry.Key.Tag == "!!merge" {
				return 0
			}
			return n.ID
		}
	case r.Kind != syntax.Sequence || len(r.Kids) < 2:
		return nil
	case at.isItems():
		return facts.ResourceID
	}
	l, ok := c.Rules.Known(at.schema(c.File))
	if !ok || l.Kind != schema.Map {
		return nil
	}
	return func(n *node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return facts.Hash(x)
		}
		return 0
	}
}

// twice refuses what q[result] has more often than each version, by id.
func (c *checker) twice(q quad, id func(*node) uint64) *Violation {
	if id == nil {
		return nil
	}
	kids := q[result].Kids
	if !repeats(len(kids), func(i int) uint64 { return id(&kids[i]) }) {
		return nil
	}
	alike := func(n *node) map[uint64][]*node {
		all := map[uint64][]*node{}
		if n != nil && n.Kind == q[result].Kind {
			for i, kids := 0, n.Kids; i < len(kids); i++ {
				all[id(&kids[i])] = append(all[id(&kids[i])], &kids[i])
			}
		}
		return all
	}
	in := [versions]map[uint64][]*node{result: alike(q[result])}
	for i := range kids {
		key := id(&kids[i])
		all := in[result][key]
		if len(all) < 2 || key == 0 || all[0].Whole() != kids[i].Whole() {
			continue
		}
		for v := range result {
			if in[v] == nil {
				in[v] = alike(q[v])
			}
		}
		if c.together(all) > max(1, c.together(in[base][key]), c.together(in[ours][key]), c.together(in[theirs][key])) {
			twice := quad{result: all[1]}
			for v, n := range q[:result] {
				if same := n.ByName()[all[1].Called()]; len(same) > 0 {
					twice[v] = same[0]
				}
			}
			return twice.violation("doubled", "it appears more often than in any input")
		}
	}
	return nil
}

// mostTogether bounds how many things of one name are compared: people write a few.
const mostTogether = 64

// together is how many of all can stand at a time: those that no guards keep apart. In a page
// with conflicts, whose answers give each other their guards, only one guard is one.
func (c *checker) together(all []*node) (most int) {
	if !c.isTemplate() || len(all) > mostTogether {
		return len(all)
	}
	guard := func(n *node) []template.Level { return c.facts[n.V].Guards[n.Entry] }
	for _, n := range all {
		with := 0
		for _, m := range all {
			if facts.GuardText(guard(n)) == facts.GuardText(guard(m)) || len(c.Conflicts) == 0 && !template.Exclude(guard(n), guard(m)) {
				with++
			}
		}
		most = max(most, with)
	}
	return most
}

// kept refuses a page that, with one side taken, lacks an item that all versions
// have once: where a side moved it and its new place is in conflict, so is its old one.
// An item counts in its list alone: one elsewhere that says the same is another.
func (c *checker) kept() *Violation {
	if len(c.Conflicts) == 0 {
		return nil
	}
	count, last := facts.Bag[uint64]{}, map[uint64]quad{}
	for v, docs := range c.docs {
		docs.Each(func(n *node) {
			if n.Entry != nil && n.Entry.Key == nil {
				what := facts.Mix(n.Data, n.Addr)
				count.Add(version(v), what)
				q := last[what]
				q[v] = n
				last[what] = q
			}
		})
	}
	var first quad
	for what, n := range count {
		if q := last[what]; n.Gone() && (first[base] == nil || q[base].Entry.Start < first[base].Entry.Start) {
			first = q
		}
	}
	if first[base] == nil {
		return nil
	}
	return first.violation("kept", "all versions have %s, but the result lacks it", first[base].Show())
}

// Repeated returns a field, an item, a line of a text or a document that c.Result has more often, there and as it is,
// than each version; nil if there is none.
func Repeated(c Merge) (bad *Violation) {
	k, count := newChecker(c), facts.Bag[uint64]{}
	// said calls each with what n says: itself and, of a text, each line that is not blank.
	said := func(n *node, each func(what uint64)) {
		each(facts.Mix(n.Data, n.Addr))
		if !n.IsText() {
			return
		}
		lines, at := k.textLines(n), n.Addr
		if n.Entry != nil && n.Entry.Key == nil {
			at = 0 // its address is what it says
		}
		for i := range lines.Kids {
			if l := &lines.Kids[i]; strings.TrimSpace(l.Value) != "" {
				each(facts.Mix(l.Data, at))
			}
		}
	}
	for v, docs := range k.docs {
		docs.Each(func(n *node) {
			said(n, func(what uint64) { count.Add(version(v), what) })
		})
	}
	k.docs[result].Each(func(n *node) {
		said(n, func(what uint64) {
			if bad == nil && n != k.docs[result] && count[what].More() {
				bad = quad{result: n}.violation("doubled", "it appears more often than in any input")
			}
		})
	})
	return bad
}

// json refuses a result that is no JSON where all versions that have anything are, or has comments or
// trailing commas that none has.
func (c *checker) json() *Violation {
	said, all := false, text.Dialect(0)
	for v, f := range c.files {
		if len(bytes.TrimSpace(f.Bytes())) == 0 {
			continue
		}
		switch has, ok := f.JSON(); {
		case version(v) != result && !ok:
			return nil
		case version(v) != result:
			said, all = true, all|has
		case said && (!ok || has&^all != 0):
			return quad{}.violation("json", "the versions are JSON, it is none as they are")
		}
	}
	return nil
}
