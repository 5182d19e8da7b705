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

// TakeSide returns the verdict that replaces c with the text of version s. by states what decided it.
func (c *Conflict) TakeSide(s three.Version, by team.Decision) Verdict {
	return Verdict{Text: c.Texts[s], By: by, Side: three.Names[s]}
}

// TakeValue returns the verdict that takes version s of the conflict c, but as little of it as possible:
//
//	mapping on one line     the fields in conflict (TakeFields)
//	other mapping or list   everything; Fields has its parts in conflict, if known
//	scalar on one line      the value and the rest of its line; Dropped has the lost comment
//	anything else           everything
//
//	base     ours          theirs     from theirs
//	a: 1     # why         a: 3       # why
//	         a: 2 # no                a: 3
//
// rules say which fields and lists are decided as a whole; nil stands for all lists and no fields. ok can be false only
// for a scalar, if ReplaceValue fails. c.Entry, and its version s, must not be nil.
func (c *Conflict) TakeValue(versions [3]*syntax.Stream, s three.Version, by team.Decision, rules *team.Rules) (v Verdict, ok bool) {
	if v, ok = c.TakeFields(versions, s, by); ok {
		return v, true
	}
	v = c.TakeSide(s, by)
	matcher := fieldMatcher{versions, rules}
	if v.Fields, ok = matcher.conflictPlaces(c.Entry.Versions().Values(), c.Path); ok {
		return v, true
	}
	if !c.isOneLineScalar(versions) {
		return v, true
	}
	v.IsValueOnly = true
	v.Text, ok = c.ReplaceValue(versions, c.ValueText(versions, s), three.Some(s))
	v.Dropped = c.droppedComment(versions, s)
	return v, ok
}

// isOneLineScalar reports whether c is over one entry whose value is a scalar on one line in both sides. The base may
// have any value, or lack the entry. c.Entry must not be nil.
func (c *Conflict) isOneLineScalar(versions [3]*syntax.Stream) bool {
	for _, s := range three.Sides {
		e := c.Entry.Versions()[s]
		if e == nil || e.Value.Kind != syntax.Scalar || bytes.ContainsRune(c.ValueText(versions, s), '\n') {
			return false
		}
	}
	return !c.hasSeveralEntries()
}

// droppedComment returns the comment that gets lost if the value and its comment are taken from version s, so that the
// user can be warned: the comment of the other side, with its "#". It is "" if the comment is also in s or in the base.
// If s is the base, the other side is ours.
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

// Decide returns a copy of p in which conflicts are replaced with text, and the decisions in order. j decides each
// conflict, or leaves it as it is. Conflicts over the mac of SOPS always remain, because only SOPS can compute it. r
// computes the line numbers of the decisions. The copy has no LineMergeChunks.
func (p *Page) Decide(r *Renderer, j Judge) (out *Page, decisions []Decision) {
	out = &Page{}
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
		out.addText(v.sourcedText(x.Conflict))
		decisions = append(decisions, Decision{r.WholeMark(x.Conflict, 0), v})
	}
	return out, decisions
}

// sourcedText returns v.Text, which replaces c, with its source: the chosen side, if the text is that of the side, or
// else the decision.
func (v Verdict) sourcedText(c *Conflict) sourcedText {
	s := slices.Index(three.Names[:], v.Side) // -1 if no side was chosen
	if s >= 0 && !v.IsValueOnly && bytes.Equal(v.Text, c.Texts[s]) {
		return c.sourcedText(s)
	}
	return writtenText(three.Decided, v.Text)
}

// CanKeepBoth reports whether c can be resolved by keeping both sides, as BothTexts returns them. This depends on the
// kind of the conflict: added entries, comments, lines and list items of both sides can follow each other, for example.
// For a conflict over access (plan.ConflictAccess), BothEdits is needed, the merged edits of both sides.
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

// Contains reports whether a value lies within the conflict c in at least one version. v has the nodes of the value;
// nil stands for a version that lacks it.
func (c *Conflict) Contains(v three.Nodes) bool {
	for s, n := range v {
		if n != nil && c.Spans[s].Contains(n.Span) {
			return true
		}
	}
	return false
}

// Union returns the verdict that resolves c with the lines of both sides, ours first. If CanKeepBoth returns true, this
// is BothTexts. For a value that is a scalar in all versions, it is git's union merge of the texts, if that has several
// lines. Otherwise ok is false.
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
	v.Text, _, err = diff3.MergeLines(c.Texts[three.Original], c.Texts[three.Dest], c.Texts[three.Updated],
		diff3.Options{As: diff3.Merge, Favor: diff3.FavorUnion})
	return v, err == nil && bytes.Count(v.Text, []byte("\n")) > 1
}

// PreferredSide returns the side whose value the policy p of the team's rules file picks, such as the greater one for
// highest. ok is false in these cases:
//
//   - the policy picks none of the two values
//   - a side lacks the entry
//   - the value of any version has entries, an anchor or a tag
//
// c.Entry must not be nil.
func (c *Conflict) PreferredSide(p team.Policy) (side three.Version, ok bool) {
	var values [3]string
	for s, n := range c.Entry.Versions().Values() {
		if n == nil && three.Version(s) == three.Original {
			continue
		}
		if n == nil || n.HasProperties() || len(n.Entries) > 0 {
			return three.Original, false
		}
		values[s] = n.Value
	}
	return PickSide(p, values)
}

// PickSide returns the side with the value that policy p picks from the values of both sides, dest if they are equal.
// ok is false if p picks none.
func PickSide(p team.Policy, values [3]string) (side three.Version, ok bool) {
	best, ok := p.Pick(values[three.Dest], values[three.Updated])
	if ok && best != values[three.Dest] {
		return three.Updated, true
	}
	return three.Dest, ok
}

// likelyTexts returns the texts with which users usually replace c, the longest first:
//
//   - both sides (BothTexts with the line break nl)
//   - ours, theirs or base
//   - only what is in conflict, from ours or from theirs (TakeInConflict)
//
// Texts may be equal or empty.
func (c *Conflict) likelyTexts(versions [3]*syntax.Stream, nl []byte) [][]byte {
	all := [][]byte{c.BothTexts(nl), c.Texts[three.Dest], c.Texts[three.Updated], c.Texts[three.Original]}
	for _, s := range three.Sides {
		all = append(all, c.TakeInConflict(versions, s, team.Decision{}).Text)
	}
	slices.SortStableFunc(all, func(a, b []byte) int { return len(b) - len(a) })
	return all
}

// PolicyTarget returns where the user would write a policy for c in the team's rules file: the kind, such as
// apps/Deployment, and the path, such as spec.containers[*].image. Each is "" if the file has no notation for it. Both
// are "" if no policy fits c.
func (c *Conflict) PolicyTarget() (resource, field string) {
	if !c.CanHavePolicy() || c.hasSeveralEntries() {
		return "", ""
	}
	p := c.Path.Place()
	field, _ = p.PatternText()
	return p.KindSelector(), field
}

// CanHavePolicy reports whether a policy of the team's rules can be about c: it is about one place with entries, and
// neither about a comment nor about the mac of SOPS.
func (c *Conflict) CanHavePolicy() bool {
	return c.Entry != nil && c.Path != nil && c.Kind != plan.ConflictComment && c.Kind != plan.ConflictEncrypted
}

// hasSeveralEntries reports whether c is over several entries of the same version, such as fields that are one value.
func (c *Conflict) hasSeveralEntries() bool {
	e, ok := c.Entry.(*plan.EntryConflict)
	return ok && slices.ContainsFunc(e.Runs[:], func(run []*syntax.Entry) bool { return len(run) > 1 })
}

// pinRegexp matches a hash, or a reference that is pinned to one, such as actions/checkout@8f4b…. The first group is
// the name.
var pinRegexp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:([^@\s]+)@)?(?:sha256:)?[[:xdigit:]]{40,64}$`)
})

// PreferredPinSide returns the side that policy p, such as highest, prefers for a value that is pinned to a hash. The
// policy compares the comments after the hashes, which have the versions:
//
//	uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
//
// isPreferred is false if a side has no such value, if the names before the hashes differ, if the comments are equal,
// or if p prefers neither. c.Entry must not be nil.
func (c *Conflict) PreferredPinSide(versions [3]*syntax.Stream, p team.Policy) (side three.Version, isPreferred bool) {
	var names, comments [3]string
	for _, s := range three.Sides {
		e := c.Entry.Versions()[s]
		if e == nil || e.Value.Kind != syntax.Scalar {
			return three.Original, false
		}
		m := pinRegexp().FindStringSubmatch(e.Value.Value)
		if m == nil {
			return three.Original, false
		}
		names[s], comments[s] = m[1], strings.TrimLeft(strings.TrimSpace(string(versions[s].File.Slice(e.Comment))), "# ")
	}
	if names[three.Dest] != names[three.Updated] || comments[three.Dest] == comments[three.Updated] {
		return three.Original, false
	}
	return PickSide(p, comments)
}

// ReplaceValue returns the text of the conflict c with value in place of the scalar or flow collection. What is before
// and after it is merged. Here value is "4":
//
//	base      ours           theirs     result
//	a: 1      a: 2 # why     a: 3       a: 4 # why
//
// If commentFrom is set, the rest of the line after the value is copied from this version. ok is false if the texts
// before or after the value cannot be merged, or if splitAtValues fails.
func (c *Conflict) ReplaceValue(versions [3]*syntax.Stream, value []byte, commentFrom three.Optional) (replaced []byte, ok bool) {
	before, after, ok := c.splitAtValues(versions)
	if !ok {
		return nil, false
	}
	var comment []byte
	if s, isSet := commentFrom.Get(); isSet {
		comment, _ = cutFirstLine(after[s])
		for s := range after {
			_, after[s] = cutFirstLine(after[s])
		}
	}
	b, beforeOK := three.PickFunc(before, bytes.Equal)
	a, afterOK := three.PickFunc(after, bytes.Equal)
	return slices.Concat(before[b], value, comment, after[a]), beforeOK && afterOK
}

// splitAtValues returns the texts of c before and after the value in each version, so that they can be merged. ok is
// false if the value cannot be found in a version (splitAtValue). If both sides added the entry, the base counts as an
// entry that is written as in ours, without comments:
//
//	ours              before and after in the base
//	# n
//	a: 2 # x          "a: " and "\n"
func (c *Conflict) splitAtValues(versions [3]*syntax.Stream) (before, after [3][]byte, ok bool) {
	entries := c.Entry.Versions()
	for s, e := range entries {
		if e == nil && three.Version(s) == three.Original {
			continue
		}
		if before[s], after[s], ok = splitAtValue(c.Texts[s], e, versions[s]); !ok {
			return before, after, false
		}
	}
	if entries[three.Original] == nil {
		before[three.Original] = lastLine(before[three.Dest])
		after[three.Original] = after[three.Dest][len(bytes.TrimRight(after[three.Dest], "\r\n")):]
	}
	return before, after, true
}

// ValueText returns the text of the conflicting value in version s, with its quotes, but without anchor and tag. The
// version must have the entry.
func (c *Conflict) ValueText(versions [3]*syntax.Stream, s three.Version) []byte {
	n := c.Entry.Versions()[s].Value
	return versions[s].File.Slice(n.Content)
}

// splitAtValue cuts the text of an entry directly before and after its value. lines is the text of the entry e of st:
//
//	lines: # n               before: # n               after: ` # x` and the line break
//	       - a: 1 # x                - a:
//
// The line is found by its key and value. ok is false if not exactly one line has both, if e is nil, or if the value is
// a block collection or an alias.
func splitAtValue(lines []byte, e *syntax.Entry, st *syntax.Stream) (before, after []byte, ok bool) {
	if e == nil || e.Value.Kind != syntax.Scalar && e.Value.Style != syntax.Flow {
		return nil, nil, false
	}
	keyStart := e.Value.Content.Start
	if e.Key != nil {
		keyStart = e.Key.Span.End - e.Key.Content.Len() // without anchor and tag
	}
	keyToValue := st.File.Slice(text.Span{Start: keyStart, End: e.Value.Content.Start})
	keyAndValue := slices.Concat(keyToValue, st.File.Slice(e.Value.Content))
	var starts []int // of the key, by line that has the key and the value; more than one if an entry or text below repeats it
	offset := 0
	for line := range bytes.Lines(lines) {
		if body := bytes.TrimLeft(line, " -"); bytes.HasPrefix(body, keyAndValue) {
			starts = append(starts, offset+len(line)-len(body))
		}
		offset += len(line)
	}
	if len(starts) != 1 {
		return nil, nil, false
	}
	return lines[:starts[0]+len(keyToValue)], lines[starts[0]+len(keyAndValue):], true
}

// cutFirstLine returns the first line of b with its line break, and the rest.
func cutFirstLine(b []byte) (line, rest []byte) {
	end := bytes.IndexByte(b, '\n') + 1
	if end == 0 {
		end = len(b)
	}
	return b[:end], b[end:]
}

// lastLine returns the text after the last line feed in b.
func lastLine(b []byte) []byte { return b[1+bytes.LastIndexByte(b, '\n'):] }
