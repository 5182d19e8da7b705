package engine

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Combination is an image reference, or a similar reference such as that of a GitHub action, that combines an edit
// of each side: one side changed one part, for example the registry, and the other side another part, for example the
// tag. No version contains the whole reference. It can also be an anchor that both sides define, at different places.
type Combination struct {
	// Path names the field with the reference, or the mapping if several of its fields form the reference.
	Path string
	// Value is the reference, as in registry.example.com/web:1.2, or & and the name of an anchor.
	Value string
}

// A reference is a reference to a container image or the like: the value of one scalar, or the values of several
// fields of a mapping. Both of these are r.io/web:1.2:
//
//	image: r.io/web:1.2       image:
//	                            repository: r.io/web
//	                            tag: "1.2"
type reference struct {
	value string
	parts []string // each is the name of a field or part and its value: "tag=1.2" or "version :1.2"
}

// imageSeparators contains the separator before the value of a field in an image reference. For other fields it is
// "/".
var imageSeparators = map[string]string{"tag": ":", "newTag": ":", "digest": "@"}

// fieldsReference returns the image reference that the fields in syntax.ImageFields of mapping n of file f make
// together. ok is false if n has fewer than two of these fields with a scalar that is not null.
//
//	repository: r.io/web
//	tag: "1.2"              r.io/web:1.2
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

// scalarReference returns the image reference that is the value of n, a scalar of file f. For r.io/web:1.2, its parts
// are "name r.io/web" and "version :1.2". ok is false if the value is not an image reference with a version: a tag, a
// digest, or the revision of a GitHub action or URL.
func scalarReference(f *text.File, n *syntax.Node) (reference, bool) {
	at, ok := n.Image(f)
	name, version := string(f.Slice(at.Name)), string(f.Slice(at.Version))
	return reference{name + version, []string{"name " + name, "version " + version}}, ok
}

// eachNode calls f for n and each value inside of it, in the order of the file. A collection comes before its entries. f
// is not called for the keys of mappings.
func eachNode(n *syntax.Node, f func(*syntax.Node)) {
	f(n)
	for _, e := range n.Entries {
		eachNode(e.Value, f)
	}
}

// eachReference calls f for each mapping of st whose fields make an image reference together, and for each scalar that
// is one and for which isExamined returns true, in the order of the file.
func eachReference(st *syntax.Stream, isExamined func(scalar *syntax.Node) bool, f func(*syntax.Node, reference)) {
	for _, d := range st.Docs {
		eachNode(d.Root, func(n *syntax.Node) {
			r, ok := fieldsReference(st.File, n)
			if !ok && n.Kind == syntax.Scalar && isExamined(n) {
				r, ok = scalarReference(st.File, n)
			}
			if ok {
				f(n, r)
			}
		})
	}
}

// repeatedAnchors returns the nodes of st with an anchor that an earlier node of their document has, too.
func repeatedAnchors(st *syntax.Stream) (all []*syntax.Node) {
	for _, d := range st.Docs {
		seen := map[string]bool{}
		eachNode(d.Root, func(n *syntax.Node) {
			if seen[n.Anchor] {
				all = append(all, n)
			}
			seen[n.Anchor] = n.Anchor != ""
		})
	}
	return all
}

// findCombined returns what the result o combines from both sides although no version contains it as a whole: image
// references, and anchors that are repeated. If o has conflicts, this must be in the file with ours and in the file
// with theirs in their place. The versions must have been parsed.
//
//	base            ours              theirs          result
//	r.io/web:1.0    new.io/web:1.0    r.io/web:1.1    new.io/web:1.1
func (m *merger) findCombined(o outcome) (all []Combination) {
	switch {
	case o.Method == Trivial:
	case o.Method == ByLine && m.lines.stream != nil:
		// each line is from one version, so only references of several fields can be combined
		all = m.findCombinedIn(m.lines.stream, false)
	case len(o.Conflicts) == 0:
		all = m.findCombinedIn(m.proof.ParseResult(o.Bytes), o.Method != ByLine)
	case o.page != nil:
		other := m.findCombinedIn(m.proof.ParseResult(o.page.Resolve(three.Updated)), true)
		for _, c := range m.findCombinedIn(m.proof.ParseResult(o.page.Resolve(three.Dest)), true) {
			if slices.Contains(other, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// findCombinedIn returns the repeated anchors and then the references in result, a parsed merge, that are combined from
// both sides. If scalars is false, only references that consist of several fields are examined. It returns nil if
// result is nil.
func (m *merger) findCombinedIn(result *syntax.Stream, scalars bool) []Combination {
	if result == nil {
		return nil
	}
	match := m.opts.newPathMatcher(m.in.Streams)
	return append(m.findRepeatedAnchors(result, match), m.findCombinedReferences(result, match, scalars)...)
}

// findRepeatedAnchors returns the anchors that result, a parsed merge, repeats and no version repeats. match gives the
// paths of nodes.
func (m *merger) findRepeatedAnchors(result *syntax.Stream, match *pair.Matcher) (all []Combination) {
	for _, n := range repeatedAnchors(result) {
		isSame := func(x *syntax.Node) bool { return x.Anchor == n.Anchor }
		if !slices.ContainsFunc(m.in.Streams[:], func(v *syntax.Stream) bool { return slices.ContainsFunc(repeatedAnchors(v), isSame) }) {
			all = append(all, Combination{match.PathAt(result, n.Span).String(), "&" + n.Anchor})
		}
	}
	return all
}

// findCombinedReferences returns the references in result, a parsed merge, that no version contains as a whole although
// each part of them is in a version. match gives the paths of nodes. If scalars is false, only references that consist
// of several fields are examined.
func (m *merger) findCombinedReferences(result *syntax.Stream, match *pair.Matcher, scalars bool) (all []Combination) {
	known := sync.OnceValue(func() map[string]bool { // the references and their parts in the versions
		all := map[string]bool{}
		for _, v := range m.in.Streams {
			eachReference(v, func(*syntax.Node) bool { return scalars }, func(_ *syntax.Node, r reference) {
				all[strings.Join(r.parts, "\n")] = true
				for _, part := range r.parts {
					all[part] = true
				}
			})
		}
		return all
	})
	values := map[string]bool{} // of the scalars in the versions, which are cheaper to compare than references
	for _, v := range m.in.Streams {
		for _, d := range v.Docs {
			if scalars {
				eachNode(d.Root, func(n *syntax.Node) { values[n.Value] = true })
			}
		}
	}
	eachReference(result, func(n *syntax.Node) bool { return scalars && !values[n.Value] }, func(n *syntax.Node, r reference) {
		isNew := func(part string) bool { return !known()[part] }
		if !isNew(strings.Join(r.parts, "\n")) || slices.ContainsFunc(r.parts, isNew) {
			return
		}
		// A scalar may only look like an image.
		if path := match.PathAt(result, n.Span); n.Kind == syntax.Mapping || m.opts.rules().IsImage(path.Place()) {
			all = append(all, Combination{path.String(), r.value})
		}
	})
	return all
}
