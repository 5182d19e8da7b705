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

// A Case is a generated merge: a small file, and the edits that each side makes to it. The edits identify nodes by
// number, so that they can still be made after other edits or nodes were removed.
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

// A kind has the functions that differ between the three kinds of cases.
type kind struct {
	apply    func(edit, *tree) *tree // returns a tree with the edit, or the tree itself if the edit is not possible
	write    func(*tree, format) []byte
	isValid  func(*tree) bool
	newJudge func(*Case) judge
}

// A judge is the model of one case. Its methods are those of Case.
type judge interface {
	checkResult(result []byte) string
	isRight(b []byte) bool
	invalidReason(b []byte) string
}

// yamlKind, templateKind and guardedKind are the kinds of cases.
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

// NewYAML generates a small YAML file, and edits of both sides close to each other: values, keys, comments, entries that
// are added, deleted, moved, copied or put under a new key.
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

// NewTemplate generates a small Go template, and edits of both sides: of values, keys and comments, of entries that are
// added, deleted or moved, and of blocks and their conditions.
func NewTemplate(seed int) *Case {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 3))}
	g.unique = g.IntN(3) > 0
	c := &Case{kind: templateKind, base: g.randomTemplate()}
	for _, s := range three.Sides {
		c.edits[s] = g.randomTemplateEdits(c.base)
	}
	return c
}

// versionTree returns version s: the base, or the base with the edits of a side.
func (c *Case) versionTree(s three.Version) *tree {
	t := c.base
	for _, e := range c.edits[s] {
		t = c.kind.apply(e, t)
	}
	return t
}

// trees returns the three versions.
func (c *Case) trees() [3]*tree {
	if c.cachedTrees[0] == nil {
		c.cachedTrees = [3]*tree{c.base, c.versionTree(three.Dest), c.versionTree(three.Updated)}
	}
	return c.cachedTrees
}

// Raw returns base, ours and theirs. The caller must not change them.
func (c *Case) Raw() [3][]byte {
	if c.cachedRaw[0] == nil {
		for s, t := range c.trees() {
			c.cachedRaw[s] = c.kind.write(t, c.format)
		}
	}
	return c.cachedRaw
}

// Triple returns the versions and a description of the edits. Want is nil.
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

// judge returns the model of c.
func (c *Case) judge() judge {
	if c.cachedJudge == nil {
		c.cachedJudge = c.kind.newJudge(c)
	}
	return c.cachedJudge
}

// CheckResult returns a description of what is wrong with a result without conflicts, or "" if nothing is known to be wrong.
// The text before the first colon is the class of the defect.
//
//   - YAML: The result must not have a value or a comment more or less often than the edits explain. If the model knows
//     the right merge, the result must have its data and comments.
//   - Templates: For each set of flags, the rendered result must have the changes that the sides made in their rendered
//     versions, and no others.
//   - Templates with guarded entries: If the edits of the sides can be made in both orders with the same rendered data,
//     the rendered result must have these data.
func (c *Case) CheckResult(result []byte) string { return c.judge().checkResult(result) }

// IsRight reports whether b is certainly the right merge, so that a conflict is needless. It reports false if the model
// does not know the right merge.
func (c *Case) IsRight(b []byte) bool { return c.judge().isRight(b) }

// InvalidReason returns why b, a result with one side taken at all conflicts, is not a valid file, or "" if it is valid. A
// file with a duplicate key, or with a duplicate name in a list, is not valid. For a template, the reason is "no
// template", "no YAML" or "duplicates".
func (c *Case) InvalidReason(b []byte) string { return c.judge().invalidReason(b) }

// BothMove reports whether both sides moved something. The result then has the order of ours, so that the merge of the
// sides in the other order may have a conflict.
func (c *Case) BothMove() bool { return c.hasMove(three.Dest) && c.hasMove(three.Updated) }

// hasMove reports whether side s moved something.
func (c *Case) hasMove(s three.Version) bool {
	return slices.ContainsFunc(c.edits[s], func(e edit) bool { return e.op == "move" })
}

// Shrink returns a smaller case for which wrong still returns true. It removes edits, nodes and comments of the base one
// at a time until nothing more can be removed. wrong must return true for c. c is not changed.
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

// size returns the number of nodes of t plus the length of their comments in bytes.
func (t *tree) size() int {
	n := len(t.nodes)
	for _, m := range t.nodes {
		n += len(m.above) + len(m.lineComment)
	}
	return n
}

// A yamlJudge judges the merge of YAML files.
type yamlJudge struct {
	*treeModel
	format format
	// isUnsure reports whether a side renamed, moved, wrapped or copied something. The right merge is then known to the
	// model, but cannot always be known from the three versions.
	isUnsure bool
}

// newYAMLJudge returns the judge of a case of YAML.
func newYAMLJudge(c *Case) judge {
	unsure := func(e edit) bool { return slices.Contains([]string{"key", "move", "wrap", "add copy"}, e.op) }
	return yamlJudge{newTreeModel(c.trees()), c.format, slices.ContainsFunc(slices.Concat(c.edits[:]...), unsure)}
}

func (j yamlJudge) checkResult(result []byte) string {
	if why := j.checkCounts(result); why != "" || j.unknownReason != "" {
		return why
	}
	return j.compareWithModel(result)
}

func (j yamlJudge) isRight(b []byte) bool {
	return !j.isUnsure && j.unknownReason == "" && j.compareWithModel(b) == ""
}

func (yamlJudge) invalidReason(b []byte) string {
	if _, err := Facts(b); err != nil {
		return err.Error()
	}
	return ""
}

// compareWithModel describes the first difference in data or comments between the result b and the right merge of the model. It
// returns "" if they are equal, or if the right merge of the model is not valid YAML.
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

// UnknownReason returns the reason why the model of YAML does not know the right merge, for example "both changed one value". It
// returns "" if the model knows the right merge, and for templates.
func (c *Case) UnknownReason() string {
	if j, ok := c.judge().(yamlJudge); ok {
		return j.unknownReason
	}
	return ""
}
