package engine

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

// A Change is a difference between two versions of a file: a field, an item, a document, or actions of a template.
type Change struct {
	// Path names the entry, as in spec.template.spec.containers[name=web].image. If the entry was renamed, it is the
	// path in the base.
	Path string     `json:"path"`
	Kind ChangeKind `json:"kind"`
	// From and To are the values in the base and in the changed version. If the entry was renamed, they are the
	// mapping key, the name of the item, or similar.
	From Version `json:"from,omitzero"`
	To   Version `json:"to,omitzero"`
	// List describes how the items of the surrounding list were matched, and the source of that rule. It is empty
	// outside of lists.
	List string `json:"list,omitempty"`
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeAdded     ChangeKind = "added"
	ChangeDeleted   ChangeKind = "deleted"
	ChangeModified  ChangeKind = "modified"  // the value changed
	ChangeRenamed   ChangeKind = "renamed"   // the mapping key changed; the value may have changes of its own
	ChangeReordered ChangeKind = "reordered" // the order of the items changed, and nothing else
	ChangeGuarded   ChangeKind = "guarded"   // the guard changed: the template blocks around the entry, such as {{ if .Values.x }}
	ChangeActions   ChangeKind = "actions"   // a line of template actions below the entry changed
)

// IsOfActions reports whether c is about the blocks or lines of actions of a template, and not about data.
func (c Change) IsOfActions() bool { return c.Kind == ChangeGuarded || c.Kind == ChangeActions }

// Changes returns the differences between two versions of a file. Changes of data come first, in the order of the
// file. Changes of template blocks and of lines of template actions follow. Entries are matched by the rules of
// Merge.
//
// The result is empty if and only if both versions have equal data and equal actions. Comments, quotes, indentation
// and the order of mapping keys are not data.
//
// Changes uses only the options Path, Rules and Names. It returns an error if a version cannot be parsed as YAML.
func Changes(base, version []byte, opts Options) ([]Change, error) {
	if reason := read.New([3][]byte{base, base, version}, opts.Names).UnfitReason(); reason != "" {
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

// A differ compares two versions. It uses the functions for three versions: dest is the same as the original, so that
// there are no conflicts.
type differ struct {
	*pair.Matcher
	streams [3]*syntax.Stream
	list    string // Change.List for the current list; "" outside of lists
	changes []Change
	// For templates only: the facts of both versions, the path of each entry, and the changes of guards.
	facts        [3]*template.Facts
	paths        map[*syntax.Entry]string
	guardChanges []Change
}

// compareDocuments compares the two streams and appends to d.changes. If each has a single document, these are
// matched regardless of identity.
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
		var versions [3]*syntax.Document
		var root three.Nodes
		for s, i := range st.Index {
			if i >= 0 {
				versions[s] = docs[s][i]
				root[s] = versions[s].Root
			}
		}
		d.compare(root[three.Original], root[three.Updated], d.DocumentPath(versions, st.Index))
	}
}

// compare compares two versions of a value. nil means that a version does not have it.
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

// recordPaths sets d.paths of all entries inside n to p. It does nothing if the file is not a template.
func (d *differ) recordPaths(n *syntax.Node, p *three.Path) {
	for _, e := range n.Entries {
		if d.paths != nil {
			d.paths[e] = p.String()
			d.recordPaths(e.Value, p)
		}
	}
}

// compareCollections compares two mappings or two lists. If they differ but none of their entries does, it adds a
// ChangeReordered.
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
		outerList := d.list
		d.compareItems(v, p, equal)
		d.list = outerList
	}
	if len(d.changes) == before && !equal {
		d.addChange(ChangeReordered, p, o, u)
	}
}

// compareItems compares two lists by their kind. equal means that they have the same data. It sets d.list.
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

// describeList returns the text of Change.List for a list: its kind, and the source of that rule in parentheses.
func describeList(l schema.List) string {
	kind := map[schema.Kind]string{schema.Set: "a set", schema.Atomic: "one value", schema.Ordered: "items in order"}[l.Kind]
	if l.Kind == schema.Map {
		kind = "items by " + strings.Join(l.Keys, ", ")
		if len(l.Keys) == 0 {
			kind = "items by the text before " + strings.Join(l.Separators, " ")
		}
	}
	if l.Source == "" {
		return kind
	}
	return kind + " (" + l.Source + ")"
}

// compareEntries compares the entries of two collections that steps match. name returns the path of an entry.
func (d *differ) compareEntries(v three.Nodes, steps []pair.Step, name func(three.Entries) *three.Path) {
	for _, st := range steps {
		var versions three.Entries
		for s, i := range st.Index {
			if i >= 0 {
				versions[s] = v[s].Entries[i]
			}
		}
		o, u := versions[three.Original], versions[three.Updated]
		if o == nil && u == nil {
			continue
		}
		p := name(versions)
		if o != nil && u != nil {
			d.compareKeysAndGuards(p, o, u)
		}
		for _, e := range [...]*syntax.Entry{o, u} {
			if d.paths != nil && e != nil {
				d.paths[e] = p.String()
			}
		}
		values := versions.Values()
		d.compare(values[three.Original], values[three.Updated], p)
	}
}

// compareKeysAndGuards compares everything except the value of an entry in two versions: its mapping key, and the
// template blocks around it that are not around its parent.
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
	from, to := template.OwnGuard(o), template.OwnGuard(u)
	if from != to {
		d.guardChanges = append(d.guardChanges, Change{
			Path: p.String(), Kind: ChangeGuarded, From: d.actionVersion(three.Original, from, o.Start), To: d.actionVersion(three.Updated, to, u.Start),
		})
	}
}

// compareActionLines compares the lines of template actions that are not part of a block. Each is attributed to the
// entry above it. If lines differ only in their order, it adds one ChangeActions without a path.
func (d *differ) compareActionLines() {
	var below [3]map[string][]template.Line
	var allLines [3][]string
	for _, s := range [...]three.Version{three.Original, three.Updated} {
		below[s] = map[string][]template.Line{"": nil}
		for _, l := range d.facts[s].Lines {
			allLines[s] = append(allLines[s], l.Text)
			if l.OpenedBy == "" && !template.HasBlockActions([]byte(l.Text)) {
				path := d.paths[l.Above]
				below[s][path] = append(below[s][path], l)
			}
		}
	}
	before, after := below[three.Original], below[three.Updated]
	for _, path := range slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))))) {
		from, to := subtractLines(before[path], after[path]), subtractLines(after[path], before[path])
		for i := range max(len(from), len(to)) {
			c := Change{Path: path, Kind: ChangeActions}
			if i < len(from) {
				c.From = d.actionVersion(three.Original, from[i].Text, from[i].Start)
			}
			if i < len(to) {
				c.To = d.actionVersion(three.Updated, to[i].Text, to[i].Start)
			}
			d.changes = append(d.changes, c)
		}
	}
	if !slices.ContainsFunc(d.changes, Change.IsOfActions) && !slices.Equal(allLines[three.Original], allLines[three.Updated]) {
		d.changes = append(d.changes, Change{Kind: ChangeActions}) // only the order of the lines differs
	}
}

// subtractLines returns the lines of a that b does not have. If a has a line more often than b, the surplus lines are
// returned.
func subtractLines(a, b []template.Line) (rest []template.Line) {
	counts := map[string]int{}
	for _, x := range b {
		counts[x.Text]++
	}
	for _, x := range a {
		if counts[x.Text]--; counts[x.Text] < 0 {
			rest = append(rest, x)
		}
	}
	return rest
}

// actionVersion returns the Version for actions at offset off of version s. It returns the zero Version if there are
// no actions.
func (d *differ) actionVersion(s three.Version, said string, off int) Version {
	if said == "" {
		return Version{}
	}
	return Version{Text: said, Line: d.streams[s].File.Line(off)}
}

// addChange appends a change of the value at p. o or u may be nil.
func (d *differ) addChange(kind ChangeKind, p *three.Path, o, u *syntax.Node) {
	c := Change{Path: p.String(), Kind: kind, List: d.list}
	c.From, c.To = d.valueVersion(three.Original, o), d.valueVersion(three.Updated, u)
	d.changes = append(d.changes, c)
}

// valueVersion returns the Version for value n of version s: complete lines of a block collection, otherwise only the
// value. It returns the zero Version if n is nil.
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

// A List describes one list of a file; see docs/rules.md.
type List struct {
	// Path names it, as in spec.template.spec.containers.
	Path string
	// Line is the line of its first item, from 1; of the list itself if it is empty.
	Line int
	Kind ListKind
	// Keys are the associative keys: the fields that together identify an item of a list of the kind map. Defaults has
	// the values of keys that an item may omit.
	Keys     []string
	Defaults map[string]string
	// Separators are used instead of Keys if the items are strings: the text before a separator identifies an item.
	Separators []string
	// Source is the source of the rule: the team's file, a type, or similar.
	Source string
}

// ListKind is the way in which the items of a list are matched.
type ListKind string

// The kinds of lists.
const (
	ListMap     ListKind = "map"     // by associative keys
	ListSet     ListKind = "set"     // by value
	ListAtomic  ListKind = "atomic"  // not at all: the list is one value
	ListOrdered ListKind = "ordered" // aligned by a diff, as lines are
)

// listKinds converts the kinds of package schema.
var listKinds = map[schema.Kind]ListKind{
	schema.Map: ListMap, schema.Set: ListSet, schema.Atomic: ListAtomic, schema.Ordered: ListOrdered,
}

// Lists returns the lists of a file, in its order, with the kinds that a merge would use if all versions were equal
// to data. It uses only the options Path and Rules. It returns an error if data cannot be parsed as YAML, or if a
// custom resource definition that it needs is invalid.
func Lists(data []byte, opts Options) ([]List, error) {
	l := &listCollector{Matcher: opts.newMatcher()}
	if err := l.collectFile(data); err != nil {
		return nil, err
	}
	return l.lists, opts.rules().CRDError()
}

// Unmatched returns the patterns, kinds and paths in the team's own rules that match nothing in the given files, each as
// name:line:column and a text. read returns the content of a file. Files that cannot be read or parsed are skipped.
func Unmatched(rules *schema.Rules, files []string, read func(path string) ([]byte, error)) []string {
	use := Options{Rules: rules}.rules().NewUsage()
	for _, path := range files {
		if !use.SeeFile(path) {
			continue
		}
		if data, err := read(path); err == nil {
			l := &listCollector{Matcher: Options{Path: path, Rules: rules}.newMatcher(), onPlace: use.SeePlace}
			_ = l.collectFile(data) // a file that is not YAML has no paths
		}
	}
	return use.Remarks()
}

// collectFile calls collectLists for all documents of data. It returns an error if data cannot be parsed as YAML.
func (l *listCollector) collectFile(data []byte) error {
	in := read.New([3][]byte{three.Original: data}, [3]string{three.Original: "the file"})
	if reason := in.UnfitReason(); reason != "" {
		return errors.New(reason)
	}
	in.UnifyFormat(false)
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

// A listCollector collects the lists of a file and the rules that apply to them.
type listCollector struct {
	*pair.Matcher
	source  *text.File
	lists   []List
	onPlace func(schema.Place) // called for each node; may be nil
}

// collectLists appends every list in n to l.lists. p is the path of n. If l.onPlace is set, it is called with the
// place of each node.
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

// collectList appends list n and all lists in it to l.lists.
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

// addList appends list to l.lists, after setting its path and line to those of n.
func (l *listCollector) addList(n *syntax.Node, p *three.Path, list List) {
	list.Path, list.Line = p.String(), l.source.Line(n.Content.Start)
	if len(n.Entries) > 0 {
		list.Line = l.source.Line(n.Entries[0].Value.Content.Start)
	}
	l.lists = append(l.lists, list)
}
