package merge

import (
	"errors"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

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
// version alone would take them for. The error says why the file cannot be read as
// YAML, or which definition that it needs is wrong.
func Lists(data []byte, opts FileOptions) ([]List, error) {
	opts.Names[three.Original] = "the file"
	l := &lister{Matcher: opts.merging().matcher()}
	if err := l.file(data, opts); err != nil {
		return nil, err
	}
	return l.lists, opts.Rules.known().Err()
}

// Unmatched returns what the team's own rules name and no file of a repository has, each
// as name:line:column and a text: patterns of files, and paths. Read reads one of files;
// what is no YAML is passed over.
func (r *Rules) Unmatched(files []string, read func(path string) ([]byte, error)) []string {
	use := r.known().Usage()
	for _, path := range files {
		if !use.File(path) {
			continue
		}
		if data, err := read(path); err == nil {
			opts := FileOptions{Path: path, Rules: r}
			l := &lister{Matcher: opts.merging().matcher(), see: use.See}
			_ = l.file(data, opts) // what is no YAML has no paths
		}
	}
	return use.Remarks()
}

// file walks over a file.
func (l *lister) file(data []byte, opts FileOptions) error {
	in := read.New([3][]byte{data, data, data}, opts.Names)
	if reason := in.Unfit(opts.MaxSize); reason != "" {
		return errors.New(reason)
	}
	in.Unify(false)
	if err := in.Parse(); err != nil {
		return err
	}
	st := in.Proof[three.Original]
	l.source = st.File
	l.Multi = len(st.Docs) > 1
	for i, d := range st.Docs {
		l.node(d.Root, l.DocPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i}))
	}
	return nil
}

// A lister walks a file as a merge does.
type lister struct {
	*pair.Matcher
	source *text.File
	lists  []List
	see    func(schema.Place) // may be nil
}

func (l *lister) node(n *syntax.Node, p *three.Path) {
	if l.see != nil {
		l.see(p.Place())
	}
	switch n.Kind {
	case syntax.Mapping:
		for _, e := range n.Entries {
			l.node(e.Value, p.Child(e.Key.Value))
		}
	case syntax.Sequence:
		l.list(n, p)
	}
}

func (l *lister) list(n *syntax.Node, p *three.Path) {
	v := three.Nodes{three.Dest: n}
	if p.Up != nil && l.Resources(v, p) != nil {
		l.add(n, p, List{Kind: ListMap, Keys: []string{"kind", "metadata.namespace", "metadata.name"}, Source: "resources"})
		name := l.ResourcePath(p)
		for _, e := range n.Entries {
			l.node(e.Value, name(three.Entries{three.Dest: e}))
		}
		return
	}
	known := l.Rules.Of(p.Place(), n)
	l.add(n, p, List{
		Kind: listKinds[known.Kind], Keys: known.Keys, Defaults: known.Defaults, Separators: known.Separators, Source: known.Source,
	})
	for i, e := range n.Entries {
		label := known.Label(e.Value)
		if label == "" {
			label = strconv.Itoa(i)
		}
		l.node(e.Value, p.Labelled(label))
	}
}

func (l *lister) add(n *syntax.Node, p *three.Path, list List) {
	list.Path, list.Line = p.String(), l.source.Line(n.Content.Start)
	if len(n.Entries) > 0 {
		list.Line = l.source.Line(n.Entries[0].Value.Content.Start)
	}
	l.lists = append(l.lists, list)
}
