package overlay

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// slot merges comments. Where updated always stands, the original has no say about
// them: dest's stay, and those of updated that stand elsewhere in dest are not written
// again.
func (m *Merger) slot(t plan.Slot) plan.Trivia {
	if !m.rules.Always {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !m.all && len(t.Lines[three.Updated]) > 0 && m.standInDest(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	if !t.Commented(three.Dest) && t.Commented(three.Updated) {
		return t.Take(three.Updated) // a separator may stand beside the comment
	}
	return t.Merge()
}

// standInDest reports whether all comments of lines stand in dest.
func (m *Merger) standInDest(lines []string) bool {
	if m.known == nil {
		m.known = map[string]bool{}
		for _, c := range m.AllComments(three.Dest) {
			m.known[c] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l string) bool {
		i := plan.CommentAt([]byte(l))
		return i >= 0 && !m.known[l[i:]]
	})
}

// remark merges the comment at the end of the entry's line.
func (m *Merger) remark(at three.Entries) plan.Remark {
	var c [3]string
	for s, e := range at {
		if e != nil {
			c[s] = string(bytes.TrimSpace(m.Bytes(three.Side(s), e.Comment)))
		}
	}
	s, ok := three.Pick(c)
	return plan.Remark{Side: s, Clash: !ok}
}
