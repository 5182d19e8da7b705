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
	// RuleSet decides in place of the default rules. Nil means the default rules.
	RuleSet RuleSet
	// IgnoreOriginal takes a side only if it is identical to the other one, and merges the format as if there
	// were no original. It is for a RuleSet.
	IgnoreOriginal bool
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
	Documents []Document
	United    []United   // the lists that policies decided
	Followed  []Followed // the renames of one side that the changes of the other followed
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan. Of ConflictMultiplied the plan is the one with the edits of both sides.
func (w *Walker) value(v three.Nodes, in scope) (*Value, ConflictKind) {
	if w.RuleSet != nil {
		if s, ok := w.RuleSet.DecideValue(v, in.path, in.dest); ok {
			return w.take(v, s, in), ""
		}
	}
	if s, ok := w.pick(func(a, b three.Version) bool { return !in.deep && w.SameNode(v, a, b) }); ok && w.canCopy(s, v[s], v[s].Span) {
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
	switch {
	case ok:
	case w.RuleSet == nil:
		return nil, ConflictValue
	default:
		props = three.Updated
	}
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	m := &Value{V: v, Props: props, Merged: true}
	all, kind := w.children(v, in)
	if kind != "" {
		return nil, kind
	}
	for _, e := range all {
		if c, ok := e.(*DeletedEntry); ok {
			m.Gone = append(m.Gone, c)
		} else {
			m.Kids = append(m.Kids, e)
		}
	}
	if w.movedOut(v, m.Kids) {
		return nil, ConflictDeleteModify
	}
	if w.IgnoreOriginal {
		m.V[three.Original] = nil
	}
	m.Form = w.Collection(m, in.cols)
	if v[m.Form].Style == syntax.Flow {
		if w.RuleSet == nil {
			return w.flow(m, in)
		}
		if s, ok := w.RuleSet.DecideFlow(m, in.path, in.dest); ok {
			return w.take(v, s, in), ""
		}
	}
	if !m.Flows() {
		m.Tail = w.trivia(w.Tail(v))
	}
	return m, ""
}

// children merges the entries of two collections of one kind, or of one that one side alone has.
func (w *Walker) children(v three.Nodes, in scope) ([]Entry, ConflictKind) {
	switch {
	case w.RuleSet != nil:
		items := w.RuleSet.PairEntries(v, in.path)
		return w.steps(items.Steps, in.inside(v, items.ItemPath)), ""
	case v[three.Dest].Kind == syntax.Mapping:
		return w.mapping(v, in)
	}
	return w.list(v, in)
}

// movedOut reports whether one side moved all that is in v elsewhere, and left v empty, to which the other side added something: it is
// not certain that this is to be where nothing is left.
func (w *Walker) movedOut(v three.Nodes, kids []Entry) bool {
	o := v[three.Original]
	if o == nil || len(o.Entries) == 0 || len(kids) == 0 || w.Lines == nil {
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
func (w *Walker) mapping(v three.Nodes, in scope) ([]Entry, ConflictKind) {
	p := in.path
	in = in.inside(v, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) })
	kids := w.steps(w.Pair(w.KeyedElems(v, (*syntax.Entry).FieldKey)), in)
	if !w.exclude(kids, v, in) {
		return nil, ConflictAddAdd
	}
	return kids, ""
}

// list merges lists by what is known of them.
func (w *Walker) list(v three.Nodes, in scope) ([]Entry, ConflictKind) {
	items := w.PairItems(v, in.path)
	l, steps := items.Rule, items.Steps
	switch {
	case items.AreResources, l.Kind == schema.Set:
	case l.Kind == schema.Map:
		in.guessed = l.IsGuess()
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
func (w *Walker) steps(steps []pair.Step, in scope) []Entry {
	in.gaps = entryGaps(steps, in.of)
	out := make([]Entry, 0, len(steps))
	for _, st := range steps {
		var c Entry
		if st.Conflict != pair.NoConflict {
			c = w.conflictOver(st, in)
		} else {
			c = w.entry(st.Entries(in.of), in)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	// An empty file has a document, whose fields merge.
	if w.RuleSet != nil || in.of[three.Original] != nil || !in.inner && !w.MultiDocument {
		return out
	}
	clean := !slices.ContainsFunc(out, isConflict)
	if !clean || !w.Rules.HasNamesAsKeys(in.path.Place(), in.of[:]...) {
		in.contestAdded(out)
	}
	return out
}

// entry merges one field or item of the collections in.of. It returns nil if both sides deleted it, or if
// the result does not have it under the rule set.
func (w *Walker) entry(at three.Entries, in scope) Entry {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if d == nil && u == nil {
		return nil
	}
	if w.RuleSet != nil {
		switch {
		case !w.RuleSet.HasEntry(at, in.of, in.name):
			return nil
		case d == nil || u == nil:
			return w.added(at, at.First(), in)
		}
		return w.merged(at, in)
	}
	if kind := contested(w.contests, at); kind != "" {
		return in.conflict(at, kind)
	}
	if w.wrapped(at) {
		c := in.conflict(at, ConflictReplace)
		c.Whole = true
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
func (w *Walker) merged(at three.Entries, in scope) Entry {
	same := func(a, b three.Version) bool {
		return !in.deep && !respaced(in.gaps, at) && w.SameEntry(at, in.of, a, b)
	}
	if s, ok := w.pick(same); ok && w.canCopy(s, at[s].Value, at[s].Span) {
		return &TakenEntry{At: at, Side: s}
	}
	values := at.Values()
	if w.IgnoreOriginal {
		at[three.Original] = nil
	}
	c := &MergedEntry{At: at, Path: in.name(at)}
	if in.guessed && w.twoAdded(values) {
		return NewEntryConflict(at, c.Path, ConflictAddAdd)
	}
	c.Lead, c.Foot = w.trivia(w.lead(at, in)), w.trivia(w.Foot(at, in.of))
	c.Comment = w.remark(at)
	var ok bool
	if c.Key, ok = w.key(at); !ok && w.RuleSet == nil {
		return NewEntryConflict(at, c.Path, ConflictReplace)
	}
	var kind ConflictKind
	detail := w.multiplied(values, c.Path)
	c.Value, kind = w.value(values, in.below(at, c.Path))
	if kind == ConflictMultiplied {
		detail, kind = c.Value.Detail, ""
	}
	if kind != "" {
		if detail != "" {
			kind = ConflictMultiplied
		}
		conflict := NewEntryConflict(at, c.Path, kind)
		conflict.Detail = detail
		if !c.Lead.Clashes() && !c.Foot.Clashes() {
			conflict.Around = &Surroundings{c.Lead, c.Foot}
		}
		return conflict
	}
	if w.RuleSet != nil {
		w.RuleSet.ChooseHead(c)
		return c
	}
	if !w.chooseHead(c) {
		return NewEntryConflict(at, c.Path, ConflictValue)
	}
	if detail != "" {
		conflict := NewEntryConflict(at, c.Path, ConflictMultiplied)
		conflict.Detail, conflict.Both = detail, c
		return conflict
	}
	return c
}

// A scope is where the walk is. It goes down with the walk by value, so that what
// an entry says of what it holds ends with it.
type scope struct {
	path  *three.Path
	cols  [3]int        // the column of the entry at hand in each version
	deep  bool          // compare no bytes: descend to the leaves
	inner bool          // it stands in an entry, not at the root of a document
	dest  *syntax.Entry // the entry at hand in dest, nil at the root of a document

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

// below returns the scope of the value of the entry at, which is at path, of the collections in.of.
func (in scope) below(at three.Entries, path *three.Path) scope {
	in.inner, in.path, in.dest, in.guessed = true, path, at[three.Dest], false
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
	if w.RuleSet != nil {
		return w.RuleSet.PairDocuments()
	}
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

func (w *Walker) docSteps(docs [3][]*syntax.Document, steps []pair.Step) []Document {
	var out []Document
	gaps := docGapsOf(steps, docs)
	for _, st := range steps {
		if st.Conflict == pair.NoConflict {
			if d := w.document(pair.Elements(st, docs), st.Index, gaps); d != nil {
				out = append(out, d)
			}
			continue
		}
		c := &DocumentConflict{Kind: kindOf(st.Conflict), Path: &three.Path{Root: &schema.Place{File: w.File}}}
		for s, run := range st.Runs {
			for _, i := range run {
				c.Runs[s] = append(c.Runs[s], docs[s][i])
			}
		}
		out = append(out, c)
	}
	return out
}

// document merges one document. It returns nil if the result has no such document.
func (w *Walker) document(at [3]*syntax.Document, index [3]int, gaps docGaps) Document {
	if w.RuleSet != nil {
		if s, ok := w.RuleSet.DecideDocument(at); ok {
			return w.takeDocument(at, s, index)
		}
	}
	if at[three.Dest] == nil || at[three.Updated] == nil {
		return w.oneSided(at, index)
	}
	same := func(a, b three.Version) bool {
		x, y := at[a], at[b]
		return !w.Deep && !gaps.respaced(at) && x != nil && y != nil && bytes.Equal(w.Bytes(a, x.Span), w.Bytes(b, y.Span))
	}
	if s, ok := w.pick(same); ok && !w.isPartial(at[s].Root) {
		return &TakenDocument{At: at, Side: s}
	}
	path := w.DocumentPath(at, index)
	if w.Sealed {
		w.seal(at)
	}
	if kind := contested(w.contests, at); kind != "" {
		return NewDocumentConflict(at, path, kind)
	}
	return w.mergedDoc(&MergedDocument{At: at, Path: path}, gaps)
}

// oneSided merges a document that dest or updated lacks. It returns the document if the other side added it, a conflict if the
// other side changed it or its comments, and nil if it is deleted.
func (w *Walker) oneSided(at [3]*syntax.Document, index [3]int) Document {
	o, s := at[three.Original], three.Dest
	if at[s] == nil {
		s = three.Updated
	}
	x := at[s]
	switch {
	case x == nil:
		return nil
	case o == nil:
		return &TakenDocument{At: at, Side: s}
	}
	path := w.DocumentPath(at, index)
	if w.Hasher.Equal(o.Root, x.Root) && !w.AddedComments(o.Span, s, x.Span) {
		return nil
	}
	return NewDocumentConflict(at, path, ConflictDeleteModify)
}

// mergedDoc merges the document p, which both sides have, and fills p. It returns p or a conflict.
func (w *Walker) mergedDoc(p *MergedDocument, gaps docGaps) Document {
	v := roots(p.At)
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
		conflict := NewDocumentConflict(p.At, p.Path, kind)
		conflict.Detail = detail
		return conflict
	}
	lined := true
	for s, d := range p.At {
		lined = lined && (d == nil || w.isLined(three.Version(s), d, p.Root))
	}
	if lined {
		p.Head = w.trivia(spaced(w.Head(p.At), p.At, gaps.above, w.Head, afterMarker))
		p.Foot = w.trivia(spaced(w.Below(p.At), p.At, gaps.below, w.Below, trailing))
	} else if w.RuleSet != nil {
		return w.RuleSet.ChooseFrame(p)
	} else if p.Root.Lines != nil || !w.chooseFrame(p) {
		return NewDocumentConflict(p.At, p.Path, ConflictValue)
	}
	if detail != "" {
		conflict := NewDocumentConflict(p.At, p.Path, ConflictMultiplied)
		conflict.Detail, conflict.Both = detail, p
		return conflict
	}
	return p
}

// chooseFrame sets the Frame of a document whose root shares its lines with what stands before and after it, and the form of the root
// that fits. It returns false if these bytes, or a form for them, cannot be chosen as a whole.
func (w *Walker) chooseFrame(p *MergedDocument) bool {
	head, headOK := three.PickFunc(w.Texts(p.At, HeadOf), bytes.Equal)
	foot, footOK := three.PickFunc(w.Texts(p.At, FootOf), bytes.Equal)
	if !headOK || !footOK {
		return false
	}
	p.Frame = &Frame{head, foot}
	if p.Root.Flows() || p.Root.Spread() {
		return true
	}
	form, ok := w.FormWithin(p)
	if ok {
		p.Root.Form = form
	}
	return ok
}
