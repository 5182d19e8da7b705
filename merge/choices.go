package merge

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Choice is what the result of a merge has where both sides changed one field,
// each to something else.
type Choice struct {
	// Path, Kind, Resource and Field are those of the Question.
	Path string
	Kind ConflictKind
	// Several items of a list that both sides changed at one place are one Choice.
	Resource, Field string
	// Items says what these are where Field is that of items, and the list has no keys
	// in the rules; "" elsewhere, and where they are of both kinds.
	Items Items
	// Offered are the answers that could be given, text aside. Taken are those of
	// them that give what the result has there; none where it has something else.
	Offered, Taken []Take
}

// Items is what the items of a list are.
type Items string

// The kinds of items that one policy is for: union.
const (
	ItemsScalars  Items = "scalars"
	ItemsMappings Items = "mappings"
)

// Choices tells what the result of a three-way merge has in each field that both
// sides changed differently, whoever decided it. It proves nothing, so that it
// is much faster than a Resolution: what only a proof puts into conflict is not
// among them, nor are comments, and what the team's rules decide.
//
// Of the options it reads Path, Rules, Own and MaxSize. The error says which file
// cannot be read as YAML.
func Choices(base, ours, theirs, result []byte, opts Options) (all []Choice, err error) {
	defer parallel.Guard(&err)
	m := newMerger([3][]byte{base, ours, theirs}, opts)
	if reason := m.in.Unfit(m.opts.MaxSize); reason != "" {
		return nil, errors.New(reason)
	}
	m.in.Unify(false)
	if err := errors.Join(m.in.ParseDeep(), m.in.ParseRest()); err != nil {
		return nil, err
	}
	open := m.choosable()
	if len(open) == 0 {
		return nil, nil
	}
	x := &chooser{merger: m}
	if x.result, err = m.in.Tree(result); err != nil {
		return nil, err
	}
	for _, c := range open {
		all = append(all, x.choice(c))
	}
	return all, nil
}

// choosable are the conflicts over fields that no rule decides.
func (m *merger) choosable() (open []*page.Conflict) {
	docs := m.walker().Merge().Documents
	for _, c := range m.render(m.renderer(), docs).Conflicts() {
		if c.Child == nil || c.Path == nil || c.Kind == plan.ConflictComment || c.Kind == plan.ConflictEncrypted {
			continue
		}
		if _, ruled := m.policy(c); !ruled {
			open = append(open, c)
		}
	}
	return open
}

// A chooser compares the versions with the result.
type chooser struct {
	*merger
	result  *syntax.Stream
	known   [3]bool
	changes [3][]Change // from each version to the result, once they are known
}

// from returns what the result changed of a version.
func (x *chooser) from(s three.Side) []Change {
	if !x.known[s] {
		st := x.in.Streams[s]
		d := differ{Matcher: x.opts.matcher(), streams: [3]*syntax.Stream{st, st, x.result}}
		d.documents()
		x.known[s], x.changes[s] = true, d.changes
	}
	return x.changes[s]
}

func (x *chooser) choice(c *page.Conflict) Choice {
	out := Choice{Path: c.Path.String(), Kind: c.Kind}
	out.Resource, out.Field, out.Items = fieldOf(c)
	at := unnumbered(out.Path)
	if c.Kind == ConflictReplace && c.Path.Up != nil {
		at = c.Path.Up.String() // each side's has a name of its own
	}
	offer := func(t Take, taken bool) {
		out.Offered = append(out.Offered, t)
		if taken {
			out.Taken = append(out.Taken, t)
		}
	}
	has := x.has
	if c.Kind == plan.ConflictText {
		has = func(s three.Side, path string) bool { return x.hasLines(c, s, path) }
	}
	offer(TakeOurs, has(three.Dest, at))
	offer(TakeTheirs, has(three.Updated, at))
	offer(TakeBase, len(out.Taken) == 0 && x.has(three.Original, at)) // which neither side has
	if c.BothMayStand() {
		offer(TakeBoth, x.added(three.Dest, at) && x.added(three.Updated, at))
	}
	for _, t := range []Take{TakeHighest, TakeLowest} {
		if s, ok := extreme(c, t); ok {
			offer(t, x.has(s, at))
		}
	}
	if own, ok := x.own(); ok && c.Kind == ConflictValue {
		if v, ok := bump.Next(c, own, x.in.Streams, ""); ok {
			offer(TakeNext, x.wrote(v, at))
		}
	}
	return out
}

// fieldOf names the field of a conflict as a team's file does; items of a list without keys
// are one, however many they are.
func fieldOf(c *page.Conflict) (resource, field string, items Items) {
	resource, field = c.Field()
	if path := c.Path.String(); c.Child != nil && c.Child.Clash != nil && unnumbered(path) != path {
		place := c.Path.Place()
		resource, items = place.Selector(), whatItems(c.Child.Clash)
		field, _ = place.Pattern()
	}
	return resource, field, items
}

// whatItems is what all items of both sides are.
func whatItems(c *plan.Clash) (kind Items) {
	for _, e := range slices.Concat(c.Runs[three.Dest], c.Runs[three.Updated]) {
		of := Items("")
		switch e.Value.Kind {
		case syntax.Scalar:
			of = ItemsScalars
		case syntax.Mapping:
			of = ItemsMappings
		}
		if of == "" || kind != "" && kind != of {
			return ""
		}
		kind = of
	}
	return kind
}

// has reports whether the result has at path what a version has.
func (x *chooser) has(s three.Side, path string) bool {
	return !slices.ContainsFunc(x.from(s), func(c Change) bool { return within(c.Path, path) || within(path, c.Path) })
}

// hasLines reports whether the result has the text at path with the lines of a side where
// they are in conflict, and elsewhere what either side made of it, which is what a policy
// decides.
func (x *chooser) hasLines(c *page.Conflict, s three.Side, path string) bool {
	var v [3][]byte
	for i, e := range c.Child.At {
		if e == nil {
			return x.has(s, path)
		}
		v[i] = x.in.Streams[i].File.Slice(e.Value.Content)
	}
	favor := diff3.FavorOurs
	if s == three.Updated {
		favor = diff3.FavorTheirs
	}
	want, _, err := diff3.MergeLines(v[three.Original], v[three.Dest], v[three.Updated], diff3.Options{As: diff3.Merge, Favor: favor})
	got := string(v[three.Dest])
	for _, change := range x.from(three.Dest) {
		if change.Path == path {
			got = change.To.Text
		}
	}
	return err == nil && slices.Equal(bodyOf(string(want)), bodyOf(got))
}

// bodyOf are the lines of a text behind the one with its key or header.
func bodyOf(text string) (lines []string) {
	for i, l := range strings.Split(strings.TrimRight(text, " \r\n"), "\n") {
		if i > 0 {
			lines = append(lines, strings.TrimSpace(l))
		}
	}
	return lines
}

// added reports whether the result has at path what a version has, and more.
func (x *chooser) added(s three.Side, path string) bool {
	more := false
	for _, c := range x.from(s) {
		switch {
		case within(c.Path, path) && c.Kind == ChangeAdded:
			more = true
		case within(c.Path, path), within(path, c.Path):
			return false
		}
	}
	return more
}

// wrote reports whether the result has at path what a verdict has.
func (x *chooser) wrote(v page.Verdict, path string) bool {
	if v.Wrote == "" {
		return x.has(three.Side(slices.Index(three.Names[:], v.Took)), path)
	}
	changes := x.from(three.Dest)
	i := slices.IndexFunc(changes, func(c Change) bool { return c.Path == path && c.Kind == ChangeModified })
	if i < 0 {
		return false // it is ours, which is another version
	}
	return strings.Trim(changes[i].To.Text, "'\"\r\n ") == v.Wrote
}

// unnumbered is a path, or that of the list where it is an item by its number,
// which may have another one in another version.
func unnumbered(path string) string {
	if i := strings.LastIndexByte(path, '['); i >= 0 && strings.Trim(path[i:], "[0123456789]") == "" {
		return path[:i]
	}
	return path
}

// within reports whether a path is another one or in it; "" is all.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || other == "" || rest[0] == '.' || rest[0] == '[' || rest[0] == ':')
}
