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
		return unmatched(rules.(*Rules).teamOrEmpty(), files, read)
	}
	bridge.Result = func(raw [3][]byte, res engine.Result) any { return fromEngine(raw, res) }
	bridge.Findings = func(found []engine.Finding) any { return findingsFrom(found) }
}

// The values of the options of package engine for those of the options.
var (
	favors = map[Take]diff3.Favor{
		TakeNone: diff3.FavorNone, TakeOurs: diff3.FavorOurs, TakeTheirs: diff3.FavorTheirs, TakeBoth: diff3.FavorUnion,
	}
	sides = map[Side]three.Optional{SideUnknown: {}, SideOurs: three.Some(three.Dest), SideTheirs: three.Some(three.Updated)}
)

// methods are the methods of the engine.
var methods = map[engine.Method]Method{
	engine.Trivial: MethodTrivial, engine.ByLine: MethodLine, engine.Structural: MethodField, engine.Delegated: MethodDelegated,
}

// toEngine returns o as options of package engine. Rules are never nil in them. It returns an error, and the options
// must not be used, if Own or the style of Markers is not one of the constants of its type, or if Resolve is not
// TakeNone, TakeOurs, TakeTheirs or TakeBoth. Package engine checks Limits.
func (o Options) toEngine() (engine.Options, error) {
	resolve, ok := favors[o.Resolve]
	if !ok {
		return engine.Options{}, fmt.Errorf("merge: unknown way %q to resolve conflicts", o.Resolve)
	}
	own, err := o.Own.toEngine()
	markers, err2 := o.Markers.toText()
	return engine.Options{
		Path: o.Path, Rules: o.Rules.teamOrEmpty(), Names: [3]string{o.Names.Base, o.Names.Ours, o.Names.Theirs}, Markers: markers, Resolve: resolve, Own: own,
		Limits: engine.Limits{MaxBytes: o.Limits.MaxBytes, MaxSteps: o.Limits.MaxSteps},
	}, cmp.Or(err, err2)
}

// toEngine returns the side as a version, or none for SideUnknown, the zero value. It returns an error if the side is not
// one of the constants of its type.
func (o Side) toEngine() (three.Optional, error) {
	own, ok := sides[o]
	if !ok {
		return own, fmt.Errorf("merge: unknown own side %q", o)
	}
	return own, nil
}

// styles are the styles of package text by their names.
var styles = map[Style]text.Style{"": text.StyleMerge, StyleMerge: text.StyleMerge, StyleDiff3: text.StyleDiff3, StyleZdiff3: text.StyleZdiff3}

// toText returns m as markers of package text, with the labels base, ours and theirs in place of empty ones. It returns
// an error if the style is not one of the constants of its type.
func (m Markers) toText() (text.Markers, error) {
	style, ok := styles[m.Style]
	if !ok {
		return text.Markers{}, fmt.Errorf("merge: unknown style %q", m.Style)
	}
	return text.Markers{
		Style: style, Size: m.Size, Base: cmp.Or(m.Base, "base"), Ours: cmp.Or(m.Ours, "ours"), Theirs: cmp.Or(m.Theirs, "theirs"),
	}, nil
}

// fromEngine returns r, a merge of raw (base, ours and theirs) by package engine, as a Result. The Span of each
// conflict is its place in r.Bytes, and the Spans of its versions are places in raw. The result keeps r.Bytes and raw;
// they are not copied.
func fromEngine(raw [3][]byte, r engine.Result) Result {
	c := converter{raw: raw}
	out := Result{
		Bytes: r.Bytes, Resolved: c.conflicts(r.Resolved, nil, 0), Method: methods[r.Method], Cause: Cause(r.Cause), Reason: r.Reason,
		Refused: r.Refused, LineConflicts: r.LineConflicts, NeedsOwn: r.NeedsOwn,
	}
	out.Conflicts = c.conflicts(r.Conflicts, r.Bytes, r.MarkerSize)
	for _, x := range r.Followed {
		out.Followed = append(out.Followed, Rename{x.From, x.To})
	}
	for _, x := range r.Combined {
		out.Combined = append(out.Combined, Combination{CombinationKind(x.Kind), x.Path, x.Value, Side(x.By)})
	}
	for _, x := range r.GuessedOrders {
		out.GuessedOrders = append(out.GuessedOrders, GuessedOrder{x.Path, x.RulePath, x.Rule})
	}
	if r.Render != nil {
		out.render = func(m text.Markers) ([]byte, []Conflict) {
			b, conflicts := r.Render(m)
			return b, c.conflicts(conflicts, b, m.Size)
		}
	}
	return out
}

// A converter converts conflicts of package engine, and finds the offsets of their parts in the versions (base, ours
// and theirs).
type converter struct {
	raw   [3][]byte
	files [3]*text.File // of raw; each is nil until it is needed
}

// conflicts converts conflicts of package engine, in their order. file is the merged file with their markers, which
// have size characters; 0 means 7. The Span of each conflict is the place of the markers at its Line, or zero if there
// are none.
func (v *converter) conflicts(all []engine.Conflict, file []byte, size int) (out []Conflict) {
	spans := map[int]Span{} // of the marked conflicts, by the line of the opening marker
	if len(all) > 0 {
		for _, c := range text.Conflicts(file, size) {
			spans[c.Line] = Span{c.Start, c.End}
		}
	}
	for _, c := range all {
		k := v.conflict(c)
		k.Span = spans[c.Line]
		out = append(out, k)
	}
	return out
}

// conflict converts one conflict of package engine. It sets the Span of Base, Ours and Theirs, but not the Span of the
// conflict. If a policy of the team's rules did not decide it, the reason is added to Detail. Elements is nil if c has
// none.
func (v *converter) conflict(c engine.Conflict) Conflict {
	k := Conflict{
		Path: c.Path, Kind: ConflictKind(c.Kind), Detail: c.Detail, Line: c.Line, Took: Side(c.Took), Wrote: c.Wrote,
		Base: v.version(three.Original, c.Base), Ours: v.version(three.Dest, c.Ours), Theirs: v.version(three.Updated, c.Theirs),
		By: Decision{string(c.By.Policy), c.By.Source, c.By.Preset, c.By.Rules, Take(c.By.Side)},
	}
	if c.Undecided != "" && k.By == (Decision{}) {
		k.Detail = k.Why() + "; " + c.Undecided
	}
	for _, e := range c.Elements {
		k.Elements = append(k.Elements, PathElement{e.Document, e.Field, e.Item})
	}
	return k
}

// version converts x, the part of version s in a conflict. Its Span has as many lines of that version as the text has,
// from x.Line on, and is empty at the start of the line if there is no text. It is zero if x.Line is 0, which means
// that the line is not known.
func (v *converter) version(s three.Version, x engine.Version) Version {
	if x.Line == 0 {
		return Version{Text: x.Text}
	}
	if v.files[s] == nil {
		v.files[s] = text.New(v.raw[s])
	}
	lines := len(slices.Collect(strings.Lines(x.Text)))
	return Version{x.Text, x.Line, Span{v.files[s].LineOffset(x.Line), v.files[s].LineOffset(x.Line + lines)}}
}
