package merge

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A prover asks the referee whether what is to be written is the merge of the
// inputs.
type prover struct {
	in       *inputs
	file     string
	rules    *schema.Rules
	steps    int // bytes proven so far: see steps.go
	maxSteps int // 0 means the usual bound
}

// prove returns why a page may not be written.
func (m *prover) prove(p *page) *referee.Refusal {
	m.in.at("prove")
	if len(p.clashes()) == 0 {
		return m.verify(m.in.write(p.choose(dest)))
	}
	var open []referee.Open
	for _, c := range p.clashes() {
		open = append(open, openOf(c))
	}
	for _, s := range sides {
		if r := m.verifySide(p.choose(s), s, open); r != nil {
			return r
		}
	}
	return nil
}

// openOf is where a conflict stands in the inputs.
func openOf(c *marked) referee.Open {
	return referee.Open{Original: c.open[original], Dest: c.open[dest], Updated: c.open[updated]}
}

// parseResult reads a result. What does not parse is refused; a missing anchor
// is named.
func parseResult(b []byte) (*syntax.Stream, *referee.Refusal) {
	st, err := syntax.Parse(text.New(b))
	if err == nil {
		return st, nil
	}
	r := &referee.Refusal{Rule: "parses", Detail: err.Error()}
	if _, after, ok := strings.Cut(r.Detail, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(after, "'")
		r.Subject = "*" + name
	}
	return nil, r
}

// verify returns why b is not the merge of the inputs.
func (m *prover) verify(b []byte) *referee.Refusal {
	m.steps += len(b)
	st, refusal := parseResult(b)
	if refusal != nil {
		return refusal
	}
	return m.check(st)
}

// check returns why st, a clean result, is not the merge of the inputs.
func (m *prover) check(st *syntax.Stream) *referee.Refusal {
	return referee.Check(referee.Claim{
		Original: m.in.proof[original], Dest: m.in.proof[dest], Updated: m.in.proof[updated], Result: st,
		File: m.file, Rules: m.rules,
	})
}

// verifySide returns why b, the unified file with side s at every conflict,
// does not hold.
func (m *prover) verifySide(b []byte, s side, open []referee.Open) *referee.Refusal {
	m.steps += len(b)
	st, refusal := parseResult(b)
	if refusal != nil {
		return refusal
	}
	return referee.Check(referee.Claim{
		Original: m.in.streams[original], Dest: m.in.streams[dest], Updated: m.in.streams[updated], Result: st,
		File: m.file, Rules: m.rules, Open: open, Side: referee.Side(s),
	})
}
