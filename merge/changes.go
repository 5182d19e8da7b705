package merge

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// A Change is a field, item or document that differs between two versions of
// a file.
type Change struct {
	// Path names it, as in spec.template.spec.containers[name=web].image; as
	// it is named in the base where it was renamed.
	Path string
	Kind ChangeKind
	// From and To are the value in the base and in the changed version;
	// the key, the item's name or the like where it was renamed.
	From, To Version
	// List says how the items of the list around it were paired, and who says
	// so; empty outside of lists.
	List string
}

// ChangeKind classifies a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeAdded     ChangeKind = "added"
	ChangeDeleted   ChangeKind = "deleted"
	ChangeModified  ChangeKind = "modified"  // another value
	ChangeRenamed   ChangeKind = "renamed"   // another key; what it holds may be changed too
	ChangeReordered ChangeKind = "reordered" // the same items in another order
	ChangeGuarded   ChangeKind = "guarded"   // other blocks of a template around it, as {{ if .Values.x }}
	ChangeActions   ChangeKind = "actions"   // another line of actions below it, in a template
)

// OfActions reports whether c is no change of data: it is about the blocks or the
// lines of actions of a template.
func (c Change) OfActions() bool { return c.Kind == ChangeGuarded || c.Kind == ChangeActions }

// Changes lists what differs in the data of two versions of a file, in the
// order of the file, paired by the rules by which Merge pairs; last what differs
// in the blocks and lines of actions of templates. There is none if and only if
// both hold the same data, and the same actions: comments, quotes, indents and
// the order of keys are no data.
//
// The error says which version is no YAML, or cannot be read as such.
func Changes(base, version []byte, opts FileOptions) ([]Change, error) {
	if reason := read.New([3][]byte{base, base, version}, opts.Names).Unfit(opts.MaxSize); reason != "" {
		return nil, fmt.Errorf("%s", reason)
	}
	o, err := treeOf(base)
	if err != nil {
		return nil, fmt.Errorf("the base: %w", err)
	}
	u, err := treeOf(version)
	if err != nil {
		return nil, fmt.Errorf("the changed version: %w", err)
	}
	if readAsTemplate(o) != readAsTemplate(u) { // one is a template: its values are those of templates
		if o, u = asTemplates(base, version); o == nil || u == nil {
			return nil, fmt.Errorf("one of the versions is a template, the other cannot be read as one")
		}
	}
	d := differ{Matcher: opts.merging().matcher(), streams: [3]*syntax.Stream{o, o, u}}
	d.Guarded(d.streams)
	d.documents()
	if readAsTemplate(d.streams[three.Original]) {
		d.actions()
	}
	return d.changes, nil
}

// readAsTemplate reports whether a file was read as a template.
func readAsTemplate(st *syntax.Stream) bool {
	if st.Masked == nil {
		return false
	}
	_, isJSON := st.File.JSON()
	return !isJSON
}

// actions lists what differs in the blocks and lines of actions of two templates.
func (d *differ) actions() {
	d.list = ""
	o, oErr := template.Read(d.streams[three.Original].File)
	u, uErr := template.Read(d.streams[three.Updated].File)
	if oErr != nil || uErr != nil {
		return // they were read as such before
	}
	for _, x := range template.Changes(o, u) {
		c := Change{Path: x.Path, Kind: ChangeActions}
		if x.Guard {
			c.Kind = ChangeGuarded
		}
		c.From, c.To = d.action(three.Original, x.From, x.FromOff), d.action(three.Updated, x.To, x.ToOff)
		d.changes = append(d.changes, c)
	}
}

func (d *differ) action(s three.Side, said string, off int) Version {
	if said == "" {
		return Version{}
	}
	return Version{Text: said, Line: d.streams[s].File.Line(off)}
}

// A differ walks two versions as a merge walks three: ours is the base
// once more, so that nothing is in conflict.
type differ struct {
	*pair.Matcher
	streams [3]*syntax.Stream
	list    string // how the list at hand is paired
	changes []Change
}

func (d *differ) documents() {
	var docs [3][]*syntax.Document
	for s, st := range d.streams {
		docs[s] = st.Docs
	}
	d.Multi = len(docs[three.Original]) > 1 || len(docs[three.Updated]) > 1
	steps := []pair.Step{pair.Triple(len(docs[three.Original])-1, len(docs[three.Dest])-1, len(docs[three.Updated])-1)}
	if d.Multi {
		steps = pair.Keyed(d.DocElems(docs), d.Sums, nil)
	}
	for _, st := range steps {
		var at [3]*syntax.Document
		var root three.Nodes
		for s, i := range st.At {
			if i >= 0 {
				at[s] = docs[s][i]
				root[s] = at[s].Root
			}
		}
		d.compare(root[three.Original], root[three.Updated], d.DocPath(at, st.At))
	}
}

// compare compares two versions of a value; nil is none.
func (d *differ) compare(o, u *syntax.Node, p *three.Path) {
	switch {
	case o == nil && u == nil:
	case o == nil:
		d.change(ChangeAdded, p, nil, u)
	case u == nil:
		d.change(ChangeDeleted, p, o, nil)
	case d.Sums.Equal(o, u):
	case o.Kind == u.Kind && len(o.Entries) > 0 && len(u.Entries) > 0:
		d.collection(o, u, p)
	default:
		d.change(ChangeModified, p, o, u)
	}
}

// collection compares two mappings, or two lists.
func (d *differ) collection(o, u *syntax.Node, p *three.Path) {
	before := len(d.changes)
	if d.Sums.Props(o) != d.Sums.Props(u) {
		d.change(ChangeModified, p, o, u)
	}
	v := three.Nodes{three.Original: o, three.Dest: o, three.Updated: u}
	if o.Kind == syntax.Mapping {
		steps := pair.Keyed(d.Elems(v, tree.FieldKey, func(e *syntax.Entry) *syntax.Node { return e.Value }), d.Sums, nil)
		d.entries(v, steps, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) })
	} else {
		d.items(v, p)
	}
	if len(d.changes) == before {
		d.change(ChangeReordered, p, o, u)
	}
}

// items compares two lists by what is known of them.
func (d *differ) items(v three.Nodes, p *three.Path) {
	defer func(list string) { d.list = list }(d.list)
	if steps := d.Resources(v, p); steps != nil {
		d.list = "resources by kind, namespace and name"
		d.entries(v, steps, d.ResourcePath(p))
		return
	}
	l := d.Rules.Of(p.Place(), v[:]...)
	d.list = describe(l)
	switch l.Kind {
	case schema.Map:
		d.entries(v, d.PairItems(v, l), func(e three.Entries) *three.Path { return p.Labelled(l.Label(e[e.First()].Value)) })
	case schema.Set:
		d.entries(v, d.PairSet(v, l), d.Indexed(p, v))
	case schema.Atomic:
		d.change(ChangeModified, p, v[three.Original], v[three.Updated])
	default:
		d.entries(v, d.PairOrdered(v, l), d.Indexed(p, v))
	}
}

// describe says what a list is, for people.
func describe(l schema.List) string {
	what := map[schema.Kind]string{schema.Set: "a set", schema.Atomic: "one value", schema.Ordered: "items in order"}[l.Kind]
	if l.Kind == schema.Map {
		what = "items by " + strings.Join(l.Keys, ", ")
		if len(l.Keys) == 0 {
			what = "items by the text before " + strings.Join(l.Separators, " ")
		}
	}
	if l.Source == "" {
		return what
	}
	return what + " (" + l.Source + ")"
}

func (d *differ) entries(v three.Nodes, steps []pair.Step, name func(three.Entries) *three.Path) {
	for _, st := range steps {
		var at three.Entries
		for s, i := range st.At {
			if i >= 0 {
				at[s] = v[s].Entries[i]
			}
		}
		o, u := at[three.Original], at[three.Updated]
		if o == nil && u == nil {
			continue
		}
		p := name(at)
		if o != nil && u != nil && o.Key != nil && !d.Sums.SameKey(o, u) {
			d.renamed(p, o, u)
		}
		values := at.Values()
		d.compare(values[three.Original], values[three.Updated], p)
	}
}

// renamed notes that a field has another key.
func (d *differ) renamed(p *three.Path, o, u *syntax.Entry) {
	key := func(s three.Side, e *syntax.Entry) Version {
		f, at := d.streams[s].File, e.Key.Span
		return Version{Text: string(f.Slice(at)), Line: f.Line(at.End - e.Key.Content.Len())}
	}
	c := Change{Path: p.String(), Kind: ChangeRenamed, List: d.list}
	c.From, c.To = key(three.Original, o), key(three.Updated, u)
	d.changes = append(d.changes, c)
}

func (d *differ) change(kind ChangeKind, p *three.Path, o, u *syntax.Node) {
	c := Change{Path: p.String(), Kind: kind, List: d.list}
	c.From, c.To = d.version(three.Original, o), d.version(three.Updated, u)
	d.changes = append(d.changes, c)
}

// version is the text of a value: whole lines of a block collection, else
// the value alone.
func (d *differ) version(s three.Side, n *syntax.Node) Version {
	if n == nil {
		return Version{}
	}
	sp := n.Span
	if n.Style == syntax.Block {
		sp.Start = n.Content.Start
	}
	f := d.streams[s].File
	return Version{Text: string(f.Slice(sp)), Line: f.Line(n.Content.Start)}
}

// asTemplates reads two versions as templates; nil is what cannot be read.
func asTemplates(base, version []byte) (o, u *syntax.Stream) {
	o, _ = template.Parse(text.New(base))
	u, _ = template.Parse(text.New(version))
	return o, u
}
