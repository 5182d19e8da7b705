package overlay_test

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

const bare = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"

// TestExpectedResult compares the expected result, in flow style, and the texts of ours and theirs that are not in it.
func TestExpectedResult(t *testing.T) {
	for _, m := range []struct {
		name    string
		by      string
		o, d, u string
		want    string
		gone    []string
	}{
		{"theirs wins", "kustomize", "a: 1", "a: 2", "a: 3", "{a: 3}", []string{"2"}},
		{"ours alone changed", "kustomize", "a: 1", "a: 2", "a: 1", "{a: 2}", []string{"1"}},
		{"theirs wins always", "merge2", "", "a: 2", "a: 1", "{a: 1}", []string{"2"}},
		{"both added", "kustomize", "a: 1", "a: 1\nb: 1", "a: 1\nc: 1", "{a: 1, b: 1, c: 1}", nil},
		{"theirs deleted", "kustomize", "a: 1\nb: 1", "a: 1\nb: 1", "a: 1", "{a: 1}", []string{"b: 1"}},
		{"ours deleted, theirs left", "kustomize", "a: 1\nb: 1", "a: 1", "a: 1\nb: 1", "{a: 1}", []string{"b: 1"}},
		{"ours deleted, theirs left, always", "merge2", "", "a: 1", "a: 1\nb: 1", "{a: 1, b: 1}", nil},
		{"theirs deleted a mapping, a field that ours added remains", "kustomize", "m: {a: 1}", "m: {a: 1, b: 1}", "{}", "{m: {b: 1}}", []string{"a: 1"}},
		{"ours deleted a mapping, a field that theirs changed remains", "kustomize", "m: {a: 1, b: 1}", "{}", "m: {a: 1, b: 2}", "{m: {b: 2}}", []string{"a: 1"}},
		{"a null clears", "kustomize", "a: 1", "a: 1\nb: {c: 1}", "a: 1\nb: {c: null, d: 1}", "{a: 1, b: {d: 1}}", []string{"c: 1", "c: null"}},
		{"a null in ours clears", "kustomize", "a: 1", "a: null", "a: 2", "{}", []string{"a: null", "a: 2"}},
		{"a null in ours remains", "merge2", "", "a: null", "b: 1", "{a: null, b: 1}", nil},
		{"a list is one value", "kustomize", "l: [1]", "l: [1, 2]", "l: [3, 1]", "{l: [3, 1]}", []string{"[1, 2]"}},
		{"a keyed list", "kustomize", "l: [{name: a, v: 1}]", "l: [{name: a, v: 1}, {name: b}]", "l: [{name: a, v: 2}]", "{l: [{name: a, v: 2}, {name: b}]}", []string{"1"}},
		{"two of one key", "merge2", "", "l: [{name: a, v: 1}, {name: a, v: 2}]", "l: [{name: a, v: 3}]", "{l: [{name: a, v: 3}, {name: a, v: 2}]}", []string{"1"}},
		{"an item keeps its key", "kustomize", "l: [{name: a, v: 1}, {name: b}]", "l: [{name: a, v: 1, w: 1}, {name: b}]", "l: [{name: b}]", "{l: [{name: a, w: 1}, {name: b}]}", []string{"v: 1"}},
		{"another kind", "kustomize", "a: 1", "a: 2", "a: [1]", "{a: [1]}", []string{"2"}},
		{"theirs has another anchor and tag", "kustomize", "a: &x {b: 1}\nc: !t {b: 1}", "a: &x {b: 1, c: 1}\nc: !v {b: 1}", "a: &y {b: 1}\nc: !u {b: 2}", "{a: &y {b: 1, c: 1}, c: !u {b: 2}}", []string{"1"}},
		{"ours alone has an anchor", "merge2", "", "a: &x {b: 1}", "a: {b: 2}", "{a: &x {b: 2}}", []string{"1"}},
		{"each has another tag", "merge2", "", "a: !t {b: 1}", "a: !u {b: 1}", "{a: !u {b: 1}}", nil},
		{"a set", "apply", bare + "finalizers: [x]", bare, strings.Replace(bare, "name: a", "name: a, finalizers: [b, b]", 1), "{apiVersion: v1, kind: Pod, metadata: {name: a, finalizers: [b, b]}}", nil},
		{"a resource goes", "kustomize", bare + "---\nkind: B\nmetadata: {name: b}", bare + "---\nkind: B\nmetadata: {name: b}\nv: 1", bare, "{apiVersion: v1, kind: Pod, metadata: {name: a}}", []string{"kind: B\nmetadata: {name: b}\nv: 1"}},
		{"by place", "annotate", "", bare + "---\n" + bare, bare + "v: 1\n---\n" + bare + "v: 2", "{apiVersion: v1, kind: Pod, metadata: {name: a}, v: 1} {apiVersion: v1, kind: Pod, metadata: {name: a}, v: 2}", nil},
	} {
		t.Run(m.name, func(t *testing.T) {
			var inputs [3]*syntax.Stream
			for v, in := range [...]string{m.o, m.d, m.u} {
				inputs[v] = trees.Parse(t, in)
			}
			s := overrides[m.by].ExpectedResult(inputs, "")
			var docs []string
			for i := range s.Docs.Children {
				docs = append(docs, writeFlow(&s.Docs.Children[i]))
			}
			if got := strings.Join(docs, " "); got != m.want {
				t.Errorf("got  %s\nwant %s", got, m.want)
			}
			var gone []string
			for v, spans := range s.Discarded {
				for _, at := range spans {
					gone = append(gone, strings.Trim(string(inputs[v].File.Slice(at)), " ,\n"))
				}
			}
			if got, want := strings.Join(gone, "; "), strings.Join(m.gone, "; "); got != want {
				t.Errorf("gone: %s\nwant: %s", got, want)
			}
		})
	}
}

// writeFlow returns n in flow style.
func writeFlow(n *verify.Node) string {
	var all []string
	for kids := n.Children; len(kids) > 0; kids = kids[1:] {
		said := writeFlow(&kids[0])
		if k := kids[0].Entry.Key; k != nil {
			said = k.Value + ": " + said
		}
		all = append(all, said)
	}
	said := n.Value
	switch n.Kind {
	case syntax.Mapping:
		said = "{" + strings.Join(all, ", ") + "}"
	case syntax.Sequence:
		said = "[" + strings.Join(all, ", ") + "]"
	}
	if n.Anchor != "" {
		said = "&" + n.Anchor + " " + said
	}
	return strings.TrimSpace(n.TagText + " " + said)
}
