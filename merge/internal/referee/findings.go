package referee

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Findings returns what Check would refuse in the result of a person, who may
// reformat and reorder, and who decided at will what c.Open says was in
// conflict: there only a result that has neither side's edit is refused. It
// goes on behind a refusal and returns most refusals at most; a list without
// keys, and a text of several lines, are refused as a whole.
func Findings(c Claim, most int) []*Refusal {
	c.Side = Neither
	k := newChecker(c)
	k.waivers = waivers{}
	for _, o := range c.Open {
		for v, s := range [...]text.Span{o.Original, o.Dest, o.Updated} {
			if s.Empty() {
				continue
			}
			k.waive(version(v), s)
			if !k.single() || k.replaced() || o.Dest.Empty() != o.Updated.Empty() {
				k.waiveDocuments(version(v), s)
			}
		}
	}
	var found []*Refusal
	work := k.work
	for len(found) < most {
		k.moves, k.work = moves{}, work
		r := k.data()
		if r == nil || k.waivers[r.waiver()] == told {
			break
		}
		found = append(found, r)
		k.waivers[r.waiver()] = told
	}
	return found
}

// replaced reports whether the sides' only documents are of different kinds.
func (c *checker) replaced() bool {
	d, u := c.docs[dest], c.docs[updated]
	return c.single() && len(d) > 0 && len(u) > 0 && d[0].Kind != u[0].Kind
}

// waivers are paths, comments and aliases that are no longer judged; nil for
// Check, which judges everything.
type waivers map[string]waiver

type waiver uint8

const (
	decided waiver = iota + 1 // by a person
	told                      // there is a refusal of it
)

const comment, alias = "comment ", "alias *" // before a waiver that is no path

func (w waivers) has(at *place) bool          { return len(w) > 0 && w[at.String()] != 0 }
func (w waivers) hasComment(text string) bool { return len(w) > 0 && w[comment+text] != 0 }
func (w waivers) hasAlias(anchor string) bool { return len(w) > 0 && w[alias+anchor] != 0 }
func (w waivers) set(key string, kind waiver) { w[key] = max(w[key], kind) }

// triple reports whether t is not to be judged, and refuses it nevertheless
// where the result has neither of two edits.
func (w waivers) triple(at *place, t quad) (*Refusal, bool) {
	if len(w) == 0 {
		return nil, false
	}
	kind := w[at.String()]
	if o, d, u, r := t[original], t[dest], t[updated], t[result]; kind == decided &&
		o != nil && equal(o, r) && !equal(o, d) && !equal(o, u) {
		return at.refuse("undone", "ours and theirs both changed it, found what base has: %s", r.show()), true
	}
	return nil, kind != 0
}

// waiver is what has to be waived to go on behind r.
func (r *Refusal) waiver() string {
	switch {
	case r.Rule == "comment":
		return comment + r.Subject
	case r.Rule == "alias":
		return "alias " + r.Subject
	case r.list != "":
		return r.list
	}
	return r.Path
}

// waive leaves to a person what stands at s in v.
func (c *checker) waive(v version, s text.Span) {
	remarked := false
	for _, doc := range c.remarks[v] {
		for _, r := range doc {
			if r.Start >= s.Start && r.Start < s.End {
				remarked = true
				c.waivers.set(comment+string(c.remarkIn(v, r)), decided)
			}
		}
	}
	for _, d := range c.docs[v] {
		if !overlap(c.streams[v].Docs[d.doc].Span, s) {
			continue
		}
		if !c.single() && identity(d) == "" {
			c.waivers.set("document", decided)
			continue
		}
		c.waiveIn(c.placeOfDocument(d), d, s, remarked)
	}
}

// waiveDocuments leaves to a person whether the documents stand that s holds: one
// side may have deleted what the other gave a comment, or another name.
func (c *checker) waiveDocuments(v version, s text.Span) {
	for _, d := range c.docs[v] {
		if s.Contains(d.Content) && (c.single() || identity(d) != "") {
			c.waivers.set(c.placeOfDocument(d).String(), decided)
		}
	}
}

// waiveIn waives the entries of n that stand in s, or n itself if it is a
// scalar that s cuts; not what only has a comment there.
func (c *checker) waiveIn(at *place, n *node, s text.Span, remarked bool) {
	l := c.Rules.Of(at.schema(c.File), n.Node)
	if at.isItems() && !slices.ContainsFunc(n.kids, func(k node) bool { return identity(&k) == "" }) {
		l = schema.List{Kind: schema.Map}
	}
	met := false
	for i := range n.kids {
		kid := &n.kids[i]
		if !overlap(kid.entry.Span, s) {
			continue
		}
		met = true
		kidAt := at
		switch {
		case n.Kind == syntax.Mapping:
			kidAt = at.field(kid.entry.Key.Value)
		case l.Kind == schema.Map && len(l.Keys)+len(l.Separators) > 0:
			kidAt = at.item(l.Label(kid.Node))
		case l.Kind == schema.Map:
			kidAt = at.item(resourceName(kid)).of(kid)
		default:
			c.waivers.set(at.String(), decided)
			continue
		}
		if s.Contains(kid.entry.Span) {
			c.waivers.set(kidAt.String(), decided)
			continue
		}
		c.waiveIn(kidAt, kid, s, remarked)
	}
	if !met && !remarked {
		c.waivers.set(at.String(), decided)
	}
}

func overlap(a, b text.Span) bool { return a.Start < b.End && b.Start < a.End }
