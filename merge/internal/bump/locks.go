package bump

import (
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// LockRules is the set of rules that asks for Locks.
const LockRules = "locks"

// A Choice is a package that both sides changed, and the side whose entry stands.
type Choice struct {
	Path string
	Took three.Side
}

// A lock says where the packages of a lock file are, and which of its fields are sums over the
// whole file, of which no merge is right.
type lock struct {
	packages []string // paths of mappings and lists; * is any field
	sums     []string // fields of the root
}

var locks = map[string]lock{
	"Chart.lock":        {[]string{"dependencies"}, []string{"digest", "generated"}},
	"requirements.lock": {[]string{"dependencies"}, []string{"digest", "generated"}},
	"pubspec.lock":      {[]string{"packages"}, nil},
	"Podfile.lock":      {[]string{"PODS", "DEPENDENCIES", "SPEC CHECKSUMS"}, []string{"PODFILE CHECKSUM"}},
	"conda-lock.yml":    {[]string{"package"}, nil},
	"yarn.lock":         {[]string{""}, nil},
	"pnpm-lock.yaml": {[]string{
		"packages", "snapshots", "dependencies", "devDependencies", "optionalDependencies",
		"importers.*.dependencies", "importers.*.devDependencies", "importers.*.optionalDependencies",
	}, nil},
}

// Locks returns the versions of a lock file with packages that both sides have in one way:
// what either side added stands, what one dropped and the other left is gone, and of a
// package in two versions the entry with the higher one stands, whole. What cannot be told
// stays as it is. Sums over the file are those of one side: they are wrong until it is made again.
func Locks(raw [3][]byte, file string) ([3][]byte, []Choice) {
	l, ok := locks[path.Base(file)]
	if !ok {
		return raw, nil
	}
	var root three.Nodes
	for s, b := range raw {
		st, err := syntax.Parse(text.New(b))
		if err != nil || len(st.Docs) != 1 || st.DoubledKey() != nil || st.Docs[0].Root == nil || st.Docs[0].Root.Kind != syntax.Mapping {
			return raw, nil
		}
		root[s] = st.Docs[0].Root
	}
	m := &lockMerger{raw: raw, chosen: map[string]three.Side{}}
	for _, p := range l.packages {
		m.at(root, strings.FieldsFunc(p, func(r rune) bool { return r == '.' }), nil)
	}
	m.sums(root, l.sums)
	for s := range raw {
		raw[s] = edited(raw[s], m.edits[s])
	}
	return raw, m.choices
}

// A lockMerger collects what is to be written in place of what.
type lockMerger struct {
	raw     [3][]byte
	edits   [3][]edit
	choices []Choice
	chosen  map[string]three.Side // by the names of packages
}

// at goes down a path in all versions, and gives both sides the packages of both there.
func (m *lockMerger) at(n three.Nodes, rest, done []string) {
	if slices.Contains(n[:], nil) {
		return
	}
	if len(rest) == 0 {
		m.collection(n, strings.Join(done, "."))
		return
	}
	for _, e := range n[three.Dest].Entries {
		if n[three.Dest].Kind == syntax.Mapping && (rest[0] == "*" || rest[0] == e.Key.Value) {
			name := e.Key.Value
			var below three.Nodes
			for s := range n {
				if f := n[s].Field(name); f != nil {
					below[s] = f.Value
				}
			}
			m.at(below, rest[1:], append(slices.Clone(done), name))
		}
	}
}

// An item is an entry of a collection of packages.
type item struct {
	name, version string
	span          text.Span
	text          string
}

// items are those of a version, nil if they cannot be told apart.
func (m *lockMerger) items(s three.Side, n *syntax.Node) (all []item) {
	names := map[string]bool{}
	for _, e := range n.Entries {
		x := item{span: e.Span, text: string(m.raw[s][e.Span.Start:e.Span.End])}
		x.name, x.version = nameOf(n.Kind, e)
		if x.name == "" || names[x.name] || e.Inline || !strings.HasSuffix(x.text, "\n") {
			return nil
		}
		names[x.name] = true
		all = append(all, x)
	}
	return all
}

// nameOf is by what an entry is known, and its version, "" if it has none.
func nameOf(kind syntax.Kind, e *syntax.Entry) (name, version string) {
	if kind == syntax.Mapping {
		return e.Key.Value, field(e.Value, "version")
	}
	v := e.Value
	if v.Kind == syntax.Mapping && len(v.Entries) == 1 && v.Entries[0].Value.Kind == syntax.Sequence {
		v = v.Entries[0].Key // of a pod with dependencies
	}
	if v.Kind == syntax.Scalar {
		name, version, _ = strings.Cut(v.Value, " (")
		return name, strings.TrimSuffix(version, ")")
	}
	return strings.Trim(field(v, "name")+" "+field(v, "manager")+" "+field(v, "platform"), " "), field(v, "version")
}

func field(n *syntax.Node, name string) string {
	if n.Kind != syntax.Mapping {
		return ""
	}
	if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
		version, _, _ := strings.Cut(e.Value.Value, "(") // pnpm has peers behind it
		return version
	}
	return ""
}

// collection gives both sides the packages of both.
func (m *lockMerger) collection(n three.Nodes, at string) {
	var all [3][]item
	for s := range n {
		c := n[s]
		if c.Kind == syntax.Scalar || c.Kind != n[three.Dest].Kind || len(c.Entries) == 0 || c.Indent < 0 || c.Indent != n[three.Dest].Indent {
			return
		}
		if all[s] = m.items(three.Side(s), c); all[s] == nil {
			return
		}
	}
	if _, one := three.PickFunc(all, func(x, y []item) bool {
		return slices.EqualFunc(x, y, func(a, b item) bool { return a.text == b.text })
	}); one {
		return // one side alone changed it, or both alike
	}
	var dest, updated strings.Builder
	by := map[string]*[3]*item{}
	for s := range all {
		for i, x := range all[s] {
			if by[x.name] == nil {
				by[x.name] = new([3]*item)
			}
			by[x.name][s] = &all[s][i]
		}
	}
	for _, name := range order(all, by) {
		d, u := m.pick(*by[name], at)
		if d != nil {
			dest.WriteString(d.text)
		}
		if u != nil {
			updated.WriteString(u.text)
		}
	}
	if dest.Len() == 0 || updated.Len() == 0 {
		return
	}
	for s, new := range map[three.Side]string{three.Dest: dest.String(), three.Updated: updated.String()} {
		span := text.Span{Start: all[s][0].span.Start, End: all[s][len(all[s])-1].span.End}
		m.edits[s] = append(m.edits[s], edit{span, new})
	}
}

// pick returns what dest and updated are to have of a package: one entry, or each its own where it cannot be told.
func (m *lockMerger) pick(v [3]*item, at string) (dest, updated *item) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	same := func(x, y *item) bool { return x == nil && y == nil || x != nil && y != nil && x.text == y.text }
	took := three.Dest
	switch {
	case same(d, u), same(o, u):
		return d, d
	case same(o, d):
		return u, u
	case d == nil: // dropped by one side, needed in another version by the other
		took = three.Updated
	case u == nil:
	default:
		if s, known := m.chosen[d.name]; known && d.version == "" {
			return v[s], v[s]
		}
		higher, ok := schema.Highest.Pick("", d.version, u.version)
		if !ok || d.version == u.version {
			return d, u
		}
		if higher != d.version {
			took = three.Updated
		}
	}
	m.chosen[v[took].name] = took
	m.choices = append(m.choices, Choice{strings.TrimPrefix(at+"."+v[took].name, "."), took})
	return v[took], v[took]
}

// order is the names of all packages: sorted where dest has them so, else those of updated
// behind the ones that they follow there.
func order(all [3][]item, by map[string]*[3]*item) (names []string) {
	behind := map[string][]string{} // what updated alone has, by what it follows
	last, sorted := "", slices.IsSortedFunc(all[three.Dest], func(x, y item) int { return strings.Compare(x.name, y.name) })
	for _, x := range all[three.Updated] {
		if by[x.name][three.Dest] != nil {
			last = x.name
		} else {
			behind[last] = append(behind[last], x.name)
		}
	}
	names = append(names, behind[""]...)
	for _, x := range all[three.Dest] {
		names = append(append(names, x.name), behind[x.name]...)
	}
	if sorted {
		slices.Sort(names)
	}
	return names
}

// sums gives both sides those of one of them, of the fields of the root that both changed:
// of the side whose last one is the greater, which is a time where there is one.
func (m *lockMerger) sums(root three.Nodes, names []string) {
	var at [3][]text.Span
	took := three.Dest
	for _, name := range names {
		e := [3]*syntax.Entry{root[0].Field(name), root[1].Field(name), root[2].Field(name)}
		if slices.ContainsFunc(e[:], func(e *syntax.Entry) bool { return e == nil || e.Value.Kind != syntax.Scalar }) {
			continue
		}
		o, d, u := e[three.Original].Value.Value, e[three.Dest].Value.Value, e[three.Updated].Value.Value
		if o == d || o == u {
			return
		}
		if took = three.Dest; u > d {
			took = three.Updated
		}
		for s := range e {
			at[s] = append(at[s], e[s].Value.Span)
		}
	}
	for i, from := range at[took] {
		s := took.Other()
		m.edits[s] = append(m.edits[s], edit{at[s][i], string(m.raw[took][from.Start:from.End])})
	}
}
