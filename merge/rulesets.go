package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/override"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A RuleSet is a family of merge rules.
type RuleSet uint8

// The rule sets of Merge.
const (
	// DefaultRules ask where both sides changed one thing differently.
	DefaultRules RuleSet = iota
	// KustomizeRules are those of kustomize's documented three-way merge:
	// theirs wins, so that nothing is in conflict; a null clears its field;
	// a list without keys is one value. Result.Resolved names the changes of
	// ours that were overridden.
	KustomizeRules
)

var ruleSets = [...]overlay.Rules{KustomizeRules: overlay.Kustomize}

// A RuleError says where an input is not what a rule set needs.
type RuleError struct {
	// File is base, ours or theirs, or as the caller named the file.
	File string
	// Line and Column start at 1; a column counts characters.
	Line, Column int
	// Problem is what is wrong.
	Problem string
	// Rules is what asks for it.
	Rules string
}

// Error is the problem behind its place: file:line:column.
func (e *RuleError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.Problem, e.Rules)
}

// ruleError is err, about the files of names, for people.
func ruleError(err error, files [3]*syntax.Stream, names [3]string, rules string) error {
	p, ok := errors.AsType[*three.Problem](err)
	if !ok {
		return err
	}
	at := files[p.Side].File.Position(p.Off)
	return &RuleError{File: names[p.Side], Line: at.Line, Column: at.Column, Problem: p.Text, Rules: rules}
}

// name gives names to files that have none.
func name(files *[3]string, names ...string) {
	for i, n := range names {
		files[i] = cmp.Or(files[i], n)
	}
}

// mergeBySet merges by a rule set under which theirs wins. The error says
// why the inputs cannot be merged so.
func mergeBySet(raw [3][]byte, opts Options, set overlay.Rules) (res Result, err error) {
	name(&opts.Names, three.Names[:]...)
	return newMerger(raw, opts).bySet(set)
}

// checkBySet finds the first thing in which a result is not what a rule set asks for.
func checkBySet(raw [3][]byte, result []byte, opts Options, set overlay.Rules) (found []Finding, err error) {
	defer guard(&err)
	name(&opts.Names, three.Names[:]...)
	m := newMerger(raw, opts)
	res, err := m.bySet(set)
	if err != nil || bytes.Equal(res.Bytes, result) {
		return nil, err
	}
	st, broken := proof.Parse(result)
	if broken == nil {
		broken = m.overridden(st, set)
	}
	if broken != nil {
		found = append(found, Finding{Path: opts.pathOf(m.in.Proof, broken), Rule: broken.Rule, Detail: broken.Detail})
	}
	return found, nil
}

// bySet is mergeBySet of what m has read.
func (m *merger) bySet(set overlay.Rules) (res Result, err error) {
	defer guard(&err)
	opts := m.opts
	m.in.NoTemplate = true // the rules are those of programs that know none
	if reason := m.in.Unfit(); reason != "" {
		return res, errors.New(reason)
	}
	m.in.Unify(set.Always && len(m.in.Raw[three.Dest]) > 0)
	if err := m.in.Parse(); err != nil {
		return res, err
	}
	if tree.Encrypted(m.in.Streams[three.Dest]) || tree.Encrypted(m.in.Streams[three.Updated]) {
		return res, errors.New(sopsReason)
	}
	if reason := m.in.Twice(); reason != "" {
		return res, errors.New(reason)
	}
	if err := opts.Rules.known().Err(); err != nil {
		return res, err
	}
	o, gone, err := overlay.New(m.in.Streams, opts.matcher(), set, m.in.Names)
	if err != nil {
		return res, ruleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	var settled []facts.Conflict
	for _, at := range gone {
		settled = append(settled, facts.Conflict{At: at})
	}
	for _, all := range [2]bool{!set.Always, true} {
		if res, err = m.provenBySet(o, set, all, settled); err == nil || all {
			break
		}
	}
	return res, err
}

// provenBySet writes the merge of o by set, and proves it; settled are comments that
// do not stand.
func (m *merger) provenBySet(o *overlay.Merger, set overlay.Rules, allComments bool, settled []facts.Conflict) (Result, error) {
	made, err := o.Merge(allComments)
	if err != nil {
		return Result{}, ruleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	r := m.renderer()
	r.DestStarts = set.Always
	p := r.Page(made.Documents)
	for _, at := range made.Settled {
		settled = append(settled, facts.Conflict{At: at})
	}
	for _, c := range p.Conflicts() {
		settled = append(settled, facts.Conflict{At: c.At})
	}
	p, done := p.Decide(r, func(c *page.Conflict) (page.Verdict, bool) { return c.Taken(set.Comments, set.Name), true })
	if set.Always {
		done = nil
	}
	res := Result{Method: Structural, LineConflicts: -1, Resolved: untold(m.lost(made.Lost, set), decisions(done))}
	res.Bytes = p.Choose(three.Dest)
	st, broken := proof.Parse(res.Bytes)
	if broken != nil {
		return res, errors.New("the merge could not be verified: " + broken.Error())
	}
	m.settled = settled
	if refusal := m.overridden(st, set); refusal != nil {
		return res, errors.New("the merge could not be verified: " + m.says(refusal))
	}
	if set.JSON {
		var err error
		if res.Bytes, err = m.in.AsJSON(st); err != nil {
			return res, err
		}
	}
	res.Bytes = m.in.Write(res.Bytes)
	return res, nil
}

// overridden holds a result against a rule set.
func (m *merger) overridden(st *syntax.Stream, set overlay.Rules) *verify.Violation {
	return verify.CheckOverlay(m.proof.Claim(st, m.settled...), override.Rules{
		Lists: set.Lists(m.opts.Rules.known()), Strategic: set.Strategic, ByPlace: set.ByPlace, Always: set.Always, DestNull: set.DestNull,
	})
}

// untold returns told, and those of more that are of no path that told names: a value
// and the comment on its line went together.
func untold(told, more []Conflict) []Conflict {
	known := len(told)
	for _, c := range more {
		if !slices.ContainsFunc(told[:known], func(t Conflict) bool { return t.Path == c.Path && t.Took == c.Took }) {
			told = append(told, c)
		}
	}
	return told
}

// lost are the changes that do not stand under a rule set.
func (m *merger) lost(told []overlay.Lost, set overlay.Rules) (all []Conflict) {
	for _, l := range told {
		c := Conflict{Path: l.Path.String(), Kind: plan.ConflictValue, By: set.Name, Took: three.Names[l.Side.Other()]}
		f := m.in.Streams[l.Side].File
		v := Version{Text: string(f.Slice(l.Entry.Span)), Line: f.Line(l.Entry.Start)}
		if l.Side == three.Dest {
			c.Ours = v
		} else {
			c.Theirs = v
		}
		all = append(all, c)
	}
	return all
}
