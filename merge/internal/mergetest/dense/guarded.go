package dense

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// NewGuarded generates a small Go template, and a few edits of each side. Many of them put entries into blocks such as
// an if, take them out, or add entries next to those that the other side put into a block; in one of ten cases, a side
// deletes the line of a key instead (generateLift). The same seed always gives the same Case.
//
//	base     ours              theirs
//	a: 1     {{- if $.a }}     a: 1
//	b: 2     a: 1              c: 3
//	         {{- end }}        b: 2
//	         b: 2
func NewGuarded(seed int) *Case {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 4)), unique: true}
	c := &Case{kind: guardedKind, base: g.randomGuardedTemplate()}
	if g.IntN(10) == 0 {
		c.generateLift(g)
		return c
	}
	for _, s := range three.Sides {
		c.edits[s] = g.randomGuardedEdits(c.base)
	}
	return c
}

// generateLift replaces the base of c by a template in which one key holds everything except the {{ define }} blocks.
// One side deletes the line of that key, and the other side adds something after its field. Each side may make more
// edits:
//
//	base     one side    other side
//	all:       a: 1      all:
//	  a: 1     b: 2        a: 1
//	  b: 2                 b: 2
//	                     z: 3
func (c *Case) generateLift(g *generator) {
	t := c.base.clone()
	children := slices.DeleteFunc(slices.Clone(t.nodes[0].children), t.isDefine)
	only := g.newNumber()
	t.add(only, &node{kind: mappingKind, key: "all"}, 0, len(t.nodes[0].children))
	for i, k := range children {
		t.detach(k)
		t.add(k, t.nodes[k], only, i)
	}
	add := edit{op: []string{"add", "add guarded", "add guarded", "add print"}[g.IntN(4)], at: only, other: only, newID: g.newNumber(), word: "z", value: g.randomValue()}
	if add.op == "add guarded" {
		add.word = g.randomCondition() + "\nz"
	}
	c.base = t
	lifter := three.Sides[g.IntN(2)]
	for _, s := range three.Sides {
		first := add
		if s == lifter {
			first = edit{op: "lift", at: only, other: only}
		}
		now := first.applyGuarded(t)
		if now == t {
			continue
		}
		c.edits[s] = []edit{first}
		if g.IntN(3) == 0 {
			c.edits[s] = append(c.edits[s], g.randomGuardedEdits(now)...)
		}
	}
}

// randomGuardedTemplate returns a random template in which some entries are printed by an action, as in {{ "a: 1" }},
// and some entries follow a blank line. It is valid in the sense of isValidTemplate: it renders to YAML with all flags.
func (g *generator) randomGuardedTemplate() *tree {
	for {
		t := g.randomTemplate()
		for _, id := range t.idsInFileOrder()[1:] {
			in := t.nodes[t.collectionOf(id)].kind
			if t.nodes[id].kind == branchKind || in == textKind {
				continue
			}
			if g.IntN(12) == 0 {
				t.nodes[id].blank = true
			}
			if g.IntN(8) == 0 {
				t.add(g.newNumber(), g.randomPrintNode(in), t.nodes[id].parent, t.index(id)+1)
			}
		}
		if t.isValidTemplate() {
			return t
		}
	}
}

// randomPrintNode returns a node for a line with an action that prints an entry: a field in a mapping, otherwise an
// item of a list. collection is the kind of the collection that contains the line. The action is one of these:
//
//	{{ "p7: v8" }}
//	{{- "p7: v8" | nindent 2 }}
func (g *generator) randomPrintNode(collection nodeKind) *node {
	n := &node{kind: printKind, value: g.randomValue()}
	if collection == mappingKind {
		n.key = fmt.Sprintf("p%d", g.newNumber())
	}
	n.indents = g.IntN(2) == 0 // whether its action states the indentation
	return n
}

// guardedOps are the operations of an edit in a case of NewGuarded. One that is listed several times is chosen more
// often.
var guardedOps = []string{
	"wrap run", "wrap run", "wrap run", "wrap in block", "wrap two", "unwrap", "condition", "else",
	"add", "add", "add", "add guarded", "add guarded", "add print", "move", "move", "move", "delete", "value", "comment", "blank", "wrap",
	"lift",
}

// randomGuardedEdits returns up to three random edits of t, in the order in which they are made. Edits that cannot be
// made or change nothing are left out.
func (g *generator) randomGuardedEdits(t *tree) (all []edit) {
	for range 1 + g.IntN(3) {
		order := t.idsInFileOrder()
		e := edit{op: guardedOps[g.IntN(len(guardedOps))], at: order[g.IntN(len(order))], other: order[g.IntN(len(order))], newID: g.newNumber(), word: g.randomKey(), value: g.randomValue()}
		g.completeEdit(&e)
		switch e.op {
		case "wrap run", "wrap in block", "wrap two":
			if run := t.nodes[t.nodes[e.at].parent].children; len(run) > 0 {
				e.other = run[g.IntN(len(run))]
			}
		}
		if now := e.applyGuarded(t); now != t {
			all, t = append(all, e), now
		}
	}
	return all
}

// applyGuarded returns a copy of t in which e was made. It returns t itself if the edit cannot be made or changes
// nothing, or if the edited template is not valid, for example because it renders to a duplicate key with some flags. t
// is not changed.
func (e edit) applyGuarded(t *tree) *tree {
	n := t.nodes[e.at]
	if n == nil || t.nodes[e.other] == nil {
		return t
	}
	c := t.clone()
	n = c.nodes[e.at]
	switch e.op {
	case "wrap run":
		e.wrapInBlock(c, n)
	case "add guarded":
		e.addGuarded(c, n)
	case "add print":
		if e.at != 0 && n.kind != branchKind && c.nodes[c.collectionOf(e.at)].kind != textKind {
			p := &node{kind: printKind, value: e.value, indents: e.other%2 == 0}
			if c.nodes[c.collectionOf(e.at)].kind == mappingKind {
				p.key = "q" + e.value
			}
			c.add(e.newID, p, n.parent, c.index(e.at)+1)
		}
	case "blank":
		if e.at != 0 && n.kind != branchKind && c.nodes[c.collectionOf(e.at)].kind != textKind {
			n.blank = !n.blank
		}
	case "wrap":
		if e.at != 0 && n.kind < blockKind && c.nodes[c.collectionOf(e.at)].kind == mappingKind && n.key != "name" {
			at := c.index(e.at)
			parent := n.parent
			c.detach(e.at)
			c.add(e.newID, &node{kind: mappingKind, key: e.word}, parent, at)
			c.add(e.at, n, e.newID, 0)
		}
	case "lift": // delete the line of the key; its value keeps its indentation
		root := c.nodes[0]
		if len(root.children) == 1 && c.nodes[root.children[0]].kind == mappingKind && len(c.nodes[root.children[0]].children) > 0 && root.value == "" {
			only := root.children[0]
			for _, k := range slices.Clone(c.nodes[only].children) {
				c.detach(k)
				c.add(k, c.nodes[k], 0, len(c.nodes[0].children))
			}
			c.deleteNode(only)
			root.value = "  "
		}
	default:
		return e.applyToTemplate(t)
	}
	if string(c.templateText()) == string(t.templateText()) || !c.isValidTemplate() {
		return t
	}
	return c
}

// wrapInBlock puts n, the node e.other, and all nodes between them into a new block with the condition e.word. It does
// nothing if they have different parents, or if one of them cannot be put into a block, such as a branch, a {{ define
// }}, or the name of a list item.
func (e edit) wrapInBlock(t *tree, n *node) {
	if e.at == 0 || e.other == 0 || n.kind == branchKind || t.nodes[e.other].parent != n.parent {
		return
	}
	from, to := t.index(e.at), t.index(e.other)
	if from > to {
		from, to = to, from
	}
	parent := n.parent
	run := slices.Clone(t.nodes[parent].children[from : to+1])
	for _, k := range run {
		if t.nodes[k].kind == branchKind || t.isDefine(k) || t.nodes[k].key == "name" && t.nodes[t.nodes[t.collectionOf(k)].parent].kind == listKind {
			return
		}
	}
	for _, k := range run {
		t.detach(k)
	}
	t.add(e.newID, &node{kind: blockKind, value: e.value}, parent, from)
	t.add(e.newID<<20, &node{kind: branchKind, value: e.word}, e.newID, 0)
	for i, k := range run {
		t.add(k, t.nodes[k], e.newID<<20, i)
	}
}

// addGuarded adds a new entry after n, in a block of its own, unless n is the root or a branch. e.word has the
// condition of the block and the key of the entry, on a line each.
//
//	{{- if $.a }}
//	z: v9
//	{{- end }}
func (e edit) addGuarded(t *tree, n *node) {
	if e.at == 0 || n.kind == branchKind {
		return
	}
	condition, key, _ := strings.Cut(e.word, "\n")
	t.add(e.newID, &node{kind: blockKind, value: blockStyles[0]}, n.parent, t.index(e.at)+1)
	t.add(e.newID<<20, &node{kind: branchKind, value: condition}, e.newID, 0)
	f := &node{key: key, value: e.value}
	if in := t.nodes[t.collectionOf(e.newID)].kind; in != mappingKind {
		f.key = ""
	} else {
		f.blank = e.other%3 == 0
	}
	t.add(e.newID<<20+1, f, e.newID<<20, 0)
}

// A guardedJudge judges the results of merging a case of NewGuarded. It renders them with each set of flags.
type guardedJudge struct {
	// sets are the sets of flags: the data with which the templates are rendered.
	sets  []map[string]any
	right []rendering // what the right merge renders to with each set; nil if it is not known
}

// newGuardedJudge returns the judge of a case that NewGuarded generated.
func newGuardedJudge(c *Case) judge {
	raw := c.Raw()
	sets := flagSets(raw[:]...)
	return &guardedJudge{sets, c.rightRenderings(sets)}
}

// checkResult returns what is wrong with result, the result of a merge without conflicts. With each set of flags, it
// must render to YAML and to the data of the right merge. It returns "" if no mistake is known, which is also so if it
// renders to YAML and the right merge is not known.
func (j *guardedJudge) checkResult(result []byte) string {
	got := renderWithEach(result, j.sets)
	switch {
	case got == nil:
		return "no YAML: " + renderingError(result, j.sets)
	case j.right == nil:
		return ""
	}
	return compareRenderings(got, j.right)
}

// isRight reports whether b renders to the data of the right merge with each set of flags. It returns false if the
// right merge is not known.
func (j *guardedJudge) isRight(b []byte) bool {
	got := renderWithEach(b, j.sets)
	return j.right != nil && got != nil && compareRenderings(got, j.right) == ""
}

func (j *guardedJudge) invalidReason(b []byte) string {
	return renderingError(b, j.sets)
}

// rightRenderings returns the data to which the right merge renders, for each set of flags in sets: those after the
// edits of ours and then those of theirs. It returns nil, because the right merge is not known, if the other order
// gives other data or is not possible, or if the three versions do not show where an edit belongs.
func (c *Case) rightRenderings(sets []map[string]any) []rendering {
	var all [][]rendering
	for _, s := range three.Sides {
		t, own := c.trees()[s], c.base
		for _, e := range c.edits[s.Other()] {
			now := e.applyGuarded(t)
			if now == t || !e.hasCertainPlace(own, t) {
				return nil
			}
			own, t = e.applyGuarded(own), now
		}
		all = append(all, renderWithEach(t.templateText(), sets))
	}
	if all[0] == nil || all[1] == nil || compareRenderings(all[0], all[1]) != "" {
		return nil
	}
	return all[0]
}

// hasCertainPlace reports whether the three versions show where the edit e of one side belongs in the other side. own
// is the tree of the side, before the edit, and t that of the other side. An added or moved node belongs beside its
// neighbors of own, which must not be in different branches of t. If z is added after a:
//
//	own     t
//	a: 1    {{- if $.a }}     z belongs into the branch with a and b
//	b: 2    a: 1
//	        b: 2
//	        {{- end }}
func (e edit) hasCertainPlace(own, t *tree) bool {
	beside := e.at
	switch {
	case e.op == "lift" || e.op == "wrap":
		return false
	case e.op == "move":
		beside = e.other
	case !strings.HasPrefix(e.op, "add"):
		return true
	}
	n := own.nodes[beside]
	if n.kind == branchKind || t.nodes[beside].parent == n.parent {
		return true
	}
	children := own.nodes[n.parent].children
	i := own.index(beside) + 1
	if i < len(children) && children[i] == e.at {
		i++
	}
	return i < len(children) && t.nodes[children[i]] != nil && t.nodes[children[i]].parent == t.nodes[beside].parent &&
		n.kind < noteKind && own.nodes[children[i]].kind < noteKind
}

// compareRenderings returns a message about the first difference between the data of two templates, got and want,
// rendered with the same sets of flags, or "" if they are equal. Comments do not matter. The message begins with "under
// another guard" if all values occur in both, and otherwise with "other data".
func compareRenderings(got, want []rendering) string {
	why := ""
	seen := [2]map[string]bool{{}, {}}
	for i := range want {
		for v, r := range [2]rendering{got[i], want[i]} {
			for p, values := range r {
				if !isCompared(p) {
					continue
				}
				for _, value := range values {
					seen[v][p+"="+value] = true
				}
			}
		}
		paths := maps.Clone(got[i])
		maps.Copy(paths, want[i])
		for _, p := range slices.Sorted(maps.Keys(paths)) {
			if isCompared(p) && !slices.Equal(got[i][p], want[i][p]) && why == "" {
				why = fmt.Sprintf("%s: %q, not %q", p, got[i][p], want[i][p])
			}
		}
	}
	if why != "" && maps.Equal(seen[0], seen[1]) {
		return "under another guard: " + why
	} else if why != "" {
		return "other data: " + why
	}
	return ""
}

// renderingError returns why the template b does not render to valid YAML with every set of flags in sets, or "" if it
// does:
//
//	"no template"    it cannot be parsed as a template
//	"no YAML"        with some flags, it does not render, or not to YAML
//	"duplicate keys", "duplicate names"
//	                 with some flags, a mapping has a duplicate key, or a list a duplicate name
func renderingError(b []byte, sets []map[string]any) string {
	switch {
	case renderWithEach(b, sets) != nil:
		return ""
	case template.CheckSyntax([3][]byte{}, b) != nil:
		return "no template"
	}
	reason := "duplicate names"
	for _, set := range sets {
		if !renderTemplates(b, set, func(_ string, out []byte) bool {
			err := fmt.Sprint(readYAML(out).err)
			hasKeyTwice := strings.Contains(err, "already defined") || strings.Contains(err, "duplicate key ")
			if hasKeyTwice {
				reason = "duplicate keys"
			}
			return hasKeyTwice || err == "<nil>" || strings.Contains(err, "duplicate name ")
		}) {
			return "no YAML"
		}
	}
	return reason
}

// isCompared reports whether compareRenderings compares the values at p, a path in a rendering. It returns false for
// the path of a comment, such as "/a# x", and for the path of a collection or text that is not empty, such as "/a/" or
// "/a|", which has no value of its own.
func isCompared(p string) bool {
	return !strings.Contains(p, "#") && !strings.HasSuffix(p, "/") && !strings.HasSuffix(p, "|")
}
