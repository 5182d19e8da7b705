// Package dense generates merges of small files in which both sides edit nodes close to each other, and judges their
// results. It does not merge files. Its models know the right merge of many of these edits, because each node has a
// number that it keeps if a side renames or moves it.
//
// There are three kinds of files: YAML (NewYAML), templates (NewTemplate), and templates in which the sides put entries
// into blocks (NewGuarded). A test merges the versions of a case and lets the case judge the result:
//
//	c := dense.NewYAML(seed)
//	raw := c.Raw() // for example "a: 1\nb: 2\n", "a: 3\nb: 2\n" and "a: 1\n"
//	if why := c.CheckResult(merge(raw)); why != "" {
//		t.Errorf("%s\n%s", why, c)
//	}
package dense

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Case is a generated merge: a small file, and the edits that each side makes in it. The edits identify nodes by
// number, so that they can still be made after other edits were removed or the base became smaller.
type Case struct {
	base   *tree
	edits  [3][]edit
	kind   *kind
	format format // of YAML

	// The results of trees, Raw and judge, after their first call.
	cachedTrees [3]*tree
	cachedRaw   [3][]byte
	cachedJudge judge
}

// A kind has the functions that differ between the three kinds of cases: YAML, templates, and templates with guarded
// entries. isValid reports whether a tree can be a version of such a case, and newJudge returns the judge of the merge.
type kind struct {
	apply    func(edit, *tree) *tree // returns a tree with the edit, or the tree itself if the edit is not possible
	write    func(*tree, format) []byte
	isValid  func(*tree) bool
	newJudge func(*Case) judge
}

// A judge judges the results of merging one case. It has the methods CheckResult, IsRight and InvalidReason of Case,
// which have the comments.
type judge interface {
	checkResult(result []byte) string
	isRight(b []byte) bool
	invalidReason(b []byte) string
}

// yamlKind, templateKind and guardedKind are the kinds of the cases that NewYAML, NewTemplate and NewGuarded generate.
var (
	yamlKind     = &kind{edit.applyToYAML, (*tree).write, (*tree).isValid, newYAMLJudge}
	templateKind = &kind{edit.applyToTemplate, writeTemplate, (*tree).isValidTemplate, newTemplateJudge}
	guardedKind  = &kind{edit.applyGuarded, writeTemplate, (*tree).isValidTemplate, newGuardedJudge}
)

// writeTemplate returns t written as a template. It ignores the format.
func writeTemplate(t *tree, _ format) []byte { return t.templateText() }

// Generators are the generators of YAML files of this package. The triples have no Want.
var Generators = []mergetest.Generator{
	{Name: "edits close to each other", New: func(seed int) mergetest.Triple { return NewYAML(seed).Triple() }},
}

// NewYAML generates a small YAML file, and up to four edits of each side, close to each other. They change values, keys
// and comments, and add, delete, move and copy entries, or put them under a new key. The same seed always gives the
// same Case.
//
//	base      ours      theirs
//	a: 1      a: 2      c:
//	b: # x    b: # x      a: 1
//	  - 1       - 1     b: # x
//	                      - 1
//	                      - 2
func NewYAML(seed int) *Case {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 2))}
	g.unique = g.IntN(3) > 0
	c := &Case{kind: yamlKind, base: g.randomTree(), format: format{indented: g.IntN(2) == 0, crlf: g.IntN(20) == 0}}
	near := g.IntN(len(c.base.nodes))
	for _, s := range three.Sides {
		c.edits[s] = g.randomEdits(c.base, near)
	}
	return c
}

// NewTemplate generates a small Go template, and up to three edits of each side. They change values, keys and comments,
// add, delete and move entries, and add, change or remove blocks and branches. The same seed always gives the same
// Case.
//
//	base               ours               theirs
//	{{- if $.a }}      {{- if $.b }}      {{- if $.a }}
//	c: 1               c: 1               c: 1
//	{{- end }}         {{- end }}         d: 2
//	                                      {{- end }}
func NewTemplate(seed int) *Case {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 3))}
	g.unique = g.IntN(3) > 0
	c := &Case{kind: templateKind, base: g.randomTemplate()}
	for _, s := range three.Sides {
		c.edits[s] = g.randomTemplateEdits(c.base)
	}
	return c
}

// versionTree returns the tree of version s: the base for three.Original, and the base with all edits of side s for a
// side.
func (c *Case) versionTree(s three.Version) *tree {
	t := c.base
	for _, e := range c.edits[s] {
		t = c.kind.apply(e, t)
	}
	return t
}

// trees returns the trees of base, ours and theirs. They are made once, so the caller must not change them.
func (c *Case) trees() [3]*tree {
	if c.cachedTrees[0] == nil {
		c.cachedTrees = [3]*tree{c.base, c.versionTree(three.Dest), c.versionTree(three.Updated)}
	}
	return c.cachedTrees
}

// Raw returns the files of base, ours and theirs. They are made once, so the caller must not change them.
func (c *Case) Raw() [3][]byte {
	if c.cachedRaw[0] == nil {
		for s, t := range c.trees() {
			c.cachedRaw[s] = c.kind.write(t, c.format)
		}
	}
	return c.cachedRaw
}

// Triple returns the three versions. About has a line for each edit: the side, the kind of edit, the numbers of two
// nodes, and two texts, as in "ours: add at 5, 2: host true". Want is nil.
func (c *Case) Triple() mergetest.Triple {
	var b strings.Builder
	for _, s := range three.Sides {
		for _, e := range c.edits[s] {
			fmt.Fprintf(&b, "%s: %s at %d, %d: %s %s\n", three.Names[s], e.op, e.at, e.other, e.word, e.value)
		}
	}
	return mergetest.Triple{Raw: c.Raw(), About: b.String()}
}

// String returns the versions and the edits, for messages of tests.
func (c *Case) String() string { return c.Triple().String() }

// judge returns the judge of c, which checks results of merging it. It is made once.
func (c *Case) judge() judge {
	if c.cachedJudge == nil {
		c.cachedJudge = c.kind.newJudge(c)
	}
	return c.cachedJudge
}

// CheckResult returns a description of what is wrong with result, the result of a merge without conflicts, or "" if no
// mistake is known. The text before the first colon is the class of the mistake. It compares result, or what it renders
// to, with the right merge if that is known, counts values and comments, or checks that the changes of both sides are
// there, depending on the case.
func (c *Case) CheckResult(result []byte) string { return c.judge().checkResult(result) }

// IsRight reports whether b is certainly the right merge. A conflict in this merge is then needless. It returns false
// if the right merge is not known, which is so for all cases of NewTemplate.
func (c *Case) IsRight(b []byte) bool { return c.judge().isRight(b) }

// InvalidReason returns why b, the result of a merge without conflict markers, is not a valid file, or "" if it is
// valid. A duplicate key, or a duplicate name in a list, is not valid. For a template, it is one of the reasons of
// renderingError.
func (c *Case) InvalidReason(b []byte) string { return c.judge().invalidReason(b) }

// BothMove reports whether each side moved an entry. The result of a merge then has the order of ours. If ours and
// theirs are exchanged, the merge may therefore have a conflict that it did not have, or the reverse.
func (c *Case) BothMove() bool { return c.hasMove(three.Dest) && c.hasMove(three.Updated) }

// hasMove reports whether side s moved an entry.
func (c *Case) hasMove(s three.Version) bool {
	return slices.ContainsFunc(c.edits[s], func(e edit) bool { return e.op == "move" })
}

// Shrink returns a smaller case for which wrong still returns true, to make a failed test easy to read. It removes
// edits, entries and comments of the base one at a time, until no more can be removed. wrong must return true for c
// itself, and must not change its argument. It is called many times. c is not changed.
func (c *Case) Shrink(wrong func(*Case) bool) *Case {
	small := Case{base: c.base, edits: c.edits, kind: c.kind, format: c.format}
	try := func(base *tree, edits [3][]edit) bool {
		next := Case{base: base, edits: edits, kind: c.kind, format: c.format}
		if !wrong(&next) {
			return false
		}
		small = next
		return true
	}
	for again := true; again; {
		again = false
		for _, s := range three.Sides {
			for i := len(small.edits[s]) - 1; i >= 0; i-- {
				fewer := small.edits
				fewer[s] = slices.Delete(slices.Clone(fewer[s]), i, i+1)
				again = try(small.base, fewer) || again
			}
		}
		for _, id := range small.base.ids() {
			for _, remove := range []func(*tree){
				func(t *tree) { t.deleteNode(id) },
				func(t *tree) { t.nodes[id].above = "" },
				func(t *tree) { t.nodes[id].lineComment = "" },
			} {
				if id == 0 || small.base.nodes[id] == nil {
					continue
				}
				less := small.base.clone()
				if remove(less); c.kind.isValid(less) && less.size() < small.base.size() {
					again = try(less, small.edits) || again
				}
			}
		}
	}
	return &small
}

// size returns the number of nodes of t plus the length of all comments in bytes. Shrink uses it to find out whether a
// tree became smaller.
func (t *tree) size() int {
	n := len(t.nodes)
	for _, m := range t.nodes {
		n += len(m.above) + len(m.lineComment)
	}
	return n
}

// A yamlJudge judges the results of merging a case of NewYAML. It has the model, and the format in which the files are
// written.
type yamlJudge struct {
	*treeModel
	format format
	// isUnsure reports whether a side renamed, moved, wrapped or copied something. The model then knows the right
	// merge, but the three files do not always show it.
	isUnsure bool
}

// newYAMLJudge returns the judge of a case that NewYAML generated.
func newYAMLJudge(c *Case) judge {
	unsure := func(e edit) bool { return slices.Contains([]string{"key", "move", "wrap", "add copy"}, e.op) }
	return yamlJudge{newTreeModel(c.trees()), c.format, slices.ContainsFunc(slices.Concat(c.edits[:]...), unsure)}
}

// checkResult returns what is wrong with the result of a merge, or "" if no mistake is known: a value or comment that
// occurs more or less often than the edits explain, or the first difference from the right merge, if it is known.
func (j yamlJudge) checkResult(result []byte) string {
	if why := j.checkCounts(result); why != "" || j.unknownReason != "" {
		return why
	}
	return j.compareWithModel(result)
}

// isRight reports whether b has the data and comments of the right merge. It returns false if the right merge is not
// known, or if a merge cannot always find it, because a side renamed, moved, wrapped or copied something.
func (j yamlJudge) isRight(b []byte) bool {
	return !j.isUnsure && j.unknownReason == "" && j.compareWithModel(b) == ""
}

// invalidReason returns why b is not valid YAML, or "" if it is valid. Duplicate keys, and duplicate names in a list,
// are not valid.
func (yamlJudge) invalidReason(b []byte) string {
	if _, err := Facts(b); err != nil {
		return err.Error()
	}
	return ""
}

// compareWithModel returns a description of the first difference in data or comments between b, the result of a merge,
// and the right merge that j.treeModel computed. It returns "" if they are equal, or if that right merge is not valid
// YAML. The right merge must be known (j.unknownReason is "").
func (j yamlJudge) compareWithModel(b []byte) string {
	want := j.out.write(j.format)
	have, _ := Facts(b)
	data, err := Facts(want)
	if err != nil {
		return ""
	}
	if !slices.Equal(have, data) {
		return fmt.Sprintf("data: %q, not %q", have, data)
	}
	if have, want := commentsOf(b), commentsOf(want); !slices.Equal(have, want) {
		return fmt.Sprintf("comments: %q, not %q", have, want)
	}
	return ""
}

// UnknownReason returns the reason why the right merge of a case of NewYAML is not known, for example "both changed one
// value". It returns "" if the right merge is known. For cases of NewTemplate and NewGuarded, it always returns "".
func (c *Case) UnknownReason() string {
	if j, ok := c.judge().(yamlJudge); ok {
		return j.unknownReason
	}
	return ""
}
