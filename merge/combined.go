package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Combination is the reference of an image, an action or the like of which one side changed one part and the other side another one,
// as the registry and the tag, so that neither side has written it as a whole.
type Combination struct {
	// Path is that of the field with the reference, or of the mapping whose fields it consists of.
	Path string `json:"path"`
	// Value is the reference, as in registry.example.com/web:1.2.
	Value string `json:"value"`
}

// A reference is the reference of an image: a scalar, or several fields of a mapping.
//
//	image: r.io/web:1.2       image:
//	                            repository: r.io/web
//	                            tag: "1.2"
type reference struct {
	value string
	parts []string // what it consists of: a field or the name of a part, and its value
}

// imageSeparators has the separator that comes before the value of a field in an image reference. For fields that are not in the map
// it is "/".
var imageSeparators = map[string]string{"tag": ":", "newTag": ":", "digest": "@"}

// fieldsReference returns the reference that fields of a mapping of f are; false if fewer than two of them are parts of one.
func fieldsReference(f *text.File, n *syntax.Node) (r reference, ok bool) {
	for _, name := range syntax.ImageFields {
		e := n.Field(name)
		if e == nil || e.Value.Kind != syntax.Scalar || e.Value.IsNull() {
			continue
		}
		value := strings.Trim(string(f.Slice(e.Value.Content)), `"'`)
		if r.value != "" {
			r.value += cmp.Or(imageSeparators[name], "/")
		}
		r.value += value
		r.parts = append(r.parts, name+"="+value)
	}
	return r, len(r.parts) > 1
}

// scalarReference returns the reference that a scalar of f is; false if it is none.
func scalarReference(f *text.File, n *syntax.Node) (reference, bool) {
	at, ok := n.Image(f)
	name, version := string(f.Slice(at.Name)), string(f.Slice(at.Version))
	return reference{name + version, []string{"name " + name, "version " + version}}, ok
}

// eachNode calls f for each node of st, in the order of the file.
func eachNode(st *syntax.Stream, f func(*syntax.Node)) {
	var in func(n *syntax.Node)
	in = func(n *syntax.Node) {
		f(n)
		for _, e := range n.Entries {
			in(e.Value)
		}
	}
	for _, d := range st.Docs {
		in(d.Root)
	}
}

// combined returns the references of images in o that no version has, and of which each part is that of a version. Of a result with
// conflicts they are those outside of them. It returns none if o could not be read, or is one of the versions.
func (m *merger) combined(o outcome) (all []Combination) {
	switch {
	case o.Method == Trivial:
	case o.Method == ByLine && m.lines.stream != nil:
		all = m.combinedIn(m.lines.stream, false)
	case len(o.Conflicts) == 0:
		all = m.combinedIn(m.proof.ParseResult(o.Bytes), o.Method != ByLine)
	case o.page != nil:
		other := m.combinedIn(m.proof.ParseResult(o.page.Resolve(three.Updated)), true)
		for _, c := range m.combinedIn(m.proof.ParseResult(o.page.Resolve(three.Dest)), true) {
			if slices.Contains(other, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// combinedIn returns those of combined in st, the tree of a result or nil. It looks at scalars only if so is asked: a line merge puts none
// together.
func (m *merger) combinedIn(st *syntax.Stream, scalars bool) (all []Combination) {
	if st == nil {
		return nil
	}
	var whole, parts map[string]bool // of the versions, once they are asked for
	versions := func(f func(*text.File, *syntax.Node)) {
		for _, v := range m.in.Streams {
			eachNode(v, func(n *syntax.Node) { f(v.File, n) })
		}
	}
	isKnown := func(value string) bool {
		if whole == nil {
			whole = map[string]bool{}
			versions(func(f *text.File, n *syntax.Node) {
				if r, ok := fieldsReference(f, n); ok {
					whole[strings.Join(r.parts, "\n")] = true
				} else if n.Kind == syntax.Scalar && scalars {
					whole[n.Value] = true
				}
			})
		}
		return whole[value]
	}
	isPart := func(part string) bool {
		if parts == nil {
			parts = map[string]bool{}
			versions(func(f *text.File, n *syntax.Node) {
				r, ok := fieldsReference(f, n)
				if !ok && n.Kind == syntax.Scalar && scalars {
					r, _ = scalarReference(f, n)
				}
				for _, part := range r.parts {
					parts[part] = true
				}
			})
		}
		return parts[part]
	}
	match := m.opts.matcher()
	for _, v := range m.in.Streams {
		match.MultiDocument = match.MultiDocument || len(v.Docs) > 1
	}
	eachNode(st, func(n *syntax.Node) {
		r, ok := fieldsReference(st.File, n)
		switch {
		case ok && isKnown(strings.Join(r.parts, "\n")):
			return
		case !ok && (n.Kind != syntax.Scalar || !scalars || isKnown(n.Value)):
			return
		case !ok:
			if r, ok = scalarReference(st.File, n); !ok {
				return
			}
		}
		if slices.ContainsFunc(r.parts, func(part string) bool { return !isPart(part) }) {
			return
		}
		if path := match.PathAt(st, n.Span); n.Kind == syntax.Mapping || m.opts.Rules.known().IsImage(path.Place()) {
			all = append(all, Combination{path.String(), r.value})
		}
	})
	return all
}
