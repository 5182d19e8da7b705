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

// A ForcedConflict is an entry or a document that is in conflict. One of the two fields is set.
type ForcedConflict struct {
	Entry    three.Entries
	Document [3]*syntax.Document
}

// ByteCount returns the total number of bytes of the entry or document in all versions.
func (s ForcedConflict) ByteCount() (n int) {
	for v := range s.Entry {
		if e := s.Entry[v]; e != nil {
			n += e.Span.Len()
		}
		if d := s.Document[v]; d != nil {
			n += d.Span.Len()
		}
	}
	return n
}

// forcedKinds maps each *syntax.Entry and *syntax.Document in a forced conflict to the kind of that conflict.
type forcedKinds map[any]ConflictKind

// addForced records all versions of s with a kind.
func (c forcedKinds) addForced(s ForcedConflict, kind ConflictKind) {
	for v := range s.Entry {
		c[s.Entry[v]], c[s.Document[v]] = kind, kind
	}
	delete(c, (*syntax.Entry)(nil))
	delete(c, (*syntax.Document)(nil))
}

// forcedKind returns the kind of the forced conflict that contains a version of the entry or document at, or "" if
// there is none.
func forcedKind[T any](known forcedKinds, at [3]*T) ConflictKind {
	if len(known) == 0 {
		return ""
	}
	return cmp.Or(known[at[three.Original]], known[at[three.Dest]], known[at[three.Updated]])
}

// newConflict returns a conflict over the versions of an entry in the collections of sc.
func (sc scope) newConflict(at three.Entries, kind ConflictKind) *EntryConflict {
	return NewEntryConflict(at, sc.pathOf(at), kind)
}

// forceMACConflict forces a conflict over the mac of a document that SOPS encrypted, so that the document never
// merges without a conflict. Only SOPS can compute the mac of a merged document.
//
//	sops:
//	    mac: ENC[AES256_GCM,…]
//
// If the versions do not have the mac as a field of a block mapping, or a side has no sops field, the sops field is
// in conflict instead. If the root is a flow mapping, the document is. A document without a sops field has no such
// conflict.
func (w *Walker) forceMACConflict(at [3]*syntax.Document) {
	var sopsEntries, macEntries three.Entries
	inFlow, areBlockFields := false, true
	for s, d := range at {
		if d == nil || d.Root.Kind != syntax.Mapping {
			continue
		}
		if sopsEntries[s] = d.Root.Field("sops"); sopsEntries[s] == nil {
			continue
		}
		inFlow = inFlow || d.Root.Style == syntax.Flow
		if macEntries[s] = sopsEntries[s].Value.Field("mac"); macEntries[s] == nil || sopsEntries[s].Value.Style == syntax.Flow {
			areBlockFields = false
		}
	}
	switch {
	case sopsEntries == three.Entries{}:
	case inFlow:
		w.forced.addForced(ForcedConflict{Document: at}, ConflictEncrypted)
	case !areBlockFields || sopsEntries[three.Dest] == nil || sopsEntries[three.Updated] == nil:
		w.forced.addForced(ForcedConflict{Entry: sopsEntries}, ConflictEncrypted)
	default:
		w.forced.addForced(ForcedConflict{Entry: macEntries}, ConflictEncrypted)
	}
}

// A Violation is a failed verification of a result. Spans are the places in the versions. Subject is the comment that
// is affected, or the alias as *name; it is "" if neither is.
type Violation struct {
	Spans   [3]text.Span
	Subject string
}

// ForceConflicts returns c with the entries that violations are about. docs is the plan that w made with c. For each
// violation these are the smallest entries that contain its subject and that differ between the sides. If there is no
// such entry, it is the smallest entry around the place of the violation.
//
//	a: 1 # x    the entry a, for a violation about the comment # x or at the place of a
//	m:          the entry m, for a violation at the place of m
//	  b: 1
//
// If an entry with the comment is in conflict already, a violation about that comment adds nothing. If no entry was
// found for any violation, the document around the first one is added. If nothing can be added, ForceConflicts
// returns c unchanged.
func (w *Walker) ForceConflicts(c ForcedConflicts, docs []Document, refusals []Violation) ForcedConflicts {
	forced := c
	var unresolved []Violation
	for _, r := range refusals {
		found, ok := w.conflictsFor(docs, r)
		if ok {
			unresolved = append(unresolved, r)
		}
		for _, s := range found {
			if !slices.Contains(forced, s) {
				forced = append(forced, s)
			}
		}
	}
	if len(forced) > len(c) || len(unresolved) == 0 {
		return forced
	}
	return append(c, documentAround(docs, unresolved[0].Spans)...)
}

// conflictsFor returns the entries that are put in conflict because of violation r. ok is false if an entry with the
// comment of r is already in conflict.
func (w *Walker) conflictsFor(docs []Document, r Violation) ([]ForcedConflict, bool) {
	if r.Subject == "" {
		return smallestAround(docs, r.Spans), true
	}
	if found := w.smallestMentioning(docs, r.Subject); len(found) > 0 {
		return found, true
	}
	inConflict := false
	visitEntries(docs, func(e Entry) bool {
		inConflict = inConflict || isConflict(e) && w.mentionsInAnyVersion(e, r.Subject)
		return !inConflict
	})
	if inConflict && r.Subject[0] != '*' {
		return nil, false
	}
	return smallestAround(docs, r.Spans), true
}

// smallestMentioning returns the smallest entries that contain subject and that differ between the sides. For an
// alias, the entries with its anchor come first, also deleted ones: with the anchor in conflict, the aliases may
// merge. Next are entries with subject in the version from which they are written. Last are entries with subject in
// any version, or with its anchor. Deleted entries are among them only if subject is a comment. Only the first of
// these groups that has an entry is returned.
func (w *Walker) smallestMentioning(docs []Document, subject string) (found []ForcedConflict) {
	name, alias := strings.CutPrefix(subject, "*")
	anchor := "&" + name
	for _, isMatch := range []func(Entry) bool{
		func(e Entry) bool { return alias && w.mentionsInAnyVersion(e, anchor) },
		func(e Entry) bool { return mentions(w.writtenBytes(e), subject) },
		func(e Entry) bool {
			if _, deleted := e.(*DeletedEntry); alias {
				return !deleted && (w.mentionsInAnyVersion(e, subject) || w.mentionsInAnyVersion(e, anchor))
			}
			return w.mentionsInAnyVersion(e, subject)
		},
	} {
		visitEntries(docs, func(e Entry) bool {
			if isConflict(e) || !isMatch(e) || bytes.Equal(w.bytesWithoutChildren(e, three.Dest), w.bytesWithoutChildren(e, three.Updated)) {
				return true
			}
			found = append(found, ForcedConflict{Entry: e.Versions()})
			return false
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// smallestAround returns the smallest entry around a place that can be in conflict, or nil if there is none. An entry
// in conflict is a candidate only if its comments are outside of the conflict, because they can be added to it.
func smallestAround(docs []Document, at [3]text.Span) (best []ForcedConflict) {
	bestSize := 0
	visitEntries(docs, func(entry Entry) bool {
		switch c := entry.(type) {
		case *TakenEntry:
			return true
		case *EntryConflict:
			if c.Around == nil {
				return true
			}
		}
		for s, e := range entry.Versions() {
			if e == nil || at[s].Empty() || !e.Span.Contains(at[s]) {
				continue
			}
			if size := e.Span.Len(); best == nil || size < bestSize {
				best, bestSize = []ForcedConflict{{Entry: entry.Versions()}}, size
			}
			break
		}
		return true
	})
	return best
}

// documentAround returns the last merged document around a place, or the first merged document if none contains the
// place. It returns nil if there are no merged documents.
func documentAround(docs []Document, at [3]text.Span) (best []ForcedConflict) {
	for _, d := range docs {
		d, merged := d.(*MergedDocument)
		if !merged {
			continue
		}
		holds := false
		for s, x := range d.Documents {
			holds = holds || x != nil && !at[s].Empty() && x.Span.Contains(at[s])
		}
		if best == nil || holds {
			best = []ForcedConflict{{Document: d.Documents}}
		}
	}
	return best
}

// visitEntries calls f for each entry of the documents that can be in conflict by itself, including deleted entries.
// An entry is visited before the entries inside of it, which are skipped if f returns false.
func visitEntries(docs []Document, f func(Entry) bool) {
	var visit func(m *Value)
	visit = func(m *Value) {
		if m.IsFlowText() {
			return
		}
		for _, e := range m.Children {
			inside := f(e)
			if c, merged := e.(*MergedEntry); merged && inside {
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

// writtenBytes returns the bytes of e, without its children, in the version from which it is written. It returns nil
// if e is deleted or in conflict.
func (w *Walker) writtenBytes(e Entry) []byte {
	switch c := e.(type) {
	case *TakenEntry:
		return w.bytesWithoutChildren(c, c.Side)
	case *MergedEntry:
		return w.bytesWithoutChildren(c, c.Value.FormatFrom)
	}
	return nil
}

// bytesWithoutChildren returns the bytes of an entry in version s, without the entries in it that are planned one by
// one. It returns nil if s does not contain the entry.
func (w *Walker) bytesWithoutChildren(entry Entry, s three.Version) []byte {
	e := entry.Versions()[s]
	if e == nil {
		return nil
	}
	sp := e.Span
	switch c, merged := entry.(*MergedEntry); {
	case !merged:
	case c.Value.IsExpandedFlow():
		sp.End = e.Value.Content.Start
	case c.Value.Merged && e.Value.Style == syntax.Block && e.HeadEnd > sp.Start:
		sp.End = e.HeadEnd
	}
	return w.Bytes(s, sp)
}

// mentions reports whether b contains subject. If subject is an alias or an anchor, a blank, a line end, a comma or a
// bracket, or the end of b, must follow it.
func mentions(b []byte, subject string) bool {
	if subject[0] != '*' && subject[0] != '&' {
		return bytes.Contains(b, []byte(subject))
	}
	for {
		i := bytes.Index(b, []byte(subject))
		if i < 0 {
			return false
		}
		b = b[i+len(subject):]
		if len(b) == 0 || bytes.IndexByte([]byte(" \t\r\n,]}"), b[0]) >= 0 {
			return true
		}
	}
}
