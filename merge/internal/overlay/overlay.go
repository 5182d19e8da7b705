package overlay

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/form"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// New prepares the merge of streams by rules, of whose lists and resources known knows.
// It drops the documents without content from the versions that dest is to follow, and
// does what the directives of a patch say: it changes the trees. It returns what went so,
// whose comments do not stand. The names are those of the files, for errors.
func New(streams [3]*syntax.Stream, known *pair.Matcher, rules Rules, names [3]string) (*Merger, [][3]text.Span, error) {
	known.Identify = rules.identities
	m := &Merger{Matcher: known, Versions: form.New(streams), rules: rules, names: names}
	var gone [][3]text.Span
	if rules.Always {
		gone = m.dropBlank()
	}
	if err := m.checkResources(); err != nil {
		return nil, nil, err
	}
	if rules.Patches {
		gone = append(gone, m.obey()...)
	}
	return m, gone, m.err
}

// Lost is an entry with a change of a side that does not stand.
type Lost struct {
	Path  *three.Path
	Side  three.Side
	Entry *syntax.Entry
}

// A Plan is what is written, and what of the versions does not stand in it.
type Plan struct {
	Documents []*plan.Document
	Lost      []Lost
	// Settled is where versions have comments of which one side's stand, at most.
	Settled [][3]text.Span
}

// Merge makes the plan of the streams. Where allComments is set, comments of updated are
// written also where they stand elsewhere in dest: not all that stands in dest stays.
// The error is a *three.Problem.
func (m *Merger) Merge(allComments bool) (*Plan, error) {
	m.all, m.made = allComments, &Plan{}
	m.made.Documents = m.documents()
	return m.made, m.err
}

// checkResources refuses streams whose resources the rules cannot tell apart.
func (m *Merger) checkResources() error {
	c := resource.Check{Files: m.Files, Names: m.names}
	for s, st := range m.Streams {
		for _, d := range st.Docs {
			c.Roots[s] = append(c.Roots[s], d.Root)
		}
	}
	if err := c.Streams(m.Identities(c.Roots)); err != nil {
		return err
	}
	if m.rules.Always && !m.rules.ByPlace {
		if err := c.Directives(m.rules.Patches); err != nil {
			return err
		}
	}
	if m.rules.Strategic && !m.rules.ByPlace {
		return c.Live()
	}
	return nil
}
