package dense

import (
	"fmt"
	"maps"
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

// newTemplateJudge returns the judge of a case of templates.
func newTemplateJudge(c *Case) judge {
	raw := c.Raw()
	m := &renderedModel{sets: flagSets(raw[:]...), repeated: map[string]bool{}}
	for v, b := range raw {
		if m.in[v] = renderings(b, m.sets); m.in[v] == nil {
			panic("a version does not render to valid YAML")
		}
	}
	for v := range raw {
		m.changes[v], m.known[v] = map[string]bool{}, map[string]bool{}
		for i := range m.sets {
			for _, p := range m.changedPaths(three.Version(v), i) {
				m.changes[v][p] = true
			}
			for p := range m.in[v][i] {
				m.known[v][p] = true
			}
		}
	}
	for _, t := range c.trees() {
		for word, ids := range t.words() {
			word = strings.TrimPrefix(word, "value ")
			m.repeated[word] = m.repeated[word] || len(ids) > 1
		}
	}
	for _, s := range three.Sides {
		ofBlocks := func(e edit) bool { return slices.Contains(templateOps[guardOps:], e.op) }
		m.blocks[s] = !slices.Equal(blockLines(raw[s]), blockLines(raw[three.Original])) || slices.ContainsFunc(c.edits[s], ofBlocks)
		m.guarded[s] = m.blocks[s] || c.moves(s)
	}
	return m
}

func (*renderedModel) isRight([]byte) bool { return false }

func (m *renderedModel) invalid(b []byte) string { return unrendered(b, m.sets) }

// isOpen reports whether both sides changed path p or something around or inside it, or whether one did and both sides
// changed guards. Then a change of one side may be in a place that the other side made.
func (m *renderedModel) isOpen(p string) bool {
	d, u := m.touches(three.Dest, p), m.touches(three.Updated, p)
	return d && u || (d || u) && m.guarded[three.Dest] && m.guarded[three.Updated]
}

// touches reports whether side s changed path p, or something inside or around it.
func (m *renderedModel) touches(s three.Version, p string) bool {
	for q := range m.changes[s] {
		if p == q || isInside(p, q) || isInside(q, p) {
			return true
		}
	}
	return false
}

// isInside reports whether path p is inside path q.
func isInside(p, q string) bool {
	rest, ok := strings.CutPrefix(p, strings.TrimRight(q, "/|"))
	return ok && rest != "" && strings.ContainsAny(rest[:1], "/|#")
}

// isRenamed reports whether path p is in something that one side added or renamed, if the other side changed something
// under a path of base that is missing in this side. The other side's change may then be under the new path.
func (m *renderedModel) isRenamed(p string) bool {
	for i, s := range three.Sides {
		for q := range m.changes[s] {
			if m.known[three.Original][q] || p != q && !isInside(p, q) {
				continue
			}
			for old := range m.changes[three.Sides[1-i]] {
				if m.known[three.Original][old] && !m.known[s][old] || m.lacksCollectionOf(s, old) {
					return true
				}
			}
		}
	}
	return false
}

// lacksCollectionOf reports whether side s lacks a collection of base that contains path p.
func (m *renderedModel) lacksCollectionOf(s three.Version, p string) bool {
	for q := range m.known[three.Original] {
		if isInside(p, q) && !m.known[s][q] {
			return true
		}
	}
	return false
}

// changedPaths returns the paths that side s changed in the rendering with the set of flags i.
func (m *renderedModel) changedPaths(s three.Version, i int) (paths []string) {
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
			if why := m.checkFact(p, i, got[i][p]); why != "" {
				return fmt.Sprintf("%s: %s with %v: base %q, ours %q, theirs %q, result %q", why, p, set, m.in[0][i][p], m.in[1][i][p], m.in[2][i][p], got[i][p])
			}
		}
	}
	return ""
}

// checkFact returns what is wrong with the values r of the result at path p with the set of flags i, or "" if they are
// correct.
func (m *renderedModel) checkFact(p string, i int, r []string) string {
	is := slices.Equal[[]string]
	o, d, u := m.in[three.Original][i][p], m.in[three.Dest][i][p], m.in[three.Updated][i][p]
	switch {
	case strings.HasSuffix(p, "/") || strings.HasSuffix(p, "|"): // a collection: its entries are checked instead
	case m.repeated[strings.TrimSpace(p[strings.LastIndexAny(p, "=|")+1:])]:
	case len(r) == 1 && (r[0] == "" || strings.HasPrefix(r[0], "!!")): // both sides together removed all content
	case strings.Contains(p, "#"):
		return m.checkComment(p, i, r)
	case is(o, d) && is(o, u):
		switch {
		case is(r, o) || len(o) == 0 && m.isRenamed(p):
		case len(o) == 0 && (m.isOpen(p) || m.isAdded(p, m.blocks)):
		case len(o) == 0 && !m.known[three.Original][p]:
			return "new, under another guard"
		default:
			return "nobody changed it"
		}
	case m.isOpen(p) || m.isRenamed(p) || m.isAdded(p, m.guarded):
	case is(d, u):
		if !is(r, d) && len(r) != len(d)+len(u)-len(o) {
			return "both changed it identically"
		}
	case is(o, d) && !is(r, u):
		return "theirs lost"
	case is(o, u) && !is(r, d):
		return "ours lost"
	}
	return ""
}

// checkComment returns what is wrong with the comment at path p in the result. It checks only comments of entries that
// the other side did not touch: an added comment must be kept, and a removed one must not come back.
func (m *renderedModel) checkComment(p string, i int, r []string) string {
	entry := p[:strings.Index(p, "#")]
	for k, s := range three.Sides {
		other := three.Sides[1-k]
		had := len(m.in[three.Original][i][p])
		if has := len(m.in[s][i][p]); m.touches(other, entry) || m.isOpen(entry) || m.isRenamed(p) || m.isAdded(p, m.blocks) || has == had {
			continue
		} else if has > had && len(r) == 0 {
			return "comment lost"
		} else if has < had && len(r) == had {
			return "comment back"
		}
	}
	return ""
}

// isAdded reports whether path p is new in one side and by is true for the other side. Then a block of the other side
// may surround the new entry.
func (m *renderedModel) isAdded(p string, by [3]bool) bool {
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
