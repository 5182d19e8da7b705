package template

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"text/template/parse"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Breach is a rule that a merge of templates breaks.
type Breach struct {
	Path   string // of the entry that it is about, "" if there is none
	Line   string // the directive line that it is about, "" if there is none
	Detail string
}

func (b *Breach) Error() string {
	if b.Path != "" {
		return b.Path + ": " + b.Detail
	}
	return b.Detail
}

// A Law judges merges of three templates. It reads what it judges for itself, and
// knows nothing of how a merge came about.
type Law struct {
	versions [3]*Reading
	facts    [3]*facts
	ledger   ledger
	outputs  map[string]int // how many lines print the same in a version, at most
	names    renaming       // what the sides call blocks otherwise than the base
	known    bool           // both are
	around   *around        // what stands around entries in any version, once it is asked for
	broken   *bool          // a version does not parse as a template of Go; nil until it is asked for
}

// The versions, as in the sides of a merge.
const (
	original = iota
	dest
	updated
)

// NewLaw returns the law of the merges of three versions.
func NewLaw(base, ours, theirs *Reading) *Law {
	return &Law{versions: [3]*Reading{original: base, dest: ours, updated: theirs}}
}

// look looks for the facts of the versions. Before something is judged by
// them nobody needs them.
func (l *Law) look() {
	if l.known {
		return
	}
	l.known, l.outputs = true, map[string]int{}
	for v, r := range l.versions {
		l.facts[v] = r.facts(&l.ledger)
		for said, n := range r.outputs() {
			l.outputs[said] = max(l.outputs[said], n)
		}
	}
	l.names = renamed(l.facts[original], l.facts[dest])
	other := renamed(l.facts[original], l.facts[updated])
	if l.names == nil {
		l.names = other
		return
	}
	for was, now := range other {
		if first, both := l.names[was]; both && first != now {
			delete(l.names, was)
			continue
		}
		l.names[was] = now
	}
}

// Read reads a result. What it returns is a template: its blocks are balanced, and
// it parses as a Go template where all three versions do. Else it says what is
// wrong.
func (l *Law) Read(result []byte) (*Reading, *Breach) { return l.read(result, func() {}) }

// Judge reads a result and checks what it is. The facts of the versions, which a check
// needs, are looked for while it reads.
func (l *Law) Judge(result []byte, check func(*Law, *Reading) *Breach) (*Reading, *Breach) {
	r, bad := l.read(result, l.look)
	if bad == nil {
		bad = check(l, r)
	}
	return r, bad
}

// read is Read, and does something else meanwhile.
func (l *Law) read(result []byte, meanwhile func()) (*Reading, *Breach) {
	var r *Reading
	var err, bad error
	parallel.Do(
		func() { r, err = readLoosely(l.versions[original].reader, text.New(result)) },
		func() { bad = parsed(result); meanwhile() },
	)
	if err != nil {
		return nil, &Breach{Detail: err.Error()}
	}
	if err = r.unbalanced; err == nil && bad != nil && !l.anyBroken() {
		err = bad
	}
	if err != nil {
		l.look()
		return nil, &Breach{Path: l.astray(r, r.facts(&l.ledger)), Detail: err.Error()}
	}
	return r, nil
}

// anyBroken reports whether a version does not parse as a Go template.
func (l *Law) anyBroken() bool {
	if l.broken == nil {
		broken := slices.ContainsFunc(l.versions[:], func(r *Reading) bool { return parsed(r.data) != nil })
		l.broken = &broken
	}
	return *l.broken
}

// Check returns the rule that a result breaks, nil if none. It holds if it has the
// changes of both sides, and no others, in the guards of its entries, in its
// directive lines, in their order, and in which entry they print into. Which of the
// versions a line is from does not matter.
func (l *Law) Check(result *Reading) *Breach {
	l.look()
	f := result.facts(&l.ledger)
	for _, kind := range kinds {
		if b := l.changes(kind, f, [3][]text.Span{}, l.facts[original].of[kind], l.facts[dest].of[kind], l.facts[updated].of[kind], f.of[kind]); b != nil {
			return b
		}
	}
	if b := cmp.Or(l.twice(result, f), l.printed(result, f)); b != nil {
		return b
	}
	if b := l.stands(f); b != nil {
		return b
	}
	return l.order(f)
}

// stands holds what is so of a result with conflicts too.
func (l *Law) stands(f *facts) *Breach {
	if b := l.doubled(f); b != nil {
		return b
	}
	return l.indented(f)
}

// indented holds that an action that says how far it indents stands in the column in
// which it does in a version: elsewhere it would print to the wrong place.
func (l *Law) indented(result *facts) *Breach {
	for _, x := range slices.SortedFunc(maps.Keys(result.indents), indent.compare) {
		if !slices.ContainsFunc(l.facts[:], func(v *facts) bool { _, ok := v.indents[x]; return ok }) {
			return &Breach{Path: result.path(result.indents[x]), Detail: fmt.Sprintf("%q prints where it does in no version", x.said)}
		}
	}
	return nil
}

// doubled holds that no key stands beside a block that merges as lines and has it
// too, if that is so in no version.
func (l *Law) doubled(result *facts) *Breach {
	all := result.doubled()
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if !slices.ContainsFunc(l.facts[:], func(v *facts) bool { return v.doubled()[path] }) {
			return &Breach{Path: path, Detail: "it stands in a block of lines too"}
		}
	}
	return nil
}

// CheckSide is Check of a result with conflicts, in which the text of side stands
// (1 is ours, 2 is theirs) where they are open: of each version the given spans.
// What is in there does not count, nor does the order of lines.
func (l *Law) CheckSide(result *Reading, side int, open [3][]text.Span) *Breach {
	l.look()
	f := result.facts(&l.ledger)
	for _, kind := range kinds {
		var left [3]bag
		for v := range left {
			left[v] = l.facts[v].of[kind].less(l.facts[v].within(kind, open[v]))
		}
		chosen := l.facts[side].within(kind, open[side])
		if b := l.changes(kind, f, open, left[original], left[dest], left[updated], f.of[kind].less(chosen)); b != nil {
			return b
		}
	}
	return l.stands(f)
}

// changes holds that r changed facts of a kind as the sides did, together; the guards
// of entries that stand in the result.
func (l *Law) changes(kind factKind, result *facts, open [3][]text.Span, o, d, u, r bag) *Breach {
	var wraps bag
	if kind == guards {
		for _, b := range [...]*bag{&o, &d, &u, &r} {
			*b = l.names.apply(*b, &l.ledger)
		}
		wraps = l.names.apply(l.wraps(open), &l.ledger)
	}
	for _, v := range [...]bag{o, d, u, r, wraps} {
		for _, i := range v.order {
			was := o.count(i)
			least, most := together(d.count(i)-was, u.count(i)-was)
			least, most = least+wraps.count(i), most+wraps.count(i)
			n := r.count(i) - was
			if n >= least && n <= most {
				continue
			}
			if f := l.ledger.facts[i]; kind != guards || result.stands(f.path) { // else the law of entries says whether it should
				return l.breach(kind, f, result, was+n, was+least)
			}
		}
	}
	return nil
}

// together is how often what one side changed d times and the other u times may
// have changed: what both did counts once, or once for each.
func together(d, u int) (least, most int) {
	switch {
	case d > 0 && u > 0:
		return max(d, u), d + u
	case d < 0 && u < 0:
		return d + u, min(d, u)
	}
	return d + u, d + u
}

func (l *Law) breach(kind factKind, f fact, result *facts, found, want int) *Breach {
	b := &Breach{Path: f.path, Detail: fmt.Sprintf("%q stands %d times, not %d times", f.said, found, want)}
	switch {
	case kind == guards:
		b.Detail = fmt.Sprintf("under %q %d times, not %d times", f.said, found, want)
	case f.of == "":
		b.Line = f.said
	default: // many lines say the same
		for _, v := range append([]*facts{result}, l.facts[:]...) {
			if b.Path = v.above(f); b.Path != "" {
				return b
			}
		}
	}
	return b
}

// above is the path of the entry above the last line of actions that is f, "" if there
// is none.
func (f *facts) above(x fact) (path string) {
	off := -1
	for _, p := range f.at[lines] {
		if f.facts[p.number] == x {
			off = p.off
		}
	}
	f.each(func(e *entry, p string) bool {
		if e.Start < off {
			path = p
		}
		return e.Start < off
	})
	return path
}

// order holds that directive lines which the result shares with a side stand in
// the order of that side, unless the other side changed that order.
func (l *Law) order(result *facts) *Breach {
	for _, s := range [...]int{dest, updated} {
		if !inOrder(l.facts[s].lines, result.lines) && inOrder(l.facts[original].lines, l.facts[dest+updated-s].lines) {
			return &Breach{Detail: "the lines of actions stand in another order than in the versions"}
		}
	}
	return nil
}

// parsed returns why b is no template of Go. Functions are not looked up.
func parsed(b []byte) error {
	t := parse.New("file")
	t.Mode = parse.SkipFuncCheck
	_, err := t.Parse(string(b), "", "", map[string]*parse.Tree{})
	return err
}
