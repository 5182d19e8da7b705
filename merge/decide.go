package merge

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// A judge decides a conflict, or reports false where it stays.
type judge func(*marked) (verdict, bool)

// A verdict is the text that stands in the place of a conflict, what decided
// that, and which side it took.
type verdict struct {
	text     []byte
	by, took string
}

// taken is the verdict for one side.
func (c *marked) taken(s side, by string) verdict { return verdict{c.alt[s], by, userNames[s]} }

// A decision is a conflict that was decided, by what, and for which side.
type decision struct {
	mark
	by, took string
}

// decide puts text in the place of the conflicts that j decides.
func (p *page) decide(r *renderer, j judge) (*page, []decision) {
	out := &page{}
	var done []decision
	for _, x := range p.parts {
		if x.clash == nil {
			out.parts = append(out.parts, x)
			continue
		}
		v, ok := j(x.clash)
		if !ok || x.clash.kind == ConflictEncrypted {
			out.parts = append(out.parts, x)
			continue
		}
		out.text(v.text)
		done = append(done, decision{r.whole(x.clash, 0), v.by, v.took})
	}
	return out, done
}

// bothMayStand reports whether both sides of c may stand one after the other.
func (c *marked) bothMayStand() bool {
	return c.kind == ConflictAddAdd || c.kind == ConflictComment || c.kind == ConflictText || c.kind == ConflictList || c.kind == ConflictLine
}

// preferred is the side whose scalar the policy prefers.
func (c *marked) preferred(p schema.Policy) (side, bool) {
	v := c.child.at.values()
	var s [3]string
	for i, n := range v {
		if n == nil || n.Anchor != "" || n.TagText != "" || len(n.Entries) > 0 {
			return original, false
		}
		s[i] = n.Value
	}
	switch best, ok := p.Pick(s[original], s[dest], s[updated]); {
	case !ok:
	case best == s[dest]:
		return dest, true
	case best == s[updated]:
		return updated, true
	}
	return original, false
}

// likely are the texts that most people leave in the place of c, the longest
// first.
func (c *marked) likely(nl []byte) [][]byte {
	all := [][]byte{c.both(nl), c.alt[dest], c.alt[updated], c.alt[original]}
	slices.SortStableFunc(all, func(a, b []byte) int { return len(b) - len(a) })
	return all
}

// field returns the resource that c is in and its path as a team's file writes
// them; both are empty where no policy can decide c alone.
func (c *marked) field() (in, field string) {
	if c.child == nil || c.path == nil || c.kind == ConflictComment || c.kind == ConflictEncrypted {
		return "", ""
	}
	if c.child.clash != nil {
		for _, run := range c.child.clash.runs {
			if len(run) > 1 {
				return "", ""
			}
		}
	}
	p := c.path.place()
	field, _ = p.Pattern()
	return p.Selector(), field
}
