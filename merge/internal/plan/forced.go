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

// ForcedConflicts are entries and documents that are in conflict whatever the versions have there:
// what a result was refused for. The plan is a function of the versions and of these.
type ForcedConflicts []ForcedConflict

// A ForcedConflict is one contested entry, or one document.
type ForcedConflict struct {
	Entry    three.Entries
	Document [3]*syntax.Document
}

// ByteCount is how many bytes stand there, in all versions.
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

// forcedKinds says of what kind the conflict is in which each contested entry and document of a version is.
type forcedKinds map[any]ConflictKind

func (c forcedKinds) addForced(s ForcedConflict, kind ConflictKind) {
	for v := range s.Entry {
		c[s.Entry[v]], c[s.Document[v]] = kind, kind
	}
	delete(c, (*syntax.Entry)(nil))
	delete(c, (*syntax.Document)(nil))
}

// forcedKind is the kind of the conflict in which one of the versions of a thing is; "" if none is.
func forcedKind[T any](known forcedKinds, at [3]*T) ConflictKind {
	if len(known) == 0 {
		return ""
	}
	return cmp.Or(known[at[three.Original]], known[at[three.Dest]], known[at[three.Updated]])
}

// newConflict returns the plan of an entry that is in conflict.
func (sc scope) newConflict(at three.Entries, kind ConflictKind) *EntryConflict {
	return NewEntryConflict(at, sc.pathOf(at), kind)
}

// forceMACConflict contests the mac of a document that SOPS encrypted, so that it never comes out clean: only SOPS
// can write the mac of what was merged.
//
//	sops:
//	    mac: ENC[AES256_GCM,…]
//
// Where that is no field that the versions have in block style, what holds it is contested.
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

// A Violation is why a result does not hold: where it is about what the versions have, and the comment that
// it names, or the alias as *name.
type Violation struct {
	Spans   [3]text.Span
	Subject string
}

// ForceConflicts returns c with what refusals of docs are about, the plan that w made with c: for each the smallest entries
// that hold its subject and that the sides do not have alike; else the smallest around its place. Where there is
// none of any, a document is contested; and where nothing is left, c is returned as it is.
//
//	a: 1 # x    of a refusal about the comment # x, or at the place of a: the entry a
//	m:          of one at the place of m: the entry m
//	  b: 1
//
// For the sake of a comment nothing is contested around the entries that hold it.
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

// conflictsFor is what r contests; false where what holds its comment is in conflict already.
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

// smallestMentioning are the smallest entries that hold subject and that the sides do not have alike: those with
// the anchor that it names, deleted ones among them, for with it in conflict its aliases may be clean;
// else those that are written with it; else all, also deleted ones with a comment.
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

// smallestAround is the smallest entry around a place that can be in conflict; none where there is none. One in a
// conflict beside which its comments stand can be in conflict with them.
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

// documentAround is the merged document around a place, else the first one; none where all are in conflict.
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

// visitEntries calls f for the entries of the documents that can be in conflict by themselves, deleted ones
// too, those that hold others first, and passes over what one holds where it reports false.
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

// mentionsInAnyVersion reports whether one of the versions of e has subject, outside of the entries in it that merged
// one by one.
func (w *Walker) mentionsInAnyVersion(e Entry, subject string) bool {
	return slices.ContainsFunc([]three.Version{three.Original, three.Dest, three.Updated}, func(s three.Version) bool {
		return mentions(w.bytesWithoutChildren(e, s), subject)
	})
}

// writtenBytes returns what e has of its own in the version from which it is written; nil if it is deleted or in conflict.
func (w *Walker) writtenBytes(e Entry) []byte {
	switch c := e.(type) {
	case *TakenEntry:
		return w.bytesWithoutChildren(c, c.Side)
	case *MergedEntry:
		return w.bytesWithoutChildren(c, c.Value.FormatFrom)
	}
	return nil
}

// bytesWithoutChildren returns what e has in s, outside of the entries in it that merged one by one; nil if s lacks e.
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

// mentions reports whether b holds subject: a comment, or an anchor or alias.
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
