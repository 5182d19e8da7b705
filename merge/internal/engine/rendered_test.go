package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A renderedModel checks the merge of templates by rendering them. For each set of flags, the rendered result must have
// the changes that the sides made in their rendered versions, and no others.
type renderedModel struct {
	sets []map[string]any
	in   [3][]rendering
	// changes has the paths that each side changed, with any set of flags.
	changes [3]map[string]bool
	// guarded tells which sides changed guards or moved something. blocks tells which sides changed blocks.
	guarded, blocks [3]bool
	// known has the paths that each version has, with any set of flags.
	known [3]map[string]bool
	// repeated has the values that occur more than once in a version. The model cannot tell which of several equal items
	// or lines is which.
	repeated map[string]bool
}

func newRenderedModel(raw [3][]byte) *renderedModel {
	m := &renderedModel{sets: flagSets(raw[:]...), repeated: map[string]bool{}}
	for v, b := range raw {
		if m.in[v] = renderings(b, m.sets); m.in[v] == nil {
			return nil
		}
	}
	for v := range raw {
		m.changes[v], m.known[v] = map[string]bool{}, map[string]bool{}
		for i := range m.sets {
			for _, p := range m.changed(three.Version(v), i) {
				m.changes[v][p] = true
			}
			for p := range m.in[v][i] {
				m.known[v][p] = true
			}
		}
	}
	return m
}

// open reports whether both sides changed path p or something around or inside it, or whether one did and both sides
// changed guards. Then a change of one side may be in a place that the other side made.
func (m *renderedModel) open(p string) bool {
	d, u := m.touches(three.Dest, p), m.touches(three.Updated, p)
	return d && u || (d || u) && m.guarded[three.Dest] && m.guarded[three.Updated]
}

// touches reports whether side s changed path p, or something inside or around it.
func (m *renderedModel) touches(s three.Version, p string) bool {
	for q := range m.changes[s] {
		if p == q || denseBelow(p, q) || denseBelow(q, p) {
			return true
		}
	}
	return false
}

// denseBelow reports whether path p is inside path q.
func denseBelow(p, q string) bool {
	rest, ok := strings.CutPrefix(p, strings.TrimRight(q, "/|"))
	return ok && rest != "" && strings.ContainsAny(rest[:1], "/|#")
}

// renamed reports whether path p is in something that one side added or renamed, if the other side changed something
// under a path of base that is gone in this side. The other side's change may then be under the new path.
func (m *renderedModel) renamed(p string) bool {
	for i, s := range three.Sides {
		for q := range m.changes[s] {
			if m.known[three.Original][q] || p != q && !denseBelow(p, q) {
				continue
			}
			for old := range m.changes[three.Sides[1-i]] {
				if m.known[three.Original][old] && !m.known[s][old] || m.gone(s, old) {
					return true
				}
			}
		}
	}
	return false
}

// gone reports whether side s lacks a collection of base that contains path p.
func (m *renderedModel) gone(s three.Version, p string) bool {
	for q := range m.known[three.Original] {
		if denseBelow(p, q) && !m.known[s][q] {
			return true
		}
	}
	return false
}

// changed returns the paths that side s changed in the rendering with the set of flags i.
func (m *renderedModel) changed(s three.Version, i int) (paths []string) {
	o, n := m.in[three.Original][i], m.in[s][i]
	for p := range o {
		if !slices.Equal(o[p], n[p]) {
			paths = append(paths, p)
		}
	}
	for p := range n {
		if o[p] == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// wrong returns a description of what is wrong with the clean result b, or "" if it is correct.
func (m *renderedModel) wrong(b []byte) string {
	got := renderings(b, m.sets)
	if got == nil {
		return "invalid"
	}
	for i, set := range m.sets {
		paths := map[string]bool{}
		for _, r := range []rendering{m.in[0][i], m.in[1][i], m.in[2][i], got[i]} {
			for p := range r {
				paths[p] = true
			}
		}
		for _, p := range slices.Sorted(maps.Keys(paths)) {
			if why := m.fact(p, i, got[i][p]); why != "" {
				return fmt.Sprintf("%s: %s with %v: base %q, ours %q, theirs %q, result %q", why, p, set, m.in[0][i][p], m.in[1][i][p], m.in[2][i][p], got[i][p])
			}
		}
	}
	return ""
}

// fact returns what is wrong with the values r of the result at path p with the set of flags i, or "" if they are
// correct.
func (m *renderedModel) fact(p string, i int, r []string) string {
	is := slices.Equal[[]string]
	o, d, u := m.in[three.Original][i][p], m.in[three.Dest][i][p], m.in[three.Updated][i][p]
	switch {
	case strings.HasSuffix(p, "/") || strings.HasSuffix(p, "|"): // a collection: its entries are checked instead
	case m.repeated[strings.TrimSpace(p[strings.LastIndexAny(p, "=|")+1:])]:
	case len(r) == 1 && (r[0] == "" || strings.HasPrefix(r[0], "!!")): // both sides together removed all content
	case strings.Contains(p, "#"):
		return m.comment(p, i, r)
	case is(o, d) && is(o, u):
		switch {
		case is(r, o) || len(o) == 0 && m.renamed(p):
		case len(o) == 0 && (m.open(p) || m.added(p, m.blocks)):
		case len(o) == 0 && !m.known[three.Original][p]:
			return "new, under another guard"
		default:
			return "nobody changed it"
		}
	case m.open(p) || m.renamed(p) || m.added(p, m.guarded):
	case is(d, u):
		if !is(r, d) && len(r) != len(d)+len(u)-len(o) {
			return "changed alike"
		}
	case is(o, d) && !is(r, u):
		return "theirs lost"
	case is(o, u) && !is(r, d):
		return "ours lost"
	}
	return ""
}

// comment returns what is wrong with the comment at path p in the result. It checks only comments of entries that the
// other side did not touch: an added comment must be kept, and a removed one must not come back.
func (m *renderedModel) comment(p string, i int, r []string) string {
	entry := p[:strings.Index(p, "#")]
	for k, s := range three.Sides {
		other := three.Sides[1-k]
		had := len(m.in[three.Original][i][p])
		if has := len(m.in[s][i][p]); m.touches(other, entry) || m.open(entry) || m.renamed(p) || m.added(p, m.blocks) || has == had {
			continue
		} else if has > had && len(r) == 0 {
			return "comment lost"
		} else if has < had && len(r) == had {
			return "comment back"
		}
	}
	return ""
}

// added reports whether path p is new in one side and by is true for the other side. Then a block of the other side may
// surround the new entry.
func (m *renderedModel) added(p string, by [3]bool) bool {
	return !m.known[three.Original][p] && (m.known[three.Dest][p] && by[three.Updated] || m.known[three.Updated][p] && by[three.Dest])
}

// blockLines returns the lines of a template that have block actions, sorted.
func blockLines(b []byte) (all []string) {
	for l := range strings.Lines(string(b)) {
		if template.HasBlockActions([]byte(l)) {
			all = append(all, strings.TrimSpace(l))
		}
	}
	slices.Sort(all)
	return all
}

// A renderedCase is a generated template and the edits of both sides.
type renderedCase struct {
	base  *denseTree
	edits [3][]denseEdit
}

func newRenderedCase(seed int) renderedCase {
	g := &denseDraw{Rand: rand.New(rand.NewPCG(uint64(seed), 3))}
	g.vivid = g.IntN(3) > 0
	c := renderedCase{base: g.template()}
	for _, s := range three.Sides {
		c.edits[s] = g.templateEdits(c.base)
	}
	return c
}

func (c renderedCase) trees() (all [3]*denseTree) {
	for s := range all {
		all[s] = c.base
		for _, e := range c.edits[s] {
			all[s] = e.templateMade(all[s])
		}
	}
	return all
}

// reordered reports whether both sides moved something. The result then has the order of ours, and blocks may not fit
// into it.
func (c renderedCase) reordered() bool {
	moves := func(e denseEdit) bool { return e.op == "move" }
	return slices.ContainsFunc(c.edits[three.Dest], moves) && slices.ContainsFunc(c.edits[three.Updated], moves)
}

func (c renderedCase) raw() (raw [3][]byte) {
	for s, t := range c.trees() {
		raw[s] = t.template()
	}
	return raw
}

// wrong merges c, and again with the sides swapped. It returns a description of what is wrong with the results, or ""
// if they are correct.
func (c renderedCase) wrong() string {
	raw := c.raw()
	m := newRenderedModel(raw)
	if m == nil {
		return ""
	}
	for _, t := range c.trees() {
		for word, ids := range t.words() {
			m.repeated[strings.TrimPrefix(word, "value ")] = m.repeated[strings.TrimPrefix(word, "value ")] || len(ids) > 1
		}
	}
	for _, s := range three.Sides {
		changes := func(e denseEdit) bool { return slices.Contains(renderedOps[guardOps:], e.op) }
		m.blocks[s] = !slices.Equal(blockLines(raw[s]), blockLines(raw[three.Original])) || slices.ContainsFunc(c.edits[s], changes)
		m.guarded[s] = m.blocks[s] || slices.ContainsFunc(c.edits[s], func(e denseEdit) bool { return e.op == "move" })
	}
	for i, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, raw, Options{Path: "templates/x.yaml"})
		if err != nil || strings.Contains(res.Reason, "internal error") {
			return fmt.Sprintf("panic: %v, %s", err, res.Reason)
		}
		if wrong := m.wrong(res.Bytes); res.Clean() && wrong != "" {
			return []string{"", "by fields, "}[i] + methodNames[res.Method] + ", " + wrong
		}
		if i > 0 {
			continue
		}
		back, err := mergeBy(by, [3][]byte{raw[0], raw[2], raw[1]}, Options{Path: "templates/x.yaml"})
		if err != nil || back.Clean() != res.Clean() && !c.reordered() {
			return fmt.Sprintf("swap: %d conflicts, swapped %d, %v", len(res.Conflicts), len(back.Conflicts), err)
		}
	}
	return ""
}

var methodNames = []string{"", "trivial", "git's", "structural", "delegated"}
