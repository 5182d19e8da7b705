// Package overlay merges by the rules under which updated wins: kustomize's three-way
// and two-way merge, and what kubectl apply does.
//
// It takes three parsed versions and a rule set, and gives a plan without conflicts but
// for comments, and the changes that do not stand in it; or where an input is not what the
// rules need. What stands is a rewrite of the trees (stands.go), which the verifier is given too. The
// plan is made by a plan.Walker; this package decides in place of its default rules (decide.go, documents.go).
// How the result is written:
//
//   - of what one side alone has, its bytes, without what does not stand in it;
//   - of a value that is one, the winner's;
//   - comments are not decided by the original but by where they stand: dest's stay;
//   - the directives of a patch change the trees before they are merged (patch.go).
package overlay

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Rules are a family of rules under which updated's value stands where both sides
// changed a field.
type Rules struct {
	Name string // for people
	Override
	// Comments is the side whose comment stands where both changed it.
	Comments three.Version
	// Ordered says that the items of a list, resources aside, stand in updated's
	// order, before those that dest alone has; else new ones stand at the end.
	Ordered bool
	// Patches says that updated may be a strategic merge patch: its $patch is obeyed.
	Patches bool
	// JSON says that the result is JSON where dest is, or updated if dest says nothing.
	JSON bool
}

// Kustomize are the rules of kustomize's documented three-way merge.
var Kustomize = Rules{Name: "rules kustomize", Override: Override{DestNull: true}, Comments: three.Updated}

// Merge2 are those of kustomize's documented two-way merge: there is no original, and
// dest's comments stay.
var Merge2 = Rules{Name: "rules of merge2", Override: Override{Always: true}, Comments: three.Dest, Patches: true, JSON: true}

// Apply are what `kubectl apply` does: the original is what was applied last, dest is
// live, updated is the config.
var Apply = Rules{Name: "rules of apply", Override: Override{Always: true, Strategic: true}, Comments: three.Dest, Ordered: true, JSON: true}

// Annotate are those that write annotations into a config: a resource takes those of the
// resource at its place in the other file.
var Annotate = Rules{Name: Apply.Name, Override: Override{Always: true, Strategic: true, ByPlace: true}, Comments: three.Dest}

// A Merger makes the plan of a merge by a rule set. It is the plan.RuleSet of a plan.Walker.
type Merger struct {
	*pair.Matcher
	*plan.Versions
	rules   Rules
	names   [3]string // of the files, for errors
	stands  *standing
	partial map[*syntax.Node]bool // what IsPartial remembers
	known   map[string]bool       // the comments of dest
	made    *Plan                 // so far
	err     error                 // the first one
	gone    [][3]text.Span        // what directives and blank documents took with them, whose comments do not stand
	all     bool                  // comments of updated are written also where they stand elsewhere in dest
}

// New prepares the merge of streams by rules, of whose lists and resources known knows.
// It drops the documents without content from the versions that dest is to follow, and
// does what the directives of a patch say: it changes the trees. It returns what went so,
// whose comments do not stand. The names are those of the files, for errors.
func New(streams [3]*syntax.Stream, known *pair.Matcher, rules Rules, names [3]string) (*Merger, [][3]text.Span, error) {
	known.NewIdentityFunc, rules.Known = rules.Identities, known.Rules
	m := &Merger{Matcher: known, Versions: plan.NewVersions(streams), rules: rules, names: names, partial: map[*syntax.Node]bool{}}
	if rules.Always {
		for _, s := range [2]three.Version{three.Original, three.Updated} { // blank documents ask for nothing
			streams[s].Docs = slices.DeleteFunc(streams[s].Docs, func(d *syntax.Document) bool {
				blank := d.Root.Content.Empty()
				if blank && s == three.Updated {
					m.drop(s, d.Span)
				}
				return blank
			})
		}
	}
	if err := m.checkResources(); err != nil {
		return nil, nil, err
	}
	if rules.Patches {
		m.obey()
	}
	m.stands = rewrite(streams, m.File, rules.Override)
	return m, m.gone, m.err
}

// Lost is an entry with a change of a side that does not stand.
type Lost struct {
	Path  *three.Path
	Side  three.Version
	Entry *syntax.Entry
}

// A Plan is what is written, and what of the versions does not stand in it.
type Plan struct {
	Documents []plan.Document
	Lost      []Lost
	// Settled is where versions have comments of which one side's stand, at most.
	Settled [][3]text.Span
}

// Merge makes the plan of the streams. Where allComments is set, comments of updated are
// written also where they stand elsewhere in dest: not all that stands in dest stays.
// The error is a *three.Problem.
func (m *Merger) Merge(allComments bool) (*Plan, error) {
	m.all, m.made = allComments, &Plan{}
	w := plan.Walker{Matcher: m.Matcher, Versions: m.Versions, RuleSet: m, IgnoreOriginal: m.rules.Always}
	m.made.Documents = w.Merge(nil).Documents
	return m.made, m.err
}

// checkResources refuses streams whose resources the rules cannot tell apart.
func (m *Merger) checkResources() error {
	c := check{files: m.Files, names: m.names}
	for s, st := range m.Streams {
		for _, d := range st.Docs {
			c.roots[s] = append(c.roots[s], d.Root)
		}
	}
	if err := c.streams(m.IdentityFunc(c.roots)); err != nil {
		return err
	}
	if m.rules.Always && !m.rules.ByPlace {
		if err := c.directives(m.rules.Patches); err != nil {
			return err
		}
	}
	if m.rules.Strategic && !m.rules.ByPlace {
		return c.live()
	}
	return nil
}

// fail remembers the first error, about what stands at off in s.
func (m *Merger) fail(s three.Version, off int, what string) {
	if m.err == nil {
		m.err = &three.InputError{Side: s, Off: off, Text: what}
	}
}

// tell notes that a change of s did not stand. What dest changed is not asked for where
// updated always stands.
func (m *Merger) tell(p *three.Path, s three.Version, e *syntax.Entry) {
	if !m.rules.Always {
		m.made.Lost = append(m.made.Lost, Lost{Path: p, Side: s, Entry: e})
	}
}

// settle notes where dest and updated have comments of which one side's stand.
func (m *Merger) settle(d, u text.Span) {
	m.made.Settled = append(m.made.Settled, [3]text.Span{three.Dest: d, three.Updated: u})
}
