package merge

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Finding is something that the result of a merge lacks, or has although
// neither side put it there.
type Finding struct {
	// Path names it, as in spec.template.spec.containers[name=web].image;
	// empty for what belongs to the file as a whole.
	Path string `json:"path"`
	// Line is the line of a conflict marker in the result, from 1; else 0.
	Line int `json:"line,omitempty"`
	// Rule is the rule that is broken, in a word or two: lost, undone, value,
	// doubled, invented, deleted and changed, comment, alias, markers, ...
	Rule string `json:"rule"`
	// Detail says what was expected, with the versions called base, ours and theirs.
	Detail string `json:"detail"`
}

// String is f as a line for people.
func (f Finding) String() string {
	s := f.Rule + ": " + f.Detail
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	return s
}

// maxFindings ends a list that nobody reads to its end.
const maxFindings = 100

// Check lists what a three-way merge lost or made up, whoever made it: git, a
// person or another program. Every edit of either side has to stand in the
// result, and nothing else; only where Merge finds a conflict, a person may
// have written anything but what base has. Indents, quotes and order are not
// judged. It returns 100 findings at most, and one for each list without keys,
// however much is wrong in it. Git's clean line merge is judged as Merge judges
// it: only by what is wrong beyond doubt. What multiplied fields grant though neither side
// grants it is found also where Merge finds that conflict and git does not: nobody can tell whether
// somebody decided it.
//
// What the team's policies decide, a person may decide too, but not leave one version
// for two releases where they want the next one (rule next).
//
// By another rule set there is one finding at most: the first thing that is not what the
// rules ask for.
//
// Of the options it reads Path, Rules, RuleSet and Own. The error says why the
// versions cannot be merged as YAML.
func Check(base, ours, theirs, result []byte, opts Options) ([]Finding, error) {
	opts = Options{Path: opts.Path, Rules: opts.Rules, Own: opts.Own, RuleSet: opts.RuleSet}
	if line := text.UnresolvedConflictLine(result); line > 0 {
		return []Finding{{Line: line, Rule: "markers", Detail: fmt.Sprintf("a conflict is left at line %d", line)}}, nil
	}
	raw := [3][]byte{base, ours, theirs}
	if reason := read.New(raw, opts.Names).Unfit(); reason != "" {
		return nil, errors.New(reason)
	}
	if opts.RuleSet != DefaultRules {
		return checkBySet(raw, result, opts, ruleSets[opts.RuleSet])
	}
	raw, found := twice(raw, result, opts)
	m := newMerger(raw, opts)
	o, err := guarded(func() (outcome, error) {
		o, err := m.decide(waysToJudge)
		if err == nil {
			m.matchEntries(m.walker())
		}
		return o, err
	})
	switch {
	case err != nil:
		return nil, err
	case o.left():
		return nil, errors.New(o.Reason)
	case len(o.Conflicts) == 0 && bytes.Equal(o.Bytes, result):
		return found, opts.Rules.known().CRDError() // as Merge leaves it
	}
	open := m.decidedByPeople(append(o.Conflicts, o.Resolved...))
	if m.lineConflicts() == 0 && bytes.Equal(m.lines.bytes, result) {
		open = nil // nobody decided anything
	}
	all := m.proof.Findings(result, open, maxFindings)
	if asked := m.multipliedAsked(o.Conflicts); len(open) > 0 && len(asked) < len(o.Conflicts) {
		for _, r := range m.proof.Findings(result, m.decidedByPeople(append(asked, o.Resolved...)), maxFindings) {
			if r.Rule == verify.RuleMultiplied {
				all = append(all, r)
			}
		}
	}
	for _, r := range all {
		found = append(found, Finding{Path: opts.pathOf(m.in.Streams, r), Rule: r.Rule, Detail: r.Detail})
	}
	return found, opts.Rules.known().CRDError()
}

// multipliedAsked returns conflicts without those of multiplied fields in which git's line merge has no conflict: git has
// asked nobody there, so that nobody may have decided it.
func (m *merger) multipliedAsked(conflicts []Conflict) (asked []Conflict) {
	var git []*page.Conflict
	if l := m.lineCandidate(diff3.Merge); l != nil {
		git = l.page(nil).Conflicts()
	}
	for _, c := range conflicts {
		at := m.decidedByPeople([]Conflict{c})
		if c.Kind != ConflictMultiplied || len(at) > 0 && slices.ContainsFunc(git, func(g *page.Conflict) bool {
			return slices.ContainsFunc(three.Sides[:], func(s three.Version) bool { return overlap(g.At[s], at[0].At[s]) })
		}) {
			asked = append(asked, c)
		}
	}
	return asked
}

// overlap reports whether a and b have bytes in common.
func overlap(a, b text.Span) bool { return max(a.Start, b.Start) < min(a.End, b.End) }

// decidedByPeople returns where whoever made a result may have decided at will: where the conflicts are, or
// were before the team's rules decided them.
func (m *merger) decidedByPeople(conflicts []Conflict) (open []verify.Conflict) {
	for _, c := range conflicts {
		if c.Base.Line+c.Ours.Line+c.Theirs.Line == 0 {
			continue // a list, or a version, that was decided before there was a conflict
		}
		var at [3]text.Span
		for s, v := range [3]Version{c.Base, c.Ours, c.Theirs} {
			f, lines := m.in.Streams[s].File, len(slices.Collect(strings.Lines(v.Text)))
			if v.Line > 0 && lines > 0 {
				at[s] = text.Span{Start: f.LineOffset(v.Line), End: f.LineOffset(v.Line + lines)}
			}
		}
		open = append(open, verify.Conflict{Chosen: verify.Result, At: at})
	}
	return open
}

// twice finds versions that the result has once for two releases, and gives the sides
// with the version that a person bumped once more.
func twice(raw [3][]byte, result []byte, opts Options) ([3][]byte, []Finding) {
	if !opts.Rules.known().HasPolicy(schema.Next, opts.Path) {
		return raw, nil
	}
	if _, known := newMerger(raw, opts).own(); !known {
		return raw, nil
	}
	_, files, err := read.Open(result)
	if err != nil {
		return raw, nil // the rest of the check reports it
	}
	var found []Finding
	var more []bump.EqualBump
	for _, v := range bump.FindEqualBumps(raw, opts.Path, opts.Rules.known()) {
		switch has, ok := v.ValueIn(files[0].Stream); {
		case ok && has == v.Sides && opts.Rules.Bumps(opts.Path):
			found = append(found, Finding{Path: v.Path.String(), Rule: "next", Detail: fmt.Sprintf(
				"ours and theirs both bumped it to %s, so that two releases have one version; the next one is %s (%s)", v.Sides, v.Replacement, v.By)})
		case ok && has != v.Base:
			v.Replacement = has
			more = append(more, v)
		}
	}
	return bump.Rewrite(raw, more), found
}
