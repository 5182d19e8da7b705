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

// mergeShortened merges shortened versions, which is faster: a placeholder such as `..elided.0: x` takes the place of
// parts that no side changed, until they are put back into the result. ways are the ways to try. ok is false if the
// complete versions have to be merged. It may set m.lines to git's merge by lines of the complete versions.
func (m *merger) mergeShortened(ways []*way) (o outcome, ok bool) {
	size := len(m.in.Raw[three.Original])
	if m.shortening == nil || size < m.shortening.minBaseSize || m.opts.Resolve != diff3.FavorNone {
		return outcome{}, false
	}
	lines, err := m.raw.Summarize(diff3.Merge)
	if err != nil {
		return outcome{}, false
	}
	m.lines = &lineResult{bytes: lines.Bytes, conflicts: lines.Conflicts}
	maxSize := size * m.shortening.maxQuarters[min(lines.Conflicts, 1)] / 4 // of the shortened base
	e := elide.Shorten(m.in.Raw, lines, m.proof.Rules.MayAffectLists(m.opts.Path))
	for range 2 { // the second time without the parts whose place is uncertain; each time parses the shortened versions
		if e == nil || len(e.Shortened[three.Original]) > maxSize {
			return outcome{}, false
		}
		short, placed := m.parseShortened(e)
		if placed == e {
			return short.mergeAndRestore(ways, e, m.lines.bytes)
		}
		e = placed
	}
	return outcome{}, false
}

// haveSameLayout reports whether the three streams have the same layout (syntax.Stream.Layout).
func haveSameLayout(streams [3]*syntax.Stream) bool {
	layout := streams[three.Original].Layout()
	return streams[three.Dest].Layout() == layout && streams[three.Updated].Layout() == layout
}

// parseShortened returns a merger of the shortened versions in e, which it has parsed. placed is the Elision of those
// parts whose place in the versions is certain: e itself if that is so for all. placed is nil if there are none, or if
// the merge could differ from that of the complete versions.
func (m *merger) parseShortened(e *elide.Elision) (short *merger, placed *elide.Elision) {
	short = newMerger([3][]byte(e.Shortened[:elide.LineMerge]), m.opts)
	short.isShortened = true
	short.lines = &lineResult{bytes: e.Shortened[elide.LineMerge], conflicts: m.lines.conflicts}
	// in a template, no actions may be left out
	if short.parse() != nil || short.encrypted || short.in.Language == read.Template && (!e.Clean || e.HasRun(template.MayHaveActions)) {
		return nil, nil
	}
	streams := short.in.Streams[:]
	if e.Clean {
		merged := short.proof.ParseResult(short.lines.bytes)
		b, _, err := short.runLineMerge(text.Markers{}) // git may align other lines of the shortened versions
		if merged == nil || err != nil || !bytes.Equal(b, short.lines.bytes) {
			return nil, nil
		}
		streams = slices.Concat(streams, []*syntax.Stream{merged})
	}
	placed = e.WithoutMisplaced(streams)
	if placed == e && !e.Clean && !haveSameLayout(short.in.Streams) {
		return nil, nil
	}
	return short, placed
}

// mergeAndRestore merges the versions of m, which are shortened, by ways, and puts the parts in e back into the result.
// wholeLineMerge is git's merge by lines of the complete versions. If that is clean (e.Clean), it is the only possible
// result, and this merge shows whether it may be used. ok is false if the complete versions have to be merged.
func (m *merger) mergeAndRestore(ways []*way, e *elide.Elision, wholeLineMerge []byte) (o outcome, ok bool) {
	if e.Clean { // only the result of git's merge by lines is used, so the ways after it are not tried
		ways = ways[:1+slices.Index(ways, cleanLineMerge)]
	}
	o, err := m.tryWaysAndRecover(ways)
	if err != nil || m.needsWhole(o, e) {
		return o, false
	}
	if e.Clean {
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

// needsWhole reports whether the result for shortened versions cannot be used, so that the complete versions have to be
// merged. o is that result, and e has the parts that are left out. The merge of the complete versions may then differ
// from o in more than these parts.
func (m *merger) needsWhole(o outcome, e *elide.Elision) bool {
	// a clean merge by lines was refused, the merge was left to git, or verification added conflicts
	isRefused := e.Clean != (o.Method == ByLine) || o.Method == Delegated || o.Refused != ""
	mayChangeMatches := m.planWalker != nil && m.planWalker.Lines.MayDependOnElided
	// then the value is not new, so that it is no Combination
	mayBeKnown := func(c Combination) bool { return e.Mentions(c.Path) || mayContain(e, c.Value) }
	return isRefused || mayChangeMatches || slices.ContainsFunc(o.Combined, mayBeKnown)
}

// mayContain reports whether a part that was left out of the versions (e) may contain value in a scalar, in quotes or
// not. The value may then not be new, so that it is uncertain whether the user should look at it as a Combination.
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

// restoreElided makes the result for shortened versions that for the complete ones. It puts the parts that were left
// out (e) back into result, and changes its line numbers. It returns false, and changes nothing, if result may depend
// on these parts.
func restoreElided(result *Result, e *elide.Elision) (ok bool) {
	whole, lines, ok := e.Restore(result.Bytes)
	var texts []string // where a placeholder can be, besides the file
	for _, f := range result.Followed {
		texts = append(texts, f.From, f.To)
	}
	for _, g := range result.GuessedOrders {
		texts = append(texts, g.Path)
	}
	for _, c := range slices.Concat(result.Conflicts, result.Resolved) {
		texts = append(texts, c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text)
	}
	if !ok || slices.ContainsFunc(texts, e.Mentions) {
		return false
	}
	result.Bytes = whole
	for _, conflicts := range [...][]Conflict{result.Conflicts, result.Resolved} {
		for i := range conflicts {
			c := &conflicts[i]
			for s, line := range [...]*int{&c.Base.Line, &c.Ours.Line, &c.Theirs.Line, elide.LineMerge: &c.Line} {
				*line = lines[s].FullLine(*line)
			}
		}
	}
	return true
}
