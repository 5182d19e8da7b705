package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Judge decides a conflict: it returns the text that replaces the conflict, and where the decision comes from. It
// returns false if the conflict remains in the file.
type Judge func(*Conflict) (Verdict, bool)

// A Verdict is the decision of a conflict: the text that replaces it, what decided it (a policy of the team's rules
// file, a set of rules of the program, or a user), and the side that was chosen or the value that was written instead.
type Verdict struct {
	Text           []byte
	By             team.Decision
	Side, NewValue string
	// IsValueOnly reports whether only the value of one scalar was decided, with the comment after it if a Side was
	// chosen.
	IsValueOnly bool
	// Dropped is the comment of the other side after the value, which is not in Text; "" if there is none.
	Dropped string
	// Fields are the places of the fields or items that were decided, in each version, if the others of a mapping or
	// list are merged. It is nil if everything in the conflict was decided.
	Fields [][3]text.Span
}

// TakeSide returns the verdict that replaces c with the text of s. by states what decided it.
func (c *Conflict) TakeSide(s three.Version, by team.Decision) Verdict {
	return Verdict{Text: c.Texts[s], By: by, Side: three.Names[s]}
}

// TakeValue returns the verdict that takes only the value of a scalar on one line from version s, with the rest of its
// line, and merges the text around it; ok is false if that fails (see ReplaceValue). For other conflicts, it is that of
// TakeFields or TakeSide. If the value is a mapping or a list in all versions, Fields has only the parts in conflict.
// c.Entry must not be nil, and the base must have the entry if s is the base.
//
//	base     ours          theirs     from theirs
//	a: 1     # why         a: 3       # why
//	         a: 2 # no                a: 3
func (c *Conflict) TakeValue(versions [3]*syntax.Stream, s three.Version, by team.Decision, isOneValue OneValueFunc) (v Verdict, ok bool) {
	if v, ok = c.TakeFields(versions, s, by); ok {
		return v, true
	}
	v = c.TakeSide(s, by)
	matcher := fieldMatcher{versions, isOneValue}
	if v.Fields, ok = matcher.conflictPlaces(c.Entry.Versions().Values(), c.Path); ok {
		return v, true
	}
	for _, s := range three.Sides {
		e := c.Entry.Versions()[s]
		if e == nil || e.Value.Kind != syntax.Scalar || bytes.ContainsRune(c.ValueText(versions, s), '\n') {
			return v, true
		}
	}
	if c.hasSeveralEntries() {
		return v, true
	}
	v.IsValueOnly = true
	v.Text, ok = c.ReplaceValue(versions, c.ValueText(versions, s), three.Some(s))
	v.Dropped = c.droppedComment(versions, s)
	return v, ok
}

// droppedComment returns the comment that is lost if the value and its comment are taken from side s: that of the other
// side, with its "#". It returns "" if the other side has none, or the same as s or the base. If s is the base, ours is
// the other side.
func (c *Conflict) droppedComment(versions [3]*syntax.Stream, s three.Version) string {
	var comments [3]string
	for v, e := range c.Entry.Versions() {
		if e != nil {
			comments[v] = string(bytes.TrimSpace(versions[v].File.Slice(e.Comment)))
		}
	}
	if x := comments[s.Other()]; x != comments[s] && x != comments[three.Original] {
		return x
	}
	return ""
}

// A Decision is a conflict that was decided: its place and versions, and the verdict.
type Decision struct {
	Mark
	Verdict
}

// Decide calls j for each conflict of p, in order. It returns a page in which the conflicts that j decided are replaced
// by the text of the decision, without the LineMergeChunks of p, and the list of these decisions. p is unchanged.
// Conflicts over the mac of SOPS (plan.ConflictEncrypted) always remain, without a call of j, because only SOPS can
// compute the mac.
func (p *Page) Decide(r *Renderer, j Judge) (*Page, []Decision) {
	out := &Page{}
	var decisions []Decision
	for _, x := range p.Parts {
		var v Verdict
		isDecided := false
		if x.Conflict != nil && x.Conflict.Kind != plan.ConflictEncrypted {
			v, isDecided = j(x.Conflict)
		}
		if !isDecided {
			out.Parts = append(out.Parts, x)
			continue
		}
		t := writtenText(three.Decided, v.Text)
		if s := slices.Index(three.Names[:], v.Side); s >= 0 && !v.IsValueOnly && bytes.Equal(v.Text, x.Conflict.Texts[s]) {
			t = x.Conflict.sourcedText(s)
		}
		out.addText(t)
		decisions = append(decisions, Decision{r.WholeMark(x.Conflict, 0), v})
	}
	return out, decisions
}

// CanKeepBoth reports whether c can be resolved with BothTexts. It can if the texts of both sides can follow each
// other, as two added entries, comments, lines or list items can, or if the edits of both sides were merged
// (BothEdits). It looks at the kind of the conflict, not at the texts.
func (c *Conflict) CanKeepBoth() bool {
	switch c.Kind {
	case plan.ConflictAccess:
		// the texts cannot follow each other, but the edits of both sides may have been merged
		return c.BothEdits != nil
	case plan.ConflictAddAdd, plan.ConflictReplace, plan.ConflictComment, plan.ConflictText, plan.ConflictList, plan.ConflictLine:
		return true
	}
	return false
}

// Contains reports whether one of the nodes, the versions of a value, lies within the place of c in the file of its
// version. Missing versions (nil) are ignored.
func (c *Conflict) Contains(v three.Nodes) bool {
	for s, n := range v {
		if n != nil && c.Spans[s].Contains(n.Span) {
			return true
		}
	}
	return false
}

// Union returns the verdict that resolves c with the contents of both sides, ours first. It is BothTexts or, for a
// value that is a scalar in all versions, git's union merge of the texts, if it has several lines. By.Side is "both".
// ok is false if neither is possible.
func (c *Conflict) Union() (verdict Verdict, ok bool) {
	v := Verdict{By: team.Decision{Side: "both"}}
	switch {
	case c.CanKeepBoth():
		v.Text = c.BothTexts(nil)
		return v, true
	case c.Kind != plan.ConflictValue || c.Entry == nil:
		return v, false
	}
	for _, n := range c.Entry.Versions().Values() {
		if n == nil || n.Kind != syntax.Scalar {
			return v, false
		}
	}
	var err error
	// the lines of both sides where they differ
	v.Text, _, err = diff3.MergeLines(c.Texts[three.Original], c.Texts[three.Dest], c.Texts[three.Updated],
		diff3.Options{As: diff3.Merge, Favor: diff3.FavorUnion})
	return v, err == nil && bytes.Count(v.Text, []byte("\n")) > 1
}

// PreferredSide returns the side whose value a policy of the team's rules file, such as highest or theirs, picks. ok is
// false if it picks none, if a side lacks the value, or if a version of it is a collection with entries, or has an
// anchor or a tag. c.Entry must not be nil.
func (c *Conflict) PreferredSide(p team.Policy) (side three.Version, ok bool) {
	v := c.Entry.Versions().Values()
	var s [3]string
	for i, n := range v {
		if n == nil && three.Version(i) == three.Original {
			continue
		}
		if n == nil || n.HasProperties() || len(n.Entries) > 0 {
			return three.Original, false
		}
		s[i] = n.Value
	}
	return pickSide(p, s)
}

// pickSide returns the side with the value that policy p picks from the values of both sides, dest if they are equal.
// ok is false if p picks none.
func pickSide(p team.Policy, values [3]string) (side three.Version, ok bool) {
	best, ok := p.Pick(values[three.Dest], values[three.Updated])
	if ok && best != values[three.Dest] {
		return three.Updated, true
	}
	return three.Dest, ok
}

// likelyTexts returns the texts with which users usually replace c, the longest first: both sides, ours, theirs, base,
// and for each side the text of TakeInConflict. Texts may be equal or empty. nl is the line break that BothTexts adds
// between two sides of a line merge if it is missing.
func (c *Conflict) likelyTexts(versions [3]*syntax.Stream, nl []byte) [][]byte {
	all := [][]byte{c.BothTexts(nl), c.Texts[three.Dest], c.Texts[three.Updated], c.Texts[three.Original]}
	for _, s := range three.Sides {
		all = append(all, c.TakeInConflict(versions, s, team.Decision{}).Text)
	}
	slices.SortStableFunc(all, func(a, b []byte) int { return len(b) - len(a) })
	return all
}

// PolicyTarget returns where a policy for c would be written in the team's rules file: the API group and kind of the
// resource, as in apps/Deployment, and the path of the field, as in spec.containers[*].image. Either is "" if it cannot
// be written in this form, and both are if no policy for one field can decide c.
func (c *Conflict) PolicyTarget() (resource, field string) {
	if !c.CanHavePolicy() || c.hasSeveralEntries() {
		return "", ""
	}
	p := c.Path.Place()
	field, _ = p.Pattern()
	return p.KindSelector(), field
}

// CanHavePolicy reports whether a policy of the team's rules can be about c: it is about one place with entries, and
// neither about a comment nor about the mac of SOPS.
func (c *Conflict) CanHavePolicy() bool {
	return c.Entry != nil && c.Path != nil && c.Kind != plan.ConflictComment && c.Kind != plan.ConflictEncrypted
}

// hasSeveralEntries reports whether c is over several entries of one version, such as fields that are one value.
func (c *Conflict) hasSeveralEntries() bool {
	e, ok := c.Entry.(*plan.EntryConflict)
	return ok && slices.ContainsFunc(e.Runs[:], func(run []*syntax.Entry) bool { return len(run) > 1 })
}

// pinRegexp matches a hash, or a reference that is pinned to one, such as actions/checkout@8f4b…. The first group is
// the name.
var pinRegexp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:([^@\s]+)@)?(?:sha256:)?[[:xdigit:]]{40,64}$`)
})

// PreferredPinSide applies policy p to values that both sides pinned to a hash, and returns the side that it prefers. A
// hash has no order, so p compares the comments after the values, such as v4.2.2. isPreferred is false if p prefers no
// side, or the values are not two pins of the same name. c.Entry must not be nil.
//
//	uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
func (c *Conflict) PreferredPinSide(versions [3]*syntax.Stream, p team.Policy) (side three.Version, isPreferred bool) {
	var pinned, comments [3]string
	for _, s := range three.Sides {
		e := c.Entry.Versions()[s]
		if e == nil || e.Value.Kind != syntax.Scalar {
			return three.Original, false
		}
		m := pinRegexp().FindStringSubmatch(e.Value.Value)
		if m == nil {
			return three.Original, false
		}
		pinned[s], comments[s] = m[1], strings.TrimLeft(strings.TrimSpace(string(versions[s].File.Slice(e.Comment))), "# ")
	}
	if pinned[three.Dest] != pinned[three.Updated] || comments[three.Dest] == comments[three.Updated] {
		return three.Original, false
	}
	return pickSide(p, comments)
}

// ReplaceValue returns the text of c with value, which must have the quotes that it needs, in place of the scalar or
// flow collection in conflict, and the merged text around it. If commentFrom is set, the rest of the line is from
// there. ok is false if the text cannot be merged, or a side lacks the entry. c.Entry must not be nil.
//
//	base      ours           theirs     ReplaceValue("4")
//	a: 1      a: 2 # why     a: 3       a: 4 # why
func (c *Conflict) ReplaceValue(versions [3]*syntax.Stream, value []byte, commentFrom three.Optional) (replaced []byte, ok bool) {
	var before, after [3][]byte
	for s, e := range c.Entry.Versions() {
		if e == nil && three.Version(s) == three.Original {
			continue
		}
		var ok bool
		if before[s], after[s], ok = splitAtValue(c.Texts[s], e, versions[s]); !ok {
			return nil, false
		}
	}
	if c.Entry.Versions()[three.Original] == nil { // both added the field
		before[three.Original] = lastLine(before[three.Dest])
		after[three.Original] = after[three.Dest][len(bytes.TrimRight(after[three.Dest], "\r\n")):]
	}
	var comment []byte
	if from, ok := commentFrom.Get(); ok {
		for s := range after {
			end := bytes.IndexByte(after[s], '\n') + 1
			if end == 0 {
				end = len(after[s])
			}
			if three.Version(s) == from {
				comment = after[s][:end]
			}
			after[s] = after[s][end:]
		}
	}
	b, beforeOK := three.PickFunc(before, bytes.Equal)
	a, afterOK := three.PickFunc(after, bytes.Equal)
	return slices.Concat(before[b], value, comment, after[a]), beforeOK && afterOK
}

// ValueText returns the text of the conflicting value in version s, with its quotes, but without anchor and tag. The
// version must have the entry.
func (c *Conflict) ValueText(versions [3]*syntax.Stream, s three.Version) []byte {
	n := c.Entry.Versions()[s].Value
	return versions[s].File.Slice(n.Content)
}

// splitAtValue cuts lines, the text of an entry, directly before and after the value of e, which was parsed from st. ok
// is false unless exactly one line starts with the key and the value as st has them, after blanks and dashes. It is
// also false if e is nil, or its value is a collection in block style or an alias.
//
//	lines: # n               before: # n               after: ` # x` and the line break
//	       - a: 1 # x                - a:
func splitAtValue(lines []byte, e *syntax.Entry, st *syntax.Stream) (before, after []byte, ok bool) {
	if e == nil || e.Value.Kind != syntax.Scalar && e.Value.Style != syntax.Flow {
		return nil, nil, false
	}
	head := text.Span{Start: e.Value.Content.Start, End: e.Value.Content.Start}
	if e.Key != nil {
		head.Start = e.Key.Span.End - e.Key.Content.Len()
	}
	keyAndValue := slices.Concat(st.File.Slice(head), st.File.Slice(e.Value.Content))
	offset, found := 0, 0
	for line := range bytes.Lines(lines) {
		if body := bytes.TrimLeft(line, " -"); bytes.HasPrefix(body, keyAndValue) {
			found++
			cut := offset + len(line) - len(body)
			before, after = lines[:cut+head.Len()], lines[cut+len(keyAndValue):]
		}
		offset += len(line)
	}
	return before, after, found == 1
}

// lastLine returns the text after the last line feed in b.
func lastLine(b []byte) []byte { return b[1+bytes.LastIndexByte(b, '\n'):] }
