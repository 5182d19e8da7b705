package plan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// ForcedConflicts are entries and documents that are in conflict regardless of their versions, because the result
// failed verification. A plan depends only on the versions and on its ForcedConflicts.
type ForcedConflicts []ForcedConflict

// A ForcedConflict has the versions of an entry or, if Entries is empty, of a document that is in conflict.
type ForcedConflict struct {
	Entries   three.Entries
	Documents [3]*syntax.Document
}

// ByteCount returns the total number of bytes of the entry or document in all versions. A version without it counts 0.
func (c ForcedConflict) ByteCount() (n int) {
	for s, e := range c.Entries {
		if e != nil {
			n += e.Span.Len()
		}
		if d := c.Documents[s]; d != nil {
			n += d.Span.Len()
		}
	}
	return n
}

// forcedKinds has the entries and documents that are planned as conflicts even if they would merge. The keys are the
// *syntax.Entry or *syntax.Document of each version, and the values are the kinds of the conflicts.
type forcedKinds map[any]ConflictKind

// addForced puts an entry or document in conflict, with the given kind: it adds each of its versions to the map c. at
// has the versions; nil is ignored. A kind that c already has for one of them is overwritten.
func addForced[T any](c forcedKinds, at [3]*T, kind ConflictKind) {
	for _, x := range at {
		if x != nil {
			c[x] = kind
		}
	}
}

// forcedKind returns the kind of conflict that known has for a version of the entry or document at, or "" if it has
// none. known may be nil, and so may versions in at.
func forcedKind[T any](known forcedKinds, at [3]*T) ConflictKind {
	return cmp.Or(known[at[three.Original]], known[at[three.Dest]], known[at[three.Updated]])
}

// forceRepeatedFields puts all fields of a mapping with the same key in conflict if one of them is in w.forced, the
// entries that have to be in conflict: it adds the others to w.forced. v has the versions of the mapping. A version may
// repeat a key, and programs differ in which field they then use. Fields under different conditions of a template are
// not repetitions.
func (w *Walker) forceRepeatedFields(v three.Nodes) {
	if len(w.forced) == 0 {
		return
	}
	var fields []*syntax.Entry
	for _, n := range v {
		if n != nil {
			fields = append(fields, n.Entries...)
		}
	}
	keyOf := func(e *syntax.Entry) [2]string { return [2]string{e.FieldKey(), e.Guard.String()} }
	kinds := map[[2]string]ConflictKind{}
	for _, e := range fields {
		kinds[keyOf(e)] = cmp.Or(kinds[keyOf(e)], w.forced[e])
	}
	for _, e := range fields {
		if kind := kinds[keyOf(e)]; kind != "" {
			w.forced[e] = kind
		}
	}
}

// newConflict returns a conflict over the versions of an entry in the collections of sc.
func (sc scope) newConflict(at three.Entries, kind ConflictKind) *EntryConflict {
	return NewEntryConflict(at, sc.pathOf(at), kind)
}

// forceMACConflict puts the checksum (mac) of a document that SOPS encrypted in conflict, because only SOPS can compute
// the merged one:
//
//	sops:
//	    mac: ENC[AES256_GCM,…]
//
// It adds mac to w.forced, or sops or the whole document if mac cannot be in conflict alone. at has the versions of the
// document. Without a field sops, nothing is added.
func (w *Walker) forceMACConflict(at [3]*syntax.Document) {
	var sopsEntries, macEntries three.Entries
	inFlow, canMACBeAlone := false, true
	for s, d := range at {
		if d == nil {
			continue
		}
		if e := d.Root.Field("sops"); e != nil {
			inFlow = inFlow || d.Root.Style == syntax.Flow
			sopsEntries[s], macEntries[s] = e, e.Value.Field("mac")
			canMACBeAlone = canMACBeAlone && macEntries[s] != nil && e.Value.Style != syntax.Flow
		}
	}
	switch {
	case sopsEntries == three.Entries{}:
	case inFlow: // no conflict fits inside of a mapping in flow style
		addForced(w.forced, at, ConflictEncrypted)
	case !canMACBeAlone || sopsEntries[three.Dest] == nil || sopsEntries[three.Updated] == nil:
		addForced(w.forced, sopsEntries, ConflictEncrypted)
	default:
		addForced(w.forced, macEntries, ConflictEncrypted)
	}
}

// A Violation is a failed verification of a result. Spans are the places in the versions. Subject is the comment that
// is affected, or the alias as *name; it is "" if neither is.
type Violation struct {
	Spans   [3]text.Span
	Subject string
}

// ForceConflicts returns the entries and documents that the next plan has to put in conflict, because the result failed
// verification: those in known, and more for each of violations. docs is the plan of that result. For a violation about
// a comment or alias, these are the entries with it, and otherwise the smallest part around its place. If nothing is
// added, the whole file has to be in conflict. The result may share memory with known.
func (w *Walker) ForceConflicts(known ForcedConflicts, docs []Document, violations []Violation) ForcedConflicts {
	forced := known
	for _, r := range violations {
		for _, s := range w.conflictsFor(docs, r) {
			if !slices.Contains(forced, s) {
				forced = append(forced, s)
			}
		}
	}
	return forced
}

// conflictsFor returns the entries, or the document, to put in conflict because of one violation. docs is the plan of
// the result. The first that exists is returned:
//
//   - the entries that mention the comment or alias of the violation (entriesMentioning)
//   - nil, if its comment is in a conflict already, so that the user decides about it
//   - the smallest entry or document around its place, or nil
func (w *Walker) conflictsFor(docs []Document, violation Violation) []ForcedConflict {
	if violation.Subject == "" {
		return smallestAround(docs, violation.Spans)
	}
	if found := w.entriesMentioning(docs, violation.Subject); len(found) > 0 {
		return found
	}
	inConflict := false
	visitEntries(docs, func(e Entry) {
		inConflict = inConflict || isConflict(e) && w.mentionsInAnyVersion(e, violation.Subject)
	})
	if isAlias := strings.HasPrefix(violation.Subject, "*"); inConflict && !isAlias {
		return nil // the user decides about the comment already
	}
	return smallestAround(docs, violation.Spans)
}

// entriesMentioning returns the entries to put in conflict because a comment (# x) or an alias (*x), subject, is wrong
// in the result. These are the entries that the first successful search finds, or nil:
//
//   - for an alias, entries that have its anchor (&x) in any version
//   - entries that write subject into the result
//   - entries that have subject in any version
//
// If the entries inside of an entry are planned one by one, only its text above them counts. Entries that are in
// conflict already, or whose text is equal in both sides, are left out.
func (w *Walker) entriesMentioning(docs []Document, subject string) (found []ForcedConflict) {
	name, isAlias := strings.CutPrefix(subject, "*")
	anchor := "&" + name
	for _, isMatch := range []func(Entry) bool{
		// with the anchor in conflict, the aliases may merge
		func(e Entry) bool { return isAlias && w.mentionsInAnyVersion(e, anchor) },
		func(e Entry) bool { return mentions(w.writtenBytes(e), subject) },
		func(e Entry) bool { return w.mentionsInAnyVersion(e, subject) },
	} {
		visitEntries(docs, func(e Entry) {
			sidesDiffer := !bytes.Equal(w.bytesWithoutChildren(e, three.Dest), w.bytesWithoutChildren(e, three.Updated))
			if !isConflict(e) && sidesDiffer && isMatch(e) {
				found = append(found, ForcedConflict{Entries: e.Versions()})
			}
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// smallestAround returns the smallest entry around a place at which the result is wrong, to put it in conflict. spans
// is the place in each version, empty where there is none. An entry that is copied, or in conflict together with its
// comments, does not count. Without an entry, the first merged document around the place is returned, or nil.
func smallestAround(docs []Document, spans [3]text.Span) (best []ForcedConflict) {
	bestSize := 0
	visitEntries(docs, func(entry Entry) {
		switch c := entry.(type) {
		case *TakenEntry:
			return // the whole entry is that of a side, so the error is around it
		case *EntryConflict:
			if c.Around == nil { // the comments are in the conflict already; otherwise, they can be added to it
				return
			}
		}
		for s, e := range entry.Versions() {
			if e == nil || spans[s].Empty() || !e.Span.Contains(spans[s]) {
				continue
			}
			if size := e.Span.Len(); best == nil || size < bestSize {
				best, bestSize = []ForcedConflict{{Entries: entry.Versions()}}, size
			}
			break // only the size in the first version that contains the span counts
		}
	})
	if best == nil {
		return documentAround(docs, spans)
	}
	return best
}

// documentAround returns the first merged document around a place at which the result is wrong, to put it in conflict.
// spans is the place in each version; empty ones are ignored. The result is a list of one conflict, or nil if there is
// no such document.
func documentAround(docs []Document, spans [3]text.Span) []ForcedConflict {
	for _, d := range docs {
		m, ok := d.(*MergedDocument)
		if !ok {
			continue
		}
		for s, v := range m.Documents {
			if v != nil && !spans[s].Empty() && v.Span.Contains(spans[s]) {
				return []ForcedConflict{{Documents: m.Documents}}
			}
		}
	}
	return nil
}

// visitEntries calls f for each entry that has a plan, at any depth. An entry comes before the entries inside of it,
// and deleted entries come last in their collection. Entries inside of a flow collection that is written as one text
// are left out.
func visitEntries(docs []Document, f func(Entry)) {
	var visit func(m *Value)
	visit = func(m *Value) {
		if m.IsFlowText() {
			return
		}
		for _, e := range m.Children {
			f(e)
			if c, merged := e.(*MergedEntry); merged {
				visit(c.Value)
			}
		}
		for _, c := range m.Deleted {
			f(c)
		}
	}
	for _, d := range docs {
		if d, merged := d.(*MergedDocument); merged {
			visit(d.Root)
		}
	}
}

// mentionsInAnyVersion reports whether a version of e contains subject outside of the entries in it that are planned
// one by one.
func (w *Walker) mentionsInAnyVersion(e Entry, subject string) bool {
	return slices.ContainsFunc([]three.Version{three.Original, three.Dest, three.Updated}, func(s three.Version) bool {
		return mentions(w.bytesWithoutChildren(e, s), subject)
	})
}

// writtenBytes returns roughly the bytes that the entry e writes into the result, to search them for a comment or
// alias. They are its bytes in one version: that from which it is copied or from which its value gets the format.
// Entries inside of e that are planned one by one are left out. It returns nil if e is deleted or in conflict, or if
// that version lacks it.
func (w *Walker) writtenBytes(e Entry) []byte {
	switch c := e.(type) {
	case *TakenEntry:
		return w.bytesWithoutChildren(c, c.Side)
	case *MergedEntry:
		return w.bytesWithoutChildren(c, c.Value.FormatFrom)
	}
	return nil
}

// bytesWithoutChildren returns the bytes of an entry in version s, without the entries inside of it if these are
// planned one by one. Otherwise, or if its value is not in block style in s, it returns the bytes of the whole entry.
// It returns nil if s lacks the entry.
//
//	# comment
//	a: # x      the result ends here if b and c are merged one by one
//	  b: 1
//	  c: 1
func (w *Walker) bytesWithoutChildren(entry Entry, s three.Version) []byte {
	e := entry.Versions()[s]
	if e == nil {
		return nil
	}
	sp := e.Span
	if c, merged := entry.(*MergedEntry); merged && c.Value.Merged && e.Value.Style == syntax.Block {
		sp.End = e.HeadEnd
	}
	return w.Bytes(s, sp)
}

// mentions reports whether b contains subject, followed by a delimiter or the end of b: "*x" is not found in "*xy".
// subject is the text of a comment (# x), an alias (*x) or an anchor (&x), and must not be empty.
func mentions(b []byte, subject string) bool {
	_, rest, found := bytes.Cut(b, []byte(subject))
	isDelimited := len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n,]}"), rest[0]) >= 0
	return found && (isDelimited || mentions(rest, subject))
}
