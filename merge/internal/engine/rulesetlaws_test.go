package engine

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"golang.org/x/tools/txtar"
)

var ruleTriples = flag.Int("rule-triples", 600, "how many generated merges TestGeneratedRuleSets makes by each rule set")

// TestGeneratedRuleSets merges generated versions with each rule set. It checks that the result has the data of the
// rule set's model and the comments of all entries that remain, and that merging the result again changes nothing. With
// merge2 and apply, the file has to stay identical if its data do.
func TestGeneratedRuleSets(t *testing.T) {
	for _, rules := range []string{"kustomize", "merge2", "apply"} {
		t.Run(rules, func(t *testing.T) {
			failed := 0
			for seed := range *ruleTriples {
				if why, v := generatedRules(rules, uint64(*from+seed)); why != "" {
					t.Errorf("-from %d: %s\n-- base --\n%s-- ours --\n%s-- theirs --\n%s", *from+seed, why, v[0], v[1], v[2])
					if failed++; failed == 5 {
						t.FailNow()
					}
				}
			}
		})
	}
}

// generatedRules generates the versions of a seed and merges them with a rule set. It returns why the result is wrong,
// or "" if it is right, and the versions.
func generatedRules(rules string, seed uint64) (why string, v [3][]byte) {
	g := &ruleGen{Rand: rand.New(rand.NewPCG(7, seed)), rules: rules}
	all := g.versions()
	if rules == "merge2" {
		all[0] = nil
	}
	list := g.maybe(20)
	for _, u := range all[2] {
		if d := resourceLike(all[1], u); d != nil && rules == "merge2" {
			g.direct(d, u, false)
		}
	}
	for s := range v {
		v[s] = []byte(written(all[s], list))
	}
	c := &mergeCase{&mergetest.Case{RuleSet: rules, Raw: v}, Options{RuleSet: KustomizeRules}}
	c.applied()
	res, err := c.byRules(v)
	if asked, ok := errors.AsType[*RuleError](err); ok && rules == "apply" &&
		(strings.Contains(asked.Problem, " a list") || strings.Contains(asked.Problem, "not the resource in")) {
		return "", v // kubectl refuses these, too
	}
	if err != nil || res.Reason != "" {
		return "refused: " + said(err) + res.Reason, v
	}
	was, news := sorted(all[1]), g.news(all)
	if rules == "merge2" {
		all[1], all[2] = patched(all[1], all[2])
	}
	want := ruleModels[rules].resources(all[0], all[1], all[2])
	if got := readResources(res.Bytes); !slices.Equal(got, sorted(want)) {
		asked := strings.Join(sorted(want), "\n")
		return fmt.Sprintf("got\n%s\nwant\n%s\n-- got --\n%s", strings.Join(got, "\n"), asked, res.Bytes), v
	}
	for _, w := range want {
		for _, note := range w.comments() {
			if !bytes.Contains(res.Bytes, []byte("# "+note+"\n")) {
				return fmt.Sprintf("lost # %s\n-- got --\n%s", note, res.Bytes), v
			}
		}
	}
	replaced := bytes.Contains(v[2], []byte("$patch: replace")) // the result then has the patch's bytes, even if the data are equal
	if rules != "kustomize" && slices.Equal(sorted(want), was) && !news && !replaced && !bytes.Equal(res.Bytes, v[1]) {
		return fmt.Sprintf("the data are what they were\n-- got --\n%s", res.Bytes), v
	}
	twice, err := c.byRules([3][]byte{v[2], res.Bytes, v[2]})
	if err != nil || !bytes.Equal(twice.Bytes, res.Bytes) {
		return fmt.Sprintf("%s-- got --\n%s-- and once more --\n%s", said(err), res.Bytes, twice.Bytes), v
	}
	return "", v
}

// patched returns copies of the resources of dest and of a patch for them, after carrying out the patch's $patch
// directives and removing them. The resources d and u are not changed.
func patched(d, u []*val) (dest, patch []*val) {
	for _, v := range d {
		dest = append(dest, v.clone())
	}
	for _, v := range u {
		w := v.clone()
		if x := resourceLike(dest, w); x != nil {
			obey(x, w)
		}
		patch = append(patch, w)
	}
	return dest, patch
}

// news reports whether updated has a comment that dest lacks. The merge may add such a comment although the data are
// equal.
func (g *ruleGen) news(all [3][]*val) bool {
	var have, asked []string
	for _, v := range all[1] {
		have = append(have, v.comments()...)
	}
	for _, v := range all[2] {
		asked = append(asked, v.comments()...)
	}
	return slices.ContainsFunc(asked, func(c string) bool { return !slices.Contains(have, c) })
}

// applied gives the case a file last-applied with the base. With the rule set apply, byRules then calls Apply and not
// ApplyAnnotated.
func (c *mergeCase) applied() {
	c.Archive = &txtar.Archive{Files: []txtar.File{{Name: "last-applied", Data: c.Raw[0]}}}
}

// versions generates the resources of base, ours and theirs.
func (g *ruleGen) versions() (all [3][]*val) {
	g.side = "o"
	n := 1
	if g.maybe(30) {
		n = 1 + g.IntN(3)
	}
	for i := range n {
		all[0] = append(all[0], g.resource(i))
	}
	for s := 1; s < 3; s++ {
		g.side = "-du"[s : s+1]
		for _, r := range all[0] {
			if n == 1 || !g.maybe(15) {
				all[s] = append(all[s], g.edit(r, 2, r.field("base") != nil))
			}
		}
		if n > 1 && (g.maybe(20) || len(all[s]) == 0) {
			all[s] = append(all[s], g.resource(n+g.IntN(2)))
		}
	}
	for _, rs := range all {
		flow := g.maybe(8)
		for _, r := range rs {
			r.flow, r.behind = flow, ""
			r.quiet(false)
		}
	}
	return all
}

// written returns resources as the text of a file: as a stream of documents or, if list is true, as a Kubernetes List.
func written(all []*val, list bool) string {
	var b strings.Builder
	if list {
		b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
		l := &val{kind: aList, kids: all}
		l.entries(&b, 0, false)
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
			b.WriteString(r.inline() + "\n")
			continue
		}
		r.entries(&b, 0, false)
	}
	return b.String()
}

// readResources returns the data of each resource in a file, sorted. The items of a List count as resources. If the
// file cannot be parsed, it returns the error as the only string.
func readResources(b []byte) (all []string) {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return []string{err.Error()}
	}
	for _, d := range st.Docs {
		if items := d.Root.Field("items"); items != nil {
			for _, e := range items.Value.Entries {
				all = append(all, readVal(st.File, e.Value).data())
			}
			continue
		}
		if len(d.Root.Entries) > 0 {
			all = append(all, readVal(st.File, d.Root).data())
		}
	}
	slices.Sort(all)
	return all
}

// readVal returns the value of a node of a parsed file.
func readVal(f *text.File, n *syntax.Node) *val {
	v := &val{kind: aScalar, text: string(f.Slice(n.Content))}
	if n.Anchor != "" {
		v.anchor = "&" + n.Anchor
	}
	switch {
	case n.Kind == syntax.Mapping:
		v.kind = aMap
	case n.Kind == syntax.Sequence:
		v.kind = aList
	case n.Tag == "!!null":
		v.kind = aNull
	}
	for _, e := range n.Entries {
		if e.Key != nil {
			v.keys = append(v.keys, e.Key.Value)
		}
		v.kids = append(v.kids, readVal(f, e.Value))
	}
	return v
}
