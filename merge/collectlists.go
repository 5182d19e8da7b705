package merge

import (
	"cmp"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// findUnmatched finds mistakes in the team's rules, such as mistyped paths. all has messages about parts of the rules
// that have no effect in files, and partial about policies that decide only conflicts about whole mappings or lists.
// read returns the content of a file. Of a file that cannot be read, only the path is used.
func findUnmatched(rules *team.Rules, files []string, read func(path string) ([]byte, error)) (all, partial []string) {
	use := rules.NewUsage()
	for _, path := range files {
		if !use.SeeFile(path) { // its content can show no further rule in use
			continue
		}
		if data, err := read(path); err == nil {
			l := &listCollector{Matcher: pair.NewMatcher(rules, path), onPlace: use.SeePlace}
			_ = l.collectFile(data) // a file that is not YAML has no paths
		}
	}
	return use.Remarks()
}

// collectFile parses data, a file, and appends all lists in it to l.lists. If l.onPlace is not nil, it is called for
// each value with its path and node. l.source and l.MultiDocument are set for this file. It fails if data cannot be
// parsed, is too large or has conflict markers.
func (l *listCollector) collectFile(data []byte) error {
	in := read.New([3][]byte{three.Original: data}, [3]string{three.Original: cmp.Or(l.File, "the file")})
	if err := in.Unfit(); err != nil {
		return err
	}
	in.UnifyFormat(false)
	if err := in.Parse(); err != nil {
		return err
	}
	st := in.Streams[three.Original]
	l.source = st.File
	l.MultiDocument = len(st.Docs) > 1
	for i, d := range st.Docs {
		l.visitValue(d.Root, l.DocumentPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i}))
	}
	return nil
}

// A listCollector collects the lists of a file, with the way in which a merge matches their items.
type listCollector struct {
	*pair.Matcher
	source *text.File
	lists  []List
	// onPlace is called for each node, with its path in the form in which rules select it; it may be nil.
	onPlace func(schema.Place, *syntax.Node)
}

// visitValue appends all lists in the value n to l.lists, including n itself; a list comes before the lists in its
// items. path is that of n. Fields of one mapping that the rules merge as one value (a unit) are listed, too, as a
// ListUnit. If l.onPlace is set, it is called for each value.
func (l *listCollector) visitValue(n *syntax.Node, path *three.Path) {
	if l.onPlace != nil {
		l.onPlace(path.Place(), n)
	}
	switch n.Kind {
	case syntax.Mapping:
		for u := range l.Rules.Units(path.Place()) {
			if names := u.NamesIn(n); len(names) > 1 && !u.IsExclusive() {
				l.addList(n, path, List{Kind: ListUnit, Keys: names, Source: u.Source})
			}
		}
		for _, e := range n.Entries {
			l.visitValue(e.Value, path.Child(e.Key.Value))
		}
	case syntax.Sequence:
		l.visitSequence(n, path)
	}
}

// visitSequence appends the list n to l.lists, and visits its items. A list of resources below the root, such as the
// items of a List, is a ListMap with the source "resources". Paths name items by associative keys, as in
// spec.containers[name=web], or index.
func (l *listCollector) visitSequence(n *syntax.Node, path *three.Path) {
	isDocument := path.Up == nil
	// the functions for three versions get n as the list of ours, without a list in the others
	if _, ok := l.ResourceElems(three.Nodes{three.Dest: n}, path); ok && !isDocument {
		l.addList(n, path, List{Kind: ListMap, Keys: []string{"kind", "metadata.namespace", "metadata.name"}, Source: "resources"})
		itemPath := l.ResourcePathFunc(path)
		for _, e := range n.Entries {
			l.visitValue(e.Value, itemPath(three.Entries{three.Dest: e}))
		}
		return
	}
	rule := l.Rules.ListAt(path.Place(), n)
	l.addList(n, path, List{
		Kind: listKinds[rule.Kind], Keys: rule.Keys, Defaults: rule.Defaults, Separators: rule.Separators, After: rule.After, Source: rule.Source,
	})
	for i, e := range n.Entries {
		label := cmp.Or(rule.Label(e.Value), strconv.Itoa(i))
		l.visitValue(e.Value, path.Item(label))
	}
}

// addList appends list, which describes n, to l.lists. It sets its Path to path, and its Line, from 1, to that of the
// value of the first entry of n, or of n itself if n is empty.
func (l *listCollector) addList(n *syntax.Node, path *three.Path, list List) {
	list.Path, list.Line = path.String(), l.source.Line(n.Content.Start)
	if len(n.Entries) > 0 {
		list.Line = l.source.Line(n.Entries[0].Value.Content.Start)
	}
	l.lists = append(l.lists, list)
}
