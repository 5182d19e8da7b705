package overlay

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/form"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Merger makes the plan of a merge by a rule set.
type Merger struct {
	*pair.Matcher
	*form.Versions
	rules Rules
	names [3]string             // of the files, for errors
	nulls map[*syntax.Node]bool // what holdsNull remembers
	known map[string]bool       // the comments of dest
	made  *Plan                 // so far
	err   error                 // the first one
	all   bool                  // comments of updated are written also where they stand elsewhere in dest
}

// fail remembers the first error, about what stands at off in s.
func (m *Merger) fail(s three.Side, off int, what string) {
	if m.err == nil {
		m.err = &three.Problem{Side: s, Off: off, Text: what}
	}
}

// tell notes that a change of s did not stand. What dest changed is not asked for where
// updated always stands.
func (m *Merger) tell(p *three.Path, s three.Side, e *syntax.Entry) {
	if !m.rules.Always {
		m.made.Lost = append(m.made.Lost, Lost{Path: p, Side: s, Entry: e})
	}
}

// settle notes where dest and updated have comments of which one side's stand.
func (m *Merger) settle(d, u text.Span) {
	m.made.Settled = append(m.made.Settled, [3]text.Span{three.Dest: d, three.Updated: u})
}

// pick is the three-way merge of what has no parts; there is no original where updated
// always stands.
func (m *Merger) pick(same func(a, b three.Side) bool) three.Side {
	s, ok := three.PickBy(func(a, b three.Side) bool {
		return (a != three.Original || !m.rules.Always) && same(a, b)
	})
	if !ok {
		return three.Updated
	}
	return s
}

// same is pick for bytes, which may all differ where the values do not.
func (m *Merger) same(same func(a, b three.Side) bool) (three.Side, bool) {
	return three.PickBy(func(a, b three.Side) bool {
		return (a != three.Original || !m.rules.Always) && same(a, b)
	})
}
