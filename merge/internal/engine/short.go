package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// shorteningBounds are the conditions under which a merge of shortened versions, without parts that no side changed,
// is faster than a merge of the complete ones.
type shorteningBounds struct {
	minBaseSize int // minimum size of the base in bytes
	// maxQuarters is how much of the base may remain in the shortened base, in quarters of its bytes. The first value
	// applies if git's merge by lines is clean. The second applies if it has conflicts; then a merge of the shortened
	// versions is discarded more often.
	maxQuarters [2]int
}

// defaultShortening are the conditions that Merge uses.
var defaultShortening = shorteningBounds{minBaseSize: 1 << 10, maxQuarters: [...]int{3, 2}}

// mergeShortened merges shortened versions by ways, which is faster: a placeholder such as `..elided.0: x` takes the
// place of parts that no side changed, until they are put back. If ok is false, the caller has to merge the complete
// versions.
func (m *merger) mergeShortened(ways []*way) (o outcome, ok bool) {
	if m.shortening == nil {
		return outcome{}, false
	}
	size := len(m.in.Raw[three.Original])
	if size < m.shortening.minBaseSize || m.opts.Resolve != diff3.FavorNone {
		return outcome{}, false
	}
	lines, err := m.raw.Summarize(diff3.Merge)
	if err != nil {
		m.lines = &lineResult{err: err}
		return outcome{}, false
	}
	m.lines = &lineResult{bytes: lines.Bytes, conflicts: lines.Conflicts}
	e := elide.Shorten(m.in.Raw, lines, m.proof.Rules.MayAffectLists(m.opts.Path))
	maxSize := size * m.shortening.maxQuarters[min(lines.Conflicts, 1)] / 4
	short, placed := m.newShortenedMerger(e, maxSize)
	if short != nil && placed != e { // try only once more, because this parses the shortened versions again
		e = placed
		short, placed = m.newShortenedMerger(e, maxSize)
	}
	if short == nil || placed != e {
		return outcome{}, false
	}
	if !e.Clean && !haveSameLayout(short.in.Streams) {
		return outcome{}, false
	}
	return short.mergeAndRestore(ways, e, m.lines.bytes)
}

// haveSameLayout reports whether the three streams have the same layout (syntax.Stream.Layout).
func haveSameLayout(streams [3]*syntax.Stream) bool {
	layout := streams[three.Original].Layout()
	return streams[three.Dest].Layout() == layout && streams[three.Updated].Layout() == layout
}

// newShortenedMerger returns a parsed merger of the shortened versions in e. The caller can use it if placed is e.
// Otherwise placed has fewer parts left out, and the caller has to try again with it. Both are nil if the shortened
// versions cannot be used.
func (m *merger) newShortenedMerger(e *elide.Elision, maxSize int) (shortened *merger, placed *elide.Elision) {
	if e == nil || len(e.Shortened[three.Original]) > maxSize {
		return nil, nil
	}
	s := newMerger([3][]byte(e.Shortened[:elide.LineMerge]), m.opts)
	s.isShortened = true
	s.lines = &lineResult{bytes: e.Shortened[elide.LineMerge], conflicts: m.lines.conflicts}
	if s.parse() != nil || s.encrypted {
		return nil, nil
	}
	// In a template, no actions may be left out.
	if s.in.Language == read.Template && (!e.Clean || e.HasRun(template.MayHaveActions)) {
		return nil, nil
	}
	streams := s.in.Streams[:]
	if e.Clean {
		if b, _, err := s.runLineMerge(text.Markers{}); err != nil || !bytes.Equal(b, s.lines.bytes) {
			return nil, nil // git's merge by lines aligns other lines of the shortened versions
		}
		streams = slices.Concat(streams, []*syntax.Stream{s.proof.ParseResult(s.lines.bytes)})
	}
	if slices.Contains(streams, nil) {
		return nil, nil
	}
	return s, e.WithoutMisplaced(streams)
}

// mergeAndRestore merges the versions of m, which are shortened, by ways, and puts the parts in e back into the result.
// wholeLineMerge is git's merge by lines of the complete versions. If ok is false, the complete versions have to be
// merged.
func (m *merger) mergeAndRestore(ways []*way, e *elide.Elision, wholeLineMerge []byte) (o outcome, ok bool) {
	if e.Clean { // only the result of git's merge by lines is used, so the ways after it are not tried
		ways = ways[:1+slices.Index(ways, cleanLineMerge)]
	}
	o, err := m.tryWaysAndRecover(ways)
	dependsOnElided := m.planWalker != nil && m.planWalker.Lines.MayDependOnElided
	mayBeKnown := func(c Combination) bool { return e.Mentions(c.Path) || mayContain(e, c.Value) }
	switch {
	// the merge failed, a clean merge by lines was refused, it was left to git, or verification added conflicts
	case err != nil, e.Clean != (o.Method == ByLine), o.Method == Delegated, o.Refused != "":
		return o, false
	// a part that was left out may change the matches, or have the value of a Combination
	case dependsOnElided, slices.ContainsFunc(o.Combined, mayBeKnown):
		return o, false
	case e.Clean:
		o.Bytes = wholeLineMerge
		return o, true
	}
	if renderShort := o.Render; renderShort != nil {
		o.Render = func(k text.Markers) ([]byte, []Conflict) {
			var whole Result
			whole.Bytes, whole.Conflicts = renderShort(k)
			restoreElided(&whole, e) // it succeeds, because it does with the markers of the options
			return whole.Bytes, whole.Conflicts
		}
	}
	return o, restoreElided(&o.Result, e)
}

// mayContain reports whether a part that was left out of all versions (e) may have this value in a scalar, in any
// style. Then the value may not be new, so a Combination with it is uncertain.
func mayContain(e *elide.Elision, value string) bool {
	// other characters can be escaped, such as the second ' in 'it''s', or replaced by a line break
	words := strings.FieldsFunc(value, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._", r)
	})
	return e.HasRun(func(run []byte) bool {
		mayEscape := func(prefix string) bool { return bytes.Contains(run, []byte(prefix)) }
		isMissing := func(word string) bool { return !bytes.Contains(run, []byte(word)) }
		return slices.ContainsFunc([]string{`\x`, `\u`, `\U`}, mayEscape) || !slices.ContainsFunc(words, isMissing)
	})
}

// restoreElided puts the parts that were left out of the versions (e) back into result, and changes its line numbers to
// those of the complete files. If it returns false, because result may depend on these parts, result may be partly
// changed.
func restoreElided(result *Result, e *elide.Elision) (ok bool) {
	whole, line, ok := e.Restore(result.Bytes)
	if !ok {
		return false
	}
	for _, f := range result.Followed {
		if e.Mentions(f.From) || e.Mentions(f.To) {
			return false
		}
	}
	if slices.ContainsFunc(result.GuessedOrders, func(g GuessedOrder) bool { return e.Mentions(g.Path) }) {
		return false
	}
	result.Bytes = whole
	for _, cs := range [...][]Conflict{result.Conflicts, result.Resolved} {
		for i := range cs {
			c := &cs[i]
			if slices.ContainsFunc([]string{c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text}, e.Mentions) {
				return false
			}
			for s, v := range [...]*Version{&c.Base, &c.Ours, &c.Theirs} {
				v.Line = line(s, v.Line)
			}
			c.Line = line(elide.LineMerge, c.Line)
		}
	}
	return true
}
