package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Walker makes the plan of a merge from three parsed versions.
type Walker struct {
	*pair.Matcher
	*Versions
	// Deep compares no bytes: it descends to the leaves.
	Deep bool
	// Sealed says that SOPS encrypted the versions.
	Sealed   bool
	contests contests
	made     *Merge
}

// New returns what makes the plan of the merge of streams, as known pairs
// what they have.
func New(streams [3]*syntax.Stream, known *pair.Matcher) *Walker {
	w := &Walker{Matcher: known, Versions: NewVersions(streams)}
	known.Lines = &pair.Lines{Files: w.Files}
	return w
}

// A Merge is the plan of a merge, and what was decided on the way.
type Merge struct {
	Documents []*Document
	United    []United   // the lists that policies decided
	Followed  []Followed // the renames of one side that the changes of the other followed
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan. Of ConflictMultiplied the plan is the one with the edits of both sides.
func (w *Walker) value(v three.Nodes, in scope) (*Value, ConflictKind) {
	if s, ok := three.PickBy(func(a, b three.Version) bool { return !in.deep && w.SameNode(v, a, b) }); ok && !w.Undoes(s, v[s].Span) {
		return &Value{V: v, Form: s, Props: s}, ""
	}
	if k := v[three.Dest].Kind; k == v[three.Updated].Kind && (k == syntax.Mapping || k == syntax.Sequence) {
		return w.collection(v, in)
	}
	return w.leaf(v, in)
}

// collection merges two mappings or two lists. A base of another kind counts
// as empty.
func (w *Walker) collection(v three.Nodes, in scope) (*Value, ConflictKind) {
	props, ok := w.PickProperties(v)
	if !ok {
		return nil, ConflictValue
	}
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	m := &Value{V: v, Props: props, Merged: true}
	merge := w.list
	if v[three.Dest].Kind == syntax.Mapping {
		merge = w.mapping
	}
	all, kind := merge(v, in)
	if kind != "" {
		return nil, kind
	}
	for _, c := range all {
		if c.Gone {
			m.Gone = append(m.Gone, c)
		} else {
			m.Kids = append(m.Kids, c)
		}
	}
	if w.movedOut(v, m.Kids) {
		return nil, ConflictDeleteModify
	}
	m.Form = w.Collection(m, in.cols)
	if v[m.Form].Style == syntax.Flow {
		return w.flow(m, in)
	}
	m.Tail = w.trivia(w.Tail(v))
	return m, ""
}

// movedOut reports whether one side moved all that is in v elsewhere, and left v empty, to which the other side added something: it is
// not certain that this is to be where nothing is left.
func (w *Walker) movedOut(v three.Nodes, kids []*Child) bool {
	o := v[three.Original]
	if o == nil || len(o.Entries) == 0 || len(kids) == 0 {
		return false
	}
	for _, s := range three.Sides {
		if len(v[s].Entries) == 0 && w.Lines.KeepsMostLines(s, text.Span{Start: o.Entries[0].Start, End: o.Span.End}) {
			return true
		}
	}
	return false
}

// mapping merges the fields of mappings by key.
func (w *Walker) mapping(v three.Nodes, in scope) ([]*Child, ConflictKind) {
	p := in.path
	in = in.inside(v, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) })
	kids := w.steps(w.Pair(w.KeyedElems(v, (*syntax.Entry).FieldKey)), in)
	if !w.exclude(kids, v, in) {
		return nil, ConflictAddAdd
	}
	return kids, ""
}

// list merges lists by what is known of them.
func (w *Walker) list(v three.Nodes, in scope) ([]*Child, ConflictKind) {
	items := w.PairItems(v, in.path)
	l, steps := items.Rule, items.Steps
	switch {
	case items.AreResources, l.Kind == schema.Set:
	case l.Kind == schema.Map:
		in.guessed = l.Guessed()
		w.follow(steps, in.path, func(s three.Version, i int) (string, *syntax.Node) {
			n := v[s].Entries[i].Value
			return l.Label(n), n
		})
	case l.Kind == schema.Atomic:
		if _, ok := three.PickFunc(v, w.Hasher.Equal); !ok {
			return nil, ConflictList
		}
		fallthrough
	default:
		steps = w.united(v, in.path, steps)
	}
	return w.steps(steps, in.inside(v, items.ItemPath)), ""
}

// steps turns the paired entries of three collections into plans.
func (w *Walker) steps(steps []pair.Step, in scope) []*Child {
	in.gaps = entryGaps(steps, in.of)
	out := make([]*Child, 0, len(steps))
	for _, st := range steps {
		var c *Child
		if st.Conflict != pair.NoConflict {
			c = w.clash(st, in)
		} else {
			c = w.entry(st.Entries(in.of), in)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	// An empty file has a document, whose fields merge.
	if in.of[three.Original] != nil || !in.inner && !w.MultiDocument {
		return out
	}
	clean := !slices.ContainsFunc(out, func(c *Child) bool { return c.Clash != nil })
	if !clean || !w.Rules.Names(in.path.Place(), in.of[:]...) {
		in.contestAdded(out)
	}
	return out
}

// entry merges one field or item of the collections v; nil means that both
// sides deleted it.
func (w *Walker) entry(at three.Entries, in scope) *Child {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if d == nil && u == nil {
		return nil
	}
	if kind := contested(w.contests, at); kind != "" {
		return in.conflict(at, kind)
	}
	if w.wrapped(at) {
		c := in.conflict(at, ConflictReplace)
		c.Clash.Whole = true
		return c
	}
	switch {
	case o == nil && u == nil:
		return w.added(at, three.Dest, in)
	case o == nil && d == nil:
		return w.added(at, three.Updated, in)
	case d == nil:
		return w.deleted(at, three.Updated, in)
	case u == nil:
		return w.deleted(at, three.Dest, in)
	}
	return w.merged(at, in)
}

// wrapped reports whether at is a list item that a side put inside of one of the same name, and that the other side changed.
func (w *Walker) wrapped(at three.Entries) bool {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if o == nil || d == nil || u == nil || o.Key != nil || w.Hasher.Equal(o.Value, d.Value) || w.Hasher.Equal(o.Value, u.Value) {
		return false
	}
	return w.Hasher.Wraps(d.Value, o.Value) || w.Hasher.Wraps(u.Value, o.Value)
}

// merged merges an entry that both sides have.
func (w *Walker) merged(at three.Entries, in scope) *Child {
	same := func(a, b three.Version) bool {
		return !in.deep && !respaced(in.gaps, at) && w.SameEntry(at, in.of, a, b)
	}
	if s, ok := three.PickBy(same); ok && !w.Undoes(s, at[s].Span) {
		return &Child{At: at, Whole: s}
	}
	c := &Child{At: at, Path: in.name(at)}
	if in.guessed && w.twoAdded(at.Values()) {
		return c.Contest(ConflictAddAdd)
	}
	c.Lead, c.Foot = w.trivia(w.lead(at, in)), w.trivia(w.Foot(at, in.of))
	c.Comment = w.remark(at)
	var ok bool
	if c.Key, ok = w.key(at); !ok {
		return c.Contest(ConflictReplace)
	}
	var kind ConflictKind
	detail := w.multiplied(at.Values(), c.Path)
	c.Value, kind = w.value(at.Values(), in.below(c))
	if kind == ConflictMultiplied {
		detail, kind = c.Value.Detail, ""
	}
	if kind != "" {
		if detail != "" {
			kind = ConflictMultiplied
		}
		c.Contest(kind)
		c.Clash.Detail = detail
		c.Clash.Bare = !c.Lead.Clashes() && !c.Foot.Clashes() // merged comments stand outside of the markers
		return c
	}
	if c.Head, ok = w.oddHead(c); !ok || c.Value.Spread() && (c.Comment.Clash || c.Head != three.Original) {
		return c.Contest(ConflictValue)
	}
	if detail != "" {
		both := *c
		c.Value = nil
		c.Contest(ConflictMultiplied)
		c.Clash.Detail, c.Clash.Both = detail, &both
	}
	return c
}

// A scope is where the walk is. It goes down with the walk by value, so that what
// an entry says of what it holds ends with it.
type scope struct {
	path  *three.Path
	cols  [3]int // the column of the entry at hand in each version
	deep  bool   // compare no bytes: descend to the leaves
	inner bool   // it stands in an entry, not at the root of a document

	of   three.Nodes                     // the collection whose entries are merged
	name func(three.Entries) *three.Path // spells the path of one of them

	guessed bool // the key of the list around the entry at hand is inferred, and no name

	gaps map[*syntax.Entry]gap[syntax.Entry] // of those entries of of whose blank lines are not their own
}

// inside is the scope of the entries of v.
func (in scope) inside(v three.Nodes, name func(three.Entries) *three.Path) scope {
	in.of, in.name = v, name
	return in
}

// below is the scope of what the entry c of the collection at hand holds.
func (in scope) below(c *Child) scope {
	in.inner, in.path, in.guessed = true, c.Path, false
	for s, n := range in.of {
		if n != nil {
			in.cols[s] = max(n.Indent, 0)
		}
	}
	return in
}

// Merge makes the plan of a whole stream, in which what is contested is in conflict.
func (w *Walker) Merge(c Contested) *Merge {
	w.made, w.contests = &Merge{}, contests{}
	for _, s := range c {
		w.contests.add(s, ConflictRefused)
	}
	w.made.Documents = w.docSteps(w.pairDocuments())
	return w.made
}

// pairDocuments are the documents of the streams, and which of them are the same.
func (w *Walker) pairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	if docs, steps = w.PairSingleDocuments(w.Streams); steps != nil {
		return docs, steps
	}
	steps = w.Pair(w.DocumentElems(docs))
	w.follow(steps, nil, func(s three.Version, i int) (string, *syntax.Node) {
		n := docs[s][i].Root
		return schema.ResourceTitle(n), n
	})
	return docs, steps
}

func (w *Walker) docSteps(docs [3][]*syntax.Document, steps []pair.Step) []*Document {
	var out []*Document
	gaps := docGapsOf(steps, docs)
	for _, st := range steps {
		var p *Document
		if st.Conflict != pair.NoConflict {
			p = &Document{Clash: &DocClash{Kind: kindOf(st.Conflict)}, Path: &three.Path{Root: &schema.Place{File: w.File}}}
			for s, run := range st.Runs {
				for _, i := range run {
					p.Clash.Runs[s] = append(p.Clash.Runs[s], docs[s][i])
				}
			}
		} else {
			p = w.document(pair.Elements(st, docs), st.Index, gaps)
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// document merges one document; nil means that it is deleted.
func (w *Walker) document(at [3]*syntax.Document, index [3]int, gaps docGaps) *Document {
	p := &Document{At: at}
	if at[three.Dest] == nil || at[three.Updated] == nil {
		return w.oneSided(p, index)
	}
	same := func(a, b three.Version) bool {
		x, y := at[a], at[b]
		return !w.Deep && !gaps.respaced(at) && x != nil && y != nil && bytes.Equal(w.Bytes(a, x.Span), w.Bytes(b, y.Span))
	}
	if s, ok := three.PickBy(same); ok {
		p.Whole = s
		return p
	}
	p.Path = w.DocumentPath(at, index)
	if w.Sealed {
		w.seal(at)
	}
	if kind := contested(w.contests, at); kind != "" {
		return p.Contest(kind)
	}
	return w.mergedDoc(p, gaps)
}

// oneSided merges a document that dest or updated lacks: it was added, or deleted
// by one or both; a conflict where the other side changed it.
func (w *Walker) oneSided(p *Document, index [3]int) *Document {
	o, s := p.At[three.Original], three.Dest
	if p.At[s] == nil {
		s = three.Updated
	}
	x := p.At[s]
	if x == nil {
		return nil
	}
	p.Whole = s
	if o == nil {
		return p
	}
	p.Path = w.DocumentPath(p.At, index)
	if w.Hasher.Equal(o.Root, x.Root) && !w.AddedComments(o.Span, s, x.Span) {
		return nil
	}
	return p.Contest(ConflictDeleteModify)
}

// mergedDoc merges a document that both sides have.
func (w *Walker) mergedDoc(p *Document, gaps docGaps) *Document {
	var v three.Nodes
	lined := true
	for s, d := range p.At {
		if d != nil {
			v[s] = d.Root
			lined = lined && w.Lined(three.Version(s), d)
		}
	}
	var kind ConflictKind
	detail := w.multiplied(v, p.Path)
	p.Root, kind = w.value(v, scope{path: p.Path, deep: w.Deep})
	if kind == ConflictMultiplied {
		detail, kind = p.Root.Detail, ""
	}
	if kind != "" {
		if detail != "" {
			kind = ConflictMultiplied
		}
		p.Contest(kind)
		p.Clash.Detail = detail
		return p
	}
	if lined {
		p.Head = w.trivia(spaced(w.Head(p.At), p.At, gaps.above, w.Head, afterMarker))
		p.Foot = w.trivia(spaced(w.Below(p.At), p.At, gaps.below, w.Below, trailing))
	} else if p.Root.Lines != nil || !w.frame(p) {
		return p.Contest(ConflictValue)
	}
	if detail != "" {
		both := *p
		p.Root = nil
		p.Contest(ConflictMultiplied)
		p.Clash.Detail, p.Clash.Both = detail, &both
	}
	return p
}

// frame chooses the head and foot of a document whose root shares its lines
// with them. It reports false where they cannot be chosen as a whole.
func (w *Walker) frame(p *Document) bool {
	var head, foot bool
	p.Form, head = three.PickFunc(w.Texts(p.At, HeadOf), bytes.Equal)
	p.FootForm, foot = three.PickFunc(w.Texts(p.At, FootOf), bytes.Equal)
	flows := p.Root.Flows() || p.Root.Spread()
	return head && foot && (flows || w.Framed(p))
}
