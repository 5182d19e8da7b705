package template

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// facts returns those of r, numbered in l.
func (r *Reading) facts(l *ledger) *facts {
	f := &facts{ledger: l, entries: make([]entry, 0, r.entries+len(r.Stream.Docs)), hidden: map[string]bool{}, indents: map[indent]int{}}
	w := factWalk{r: r, f: f}
	for i, d := range r.Stream.Docs {
		f.entries = append(f.entries, entry{path: r.document(i, d)})
		w.last = len(f.entries) - 1
		w.node(d.Root, w.last, nil)
	}
	w.upTo(len(r.data))
	return f
}

// A factWalk goes over a file from its start to its end.
type factWalk struct {
	r      *Reading
	f      *facts
	next   int  // the first directive line that is not passed
	action int  // and the first action
	last   int  // the last entry
	empty  bool // it has no value of its own
}

func (w *factWalk) node(n *syntax.Node, up int, around *frame) {
	for _, e := range n.Entries {
		w.upTo(e.Start)
		in, i := w.in(), len(w.f.entries)
		w.f.entries = append(w.f.entries, entry{Entry: e, up: up, in: in})
		for _, level := range in.levels(around) {
			w.f.add(guards, fact{path: w.f.path(i), said: level}, e.Start)
		}
		w.last, w.empty = i, e.Value.Content.Empty()
		w.node(e.Value, i, in)
	}
}

// in is the frame in which the walk is.
func (w *factWalk) in() *frame {
	if w.action == 0 {
		return nil
	}
	return w.r.nest.after[w.action-1]
}

// upTo goes over the actions and the directive lines that stand before off.
func (w *factWalk) upTo(off int) {
	for ; w.action < len(w.r.actions) && w.r.actions[w.action].Start < off; w.action++ {
		if w.r.printing[w.action] != natural {
			w.indents(w.r.actions[w.action])
		}
	}
	for ; w.next < len(w.r.directives) && w.r.directives[w.next].Start < off; w.next++ {
		w.directive(w.r.directives[w.next])
	}
}

// indents notes an action that says how far it indents.
func (w *factWalk) indents(a action) {
	before := w.r.data[bytes.LastIndexByte(w.r.data[:a.Start], '\n')+1 : a.Start]
	x := indent{a.said, len(before) - len(bytes.TrimLeft(before, " "))}
	if _, ok := w.f.indents[x]; !ok {
		w.f.indents[x] = w.last
	}
}

// directive notes a directive line.
func (w *factWalk) directive(d line) {
	said := w.r.said(d)
	w.f.lines = append(w.f.lines, said)
	w.f.add(lines, fact{said: said, of: w.r.closes(d)}, d.Start)
	if w.empty && !d.remark && w.r.printed(d) != "" {
		w.f.add(prints, fact{path: w.f.path(w.last), said: said}, d.Start)
	}
	if d.use == asClosed && d.shape == content {
		w.hides(said)
	}
}

// closes is what opened the blocks that a directive line divides or closes.
func (r *Reading) closes(d line) (opened string) {
	for i := d.first; i < d.last; i++ {
		if k := r.actions[i].kind; k != divides && k != closes || i == 0 || r.nest.after[i-1] == nil {
			continue
		}
		opened += r.actions[r.nest.after[i-1].block].said + "\n"
	}
	return opened
}

// hides notes the key of a line that merges as a comment.
func (w *factWalk) hides(said string) {
	key, _, ok := strings.Cut(strings.TrimLeft(said, "- "), ":")
	if !ok || strings.ContainsAny(key, " {}") {
		return
	}
	key = strings.Trim(key, `"'`)
	for i := w.last; ; i = w.f.entries[i].up {
		w.f.hidden[field(w.f.path(i), key)] = true
		if w.f.entries[i].Entry == nil {
			return
		}
	}
}

// doubled are the paths of the entries that stand in lines that merge as comments
// too.
func (f *facts) doubled() map[string]bool {
	all := map[string]bool{}
	if len(f.hidden) > 0 {
		f.each(func(_ *entry, path string) bool {
			if f.hidden[path] {
				all[path] = true
			}
			return true
		})
	}
	return all
}
