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

// A List is what is known of one list of a file; see docs/lists.md.
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
// version alone would take them for. Of the options it reads Path, Rules and
// MaxSize. The error says why the file cannot be read as YAML, or which
// definition that it needs is wrong.
func Lists(data []byte, opts Options) ([]List, error) {
	opts.Names[three.Original] = "the file"
	if reason := read.New([3][]byte{data, data, data}, opts.Names).Unfit(opts.MaxSize); reason != "" {
		return nil, errors.New(reason)
	}
	st, err := syntax.Parse(text.New(data))
	if err != nil {
		return nil, err
	}
	l := &lister{Matcher: opts.matcher(), source: st.File}
	l.Multi = len(st.Docs) > 1
	for i, d := range st.Docs {
		l.node(d.Root, l.DocPath([3]*syntax.Document{three.Dest: d}, [3]int{three.Dest: i}))
	}
	return l.lists, opts.Rules.known().Err()
}

// A lister walks a file as a merge does.
type lister struct {
	*pair.Matcher
	source *text.File
	lists  []List
}

func (l *lister) node(n *syntax.Node, p *three.Path) {
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
