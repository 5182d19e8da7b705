package law

import (
	"fmt"
	"strings"
	"testing"
)

// TestFold: what is folded has the sums that it has else, and what is in it too.
func TestFold(t *testing.T) {
	var b strings.Builder
	for i := range 3 * many {
		fmt.Fprintf(&b, "- a: %d # c\n  b: [x, {y: %[1]d}]\n  # d\n- x\n- c:\n  - &a%[1]d z\n  - *a%[1]d\n", i)
	}
	s := parse(t, b.String())
	cuts := []cut{{Span: s.Docs[0].Root.Entries[3].Span, lent: dest}, {Span: s.Docs[0].Root.Entries[8].Value.Entries[0].Span}}
	folded := readStream(s, result, cuts, nil)
	whole := &node{Node: s.Docs[0].Root}
	r := &reader{file: s.File, v: result, cuts: cuts}
	r.open = true
	r.read(whole, s.Docs[0].Root, 0, folded.kept[0].addr)
	r.mark(whole, s.Docs[0].Root.Span)
	var all []*node
	whole.each(func(n *node) { all = append(all, n) })
	count := 0
	folded.kept[0].each(func(n *node) {
		m := all[0]
		all = all[1:]
		if n.folded {
			count++
		}
		if n.size() != m.size() || n.part != m.part || n.gone != m.gone || n.lent != m.lent || n.weight != m.weight || n.indent != m.indent ||
			[...]uint64{n.id, n.key, n.bare, n.data, n.head, n.form, n.notes, n.addr} != [...]uint64{m.id, m.key, m.bare, m.data, m.head, m.form, m.notes, m.addr} {
			t.Errorf("%q is another node folded", n.src())
		}
	})
	if count != 6*many || len(all) > 0 {
		t.Errorf("%d folded, %d left", count, len(all))
	}
}
