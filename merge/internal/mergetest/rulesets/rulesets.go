// Package rulesets generates merges with the rule sets of kustomize and kubectl, and judges their results. It does not
// merge files: its model merges values, independently of how a file writes them.
//
//	c := rulesets.New("kustomize", seed)
//	if why := c.CheckResult(merge(c.Raw)); why != "" {
//		t.Errorf("%s\n%s", why, c)
//	}
package rulesets

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Names are the names of the rule sets that New accepts.
var Names = []string{"kustomize", "merge2", "apply"}

// A Case is a generated merge with a rule set. The versions are Kubernetes resources: Pods, for which the program has a
// schema, which has the keys of their lists, and Widgets, which have no schema. Raw are the three versions. Want is
// nil; CheckResult compares the data and comments of a result with those of the right merge.
type Case struct {
	mergetest.Triple
	rules string
	want  []*value // the resources of the right merge
	dest  []string // the data of the resources of dest
	// hasNewComments reports whether updated has a comment that dest lacks. The merge may add such a comment although
	// the data are equal.
	hasNewComments bool
}

// New generates the three versions of a merge with a rule set, one of Names, and panics for another one. For merge2,
// base is nil and theirs is a patch that may have $patch directives. The same rules and seed always give the same
// versions. For kustomize:
//
//	base               ours               theirs
//	kind: Widget       kind: Widget       kind: Widget
//	metadata:          metadata:          metadata:
//	  name: w0           name: w0           name: w0
//	spec:              # d1-              spec: {r: 1}
//	  r: 1             spec: {}           q: []
func New(rules string, seed uint64) *Case {
	m, ok := models[rules]
	if !ok {
		panic("no rule set " + rules)
	}
	g := &generator{Rand: rand.New(rand.NewPCG(7, seed)), rules: rules}
	all := g.randomVersions()
	if rules == "merge2" {
		all[0] = nil
	}
	list := g.maybe(20)
	for _, u := range all[2] {
		if d := findResource(all[1], u); d != nil && rules == "merge2" {
			g.addRandomDirectives(d, u, false)
		}
	}
	c := &Case{rules: rules, dest: sortedData(all[1]), hasNewComments: hasNewComments(all[1], all[2])}
	for s := range c.Raw {
		c.Raw[s] = []byte(writeResources(all[s], list))
	}
	if rules == "merge2" {
		all[1], all[2] = applyPatches(all[1], all[2])
	}
	c.want = m.mergeResources(all[0], all[1], all[2])
	return c
}

// CheckResult returns a description of what is wrong with the result of a merge, or "" if it is right. It must have the
// data of the right merge, in any order, and the comments. With merge2 and apply, the file must be identical to dest if
// nothing changes, except for a patch with $patch: replace.
func (c *Case) CheckResult(result []byte) string {
	want := sortedData(c.want)
	if got := readResources(result); !slices.Equal(got, want) {
		return fmt.Sprintf("got\n%s\nwant\n%s\n-- got --\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), result)
	}
	for _, w := range c.want {
		for _, comment := range w.comments() {
			if !bytes.Contains(result, []byte("# "+comment+"\n")) {
				return fmt.Sprintf("lost # %s\n-- got --\n%s", comment, result)
			}
		}
	}
	replaced := bytes.Contains(c.Raw[2], []byte("$patch: replace")) // the result then has the patch's bytes, even if the data are equal
	if c.rules != "kustomize" && slices.Equal(want, c.dest) && !c.hasNewComments && !replaced && !bytes.Equal(result, c.Raw[1]) {
		return fmt.Sprintf("the data did not change, but the file did\n-- got --\n%s", result)
	}
	return ""
}

// applyPatches returns copies of the resources d of dest and of the resources u of a patch for them, after it carried
// out the $patch directives in u. The copies have no directives. d and u are not changed.
func applyPatches(d, u []*value) (dest, patch []*value) {
	for _, v := range d {
		dest = append(dest, v.clone())
	}
	for _, v := range u {
		w := v.clone()
		if x := findResource(dest, w); x != nil {
			applyDirectives(x, w)
		}
		patch = append(patch, w)
	}
	return dest, patch
}

// hasNewComments reports whether a resource in u has a comment that no resource in d has.
func hasNewComments(d, u []*value) bool {
	var have, added []string
	for _, v := range d {
		have = append(have, v.comments()...)
	}
	for _, v := range u {
		added = append(added, v.comments()...)
	}
	return slices.ContainsFunc(added, func(c string) bool { return !slices.Contains(have, c) })
}

// randomVersions returns the resources of base, ours and theirs, by version. Base has one to three resources, and the
// sides edit, delete and add resources and change values in them.
func (g *generator) randomVersions() (all [3][]*value) {
	g.side = "o"
	n := 1
	if g.maybe(30) {
		n = 1 + g.IntN(3)
	}
	for i := range n {
		all[0] = append(all[0], g.randomResource(i))
	}
	for s := 1; s < 3; s++ {
		g.side = "-du"[s : s+1]
		for _, r := range all[0] {
			if n == 1 || !g.maybe(15) {
				all[s] = append(all[s], g.randomEdit(r, 2, r.field("base") != nil))
			}
		}
		if n > 1 && (g.maybe(20) || len(all[s]) == 0) {
			all[s] = append(all[s], g.randomResource(n+g.IntN(2)))
		}
	}
	for _, rs := range all {
		flow := g.maybe(8)
		for _, r := range rs {
			r.flow, r.lineComment = flow, ""
			r.removeComments(false)
		}
	}
	return all
}

// writeResources returns the YAML file of some resources. It is a stream of documents or, if list is true, one resource
// of the kind List:
//
//	a: 1     apiVersion: v1
//	---      kind: List
//	b: 1     items:
//	         - a: 1
//	         - b: 1
func writeResources(all []*value, list bool) string {
	var b strings.Builder
	if list {
		b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
		l := &value{kind: listKind, children: all}
		l.writeEntries(&b, 0, false)
		return b.String()
	}
	for i, r := range all {
		if i > 0 {
			b.WriteString("---\n")
		}
		if r.above != "" {
			b.WriteString("# " + r.above + "\n")
		}
		if r.flow {
			b.WriteString(r.flowText() + "\n")
			continue
		}
		r.writeEntries(&b, 0, false)
	}
	return b.String()
}

// readResources returns the data of each resource in a YAML file, as one line of text each, sorted. The items of a List
// are resources. If the file cannot be parsed, it returns the error as the only line. Empty documents are left out.
func readResources(b []byte) (all []string) {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return []string{err.Error()}
	}
	for _, d := range st.Docs {
		if items := d.Root.Field("items"); items != nil {
			for _, e := range items.Value.Entries {
				all = append(all, readValue(st.File, e.Value).data())
			}
			continue
		}
		if len(d.Root.Entries) > 0 {
			all = append(all, readValue(st.File, d.Root).data())
		}
	}
	slices.Sort(all)
	return all
}

// readValue returns the value of node n in the parsed file f, without comments and formats.
func readValue(f *text.File, n *syntax.Node) *value {
	v := &value{kind: scalarKind, text: string(f.Slice(n.Content))}
	if n.Anchor != "" {
		v.anchor = "&" + n.Anchor
	}
	switch {
	case n.Kind == syntax.Mapping:
		v.kind = mappingKind
	case n.Kind == syntax.Sequence:
		v.kind = listKind
	case n.Tag == "!!null":
		v.kind = nullKind
	}
	for _, e := range n.Entries {
		if e.Key != nil {
			v.keys = append(v.keys, e.Key.Value)
		}
		v.children = append(v.children, readValue(f, e.Value))
	}
	return v
}
