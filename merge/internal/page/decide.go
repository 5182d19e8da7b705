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

// A Judge decides a conflict, or reports false where it stays.
type Judge func(*Conflict) (Verdict, bool)

// A Verdict is the text that stands in the place of a conflict, what decided
// that, and which side it took, or the value that it wrote instead.
type Verdict struct {
	Text           []byte
	By             schema.Decision
	Side, NewValue string
	// IsValueOnly says that the value of one scalar was decided, and nothing else.
	IsValueOnly bool
}

// TakeSide is the verdict for one side.
func (c *Conflict) TakeSide(s three.Version, by schema.Decision) Verdict {
	return Verdict{Text: c.Texts[s], By: by, Side: three.Names[s]}
}

// TakeValue is the verdict for the value of one side, with what both sides made of that
// which is beside it (Slot); of what is no scalar of one line in both sides, all of that side.
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

// A Decision is a conflict that was decided, by what, and for which side or
// which value.
type Decision struct {
	Mark
	By             schema.Decision
	Side, NewValue string
	Conflict       *Conflict
	IsValueOnly    bool // of a scalar, and nothing else
}

// Decide puts text in the place of the conflicts that j decides.
func (p *Page) Decide(r *Renderer, j Judge) (*Page, []Decision) {
	out := &Page{}
	var done []Decision
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
		done = append(done, Decision{r.WholeMark(x.Conflict, 0), v.By, v.Side, v.NewValue, x.Conflict, v.IsValueOnly})
	}
	return out, done
}

// CanKeepBoth reports whether both sides of c may stand one after the other, or merged.
func (c *Conflict) CanKeepBoth() bool {
	switch c.Kind {
	case plan.ConflictMultiplied:
		return c.BothEdits != nil
	case plan.ConflictAddAdd, plan.ConflictReplace, plan.ConflictComment, plan.ConflictText, plan.ConflictList, plan.ConflictLine:
		return true
	}
	return false
}

// Contains reports whether v, one thing in three versions, is in c.
func (c *Conflict) Contains(v three.Nodes) bool {
	for s, n := range v {
		if n != nil && c.Spans[s].Contains(n.Span) {
			return true
		}
	}
	return false
}

// Union is the text of both sides, dest's first, where they may stand one after the
// other: of a scalar of several lines, that is for its lines.
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

// PreferredSide is the side whose scalar the policy prefers.
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

// likelyTexts are the texts that most people leave in the place of c, the longest
// first.
func (c *Conflict) likelyTexts(nl []byte) [][]byte {
	all := [][]byte{c.BothTexts(nl), c.Texts[three.Dest], c.Texts[three.Updated], c.Texts[three.Original]}
	slices.SortStableFunc(all, func(a, b []byte) int { return len(b) - len(a) })
	return all
}

// PolicyTarget returns the resource that c is in and its path as a team's file writes
// them; both are empty where no policy can decide c alone.
func (c *Conflict) PolicyTarget() (in, field string) {
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

// pinRegexp is a reference that a hash fixes, as in actions/checkout@8f4b…; what it is of, first.
var pinRegexp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^@\s]+)@(?:sha256:)?[[:xdigit:]]{40,64}$`)
})

// PreferredPinSide is the side whose pin the policy prefers. A hash says nothing of what is newer: the
// comment behind it does (# v4.3.0), which belongs to the pin.
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

// ReplaceValue puts value in the place of the scalar in conflict, and merges what the versions
// have beside it: a policy says what a value is, and nothing of comments. It reports
// false where the values are no scalars of one line, or both sides changed what is
// beside them.
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
	b, plain := three.PickFunc(before, bytes.Equal)
	a, alike := three.PickFunc(after, bytes.Equal)
	return slices.Concat(before[b], value, after[a]), plain && alike
}

// ValueText is the value of side s in conflict as s writes it.
func (c *Conflict) ValueText(versions [3]*syntax.Stream, s three.Version) []byte {
	n := c.Entry.Versions()[s].Value
	return versions[s].File.Slice(n.Content)
}

// splitAtValue cuts the lines of a version at the value of e, which starts one of them
// behind its key, blanks and dashes; it reports false where none does, or several.
func splitAtValue(lines []byte, e *syntax.Entry, st *syntax.Stream) (before, behind []byte, ok bool) {
	if e == nil || e.Value.Kind != syntax.Scalar {
		return nil, nil, false
	}
	head := text.Span{Start: e.Value.Content.Start, End: e.Value.Content.Start}
	if e.Key != nil {
		head.Start = e.Key.Span.End - e.Key.Content.Len()
	}
	was := slices.Concat(st.File.Slice(head), st.File.Slice(e.Value.Content))
	at, found := 0, 0
	for line := range bytes.Lines(lines) {
		if body := bytes.TrimLeft(line, " -"); bytes.HasPrefix(body, was) {
			found++
			cut := at + len(line) - len(body)
			before, behind = lines[:cut+head.Len()], lines[cut+len(was):]
		}
		at += len(line)
	}
	return before, behind, found == 1
}

func lastLine(b []byte) []byte { return b[1+bytes.LastIndexByte(b, '\n'):] }
