package merge

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Change is a field, item or document that differs between two versions of
// a file.
type Change struct {
	// Path names it, as in spec.template.spec.containers[name=web].image; as
	// it is named in the base where it was renamed.
	Path string     `json:"path"`
	Kind ChangeKind `json:"kind"`
	// From and To are the value in the base and in the changed version;
	// the key, the item's name or the like where it was renamed.
	From Version `json:"from,omitzero"`
	To   Version `json:"to,omitzero"`
	// List says how the items of the list around it were paired, and who says
	// so; empty outside of lists.
	List string `json:"list,omitempty"`
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
// Of the options it reads Path, Rules and Names. The error says which version is no YAML, or
// cannot be read as such.
func Changes(base, version []byte, opts Options) ([]Change, error) {
	if reason := read.New([3][]byte{base, base, version}, opts.Names).Unfit(); reason != "" {
		return nil, errors.New(reason)
	}
	language, files, err := read.Open(base, version)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", [...]string{"the base", "the changed version"}[len(files)], err)
	}
	o, u := files[0], files[1]
	d := differ{Matcher: opts.newMatcher(), streams: [3]*syntax.Stream{o.Stream, o.Stream, u.Stream}}
	if language == read.Template {
		d.facts = [3]*template.Facts{three.Original: o.Template.Facts(), three.Updated: u.Template.Facts()}
		d.paths = map[*syntax.Entry]string{}
	}
	d.compareDocuments()
	d.changes = append(d.changes, d.guardChanges...)
	if d.paths != nil {
		d.compareActionLines()
	}
	return d.changes, nil
}

// A differ walks two versions as a merge walks three: ours is the base
// once more, so that nothing is in conflict.
type differ struct {
	*pair.Matcher
	streams [3]*syntax.Stream
	list    string // how the list at hand is paired
	changes []Change
	// Of templates: their facts, where the entries of both are, and what differs in their guards.
	facts        [3]*template.Facts
	paths        map[*syntax.Entry]string
	guardChanges []Change
}

func (d *differ) compareDocuments() {
	var docs [3][]*syntax.Document
	for s, st := range d.streams {
		docs[s] = st.Docs
	}
	d.MultiDocument = len(docs[three.Original]) > 1 || len(docs[three.Updated]) > 1
	steps := []pair.Step{pair.NewStep(len(docs[three.Original])-1, len(docs[three.Dest])-1, len(docs[three.Updated])-1)}
	if d.MultiDocument {
		steps = d.Pair(d.DocumentElems(docs))
	}
	for _, st := range steps {
		var at [3]*syntax.Document
		var root three.Nodes
		for s, i := range st.Index {
			if i >= 0 {
				at[s] = docs[s][i]
				root[s] = at[s].Root
			}
		}
		d.compare(root[three.Original], root[three.Updated], d.DocumentPath(at, st.Index))
	}
}

// compare compares two versions of a value; nil is none.
func (d *differ) compare(o, u *syntax.Node, p *three.Path) {
	switch {
	case o == nil && u == nil:
	case o == nil:
		d.addChange(ChangeAdded, p, nil, u)
		d.recordPaths(u, p)
	case u == nil:
		d.addChange(ChangeDeleted, p, o, nil)
		d.recordPaths(o, p)
	case d.paths == nil && d.Hasher.Equal(o, u):
	case o.Kind == u.Kind && len(o.Entries) > 0 && len(u.Entries) > 0:
		d.compareCollections(o, u, p)
	case !d.Hasher.Equal(o, u):
		d.addChange(ChangeModified, p, o, u)
		d.recordPaths(o, p)
		d.recordPaths(u, p)
	}
}

// recordPaths notes that what is in n is at p.
func (d *differ) recordPaths(n *syntax.Node, p *three.Path) {
	for _, e := range n.Entries {
		if d.paths != nil {
			d.paths[e] = p.String()
			d.recordPaths(e.Value, p)
		}
	}
}

// compareCollections compares two mappings, or two lists.
func (d *differ) compareCollections(o, u *syntax.Node, p *three.Path) {
	before, equal := len(d.changes), d.Hasher.Equal(o, u)
	if d.Hasher.HashProperties(o) != d.Hasher.HashProperties(u) {
		d.addChange(ChangeModified, p, o, u)
	}
	v := three.Nodes{three.Original: o, three.Dest: o, three.Updated: u}
	if o.Kind == syntax.Mapping {
		steps := d.Pair(d.KeyedElems(v, (*syntax.Entry).FieldKey))
		d.compareEntries(v, steps, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) })
	} else {
		around := d.list
		d.compareItems(v, p, equal)
		d.list = around
	}
	if len(d.changes) == before && !equal {
		d.addChange(ChangeReordered, p, o, u)
	}
}

// compareItems compares two lists by what is known of them.
func (d *differ) compareItems(v three.Nodes, p *three.Path, equal bool) {
	items := d.PairItems(v, p)
	if d.list = describeList(items.Rule); items.AreResources {
		d.list = "resources by kind, namespace and name"
	}
	if items.Rule.Kind == schema.Atomic && !equal {
		d.addChange(ChangeModified, p, v[three.Original], v[three.Updated])
		return
	}
	d.compareEntries(v, items.Steps, items.ItemPath)
}

// describeList says what a list is, for people.
func describeList(l schema.List) string {
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

func (d *differ) compareEntries(v three.Nodes, steps []pair.Step, name func(three.Entries) *three.Path) {
	for _, st := range steps {
		var at three.Entries
		for s, i := range st.Index {
			if i >= 0 {
				at[s] = v[s].Entries[i]
			}
		}
		o, u := at[three.Original], at[three.Updated]
		if o == nil && u == nil {
			continue
		}
		p := name(at)
		if o != nil && u != nil {
			d.compareKeysAndGuards(p, o, u)
		}
		for _, e := range [...]*syntax.Entry{o, u} {
			if d.paths != nil && e != nil {
				d.paths[e] = p.String()
			}
		}
		values := at.Values()
		d.compare(values[three.Original], values[three.Updated], p)
	}
}

// compareKeysAndGuards compares what two versions of an entry have beside its value: the key of a field, and the
// blocks of a template around it that are not around what it is in.
func (d *differ) compareKeysAndGuards(p *three.Path, o, u *syntax.Entry) {
	if o.Key != nil && !d.Hasher.HaveSameKey(o, u) {
		key := func(s three.Version, e *syntax.Entry) Version {
			f, at := d.streams[s].File, e.Key.Span
			return Version{Text: string(f.Slice(at)), Line: f.Line(at.End - e.Key.Content.Len())}
		}
		d.changes = append(d.changes, Change{
			Path: p.String(), Kind: ChangeRenamed, List: d.list, From: key(three.Original, o), To: key(three.Updated, u),
		})
	}
	if d.paths == nil {
		return
	}
	from, to := template.OwnActions(o), template.OwnActions(u)
	if from != to {
		d.guardChanges = append(d.guardChanges, Change{
			Path: p.String(), Kind: ChangeGuarded, From: d.actionVersion(three.Original, from, o.Start), To: d.actionVersion(three.Updated, to, u.Start),
		})
	}
}

// compareActionLines lists what differs in the lines of actions that are no part of a block, by the entry above them.
func (d *differ) compareActionLines() {
	var below [3]map[string][]template.Line
	var all [3][]string
	for _, s := range [...]three.Version{three.Original, three.Updated} {
		below[s] = map[string][]template.Line{"": nil}
		for _, l := range d.facts[s].Lines {
			all[s] = append(all[s], l.Said)
			if l.Of == "" && !template.HasBlocks([]byte(l.Said)) {
				path := d.paths[l.Above]
				below[s][path] = append(below[s][path], l)
			}
		}
	}
	was, is := below[three.Original], below[three.Updated]
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))))) {
		from, to := subtractLines(was[path], is[path]), subtractLines(is[path], was[path])
		for i := range max(len(from), len(to)) {
			c := Change{Path: path, Kind: ChangeActions}
			if i < len(from) {
				c.From = d.actionVersion(three.Original, from[i].Said, from[i].Start)
			}
			if i < len(to) {
				c.To = d.actionVersion(three.Updated, to[i].Said, to[i].Start)
			}
			d.changes = append(d.changes, c)
		}
	}
	if !slices.ContainsFunc(d.changes, Change.OfActions) && !slices.Equal(all[three.Original], all[three.Updated]) {
		d.changes = append(d.changes, Change{Kind: ChangeActions}) // the lines stand in another order alone
	}
}

// subtractLines are those of a that are not in b, as often as they are not.
func subtractLines(a, b []template.Line) (rest []template.Line) {
	left := map[string]int{}
	for _, x := range b {
		left[x.Said]++
	}
	for _, x := range a {
		if left[x.Said]--; left[x.Said] < 0 {
			rest = append(rest, x)
		}
	}
	return rest
}

// actionVersion is what stands at off of a template; nothing where it says nothing.
func (d *differ) actionVersion(s three.Version, said string, off int) Version {
	if said == "" {
		return Version{}
	}
	return Version{Text: said, Line: d.streams[s].File.Line(off)}
}

func (d *differ) addChange(kind ChangeKind, p *three.Path, o, u *syntax.Node) {
	c := Change{Path: p.String(), Kind: kind, List: d.list}
	c.From, c.To = d.valueVersion(three.Original, o), d.valueVersion(three.Updated, u)
	d.changes = append(d.changes, c)
}

// valueVersion is the text of a value: whole lines of a block collection, else
// the value alone.
func (d *differ) valueVersion(s three.Version, n *syntax.Node) Version {
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

// A List is what is known of one list of a file; see docs/rules.md.
type List struct {
	// Path names it, as in spec.template.spec.containers.
	Path string
	// Line is the line, from 1, of its first item.
	Line int
	Kind ListKind
	// Keys are the fields that identify an item of a map together, with
	// Defaults for those that it may leave out.
	Keys     []string
	Defaults map[string]string
	// Separators, instead of Keys, end what identifies an item that is a string.
	Separators []string
	// Source says where the answer came from.
	Source string
}

// ListKind is how a merge pairs the items of a list.
type ListKind string

// The kinds of lists.
const (
	ListMap     ListKind = "map"     // by keys
	ListSet     ListKind = "set"     // by value
	ListAtomic  ListKind = "atomic"  // not at all: one value
	ListOrdered ListKind = "ordered" // in order, as lines are
)

var listKinds = map[schema.Kind]ListKind{
	schema.Map: ListMap, schema.Set: ListSet, schema.Atomic: ListAtomic, schema.Ordered: ListOrdered,
}

// Lists returns the lists of a file in its order, with what a merge of this
// version alone would take them for. Of the options it reads Path and Rules. The error says
// why the file cannot be read as YAML, or which definition that it needs is wrong.
func Lists(data []byte, opts Options) ([]List, error) {
	l := &listCollector{Matcher: opts.newMatcher()}
	if err := l.collectFile(data); err != nil {
		return nil, err
	}
	return l.lists, opts.Rules.schemaOrEmpty().CRDError()
}

// Unmatched returns what the team's own rules name and no file of a repository has, each
// as name:line:column and a text: patterns of files, and paths. Read reads one of files;
// what is no YAML is passed over.
func (r *Rules) Unmatched(files []string, read func(path string) ([]byte, error)) []string {
	use := r.schemaOrEmpty().NewUsage()
	for _, path := range files {
		if !use.SeeFile(path) {
			continue
		}
		if data, err := read(path); err == nil {
			l := &listCollector{Matcher: Options{Path: path, Rules: r}.newMatcher(), onPlace: use.SeePlace}
			_ = l.collectFile(data) // what is no YAML has no paths
		}
	}
	return use.Remarks()
}

// collectFile walks over a file.
func (l *listCollector) collectFile(data []byte) error {
	in := read.New([3][]byte{three.Original: data}, [3]string{three.Original: "the file"})
	if reason := in.Unfit(); reason != "" {
		return errors.New(reason)
	}
	in.Unify(false)
	if err := in.Parse(); err != nil {
		return err
	}
	st := in.Streams[three.Original]
	l.source = st.File
	l.MultiDocument = len(st.Docs) > 1
	for i, d := range st.Docs {
		l.collectLists(d.Root, l.DocumentPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i}))
	}
	return nil
}

// A listCollector walks a file as a merge does.
type listCollector struct {
	*pair.Matcher
	source  *text.File
	lists   []List
	onPlace func(schema.Place) // may be nil
}

func (l *listCollector) collectLists(n *syntax.Node, p *three.Path) {
	if l.onPlace != nil {
		l.onPlace(p.Place())
	}
	switch n.Kind {
	case syntax.Mapping:
		for _, e := range n.Entries {
			l.collectLists(e.Value, p.Child(e.Key.Value))
		}
	case syntax.Sequence:
		l.collectList(n, p)
	}
}

func (l *listCollector) collectList(n *syntax.Node, p *three.Path) {
	v := three.Nodes{three.Dest: n}
	if _, ok := l.ResourceElems(v, p); ok && p.Up != nil {
		l.addList(n, p, List{Kind: ListMap, Keys: []string{"kind", "metadata.namespace", "metadata.name"}, Source: "resources"})
		name := l.ResourcePathFunc(p)
		for _, e := range n.Entries {
			l.collectLists(e.Value, name(three.Entries{three.Dest: e}))
		}
		return
	}
	known := l.Rules.ListAt(p.Place(), n)
	l.addList(n, p, List{"", 0, listKinds[known.Kind], known.Keys, known.Defaults, known.Separators, known.Source})
	for i, e := range n.Entries {
		label := known.Label(e.Value)
		if label == "" {
			label = strconv.Itoa(i)
		}
		l.collectLists(e.Value, p.Item(label))
	}
}

func (l *listCollector) addList(n *syntax.Node, p *three.Path, list List) {
	list.Path, list.Line = p.String(), l.source.Line(n.Content.Start)
	if len(n.Entries) > 0 {
		list.Line = l.source.Line(n.Entries[0].Value.Content.Start)
	}
	l.lists = append(l.lists, list)
}
