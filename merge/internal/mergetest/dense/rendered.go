package dense

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A renderedModel judges the results of merging templates by rendering them. For each set of flags (the values that the
// conditions read), the rendered result must have the changes that the sides made in their rendered versions, and no
// others. For example, with $.a on:
//
//	base        ours        theirs      right merge
//	/b = 1      /b = 2      /b = 1      /b = 2
type renderedModel struct {
	sets     []map[string]any
	versions [3][]rendering
	// changed has the paths that each side changed, with any set of flags.
	changed [3]map[string]bool
	// changedBlocks reports which sides changed blocks: their conditions, branches or entries. changedPlacement reports
	// which sides changed blocks or moved an entry.
	changedPlacement, changedBlocks [3]bool
	// paths has the paths that each version has, with any set of flags.
	paths [3]map[string]bool
	// repeated has the values that occur more than once in a version. The model does not check them, because it does
	// not know which of several equal items or lines is which.
	repeated map[string]bool
}

// newTemplateJudge returns the judge of a case that NewTemplate generated. It panics if a version does not render to
// valid YAML with each set of flags.
func newTemplateJudge(c *Case) judge {
	raw := c.Raw()
	m := &renderedModel{sets: flagSets(raw[:]...), repeated: map[string]bool{}}
	for v, b := range raw {
		if m.versions[v] = renderWithEach(b, m.sets); m.versions[v] == nil {
			panic("a version does not render to valid YAML")
		}
	}
	for v := range raw {
		m.changed[v], m.paths[v] = map[string]bool{}, map[string]bool{}
		for i := range m.sets {
			for _, p := range m.changedPaths(three.Version(v), i) {
				m.changed[v][p] = true
			}
			for p := range m.versions[v][i] {
				m.paths[v][p] = true
			}
		}
	}
	for _, t := range c.trees() {
		for word, ids := range t.nodesByWord() {
			word = strings.TrimPrefix(word, "value ")
			m.repeated[word] = m.repeated[word] || len(ids) > 1
		}
	}
	for _, s := range three.Sides {
		ofBlocks := func(e edit) bool { return slices.Contains(templateOps[firstBlockOp:], e.op) }
		m.changedBlocks[s] = !slices.Equal(blockActionLines(raw[s]), blockActionLines(raw[three.Original])) || slices.ContainsFunc(c.edits[s], ofBlocks)
		m.changedPlacement[s] = m.changedBlocks[s] || c.hasMove(s)
	}
	return m
}

// isRight returns false, because the model does not know the right merge of a template.
func (*renderedModel) isRight([]byte) bool { return false }

// invalidReason returns why b is not a template that renders to valid YAML with each set of flags, or "" if it is one.
// The reasons are those of renderingError.
func (m *renderedModel) invalidReason(b []byte) string { return renderingError(b, m.sets) }

// isAmbiguous reports whether the right value at path p is not known: both sides changed the value or something around
// or inside it, or one side did and both changed blocks or moved entries. In the second case, the change may belong to
// a place that the other side made.
func (m *renderedModel) isAmbiguous(p string) bool {
	d, u := m.changesAround(three.Dest, p), m.changesAround(three.Updated, p)
	return d && u || (d || u) && m.changedPlacement[three.Dest] && m.changedPlacement[three.Updated]
}

// changesAround reports whether side s changed the value at path p, or at a path that contains p or is inside p. For
// the path /a/b, a change of /a/b, of /a/b/c or of the whole mapping /a counts.
func (m *renderedModel) changesAround(s three.Version, p string) bool {
	for q := range m.changed[s] {
		if p == q || isInside(p, q) || isInside(q, p) {
			return true
		}
	}
	return false
}

// isInside reports whether path p is inside path q: /a/b, "/a|line" and "/a# comment" are inside /a, and /ab is not.
func isInside(p, q string) bool {
	rest, ok := strings.CutPrefix(p, strings.TrimRight(q, "/|"))
	return ok && rest != "" && strings.ContainsAny(rest[:1], "/|#")
}

// mayBeRenamed reports whether a side may have renamed the entry at path p: whether p is in something that one side
// added, and the other side changed something that the first side no longer has. The change may belong to p then:
//
//	base    ours     theirs
//	a: 1    b: 1     a: 2       mayBeRenamed("/b") is true: the right merge may be b: 2
func (m *renderedModel) mayBeRenamed(p string) bool {
	for i, s := range three.Sides {
		for q := range m.changed[s] {
			if m.paths[three.Original][q] || p != q && !isInside(p, q) {
				continue
			}
			for old := range m.changed[three.Sides[1-i]] {
				if m.paths[three.Original][old] && !m.paths[s][old] || m.lacksAncestorOf(s, old) {
					return true
				}
			}
		}
	}
	return false
}

// lacksAncestorOf reports whether base has a mapping, list or text that contains path p and that side s does not have.
func (m *renderedModel) lacksAncestorOf(s three.Version, p string) bool {
	for q := range m.paths[three.Original] {
		if isInside(p, q) && !m.paths[s][q] {
			return true
		}
	}
	return false
}

// changedPaths returns the paths that side s added, deleted or changed, if its template and that of base are rendered
// with one set of flags: the one with the index i in m.sets. The paths are in no order.
func (m *renderedModel) changedPaths(s three.Version, i int) (paths []string) {
	o, n := m.versions[three.Original][i], m.versions[s][i]
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

// checkResult returns a description of what is wrong with b, the result of a merge without conflicts, or "" if no
// mistake is known. It begins with the class of the mistake, such as "ours lost: ", and is "invalid" if the result does
// not render to valid YAML with each set of flags.
func (m *renderedModel) checkResult(b []byte) string {
	got := renderWithEach(b, m.sets)
	if got == nil {
		return "invalid"
	}
	for i, set := range m.sets {
		paths := map[string]bool{}
		for _, r := range []rendering{m.versions[0][i], m.versions[1][i], m.versions[2][i], got[i]} {
			for p := range r {
				paths[p] = true
			}
		}
		for _, p := range slices.Sorted(maps.Keys(paths)) {
			if why := m.checkFact(p, i, got[i][p]); why != "" {
				return fmt.Sprintf("%s: %s with %v: base %q, ours %q, theirs %q, result %q", why, p, set, m.versions[0][i][p], m.versions[1][i][p], m.versions[2][i][p], got[i][p])
			}
		}
	}
	return ""
}

// checkFact returns what is wrong with r, the values that the result of a merge has at path p with the set of flags
// m.sets[i], or "" if no mistake is known. If only one side changed the value, r must be that of the side. If no side
// did, r must be that of base:
//
//	base    ours    theirs    r       returned
//	[1]     [2]     [1]       [1]     "ours lost"
//	[1]     [1]     [1]       [2]     "neither side changed it"
//	[1]     [2]     [3]       any     ""
func (m *renderedModel) checkFact(p string, i int, r []string) string {
	is := slices.Equal[[]string]
	o, d, u := m.versions[three.Original][i][p], m.versions[three.Dest][i][p], m.versions[three.Updated][i][p]
	switch {
	case strings.HasSuffix(p, "/") || strings.HasSuffix(p, "|"): // a collection: its entries are checked instead
	case m.repeated[strings.TrimSpace(p[strings.LastIndexAny(p, "=|")+1:])]:
	case len(r) == 1 && (r[0] == "" || strings.HasPrefix(r[0], "!!")): // both sides together removed all content
	case strings.Contains(p, "#"):
		return m.checkComment(p, i, r)
	case is(o, d) && is(o, u):
		switch {
		case is(r, o) || len(o) == 0 && m.mayBeRenamed(p):
		case len(o) == 0 && (m.isAmbiguous(p) || m.mayBeEnclosed(p, m.changedBlocks)):
		case len(o) == 0 && !m.paths[three.Original][p]:
			return "new, under another guard"
		default:
			return "neither side changed it"
		}
	case m.isAmbiguous(p) || m.mayBeRenamed(p) || m.mayBeEnclosed(p, m.changedPlacement):
	case is(o, d) && !is(r, u):
		return "theirs lost"
	case is(o, u) && !is(r, d):
		return "ours lost"
	}
	return ""
}

// checkComment returns what is wrong with the comment at path p, as in "/a# x", of the result with the set of flags
// m.sets[i], or "". r has one element for each time that the result has this comment. It reports a comment that a side
// added and the result lacks, or that a side removed and the result has. It checks only entries that the other side did
// not change.
func (m *renderedModel) checkComment(p string, i int, r []string) string {
	entry := p[:strings.Index(p, "#")]
	for k, s := range three.Sides {
		other := three.Sides[1-k]
		had := len(m.versions[three.Original][i][p])
		if has := len(m.versions[s][i][p]); m.changesAround(other, entry) || m.isAmbiguous(entry) || m.mayBeRenamed(p) || m.mayBeEnclosed(p, m.changedBlocks) || has == had {
			continue
		} else if has > had && len(r) == 0 {
			return "comment lost"
		} else if has < had && len(r) == had {
			return "comment back"
		}
	}
	return ""
}

// mayBeEnclosed reports whether path p is new in one side, and by is true for the other side. by is the set of sides
// that changed blocks (or that changed blocks or moved entries). A block of the other side may enclose the new entry in
// the right merge, so that it is rendered with fewer flags.
func (m *renderedModel) mayBeEnclosed(p string, by [3]bool) bool {
	return !m.paths[three.Original][p] && (m.paths[three.Dest][p] && by[three.Updated] || m.paths[three.Updated][p] && by[three.Dest])
}

// blockActionLines returns the lines of a template that have an action of a block, such as {{ if .a }}, {{ else }} or
// {{ end }}. They are without indentation, and sorted.
func blockActionLines(b []byte) (all []string) {
	for l := range strings.Lines(string(b)) {
		if template.HasBlockActions([]byte(l)) {
			all = append(all, strings.TrimSpace(l))
		}
	}
	slices.Sort(all)
	return all
}
