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

// Contested are entries and documents that are in conflict whatever the versions have there:
// what a result was refused for. The plan is a function of the versions and of these.
type Contested []Spot

// A Spot is one contested entry, or one document.
type Spot struct {
	Entry    three.Entries
	Document [3]*syntax.Document
}

// Size is how many bytes stand there, in all versions.
func (s Spot) Size() (n int) {
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

// contests says of what kind the conflict is in which each contested entry and document of a version is.
type contests map[any]ConflictKind

func (c contests) add(s Spot, kind ConflictKind) {
	for v := range s.Entry {
		c[s.Entry[v]], c[s.Document[v]] = kind, kind
	}
	delete(c, (*syntax.Entry)(nil))
	delete(c, (*syntax.Document)(nil))
}

// contested is the kind of the conflict in which one of the versions of a thing is; "" if none is.
func contested[T any](known contests, at [3]*T) ConflictKind {
	if len(known) == 0 {
		return ""
	}
	return cmp.Or(known[at[three.Original]], known[at[three.Dest]], known[at[three.Updated]])
}

// conflict returns the plan of an entry that is in conflict.
func (in scope) conflict(at three.Entries, kind ConflictKind) *EntryConflict {
	return NewEntryConflict(at, in.name(at), kind)
}

// seal contests the mac of a document that SOPS encrypted, so that it never comes out clean: only SOPS
// can write the mac of what was merged.
//
//	sops:
//	    mac: ENC[AES256_GCM,…]
//
// Where that is no field that the versions have in block style, what holds it is contested.
func (w *Walker) seal(at [3]*syntax.Document) {
	var all, mac three.Entries
	flow, fields := false, true
	for s, d := range at {
		if d == nil || d.Root.Kind != syntax.Mapping {
			continue
		}
		if all[s] = d.Root.Field("sops"); all[s] == nil {
			continue
		}
		flow = flow || d.Root.Style == syntax.Flow
		if mac[s] = all[s].Value.Field("mac"); mac[s] == nil || all[s].Value.Style == syntax.Flow {
			fields = false
		}
	}
	switch {
	case all == three.Entries{}:
	case flow:
		w.contests.add(Spot{Document: at}, ConflictEncrypted)
	case !fields || all[three.Dest] == nil || all[three.Updated] == nil:
		w.contests.add(Spot{Entry: all}, ConflictEncrypted)
	default:
		w.contests.add(Spot{Entry: mac}, ConflictEncrypted)
	}
}

// A Refusal is why a result does not hold: where it is about what the versions have, and the comment that
// it names, or the alias as *name.
type Refusal struct {
	At      [3]text.Span
	Subject string
}

// Contest returns c with what refusals of docs are about, the plan that w made with c: for each the smallest entries
// that hold its subject and that the sides do not have alike; else the smallest around its place. Where there is
// none of any, a document is contested; and where nothing is left, c is returned as it is.
//
//	a: 1 # x    of a refusal about the comment # x, or at the place of a: the entry a
//	m:          of one at the place of m: the entry m
//	  b: 1
//
// For the sake of a comment nothing is contested around the entries that hold it.
func (w *Walker) Contest(c Contested, docs []Document, refusals []Refusal) Contested {
	more := c
	var rest []Refusal
	for _, r := range refusals {
		found, ok := w.smallest(docs, r)
		if ok {
			rest = append(rest, r)
		}
		for _, s := range found {
			if !slices.Contains(more, s) {
				more = append(more, s)
			}
		}
	}
	if len(more) > len(c) || len(rest) == 0 {
		return more
	}
	return append(c, document(docs, rest[0].At)...)
}

// smallest is what r contests; false where what holds its comment is in conflict already.
func (w *Walker) smallest(docs []Document, r Refusal) ([]Spot, bool) {
	if r.Subject == "" {
		return around(docs, r.At), true
	}
	if found := w.about(docs, r.Subject); len(found) > 0 {
		return found, true
	}
	open := false
	each(docs, func(e Entry) bool {
		open = open || isConflict(e) && w.holds(e, r.Subject)
		return !open
	})
	if open && r.Subject[0] != '*' {
		return nil, false
	}
	return around(docs, r.At), true
}

// about are the smallest entries that hold subject and that the sides do not have alike: those with
// the anchor that it names, deleted ones among them, for with it in conflict its aliases may be clean;
// else those that are written with it; else all, also deleted ones with a comment.
func (w *Walker) about(docs []Document, subject string) (found []Spot) {
	name, alias := strings.CutPrefix(subject, "*")
	anchor := "&" + name
	for _, held := range []func(Entry) bool{
		func(e Entry) bool { return alias && w.holds(e, anchor) },
		func(e Entry) bool { return mentions(w.written(e), subject) },
		func(e Entry) bool {
			if _, deleted := e.(*DeletedEntry); alias {
				return !deleted && (w.holds(e, subject) || w.holds(e, anchor))
			}
			return w.holds(e, subject)
		},
	} {
		each(docs, func(e Entry) bool {
			if isConflict(e) || !held(e) || bytes.Equal(w.own(e, three.Dest), w.own(e, three.Updated)) {
				return true
			}
			found = append(found, Spot{Entry: e.Versions()})
			return false
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// around is the smallest entry around a place that can be in conflict; none where there is none. One in a
// conflict beside which its comments stand can be in conflict with them.
func around(docs []Document, at [3]text.Span) (best []Spot) {
	least := 0
	each(docs, func(entry Entry) bool {
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
			if size := e.Span.Len(); best == nil || size < least {
				best, least = []Spot{{Entry: entry.Versions()}}, size
			}
			break
		}
		return true
	})
	return best
}

// document is the merged document around a place, else the first one; none where all are in conflict.
func document(docs []Document, at [3]text.Span) (best []Spot) {
	for _, d := range docs {
		d, merged := d.(*MergedDocument)
		if !merged {
			continue
		}
		holds := false
		for s, x := range d.At {
			holds = holds || x != nil && !at[s].Empty() && x.Span.Contains(at[s])
		}
		if best == nil || holds {
			best = []Spot{{Document: d.At}}
		}
	}
	return best
}

// each calls f for the entries of the documents that can be in conflict by themselves, deleted ones
// too, those that hold others first, and passes over what one holds where it reports false.
func each(docs []Document, f func(Entry) bool) {
	var in func(m *Value)
	in = func(m *Value) {
		if m.Flows() {
			return
		}
		for _, e := range m.Kids {
			inside := f(e)
			if c, merged := e.(*MergedEntry); merged && inside {
				in(c.Value)
			}
		}
		for _, c := range m.Gone {
			f(c)
		}
	}
	for _, d := range docs {
		if d, merged := d.(*MergedDocument); merged {
			in(d.Root)
		}
	}
}

// holds reports whether one of the versions of e has subject, outside of the entries in it that merged
// one by one.
func (w *Walker) holds(e Entry, subject string) bool {
	return slices.ContainsFunc([]three.Version{three.Original, three.Dest, three.Updated}, func(s three.Version) bool {
		return mentions(w.own(e, s), subject)
	})
}

// written returns what e has of its own in the version from which it is written; nil if it is deleted or in conflict.
func (w *Walker) written(e Entry) []byte {
	switch c := e.(type) {
	case *TakenEntry:
		return w.own(c, c.Side)
	case *MergedEntry:
		return w.own(c, c.Value.Form)
	}
	return nil
}

// own returns what e has in s, outside of the entries in it that merged one by one; nil if s lacks e.
func (w *Walker) own(entry Entry, s three.Version) []byte {
	e := entry.Versions()[s]
	if e == nil {
		return nil
	}
	sp := e.Span
	switch c, merged := entry.(*MergedEntry); {
	case !merged:
	case c.Value.Spread():
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
