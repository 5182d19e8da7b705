package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A differ compares two versions of a file. It uses the functions for three versions: dest is the same as the
// original, so that there are no conflicts. In its methods, o is a part of the base and u the corresponding part of
// the changed version.
type differ struct {
	*pair.Matcher
	streams [3]*syntax.Stream
	list    string // Change.List for the current list; "" outside of lists
	changes []Change
	// For templates only: the template actions of both versions, the path of each entry, and the changes of the
	// template blocks around entries.
	facts        [3]*template.Facts
	paths        map[*syntax.Entry]string
	guardChanges []Change
}

// compareDocuments appends the differences between the two streams to d.changes, document by document. If a stream has
// several documents, they are matched by their identity, such as kind and name, and paths name the document, as in
// "Deployment/web: spec.replicas".
func (d *differ) compareDocuments() {
	docs, steps := d.PairSingleDocuments(d.streams)
	if steps == nil {
		steps = d.Pair(d.DocumentElems(docs))
	}
	for _, st := range steps {
		versions := pair.Elements(st, docs)
		var root three.Nodes
		for s, doc := range versions {
			if doc != nil {
				root[s] = doc.Root
			}
		}
		d.compare(root[three.Original], root[three.Updated], d.DocumentPath(versions, st.Index))
	}
}

// compare appends the differences between a value in the base (o) and in the changed version (u), at any depth, to
// d.changes. nil stands for a missing value. For a template, it also adds to d.paths and d.guardChanges.
func (d *differ) compare(o, u *syntax.Node, path *three.Path) {
	switch {
	case o == nil && u == nil:
	case o == nil:
		d.addChange(ChangeAdded, path, nil, u)
		d.recordPaths(u, path)
	case u == nil:
		d.addChange(ChangeDeleted, path, o, nil)
		d.recordPaths(o, path)
	case d.paths == nil && d.Hasher.Equal(o, u): // in a template, the blocks around equal entries may differ
	case o.Kind == u.Kind && len(o.Entries) > 0 && len(u.Entries) > 0:
		d.compareCollections(o, u, path)
	case !d.Hasher.Equal(o, u):
		d.addChange(ChangeModified, path, o, u)
		d.recordPaths(o, path)
		d.recordPaths(u, path)
	}
}

// recordPaths stores path in d.paths for all entries inside n, at any depth. path is that of n, which was added,
// deleted or replaced as a whole: changed lines of template actions in n are then reported with this path. It does
// nothing if the file is not a template.
func (d *differ) recordPaths(n *syntax.Node, path *three.Path) {
	if d.paths == nil {
		return
	}
	for _, e := range n.Entries {
		d.paths[e] = path.String()
		d.recordPaths(e.Value, path)
	}
}

// compareCollections appends the differences between two mappings or two lists to d.changes: o in the base, and u in
// the changed version, at this path. They must not be empty. An atomic list is one value: if it differs, that is one
// ChangeModified. If no entry differs, but the data does, that is a ChangeReordered.
func (d *differ) compareCollections(o, u *syntax.Node, path *three.Path) {
	v := three.Nodes{three.Original: o, three.Dest: o, three.Updated: u}
	entries, isEqual := d.PairEntries(v, path), d.Hasher.Equal(o, u)
	isOneValue := entries.Rule.Kind == schema.Atomic && !isEqual
	countBefore, outerList := len(d.changes), d.list
	if !isOneValue && d.Hasher.HashProperties(o) != d.Hasher.HashProperties(u) { // another anchor or tag
		d.addChange(ChangeModified, path, o, u)
	}
	if o.Kind == syntax.Sequence {
		d.list = describeList(entries)
	}
	if isOneValue {
		d.addChange(ChangeModified, path, o, u)
	} else {
		d.compareEntries(v, entries)
	}
	d.list = outerList
	if len(d.changes) == countBefore && !isEqual {
		d.addChange(ChangeReordered, path, o, u)
	}
}

// describeList returns the text of Change.List for the items of a list: how they are matched, and the source of the
// rule for it in parentheses, if it is known. Examples:
//
//	a set (inference)
//	one value (.git-merge-yaml.yaml:12)          an atomic list
//	items in order                               an ordered list by a rule without a source
//	items by name, protocol (inference)          a map
//	items by the text before = (inference)       strings with a separator
func describeList(items pair.PairedEntries) string {
	l := items.Rule
	var text string
	switch {
	case items.AreResources:
		return "resources by kind, namespace and name"
	case l.Kind == schema.Set:
		text = "a set"
	case l.Kind == schema.Atomic:
		text = "one value"
	case l.Kind == schema.Ordered:
		text = "items in order"
	case len(l.Separators) == 0:
		text = "items by " + strings.Join(l.Keys, ", ")
	default:
		text = "items by the text before " + strings.Join(l.Separators, " ")
		if l.After != "" {
			text += " and after " + l.After
		}
	}
	if l.Source != "" {
		text += " (" + l.Source + ")"
	}
	return text
}

// compareEntries compares two versions of a mapping or list entry by entry, at any depth, and appends the differences
// to d.changes, such as fields that were added, deleted, modified or renamed. v has the mapping or list in both
// versions, and entries tells which entry of the base is which one of the changed version. In a template, it also
// appends changed template blocks around an entry to d.guardChanges, and stores the path of each entry in d.paths.
func (d *differ) compareEntries(v three.Nodes, entries pair.PairedEntries) {
	for _, st := range entries.Steps {
		versions := st.Entries(v)
		o, u := versions[three.Original], versions[three.Updated]
		if o == nil && u == nil {
			continue
		}
		path := entries.ItemPath(versions)
		if o != nil && u != nil {
			d.compareKeysAndGuards(path, o, u)
		}
		for _, e := range [...]*syntax.Entry{o, u} {
			if d.paths != nil && e != nil {
				d.paths[e] = path.String()
			}
		}
		values := versions.Values()
		d.compare(values[three.Original], values[three.Updated], path)
	}
}

// compareKeysAndGuards compares what surrounds the value of an entry: its key, and the template blocks around it within
// its parent. o is the entry in the base, and u in the changed version. It appends a ChangeRenamed to d.changes if the
// keys differ, because the field was renamed, and a ChangeGuarded to d.guardChanges if the blocks differ.
func (d *differ) compareKeysAndGuards(path *three.Path, o, u *syntax.Entry) {
	if o.Key != nil && !d.Hasher.HaveSameKey(o, u) {
		key := func(s three.Version, e *syntax.Entry) Version {
			f, at := d.streams[s].File, e.Key.Span
			start := at.End - e.Key.Content.Len() // without an anchor or a tag, which may be on an earlier line
			return Version{Text: string(f.Slice(at)), Line: f.Line(start), Span: Span(at)}
		}
		d.changes = append(d.changes, Change{
			Path: path.String(), Kind: ChangeRenamed, List: d.list, From: key(three.Original, o), To: key(three.Updated, u),
		})
	}
	from, to := template.OwnGuard(o), template.OwnGuard(u)
	if from != to {
		d.guardChanges = append(d.guardChanges, Change{
			Path: path.String(), Kind: ChangeGuarded, From: d.actionVersion(three.Original, from, o.Start), To: d.actionVersion(three.Updated, to, u.Start),
		})
	}
}

// compareActionLines appends the changed lines of template actions to d.changes, as ChangeActions. Path is the entry
// above a line. Below one entry, the deleted and the added lines are paired in their order:
//
//	spec: 1                   spec: 1
//	{{ template "a" . }}      {{ template "b" . }}     Path spec, from template "a" to template "b"
//	{{ template "x" . }}                               Path spec, template "x" deleted
//
// Lines that open or close a block are not compared.
func (d *differ) compareActionLines() {
	before, after := d.linesByPath(three.Original), d.linesByPath(three.Updated)
	paths := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		deleted, added := subtractLines(before[path], after[path]), subtractLines(after[path], before[path])
		for i := range max(len(deleted), len(added)) {
			c := Change{Path: path, Kind: ChangeActions}
			if i < len(deleted) {
				c.From = d.actionVersion(three.Original, deleted[i].Text, deleted[i].Start)
			}
			if i < len(added) {
				c.To = d.actionVersion(three.Updated, added[i].Text, added[i].Start)
			}
			d.changes = append(d.changes, c)
		}
	}
}

// haveSameActionLines reports whether both versions have the same lines of template actions, including those that open
// or close a block, in the same order.
func (d *differ) haveSameActionLines() bool {
	return slices.EqualFunc(d.facts[three.Original].Lines, d.facts[three.Updated].Lines, func(a, b template.Line) bool { return a.Text == b.Text })
}

// linesByPath returns the lines of version s with only template actions that do not open, divide or close a block. They
// are grouped by the path of the last entry above the line, or "" if there is none.
func (d *differ) linesByPath(s three.Version) map[string][]template.Line {
	lines := map[string][]template.Line{}
	for _, l := range d.facts[s].Lines {
		if l.OpenedBy == "" && !template.HasBlockActions([]byte(l.Text)) {
			path := d.paths[l.Above]
			lines[path] = append(lines[path], l)
		}
	}
	return lines
}

// subtractLines returns the lines that a has more often than b, in the order of a. Lines are compared by their text. If
// a has a line three times and b once, these are the last two.
func subtractLines(a, b []template.Line) (rest []template.Line) {
	inB := map[string]int{} // how often b has a text, without the copies in a so far
	for _, l := range b {
		inB[l.Text]++
	}
	for _, l := range a {
		if inB[l.Text]--; inB[l.Text] < 0 {
			rest = append(rest, l)
		}
	}
	return rest
}

// actionVersion returns one side of a Change of template actions, for its field From or To (a Version: text and place).
// The text is that of the actions, such as {{ if .Values.x }}, and the place is an empty span at the offset off of
// version s. If actions is empty, because this side has none, it returns the zero Version.
func (d *differ) actionVersion(s three.Version, actions string, off int) Version {
	if actions == "" {
		return Version{}
	}
	return Version{Text: actions, Line: d.streams[s].File.Line(off), Span: Span{off, off}}
}

// addChange appends a change of the value at path to d.changes: from o, its node in the base, to u, its node in the
// changed version. One of them may be nil; From or To is then the zero Version. List is d.list.
func (d *differ) addChange(kind ChangeKind, path *three.Path, o, u *syntax.Node) {
	c := Change{Path: path.String(), Kind: kind, List: d.list}
	c.From, c.To = d.valueVersion(three.Original, o), d.valueVersion(three.Updated, u)
	d.changes = append(d.changes, c)
}

// valueVersion returns the value n of version s as a side of a Change: its text, with anchor and tag, and its place.
// For a block mapping or list, the text is only the lines of its entries. Line is that of the value or its first entry,
// from 1. It returns the zero Version if n is nil.
func (d *differ) valueVersion(s three.Version, n *syntax.Node) Version {
	if n == nil {
		return Version{}
	}
	sp := n.Span
	if n.Style == syntax.Block {
		sp.Start = n.Content.Start
	}
	f := d.streams[s].File
	return Version{Text: string(f.Slice(sp)), Line: f.Line(n.Content.Start), Span: Span(sp)}
}
