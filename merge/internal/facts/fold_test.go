package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestFold: what is folded has the sums that it has else, and what is in it too.
func TestFold(t *testing.T) {
	var b strings.Builder
	for i := range 3 * many {
		fmt.Fprintf(&b, "- a: %d # c\n  b: [x, {y: %[1]d}]\n  # d\n- x\n- c:\n  - &a%[1]d z\n  - *a%[1]d\n", i)
	}
	s := parse(t, b.String())
	cuts := []Mask{{Span: s.Docs[0].Root.Entries[3].Span, For: Ours}, {Span: s.Docs[0].Root.Entries[8].Value.Entries[0].Span}}
	folded := Read(s, Result, cuts, nil)
	whole := &Node{Node: s.Docs[0].Root}
	r := &reader{file: s.File, v: Result, masks: cuts}
	r.open = true
	r.read(whole, s.Docs[0].Root, 0, folded.Kept[0].Addr)
	r.mark(whole, s.Docs[0].Root.Span)
	var all []*Node
	whole.Each(func(n *Node) { all = append(all, n) })
	count := 0
	folded.Kept[0].Each(func(n *Node) {
		m := all[0]
		all = all[1:]
		if n.folded {
			count++
		}
		if n.Size() != m.Size() || n.Partial != m.Partial || n.Masked != m.Masked || n.For != m.For || n.weight != m.weight || n.Inset != m.Inset ||
			[...]uint64{n.ID, n.Key, n.Bare, n.Data, n.Head, n.Form, n.notes, n.Addr} != [...]uint64{m.ID, m.Key, m.Bare, m.Data, m.Head, m.Form, m.notes, m.Addr} {
			t.Errorf("%q is another node folded", n.src())
		}
	})
	if count != 6*many || len(all) > 0 {
		t.Errorf("%d folded, %d left", count, len(all))
	}
}

func parse(t *testing.T, src string) *syntax.Stream {
	t.Helper()
	s, err := syntax.Parse(text.New([]byte(src)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
