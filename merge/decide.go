package merge

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
