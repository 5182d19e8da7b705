package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Judge decides a conflict. It reports false if the conflict remains.
type Judge func(*Conflict) (Verdict, bool)

// A Verdict is the decision of a conflict: the text that replaces it, the policy that decided it, and the side that
// was chosen or the value that was written instead.
type Verdict struct {
	Text           []byte
	By             schema.Decision
	Side, NewValue string
	// IsValueOnly reports whether only the value of one scalar was decided.
	IsValueOnly bool
}

// TakeSide returns the verdict that chooses the text of s.
func (c *Conflict) TakeSide(s three.Version, by schema.Decision) Verdict {
	return Verdict{Text: c.Texts[s], By: by, Side: three.Names[s]}
}

// TakeValue returns the verdict that chooses the value of s, and merges the text around the value (see ReplaceValue).
// ok is false if that text does not merge. If a side does not have a scalar of one line, TakeValue chooses the whole
// text of s.
func (c *Conflict) TakeValue(versions [3]*syntax.Stream, s three.Version, by schema.Decision) (v Verdict, ok bool) {
	v = c.TakeSide(s, by)
	for _, s := range three.Sides {
		if e := c.Entry.Versions()[s]; e == nil || e.Value.Kind != syntax.Scalar || bytes.ContainsRune(c.ValueText(versions, s), '\n') {
			return v, true
		}
	}
	v.IsValueOnly = true
	v.Text, ok = c.ReplaceValue(versions, c.ValueText(versions, s))
	return v, ok
}

// A Decision is a conflict that was decided, with the policy that decided it and the chosen side or the new value.
type Decision struct {
	Mark
	By             schema.Decision
	Side, NewValue string
	Conflict       *Conflict
	IsValueOnly    bool // as in Verdict
}

// Decide returns a page in which the conflicts that j decides are replaced with text, and the decisions. Conflicts of
// the kind ConflictEncrypted always remain. p is unchanged.
func (p *Page) Decide(r *Renderer, j Judge) (*Page, []Decision) {
	out := &Page{}
	var decisions []Decision
	for _, x := range p.Parts {
		if x.Conflict == nil {
			out.Parts = append(out.Parts, x)
			continue
		}
		v, ok := j(x.Conflict)
		if !ok || x.Conflict.Kind == plan.ConflictEncrypted {
			out.Parts = append(out.Parts, x)
			continue
		}
		out.addText(v.Text)
		decisions = append(decisions, Decision{r.WholeMark(x.Conflict, 0), v.By, v.Side, v.NewValue, x.Conflict, v.IsValueOnly})
	}
	return out, decisions
}

// CanKeepBoth reports whether c can be resolved with BothTexts: with the texts of both sides one after the other, or
// with both edits merged.
func (c *Conflict) CanKeepBoth() bool {
	switch c.Kind {
	case plan.ConflictMultiplied:
		return c.BothEdits != nil
	case plan.ConflictAddAdd, plan.ConflictReplace, plan.ConflictComment, plan.ConflictText, plan.ConflictList, plan.ConflictLine:
		return true
	}
	return false
}

// Contains reports whether a version of v is inside of c.
func (c *Conflict) Contains(v three.Nodes) bool {
	for s, n := range v {
		if n != nil && c.Spans[s].Contains(n.Span) {
			return true
		}
	}
	return false
}

// Union returns the verdict that keeps the texts of both sides, with dest first. For conflicting values of a scalar,
// it keeps the lines of both sides. It reports false if both cannot be kept, or if the result has only one line.
func (c *Conflict) Union() (Verdict, bool) {
	v := Verdict{By: schema.Decision{Side: "union"}}
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

// PreferredSide returns the side with the scalar that policy p prefers. ok is false if a version has no scalar, if a
// scalar has an anchor or an explicit tag, or if the policy prefers neither side.
func (c *Conflict) PreferredSide(p schema.Policy) (three.Version, bool) {
	v := c.Entry.Versions().Values()
	var s [3]string
	for i, n := range v {
		if n == nil || n.Anchor != "" || n.TagText != "" || len(n.Entries) > 0 {
			return three.Original, false
		}
		s[i] = n.Value
	}
	switch best, ok := p.Pick(s[three.Original], s[three.Dest], s[three.Updated]); {
	case !ok:
	case best == s[three.Dest]:
		return three.Dest, true
	case best == s[three.Updated]:
		return three.Updated, true
	}
	return three.Original, false
}

// likelyTexts returns the texts with which users usually replace c, the longest first.
func (c *Conflict) likelyTexts(nl []byte) [][]byte {
	all := [][]byte{c.BothTexts(nl), c.Texts[three.Dest], c.Texts[three.Updated], c.Texts[three.Original]}
	slices.SortStableFunc(all, func(a, b []byte) int { return len(b) - len(a) })
	return all
}

// PolicyTarget returns the resource that contains c and the path of c, in the notation of a team's rules file. Both
// are empty if a policy cannot decide c by itself.
func (c *Conflict) PolicyTarget() (resource, field string) {
	if c.Entry == nil || c.Path == nil || c.Kind == plan.ConflictComment || c.Kind == plan.ConflictEncrypted {
		return "", ""
	}
	if e, ok := c.Entry.(*plan.EntryConflict); ok {
		for _, run := range e.Runs {
			if len(run) > 1 {
				return "", ""
			}
		}
	}
	p := c.Path.Place()
	field, _ = p.Pattern()
	return p.KindSelector(), field
}

// pinRegexp matches a reference that is pinned to a hash, such as actions/checkout@8f4b…. The first group is the name.
var pinRegexp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^@\s]+)@(?:sha256:)?[[:xdigit:]]{40,64}$`)
})

// PreferredPinSide returns the side with the pinned reference that policy p prefers. A hash has no order, so the
// policy compares the comments after the references (# v4.3.0). ok is false if a side has no pinned reference, if the
// references have different names, if the comments are equal, or if the policy prefers neither.
func (c *Conflict) PreferredPinSide(versions [3]*syntax.Stream, p schema.Policy) (three.Version, bool) {
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
	if pinned[three.Dest] != pinned[three.Updated] {
		return three.Original, false
	}
	best, ok := p.Pick("", comments[three.Dest], comments[three.Updated])
	switch {
	case !ok || comments[three.Dest] == comments[three.Updated]:
		return three.Original, false
	case best == comments[three.Dest]:
		return three.Dest, true
	}
	return three.Updated, true
}

// ReplaceValue returns the text of c with value in place of the scalar in conflict. The text around the scalar is
// merged from the versions, because a policy decides a value but not its comments. It reports false if the values are
// not scalars of one line, or if both sides changed the text around them differently.
func (c *Conflict) ReplaceValue(versions [3]*syntax.Stream, value []byte) ([]byte, bool) {
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
	b, beforeOK := three.PickFunc(before, bytes.Equal)
	a, afterOK := three.PickFunc(after, bytes.Equal)
	return slices.Concat(before[b], value, after[a]), beforeOK && afterOK
}

// ValueText returns the text of the conflicting value in side s.
func (c *Conflict) ValueText(versions [3]*syntax.Stream, s three.Version) []byte {
	n := c.Entry.Versions()[s].Value
	return versions[s].File.Slice(n.Content)
}

// splitAtValue returns the text before and after the value of e in lines. The value is searched at the start of a
// line, after its key, blanks and dashes. ok is false if it is not found, or found more than once.
func splitAtValue(lines []byte, e *syntax.Entry, st *syntax.Stream) (before, after []byte, ok bool) {
	if e == nil || e.Value.Kind != syntax.Scalar {
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
