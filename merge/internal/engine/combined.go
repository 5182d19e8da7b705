package engine

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Combination is a value of the result of which each side made a part, so that the user should look at it. Usually it
// is an image reference, or a similar one such as that of a GitHub action, that no version contains as a whole: one
// side changed one part, for example the registry, and the other side another part, for example the tag.
type Combination struct {
	Kind CombinationKind
	// Path names the field with the value, or the mapping if several of its fields form a reference.
	Path string
	// Value is the reference, as in registry.example.com/web:1.2, & and the name of an anchor, * and that of an alias,
	// or another value.
	Value string
	// By is the side from which Value is, ours or theirs. It is empty if Value is from both.
	By string
}

// A CombinationKind is what a Combination combines.
type CombinationKind string

// The kinds.
const (
	CombinedReference CombinationKind = "reference" // the parts of one reference
	CombinedAnchor    CombinationKind = "anchor"    // an anchor that both sides define, at different places
	CombinedAlias     CombinationKind = "alias"     // an alias that one side added, to a value that the other side changed
	CombinedValue     CombinationKind = "value"     // a value that one side uses, and that the other side replaced or deleted everywhere
)

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

// allParts returns the parts of r, one on each line, as a key to compare whole references.
func (r reference) allParts() string { return strings.Join(r.parts, "\n") }

// imageSeparators contains the separator before the value of a field in an image reference. For other fields it is
// "/".
var imageSeparators = map[string]string{"tag": ":", "newTag": ":", "digest": "@"}

// fieldsReference returns the image reference that several fields of the mapping n make together:
//
//	repository: r.io/web
//	tag: "1.2"              r.io/web:1.2
//
// The fields are those in syntax.ImageFields, in this order, with imageSeparators between them. ok is false if n has
// fewer than two of them with a scalar that is not null. f is the file of n.
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

// eachNode calls f for n and each value inside of it, in the order of the file. A mapping or list comes before its
// entries. f is not called for the keys of mappings.
func eachNode(n *syntax.Node, f func(*syntax.Node)) {
	f(n)
	for _, e := range n.Entries {
		eachNode(e.Value, f)
	}
}

// eachValue calls f for each value of st, as eachNode does.
func eachValue(st *syntax.Stream, f func(*syntax.Node)) {
	for _, d := range st.Docs {
		eachNode(d.Root, f)
	}
}

// eachReference calls f for each image reference in st, in the order of the file, with its node: a mapping whose fields
// make a reference together, or a scalar that is one. To save time, only scalars for which isExamined returns true are
// considered.
func eachReference(st *syntax.Stream, isExamined func(scalar *syntax.Node) bool, f func(*syntax.Node, reference)) {
	eachValue(st, func(n *syntax.Node) {
		r, ok := fieldsReference(st.File, n)
		if !ok && n.Kind == syntax.Scalar && isExamined(n) {
			r, ok = scalarReference(st.File, n)
		}
		if ok {
			f(n, r)
		}
	})
}

// repeatedAnchors returns the nodes of st with the same anchor as an earlier node of their document.
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

// A combinationFinder finds the Combinations in results of one merge.
type combinationFinder struct {
	*merger
	match *pair.Matcher          // for the paths of nodes
	texts [3]map[string]int      // how often each version has a text (countTexts)
	names func() map[string]bool // the keys and names in the base (keysAndNamesIn)
	// used has the names in expressions of each version, such as lint in ${{ needs.lint.result }}. It is nil for
	// templates, whose actions use names of other files.
	used [3]map[string]bool
}

// newCombinationFinder returns a combinationFinder for results of m, whose versions must have been parsed.
func newCombinationFinder(m *merger) *combinationFinder {
	f := &combinationFinder{merger: m, match: m.opts.newPathMatcher(m.in.Streams)}
	f.names = sync.OnceValue(func() map[string]bool { return keysAndNamesIn(m.in.Streams[three.Original]) })
	for v, st := range m.in.Streams {
		f.texts[v] = countTexts(st)
		if m.in.Language != read.Template {
			f.used[v] = namesUsedIn(st)
		}
	}
	return f
}

// findCombined returns the values of the result o of which each side made a part, so that the user looks at them:
//
//	base            ours              theirs          result
//	r.io/web:1.0    new.io/web:1.0    r.io/web:1.1    new.io/web:1.1
//
// If o has conflicts, it returns only those that the file has in both cases: with all conflicts decided for ours, and
// with all decided for theirs. The versions must have been parsed.
func (m *merger) findCombined(o outcome) (all []Combination) {
	if o.Method == Trivial || len(o.Conflicts) > 0 && o.page == nil {
		return nil
	}
	f := newCombinationFinder(m)
	if len(o.Conflicts) == 0 {
		return f.find(o.Bytes)
	}
	withOurs, withTheirs := f.find(o.page.Resolve(three.Dest)), f.find(o.page.Resolve(three.Updated))
	return slices.DeleteFunc(withOurs, func(c Combination) bool { return !slices.Contains(withTheirs, c) })
}

// find returns the Combinations in b, a merged file without conflicts, in the order of their kinds: anchors, aliases,
// values and references. It returns nil if b cannot be parsed.
func (f *combinationFinder) find(b []byte) []Combination {
	result := f.proof.ParseResult(b)
	if result == nil {
		return nil
	}
	return slices.Concat(f.findRepeatedAnchors(result), f.findChangedAliases(result), f.findReplacedValues(result), f.findReferences(result))
}

// countTexts returns how often each text occurs in st, as a scalar or a mapping key, added together. An alias counts as
// the text "*name".
func countTexts(st *syntax.Stream) map[string]int {
	counts := map[string]int{}
	eachValue(st, func(n *syntax.Node) {
		switch n.Kind {
		case syntax.Scalar:
			counts[n.Value]++
		case syntax.Alias:
			counts["*"+n.Value]++
		case syntax.Mapping:
			for _, e := range n.Entries {
				counts[e.KeyText()]++
			}
		}
	})
	return counts
}

// findRepeatedAnchors returns a CombinedAnchor for each anchor that the merge repeated: it occurs twice in a document
// of the result, but in no document of a version. result is the parsed merge.
func (f *combinationFinder) findRepeatedAnchors(result *syntax.Stream) (all []Combination) {
	repeated, known := repeatedAnchors(result), map[string]bool{}
	if len(repeated) == 0 {
		return nil
	}
	for _, v := range f.in.Streams {
		for _, n := range repeatedAnchors(v) {
			known[n.Anchor] = true
		}
	}
	for _, n := range repeated {
		if !known[n.Anchor] {
			all = append(all, Combination{CombinedAnchor, f.match.PathAt(result, n.Span).String(), "&" + n.Anchor, ""})
		}
	}
	return all
}

// findChangedAliases returns a CombinedAlias for each alias that got another value by the merge than in the side that
// added it, because the other side changed the anchor:
//
//	ours                    theirs                  result
//	limits: &big {cpu: 1}   limits: &big {cpu: 4}   limits: &big {cpu: 4}
//	web: *big                                       web: *big
//
// result is the parsed merge. Of several aliases to an anchor, only the first is returned.
func (f *combinationFinder) findChangedAliases(result *syntax.Stream) (all []Combination) {
	inResult := anchorsIn(result)
	if len(inResult) == 1 { // only the nodes without an anchor
		return nil
	}
	for _, s := range three.Sides {
		inSide, known, found := anchorsIn(f.in.Streams[s]), map[string]bool{}, map[string]bool{}
		for _, n := range f.aliasesAddedBy(s, result) {
			if !found[n.Value] && hasChanged(n.Value, inSide, inResult, f.match.Hasher, known) {
				found[n.Value] = true
				all = append(all, Combination{CombinedAlias, f.match.PathAt(result, n.Span).String(), "*" + n.Value, three.Names[s]})
			}
		}
	}
	return all
}

// aliasesAddedBy returns the aliases in result, a parsed merge, that side s added. The other side does not have such an
// alias at the same place, and has fewer aliases to its anchor than s.
func (f *combinationFinder) aliasesAddedBy(s three.Version, result *syntax.Stream) (added []*syntax.Node) {
	ofOther := map[string]int{} // by place, the aliases of the other side that the result has not had so far
	eachAlias(f.in.Streams[s.Other()], func(_ *syntax.Node, place string) { ofOther[place]++ })
	eachAlias(result, func(n *syntax.Node, place string) {
		text := "*" + n.Value
		switch {
		case ofOther[place] > 0:
			ofOther[place]--
		case f.texts[s][text] > f.texts[s.Other()][text]:
			added = append(added, n)
		}
	})
	return added
}

// eachAlias calls f for each alias of st that is a value, in the order of the file. place identifies the alias in other
// versions: the mapping keys and item names on the way to it, one a line, and its name. Aliases in items without a name
// can have the same place.
func eachAlias(st *syntax.Stream, f func(n *syntax.Node, place string)) {
	var walk func(n *syntax.Node, place string)
	walk = func(n *syntax.Node, place string) {
		if n.Kind == syntax.Alias {
			f(n, place+"*"+n.Value)
		}
		for _, e := range n.Entries {
			walk(e.Value, place+cmp.Or(e.KeyText(), syntax.NameOf(e.Value))+"\n")
		}
	}
	for _, d := range st.Docs {
		walk(d.Root, "")
	}
}

// anchorsIn returns the nodes of st by the name of their anchor. Of several with the same name, it has the last one. A
// node without an anchor has the name "".
func anchorsIn(st *syntax.Stream) map[string]*syntax.Node {
	anchors := map[string]*syntax.Node{}
	eachValue(st, func(n *syntax.Node) { anchors[n.Anchor] = n })
	return anchors
}

// hasChanged reports whether the anchor called name has different values in two versions. A value can also differ
// through an alias in it. before and after have the nodes with anchors of the two versions, by name. known keeps the
// answers for later calls. An anchor that a version lacks has not changed.
func hasChanged(name string, before, after map[string]*syntax.Node, h *ident.Hasher, known map[string]bool) bool {
	a, b := before[name], after[name]
	if _, ok := known[name]; ok || a == nil || b == nil {
		return known[name]
	}
	known[name] = !h.Equal(a, b) // before the search of its aliases, so that a cycle ends
	eachNode(b, func(n *syntax.Node) {
		known[name] = known[name] || n.Kind == syntax.Alias && hasChanged(n.Value, before, after, h, known)
	})
	return known[name]
}

// Limits for Combinations of the kind CombinedValue.
const (
	maxNamedValue     = 200 // the length in bytes of the longest value: longer ones are texts
	maxReplacedValues = 32  // how many are returned: more would not be read
)

// findReplacedValues returns a Combination of the kind CombinedValue for each name that one side uses in result,
// although the other side replaced or deleted it everywhere. Here ours renamed the job lint:
//
//	base          ours           theirs               result
//	jobs:         jobs:          jobs:                jobs:
//	  lint: x       check: x       lint: x              check: x
//	                               test: {needs: lint}  test: {needs: lint}
//
// result is the parsed merge. Each name is returned at its first place, and at most maxReplacedValues names are.
func (f *combinationFinder) findReplacedValues(result *syntax.Stream) (all []Combination) {
	found := map[string]bool{}
	for _, s := range three.Sides {
		f.eachUseOfGone(result, s, func(n *syntax.Node, name string) {
			if found[name] || f.used[s.Other()][name] || len(all) == maxReplacedValues {
				return
			}
			path := f.match.PathAt(result, n.Span).String()
			if isNameOfItem := strings.HasSuffix(path, "[name="+name+"].name"); isNameOfItem {
				return // that is no use of the name
			}
			found[name] = true
			all = append(all, Combination{CombinedValue, path, name, three.Names[s]})
		})
	}
	return all
}

// eachUseOfGone calls use for each name in result that side s uses, and that the other side does not have anywhere any
// more, although the base has it. result is the parsed merge. n is the node with the name: its value, or a name in an
// expression in it.
func (f *combinationFinder) eachUseOfGone(result *syntax.Stream, s three.Version, use func(n *syntax.Node, name string)) {
	gone := f.textsGoneFrom(s.Other())
	if len(gone) == 0 {
		return // expressions need not be searched
	}
	eachValue(result, func(n *syntax.Node) {
		// a text is a name if the base has it twice, as a mapping key, or as the name of an item
		if t := n.Value; isShortString(n) && gone[t] && f.texts[s][t] > 0 && (f.texts[three.Original][t] > 1 || f.names()[t]) {
			use(n, t)
		}
		for _, name := range namesInExpressions(n) {
			if gone[name] && f.used[s][name] {
				use(n, name)
			}
		}
	})
}

// textsGoneFrom returns the scalars, mapping keys and aliases of the base that side s does not have anywhere, as texts
// (see countTexts).
func (f *combinationFinder) textsGoneFrom(s three.Version) map[string]bool {
	gone := map[string]bool{}
	for text := range f.texts[three.Original] {
		if f.texts[s][text] == 0 {
			gone[text] = true
		}
	}
	return gone
}

// keysAndNamesIn returns the mapping keys of st, and the names of its items, such as web for the item {name: web}.
func keysAndNamesIn(st *syntax.Stream) map[string]bool {
	names := map[string]bool{}
	eachValue(st, func(n *syntax.Node) {
		_, name, _ := strings.Cut(syntax.NameOf(n), "=")
		names[name] = true
		for _, e := range n.Entries {
			names[e.KeyText()] = true
		}
	})
	return names
}

// isShortString reports whether n is a string that can be a name: on one line, not empty, and not too long.
func isShortString(n *syntax.Node) bool {
	return n.Kind == syntax.Scalar && n.Tag == "!!str" && n.Value != "" && len(n.Value) <= maxNamedValue && !strings.Contains(n.Value, "\n")
}

// namesUsedIn returns the names in the expressions of st, such as lint in ${{ needs.lint.result }}.
func namesUsedIn(st *syntax.Stream) map[string]bool {
	used := map[string]bool{}
	eachValue(st, func(n *syntax.Node) {
		for _, name := range namesInExpressions(n) {
			used[name] = true
		}
	})
	return used
}

// namesInExpressions returns the names in the expressions of n, in their order: needs, lint and result for ${{
// needs.lint.result }}. A name is a word of ASCII letters, digits, _ and -. Digits and hyphens at its start are
// removed. It returns nil if n is not a scalar.
func namesInExpressions(n *syntax.Node) (names []string) {
	if n.Kind != syntax.Scalar {
		return nil
	}
	isSeparator := func(r rune) bool {
		isWord := r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
		return !isWord
	}
	for _, expression := range expressionsIn(n.Value) {
		for _, word := range strings.FieldsFunc(expression, isSeparator) {
			if name := strings.TrimLeft(word, "-0123456789"); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// expressionsIn returns the expressions in the scalar value s, in order, without their brackets:
//
//	${{ needs.lint.result }} or {{ item }}     " needs.lint.result ", " item "
//	$(params.url)                              "params.url"
//	#/components/schemas/User                  the whole first line, if s starts in this way
//
// Expressions with brackets of the same kind inside are not returned, but those inside of them are: only b for $(a
// $(b)).
func expressionsIn(s string) (all []string) {
	if strings.HasPrefix(s, "#/") {
		reference, rest, _ := strings.Cut(s, "\n")
		all, s = append(all, reference), rest
	}
	for { // regular expressions take ten times as long
		start := strings.IndexAny(s, "{$")
		if start < 0 {
			return all
		}
		s = s[start:]
		opening, brackets, closing := "{{", "{}", "}}"
		if s[0] == '$' {
			opening, brackets, closing = "$(", "()", ")"
		}
		body, ok := strings.CutPrefix(s, opening)
		end := strings.IndexAny(body, brackets)
		if !ok || end < 0 || !strings.HasPrefix(body[end:], closing) {
			s = s[1:]
			continue
		}
		all = append(all, body[:end])
		s = body[end+len(closing):]
	}
}

// findReferences returns a CombinedReference for each image reference in result, a parsed merge, that is new as a
// whole: each of its parts is in some version, but no version has all of them together. A scalar counts only if the
// rules expect an image at its path.
func (f *combinationFinder) findReferences(result *syntax.Stream) (all []Combination) {
	known := sync.OnceValue(f.knownReferences)
	isNew := func(reference string) bool { return !known()[reference] }
	isNewText := func(n *syntax.Node) bool { // cheaper than a comparison of references
		return f.texts[three.Original][n.Value]+f.texts[three.Dest][n.Value]+f.texts[three.Updated][n.Value] == 0
	}
	eachReference(result, isNewText, func(n *syntax.Node, r reference) {
		if !isNew(r.allParts()) || slices.ContainsFunc(r.parts, isNew) { // a known reference, or one with a new part
			return
		}
		path := f.match.PathAt(result, n.Span)
		if n.Kind == syntax.Mapping || f.opts.rules().IsImage(path.Place()) { // another scalar may only look like an image
			all = append(all, Combination{CombinedReference, path.String(), r.value, ""})
		}
	})
	return all
}

// knownReferences returns the set of all image references of the versions, as reference.allParts returns them, and of
// their parts, such as tag=1.2.
func (f *combinationFinder) knownReferences() map[string]bool {
	known := map[string]bool{}
	for _, v := range f.in.Streams {
		eachReference(v, func(*syntax.Node) bool { return true }, func(_ *syntax.Node, r reference) {
			known[r.allParts()] = true
			for _, part := range r.parts {
				known[part] = true
			}
		})
	}
	return known
}
