package plan

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Walker computes the plan of a merge from three parsed versions.
type Walker struct {
	*pair.Matcher
	*Versions
	// Deep disables the comparison of bytes, so that every value is planned down to its scalars.
	Deep bool
	// RuleSet replaces the default three-way merge by other rules: those of kustomize or `kubectl apply`. Nil means the
	// three-way merge.
	RuleSet RuleSet
	// IgnoreOriginal copies a value from a side only if it is identical in both sides, and merges the format as if
	// there were no original. It is set only together with a RuleSet.
	IgnoreOriginal bool
	// Encrypted reports whether the versions are encrypted with SOPS.
	Encrypted bool
	forced    forcedKinds
	moves     moves
	result    *Merge
}

// New returns a Walker for three parsed streams. matcher matches their entries; New sets matcher.Lines.
func New(streams [3]*syntax.Stream, matcher *pair.Matcher) *Walker {
	w := &Walker{Matcher: matcher, Versions: NewVersions(streams)}
	matcher.Lines = &ident.Lines{Files: w.Files}
	return w
}

// A Merge is the plan of a merge, with a report of decisions that the user may want to know.
type Merge struct {
	Documents       []Document
	Unions          []UnionApplied   // lists with conflicts that a union policy decided
	FollowedRenames []FollowedRename // renames and moves of one side that the changes of the other side followed
	Moved           []three.Nodes    // the values of fields that were moved to another mapping, each at its place in that version
	GuessedOrders   []GuessedOrder
}

// A GuessedOrder is a list in which both sides added items at one place, and dest's are first although their order may
// matter. A rule for Path with this Kind makes it a conflict.
type GuessedOrder struct {
	Path *three.Path
	Kind string
}

// mergeValue returns the plan of a value that both sides have, or the conflict if the value has to be in conflict as a
// whole; the other result is nil. v has the versions of the value. It is copied from a side if that loses nothing, and
// otherwise merged by entries or lines.
func (w *Walker) mergeValue(v three.Nodes, sc scope) (*Value, *valueConflict) {
	if w.RuleSet != nil {
		if s, ok := w.RuleSet.DecideValue(v, sc.path, sc.destEntry).Get(); ok {
			return w.planCopy(v, s, sc), nil
		}
	}
	// copied from the side that changed its bytes, if that loses nothing
	s, ok := w.pick(func(a, b three.Version) bool { return !sc.deep && w.SameNode(v, a, b) })
	if ok && w.canCopy(s, v[s], v[s].Span) {
		return &Value{Nodes: v, FormatFrom: s, PropertiesFrom: s}, nil
	}
	kind := v[three.Dest].Kind
	if isCollection := kind == syntax.Mapping || kind == syntax.Sequence; isCollection && kind == v[three.Updated].Kind {
		return w.mergeCollection(v, sc)
	}
	return w.mergeLeaf(v, sc)
}

// mergeCollection returns the plan of a mapping or list, merged by its entries. v has its versions: both sides must
// have it, with the same kind. An original of another kind counts as missing. A conflict over the whole collection is
// returned, and no plan, if both sides changed the anchor or tag differently, if the entries demand it (mergeChildren),
// or if it cannot be written in flow style (mergeFlow).
func (w *Walker) mergeCollection(v three.Nodes, sc scope) (*Value, *valueConflict) {
	props, ok := w.PickProperties(v)
	switch {
	case !ok && w.RuleSet == nil:
		return nil, &valueConflict{kind: ConflictValue}
	case !ok:
		props = three.Updated
	}
	// An original of another kind has no entries to compare with.
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	all, conflict := w.mergeChildren(v, sc)
	if conflict != nil {
		return nil, conflict
	}
	m := &Value{Nodes: v, PropertiesFrom: props, Merged: true}
	for _, e := range all {
		if c, ok := e.(*DeletedEntry); ok {
			m.Deleted = append(m.Deleted, c)
		} else {
			m.Children = append(m.Children, e)
		}
	}
	if w.IgnoreOriginal { // the entries were compared with it, but the format is not
		m.Nodes[three.Original] = nil
	}
	m.FormatFrom = w.collectionFormat(m, sc.columns)
	if v[m.FormatFrom].Style == syntax.Flow {
		if w.RuleSet == nil {
			return w.mergeFlow(m, sc)
		}
		if s, mustCopy := w.RuleSet.DecideFlow(m, sc.path, sc.destEntry).Get(); mustCopy {
			return w.planCopy(v, s, sc), nil
		}
	}
	if !m.IsFlowText() {
		m.Tail = w.mergeTrivia(w.tailWithoutShared(w.tailSlot(v), m.Children, v), v)
	}
	return m, nil
}

// mergeChildren returns the plans of the entries of a mapping or list, in the order of the result. They include deleted
// entries and conflicts. v has the versions of the collection; a side can be missing, but all versions have the same
// kind. The conflict is not nil if the whole collection has to be in conflict.
func (w *Walker) mergeChildren(v three.Nodes, sc scope) ([]Entry, *valueConflict) {
	switch {
	case w.RuleSet != nil:
		items := w.RuleSet.PairEntries(v, sc.path)
		return w.mergeSteps(items.Steps, sc.forEntries(v, items.ItemPath)), nil
	case cmp.Or(v[three.Dest], v[three.Updated]).Kind == syntax.Mapping:
		return w.mergeMapping(v, sc)
	}
	return w.mergeList(v, sc)
}

// mergeMapping returns the plans of the fields of a mapping, with deleted fields and conflicts. v has its versions. The
// conflict is not nil if the whole mapping has to be in conflict (see conflictUnits). Repeated fields are added to
// w.forced (see forceRepeatedFields).
func (w *Walker) mergeMapping(v three.Nodes, sc scope) ([]Entry, *valueConflict) {
	fields := w.PairEntries(v, sc.path)
	sc = sc.forEntries(v, fields.ItemPath)
	w.forceRepeatedFields(v)
	return w.conflictUnits(w.mergeSteps(fields.Steps, sc), sc)
}

// mergeList returns the plans of the items of the list v, with deleted items and conflicts. The rule for the path of
// the list says how its items are paired. The conflict is a ConflictList if the rule makes the list one value and both
// sides changed it differently, and otherwise nil. Decisions that the user should know of, such as a guessed order of
// items, are added to w.result.
func (w *Walker) mergeList(v three.Nodes, sc scope) ([]Entry, *valueConflict) {
	items := w.PairEntries(v, sc.path)
	rule, steps := items.Rule, items.Steps
	guessedKind := "" // the Kind of the GuessedOrder, if the order of added items is a guess
	switch {
	case items.AreResources, rule.Kind == schema.Set: // their order does not matter
	case rule.Kind == schema.Map:
		sc.isKeyGuessed = rule.IsGuess()
		steps, guessedKind = orderAddedItems(rule, sc.path, steps)
		w.recordFollowedRenames(steps, sc.path, func(s three.Version, i int) (string, *syntax.Node) {
			n := v[s].Entries[i].Value
			return rule.Label(n), n
		})
	case rule.Kind == schema.Atomic && !w.canPick(v):
		return nil, &valueConflict{kind: ConflictList}
	default:
		_, bothAdded := pair.ConflictInsertions(steps)
		switch isDoubtful := bothAdded || slices.ContainsFunc(steps, isStepConflict); {
		case isDoubtful && w.Rules.DecisionAt(sc.path.Place()).Policy == team.Union:
			steps = w.applyUnion(v, sc.path, steps)
		case bothAdded:
			guessedKind = "atomic" // no rule says whether the order of such lists, as of strings, matters
		}
	}
	all := w.mergeSteps(steps, sc.forEntries(v, items.ItemPath))
	if guessedKind != "" && !slices.ContainsFunc(all, isAdditionConflict) { // in a conflict, the user decides the order
		w.result.GuessedOrders = append(w.result.GuessedOrders, GuessedOrder{sc.path, guessedKind})
	}
	return all, nil
}

// orderAddedItems decides what happens at places of a list at which both sides added items. steps pair the items of the
// list, with dest's before updated's at such a place; rule is the rule for the list, which has associative keys.
//
//	the order of items      result
//	matters                 the added items become conflicts in the returned steps
//	may matter              steps are unchanged; guessedKind is "ordered", for a warning
//	does not matter         steps are unchanged
//
// Without such places, steps are unchanged.
func orderAddedItems(rule schema.List, path *three.Path, steps []pair.Step) (_ []pair.Step, guessedKind string) {
	inConflict, bothAdded := pair.ConflictInsertions(steps)
	switch {
	case bothAdded && rule.OrderMatters:
		return inConflict, ""
	case bothAdded && rule.HasUnknownOrder(path.Place()):
		return steps, "ordered"
	}
	return steps, ""
}

// canPick reports whether v can be merged as one value: at most one side changed it, or both have equal values.
func (w *Walker) canPick(v three.Nodes) bool {
	_, ok := three.PickFunc(v, w.Hasher.Equal)
	return ok
}

// isAdditionConflict reports whether e is a conflict between entries that both sides added at one place.
func isAdditionConflict(e Entry) bool {
	c, ok := e.(*EntryConflict)
	return ok && c.Kind == ConflictAddAdd
}

// mergeSteps returns the plans of the entries of sc.collections. steps pair the entries, in the order of the result.
// The plans include deleted entries and conflicts. An entry that both sides deleted, or that a RuleSet omits, has no
// plan.
func (w *Walker) mergeSteps(steps []pair.Step, sc scope) []Entry {
	sc.addedComments = nil
	if w.RuleSet == nil {
		sc.addedComments = w.findAddedComments(steps, sc.collections)
	}
	out := make([]Entry, 0, len(steps))
	for _, st := range steps {
		var c Entry
		if st.Conflict != pair.NoConflict {
			c = sc.newStepConflict(st)
		} else {
			c = w.mergeEntry(st.Entries(sc.collections), sc)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	w.conflictOneSidedAdditions(out, sc)
	return out
}

// mergeEntry returns the plan of one field or item: copied from a side, merged, deleted or in conflict. at has its
// versions. It returns nil if both sides deleted the entry, or if the RuleSet omits it.
func (w *Walker) mergeEntry(at three.Entries, sc scope) Entry {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if d == nil && u == nil {
		return nil
	}
	if w.RuleSet != nil {
		switch {
		case !w.RuleSet.DecideEntry(at, sc.collections, sc.pathOf):
			return nil
		case d == nil || u == nil:
			return w.mergeAdded(at, at.First(), sc)
		}
		return w.mergeBothSides(at, sc)
	}
	if kind := forcedKind(w.forced, at); kind != "" {
		return sc.newConflict(at, kind)
	}
	if x := w.moveOf(at); x != nil {
		if o != nil { // this is the old place of the field
			return &DeletedEntry{Entries: at}
		}
		return w.mergeMoved(x, at, sc)
	}
	if w.isWrapped(at) {
		return sc.newConflict(at, ConflictReplace)
	}
	s := at.First() // a side that has it
	switch {
	case at[s.Other()] != nil:
		return w.mergeBothSides(at, sc)
	case o == nil:
		return w.mergeAdded(at, s, sc)
	case w.isChanged(at, s): // the other side deleted it
		return sc.newConflict(at, ConflictDeleteModify)
	}
	return &DeletedEntry{Entries: at}
}

// isWrapped reports whether a side put a list item into a new item around it, while the other side changed the item. at
// has the versions of the item.
//
//	original        side                        other side
//	- name: a       - name: a                   - name: a
//	  cmd: x          steps:                      cmd: y
//	                    - name: a
//	                      cmd: x
//
// That side's item contains the original item, or a similar one, at some depth. It returns false if a version is
// missing, and for fields of mappings.
func (w *Walker) isWrapped(at three.Entries) bool {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if slices.Contains(at[:], nil) || o.Key != nil {
		return false
	}
	if w.Hasher.Equal(o.Value, d.Value) || w.Hasher.Equal(o.Value, u.Value) {
		return false
	}
	return w.Hasher.Wraps(d.Value, o.Value) || w.Hasher.Wraps(u.Value, o.Value)
}

// mergeBothSides returns the plan of an entry that both sides have. at has its versions; the original may be missing.
//
//	*TakenEntry       it can be copied from a side as a whole
//	*MergedEntry      it can be merged by its parts, of which some may be in conflict
//	*EntryConflict    neither is possible
func (w *Walker) mergeBothSides(at three.Entries, sc scope) Entry {
	if s, ok := w.sideToCopy(at, sc); ok {
		return &TakenEntry{Entries: at, Side: s}
	}
	values := at.Values()
	if w.IgnoreOriginal {
		at[three.Original] = nil
	}
	c := &MergedEntry{Entries: at, Path: sc.pathOf(at), Comment: w.mergeLineComment(at)}
	if w.mayBeTwoThings(at, sc) && w.areDifferentAdditions(values) {
		return NewEntryConflict(at, c.Path, ConflictAddAdd)
	}
	c.Lead, c.Foot = w.mergeTriviaOf(at, sc)
	var canMergeKey bool
	c.Key, canMergeKey = w.mergeKey(at)
	if s, moved := sc.movedBy.Get(); moved {
		c.Key = s // the key at the new place
	} else if !canMergeKey && w.RuleSet == nil { // a RuleSet has decided that both keys are one field
		return NewEntryConflict(at, c.Path, ConflictReplace)
	}
	var conflict *valueConflict
	if c.Value, conflict = w.mergeValue(values, sc.forValue(at, c.Path)); conflict != nil {
		return newValueConflict(c, conflict)
	}
	if w.RuleSet != nil {
		w.RuleSet.ChooseHead(c)
		return c
	}
	if !w.chooseHead(c) { // the value merges, but no head can be copied before it
		return NewEntryConflict(at, c.Path, ConflictValue)
	}
	if detail := w.describeAccessConflict(values, c.Path); detail != "" {
		access := NewEntryConflict(at, c.Path, ConflictAccess)
		access.Detail, access.Both = detail, c // everything merges, but the user has to confirm the result
		return access
	}
	return c
}

// mayBeTwoThings reports whether dest's and updated's version of an entry may not be the same thing: the key by which
// they are matched is a guess, or both sides added the entry, in different blocks of a template.
func (w *Walker) mayBeTwoThings(at three.Entries, sc scope) bool {
	isAdded := w.RuleSet == nil && at[three.Original] == nil
	return sc.isKeyGuessed || isAdded && template.OwnGuard(at[three.Dest]) != template.OwnGuard(at[three.Updated])
}

// mergeTriviaOf returns the merged trivia above (lead) and below (foot) an entry that both sides have. at has its
// versions. A comment that both sides added here is left out if it belongs to a new entry of one side, next to this
// one.
func (w *Walker) mergeTriviaOf(at three.Entries, sc scope) (lead, foot Trivia) {
	above, below, _ := w.triviaWithoutShared(at, sc)
	if at[three.Original] == nil && slices.Equal(Comments(above.Lines[three.Dest]), Comments(above.Lines[three.Updated])) {
		above.Lines[three.Updated] = above.Lines[three.Dest] // the entry is where dest has it, so with its blank lines
	}
	return w.mergeTrivia(above, sc.collections), w.mergeTrivia(below, sc.collections)
}

// sideToCopy returns the side from which an entry can be copied as a whole: the side that changed its bytes, or dest.
// at has its versions; both sides must have the entry. ok is false in these cases:
//
//   - no value may be copied (sc.deep), or both sides changed the bytes differently
//   - the copy would lose a change in the entry (see canCopy)
//   - the copy would bring back a removed comment above or below the entry, or repeat one of another entry
func (w *Walker) sideToCopy(at three.Entries, sc scope) (s three.Version, ok bool) {
	s, ok = w.pick(func(a, b three.Version) bool { return !sc.deep && w.sameEntry(at, sc.collections, a, b) })
	if !ok || !w.canCopy(s, at[s].Value, at[s].Span) || w.restoresRemovedTrivia(at, s, sc.collections) {
		return s, false
	}
	_, _, isShared := w.triviaWithoutShared(at, sc)
	return s, !isShared
}

// newValueConflict returns the conflict over the entry c if its value cannot be merged, for the given reason. The
// trivia above and below c are written outside of the conflict markers if they merged without conflicts, and otherwise
// inside of them.
func newValueConflict(c *MergedEntry, reason *valueConflict) *EntryConflict {
	conflict := NewEntryConflict(c.Entries, c.Path, reason.kind)
	conflict.Detail = reason.detail
	if !c.Lead.HasConflict() && !c.Foot.HasConflict() {
		conflict.Around = &Surroundings{c.Lead, c.Foot}
	}
	return conflict
}

// A scope is the context of the entry that is being merged: its path and columns, and the collections that contain it.
// It is passed by value, so that changes for an entry apply only to that entry and its value.
type scope struct {
	path      *three.Path
	columns   [3]int        // the column of the current entry in each version
	deep      bool          // whether no value is copied because its bytes are identical
	inEntry   bool          // whether this is inside of an entry, not at the root of a document
	destEntry *syntax.Entry // the current entry in dest, nil at the root of a document

	collections three.Nodes                     // the collections with the entries that are merged
	pathOf      func(three.Entries) *three.Path // returns the path of an entry of collections

	isKeyGuessed bool // whether the associative key of the list is inferred

	movedBy three.Optional // the side that moved the current entry from another place

	addedComments map[*syntax.Entry][][]string // the comments of entries that only one side added (see findAddedComments)
}

// forEntries returns the scope for merging the entries of the collections v. pathOf returns the path of one of these
// entries.
func (sc scope) forEntries(v three.Nodes, pathOf func(three.Entries) *three.Path) scope {
	sc.collections, sc.pathOf = v, pathOf
	return sc
}

// forValue returns the scope for merging the value of an entry of sc.collections. at has the versions of the entry,
// and path is its path. The columns become those of the entry. isKeyGuessed and movedBy, which apply only to the entry
// itself, are cleared.
func (sc scope) forValue(at three.Entries, path *three.Path) scope {
	sc.inEntry, sc.path, sc.destEntry = true, path, at[three.Dest]
	sc.isKeyGuessed, sc.movedBy = false, three.Optional{}
	for s, n := range sc.collections {
		if n != nil {
			sc.columns[s] = max(n.Indent, 0)
		}
	}
	return sc
}

// Merge returns a new plan of all documents. forced are the entries and documents for which an earlier result failed
// verification; they become conflicts of the kind ConflictRefused.
//
// The first call also makes a plan to find the fields that a side moved to another mapping; later plans follow these
// moves. With a RuleSet, moves are not followed, and forced must be nil, because only comments can be in conflict.
func (w *Walker) Merge(forced ForcedConflicts) *Merge {
	if w.RuleSet == nil && !w.moves.searched {
		withoutMoves := w.mergeDocuments(nil)
		w.moves = w.findMoves(withoutMoves.Documents)
		if len(forced) == 0 && w.moves.byEntry == nil {
			return withoutMoves
		}
		w.SetMoved(w.moves.values)
	}
	return w.mergeDocuments(forced)
}

// mergeDocuments returns the plan of all documents, with conflicts over forced. It follows the moves in w.moves.
func (w *Walker) mergeDocuments(forced ForcedConflicts) *Merge {
	w.result, w.forced = &Merge{}, forcedKinds{}
	for _, c := range forced {
		addForced(w.forced, c.Entries, ConflictRefused)
		addForced(w.forced, c.Documents, ConflictRefused)
	}
	w.result.Documents = w.mergeDocumentSteps(w.pairDocuments())
	return w.result
}

// pairDocuments returns the documents of the three versions, and the steps that pair them, in the order of the result.
// A step is one document, or a conflict over several. A RuleSet pairs the documents itself, if there is one. If a side
// renamed a document that the other side changed, a FollowedRename is added to w.result.
func (w *Walker) pairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	if w.RuleSet != nil {
		return w.RuleSet.PairDocuments()
	}
	if docs, steps = w.PairSingleDocuments(w.Streams); steps != nil {
		return docs, steps
	}
	steps = w.Pair(w.DocumentElems(docs))
	w.recordFollowedRenames(steps, nil, func(s three.Version, i int) (string, *syntax.Node) {
		n := docs[s][i].Root
		return schema.ResourceTitle(n), n
	})
	return docs, steps
}

// mergeDocumentSteps returns the plans of the documents of the result. docs has the documents of each version, and
// steps pair them, in the order of the result. A deleted document has no plan. A step over several documents in
// conflict becomes one *DocumentConflict, whose Path only names the file.
func (w *Walker) mergeDocumentSteps(docs [3][]*syntax.Document, steps []pair.Step) []Document {
	var out []Document
	for _, st := range steps {
		if st.Conflict == pair.NoConflict {
			if d := w.mergeDocument(pair.Elements(st, docs), st.Index); d != nil {
				out = append(out, d)
			}
			continue
		}
		c := &DocumentConflict{Kind: conflictKind(st.Conflict), Path: &three.Path{Root: &schema.Place{File: w.File}}}
		for s, run := range st.Runs {
			for _, i := range run {
				c.Runs[s] = append(c.Runs[s], docs[s][i])
			}
		}
		out = append(out, c)
	}
	return out
}

// mergeDocument returns the plan of a document: copied from a side, merged, or in conflict as a whole, for example if
// one side deleted and the other changed it. It returns nil if the result lacks the document. at has its versions, and
// index its position in each.
func (w *Walker) mergeDocument(at [3]*syntax.Document, index [3]int) Document {
	if w.RuleSet != nil {
		if s, ok := w.RuleSet.DecideDocument(at); ok {
			return w.planDocumentCopy(at, s, index)
		}
	}
	if at[three.Dest] == nil || at[three.Updated] == nil {
		return w.mergeOneSidedDocument(at, index)
	}
	same := func(a, b three.Version) bool {
		x, y := at[a], at[b]
		return !w.Deep && x != nil && y != nil && bytes.Equal(w.Bytes(a, x.Span), w.Bytes(b, y.Span))
	}
	if s, ok := w.pick(same); ok && !w.mustMergeInside(at[s].Root) {
		return &TakenDocument{Documents: at, Side: s}
	}
	path := w.DocumentPath(at, index)
	if w.Encrypted {
		w.forceMACConflict(at) // adds to w.forced
	}
	if kind := forcedKind(w.forced, at); kind != "" {
		return NewDocumentConflict(at, path, kind)
	}
	return w.mergeDocumentParts(&MergedDocument{Documents: at, Path: path})
}

// mergeOneSidedDocument returns the plan of a document that at least one side lacks. index has its position in each
// version.
//
//	only one side added it                                       copied
//	the other side changed a value in it, or added a comment     a ConflictDeleteModify
//	otherwise                                                    nil: it is deleted
func (w *Walker) mergeOneSidedDocument(at [3]*syntax.Document, index [3]int) Document {
	o, s := at[three.Original], three.Dest
	if at[s] == nil {
		s = three.Updated
	}
	x := at[s] // the side that may have it
	switch {
	case x == nil:
		return nil
	case o == nil:
		return &TakenDocument{Documents: at, Side: s}
	case w.Hasher.Equal(o.Root, x.Root) && !w.AddsComment(o.Span, s, x.Span):
		return nil
	}
	return NewDocumentConflict(at, w.DocumentPath(at, index), ConflictDeleteModify)
}

// mergeDocumentParts merges the document p by its parts: the root, and what is above and below it. Both sides must have
// the document. The caller has set p.Documents and p.Path; the other fields are set here. It returns p, or a
// *DocumentConflict if the parts do not merge. With a RuleSet, it can also return a document that is copied from a
// side.
func (w *Walker) mergeDocumentParts(p *MergedDocument) Document {
	v := rootNodes(p.Documents)
	var reason *valueConflict
	if p.Root, reason = w.mergeValue(v, scope{path: p.Path, deep: w.Deep}); reason != nil {
		conflict := NewDocumentConflict(p.Documents, p.Path, reason.kind)
		conflict.Detail = reason.detail
		return conflict
	}
	onWholeLines := true
	for s, d := range p.Documents {
		onWholeLines = onWholeLines && (d == nil || w.willBeOnWholeLines(three.Version(s), d, p.Root))
	}
	switch {
	case onWholeLines:
		p.Head = w.mergeTrivia(w.aboveRoot(p.Documents), three.Nodes{})
		p.Foot = w.mergeTrivia(w.tailWithoutShared(w.belowRoot(p.Documents), p.Root.Children, v), three.Nodes{})
	case w.RuleSet != nil:
		return w.RuleSet.ChooseFrame(p)
	case p.Root.Lines != nil || !w.chooseFrame(p): // merged lines do not fit between other bytes, or these are in conflict
		return NewDocumentConflict(p.Documents, p.Path, ConflictValue)
	}
	if detail := w.describeAccessConflict(v, p.Path); detail != "" {
		conflict := NewDocumentConflict(p.Documents, p.Path, ConflictAccess)
		conflict.Detail, conflict.Both = detail, p
		return conflict
	}
	return p
}

// chooseFrame sets p.Frame: the sides from which the text around the root of a document is copied, if the root shares a
// line with it, as in "--- {a: 1} # x". It may set p.Root.FormatFrom, so that the root fits. It returns false if the
// document has to be in conflict: both sides changed that text, or the root does not fit. Both sides must exist.
func (w *Walker) chooseFrame(p *MergedDocument) (canMerge bool) {
	head, headOK := three.PickFunc(w.Texts(p.Documents, HeadSpan), bytes.Equal)
	foot, footOK := three.PickFunc(w.Texts(p.Documents, FootSpan), bytes.Equal)
	p.Frame = &Frame{head, foot}
	rootOK := p.Root.IsFlowText() || p.Root.IsExpandedFlow()
	if !rootOK { // a root that is copied fits only between the bytes that a version has around it
		p.Root.FormatFrom, rootOK = w.FormatInFrame(p)
	}
	return headOK && footOK && rootOK
}
