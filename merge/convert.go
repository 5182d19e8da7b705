package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bridge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// This file converts between the types of this package and those of the packages below it, once for each merge.

func init() {
	bridge.Options = func(opts any) (engine.Options, error) { return opts.(Options).toEngine() }
	bridge.Team = func(rules any) *team.Rules { return rules.(*Rules).teamOrEmpty() }
	bridge.Unmatched = func(rules any, files []string, read func(path string) ([]byte, error)) (all, partial []string) {
		return findUnmatched(rules.(*Rules).teamOrEmpty(), files, read)
	}
	bridge.Result = func(raw [3][]byte, res engine.Result) any { return fromEngine(raw, res) }
	bridge.Findings = func(found []engine.Finding) any { return findingsFrom(found) }
}

// The values of package engine for Options.Resolve and Options.Own.
var (
	favors = map[Take]diff3.Favor{
		TakeNone: diff3.FavorNone, TakeOurs: diff3.FavorOurs, TakeTheirs: diff3.FavorTheirs, TakeBoth: diff3.FavorUnion,
	}
	sides = map[Side]three.Optional{SideUnknown: {}, SideOurs: three.Some(three.Dest), SideTheirs: three.Some(three.Updated)}
)

// toEngine returns o as options of package engine. Their Rules are never nil. It returns an error if Resolve is not
// TakeNone, TakeOurs, TakeTheirs or TakeBoth, or if Own or the style of Markers is not one of the constants of its
// type; the options must not be used then. Package engine checks Limits.
func (o Options) toEngine() (engine.Options, error) {
	resolve, ok := favors[o.Resolve]
	if !ok {
		return engine.Options{}, fmt.Errorf("merge: unknown way %q to resolve conflicts", o.Resolve)
	}
	own, errOwn := o.Own.toEngine()
	markers, errMarkers := o.Markers.toText()
	return engine.Options{
		Path: o.Path, Rules: o.Rules.teamOrEmpty(), Names: [3]string{o.Names.Base, o.Names.Ours, o.Names.Theirs}, Markers: markers, Resolve: resolve, Own: own,
		Limits: engine.Limits{MaxBytes: o.Limits.MaxBytes, MaxSteps: o.Limits.MaxSteps},
	}, cmp.Or(errOwn, errMarkers)
}

// toEngine returns the side as an optional version of package three, which has no version for SideUnknown. It returns
// an error if the side is not one of the constants of its type.
func (s Side) toEngine() (three.Optional, error) {
	version, ok := sides[s]
	if !ok {
		return version, fmt.Errorf("merge: unknown own side %q", s)
	}
	return version, nil
}

// styles are the styles of package text by their names.
var styles = map[Style]text.Style{"": text.StyleMerge, StyleMerge: text.StyleMerge, StyleDiff3: text.StyleDiff3, StyleZdiff3: text.StyleZdiff3}

// toText returns m as markers of package text. Empty labels become base, ours and theirs. It returns an error if the
// style is not one of the constants of its type.
func (m Markers) toText() (text.Markers, error) {
	style, ok := styles[m.Style]
	if !ok {
		return text.Markers{}, fmt.Errorf("merge: unknown style %q", m.Style)
	}
	return text.Markers{
		Style: style, Size: m.Size, Base: cmp.Or(m.Base, "base"), Ours: cmp.Or(m.Ours, "ours"), Theirs: cmp.Or(m.Theirs, "theirs"),
	}, nil
}

// fromEngine returns r, a merge of raw (base, ours and theirs) by package engine, as a Result of this package. The Span
// of each conflict is its place in r.Bytes, and the Spans of its Base, Ours and Theirs are places in raw. r.Bytes and
// raw are kept and not copied.
func fromEngine(raw [3][]byte, r engine.Result) Result {
	c := converter{raw: raw}
	out := Result{
		Bytes: r.Bytes, Method: Method(r.Method), Cause: Cause(r.Cause), Reason: r.Reason,
		Refused: r.Refused, LineConflicts: r.LineConflicts, NeedsOwn: r.NeedsOwn,
		Conflicts:     c.convertMarked(r.Conflicts, r.Bytes, r.MarkerSize),
		Resolved:      mapEach(r.Resolved, c.convert),
		Followed:      mapEach(r.Followed, func(x engine.Rename) Rename { return Rename(x) }),
		GuessedOrders: mapEach(r.GuessedOrders, func(x engine.GuessedOrder) GuessedOrder { return GuessedOrder(x) }),
		Combined: mapEach(r.Combined, func(x engine.Combination) Combination {
			return Combination{CombinationKind(x.Kind), x.Path, x.Value, Side(x.By)}
		}),
	}
	if r.Render != nil {
		out.render = func(m text.Markers) ([]byte, []Conflict) {
			b, conflicts := r.Render(m)
			return b, c.convertMarked(conflicts, b, m.Size)
		}
	}
	return out
}

// mapEach returns the results of f for each item of all, or nil if there are none.
func mapEach[A, B any](all []A, f func(A) B) (results []B) {
	for _, x := range all {
		results = append(results, f(x))
	}
	return results
}

// A converter converts conflicts of package engine, and finds the offsets of their parts in the versions (base, ours
// and theirs).
type converter struct {
	raw   [3][]byte
	files [3]*text.File // of raw; each is nil until it is needed
}

// convertMarked converts the conflicts in file, a merged file with markers, in their order. The Span of each is the
// place of the markers that begin at its Line, or zero if there are none. size is the number of characters of a marker;
// 0 means 7.
func (v *converter) convertMarked(conflicts []engine.Conflict, file []byte, size int) (all []Conflict) {
	if len(conflicts) == 0 {
		return nil
	}
	spans := map[int]Span{} // by the line of the opening marker
	for _, hunk := range text.Conflicts(file, size) {
		spans[hunk.Line] = Span{hunk.Start, hunk.End}
	}
	for _, c := range conflicts {
		converted := v.convert(c)
		converted.Span = spans[c.Line]
		all = append(all, converted)
	}
	return all
}

// convert returns a conflict of package engine as a Conflict without its Span, which depends on the file with the
// markers. Base, Ours and Theirs have their Spans. If a policy of the team's rules is for the conflict but could not
// decide it, Detail also says why. Elements is nil if c has none.
func (v *converter) convert(c engine.Conflict) Conflict {
	converted := Conflict{
		Path: c.Path, Kind: ConflictKind(c.Kind), Detail: c.Detail, Line: c.Line, Took: Side(c.Took), Wrote: c.Wrote,
		Base: v.version(three.Original, c.Base), Ours: v.version(three.Dest, c.Ours), Theirs: v.version(three.Updated, c.Theirs),
		By:       Decision{string(c.By.Policy), c.By.Source, c.By.Preset, c.By.Rules, Take(c.By.Side)},
		Elements: mapEach(c.Elements, func(e three.Element) PathElement { return PathElement(e) }),
	}
	isDecided := converted.By != Decision{}
	if !isDecided && c.Undecided != "" {
		converted.Detail = converted.Why() + "; " + c.Undecided
	}
	return converted
}

// version converts x, the part of version s in a conflict. Its Span has as many lines from x.Line on as the text, even
// if the merge changed their indentation. If x.Line is 0, which means unknown, Line and Span are zero.
func (v *converter) version(s three.Version, x engine.Version) Version {
	if x.Line == 0 {
		return Version{Text: x.Text}
	}
	if v.files[s] == nil {
		v.files[s] = text.New(v.raw[s])
	}
	f, lineCount := v.files[s], len(slices.Collect(strings.Lines(x.Text)))
	return Version{x.Text, x.Line, Span{f.LineOffset(x.Line), f.LineOffset(x.Line + lineCount)}}
}
