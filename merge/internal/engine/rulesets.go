package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// RuleSet is a set of merge rules.
type RuleSet uint8

// The rule sets of Merge.
const (
	// DefaultRules have a conflict if both sides changed the same thing differently.
	DefaultRules RuleSet = iota
	// KustomizeRules are the rules of kustomize's documented three-way merge. Theirs wins, so there are no conflicts.
	// A null in theirs deletes the field. A list without associative keys is one value. Result.Resolved has the
	// changes of ours that were overridden.
	KustomizeRules
)

// ruleSets are the rules of each RuleSet except DefaultRules.
var ruleSets = [...]overlay.Rules{KustomizeRules: overlay.Kustomize}

// A RuleError is the reason and the place where a file does not meet the requirements of a rule set.
type RuleError struct {
	// File is base, ours or theirs, or the name that the caller gave to the file.
	File string
	// Line and Column start at 1. Columns count characters.
	Line, Column int
	// Problem is the message.
	Problem string
	// Rules is the name of the rule set.
	Rules string
}

// Error returns file:line:column: problem (rules).
func (e *RuleError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.Problem, e.Rules)
}

// toRuleError converts err to a *RuleError with the position in the file and its name, if it is a *three.InputError.
// Otherwise it returns err. rules is the name of the rule set.
func toRuleError(err error, files [3]*syntax.Stream, names [3]string, rules string) error {
	p, ok := errors.AsType[*three.InputError](err)
	if !ok {
		return err
	}
	at := files[p.Side].File.Position(p.Off)
	return &RuleError{File: names[p.Side], Line: at.Line, Column: at.Column, Problem: p.Text, Rules: rules}
}

// setDefaultNames sets the names of files that are empty. names are the default names, in the order original, dest,
// updated.
func setDefaultNames(files *[3]string, names ...string) {
	for i, n := range names {
		files[i] = cmp.Or(files[i], n)
	}
}

// mergeByRuleSet merges by the rules in set, by which theirs wins. The error is why the versions cannot be merged.
func mergeByRuleSet(raw [3][]byte, opts Options, set overlay.Rules) (Result, error) {
	setDefaultNames(&opts.Names, three.Names[:]...)
	res, _, err := newMerger(raw, opts).applyRuleSet(set)
	return res, err
}

// checkByRuleSet returns the first difference between result and a merge by the rules in set that the rules do not
// allow, or nil. The error is why the versions cannot be merged.
func checkByRuleSet(raw [3][]byte, result []byte, opts Options, set overlay.Rules) (found []Finding, err error) {
	defer recoverAsError(&err)
	setDefaultNames(&opts.Names, three.Names[:]...)
	m := newMerger(raw, opts)
	res, ignored, err := m.applyRuleSet(set)
	if err != nil || bytes.Equal(res.Bytes, result) {
		return nil, err
	}
	f, broken := m.proof.Parse(result)
	if broken == nil {
		broken = m.verifyOverlay(f.Stream, set, ignored)
	}
	if broken != nil {
		found = append(found, Finding{Path: opts.violationPath(m.in.Streams, broken), Rule: broken.Rule, Detail: broken.Detail})
	}
	return found, nil
}

// applyRuleSet merges the versions of m by the rules in set. ignored are comments of the versions of which at most
// one side's is kept; they are not verified. If set.Always and the result fails verification, applyRuleSet tries
// again with allComments; see writeVerifiedOverlay.
//
// The error is why the versions cannot be merged; errEncrypted if SOPS encrypted a side.
func (m *merger) applyRuleSet(set overlay.Rules) (res Result, ignored []verify.Conflict, err error) {
	defer recoverAsError(&err)
	m.in.OnlyYAML = true // the programs with these rules do not support templates
	if err := unfitError(m.in); err != nil {
		return res, nil, err
	}
	m.in.UnifyFormat(set.UpdatedAlwaysWins && len(m.in.Raw[three.Dest]) > 0)
	if err := m.in.Parse(); err != nil {
		return res, nil, err
	}
	if m.in.Streams[three.Dest].IsEncrypted() || m.in.Streams[three.Updated].IsEncrypted() {
		return res, nil, errEncrypted
	}
	if reason := m.in.DuplicateKey(); reason != "" {
		return res, nil, withCause(CauseKeys, errors.New(reason))
	}
	if err := m.opts.rules().CRDError(); err != nil {
		return res, nil, withCause(CauseDefinition, err)
	}
	o, gone, err := overlay.New(m.in.Streams, m.opts.newMatcher(), set, m.in.Names)
	if err != nil {
		return res, nil, toRuleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	for _, all := range [2]bool{!set.UpdatedAlwaysWins, true} {
		if res, ignored, err = m.writeVerifiedOverlay(o, set, all, gone); err == nil || all {
			break
		}
	}
	return res, ignored, err
}

// writeVerifiedOverlay writes the merge of o by set, and verifies it. If allComments is true, comments of updated are
// written even if dest has them elsewhere. gone are parts of the versions that o has removed. ignored are these and
// other comments of which at most one side's is kept.
//
// It returns an error if the merge fails or the result does not pass verification.
func (m *merger) writeVerifiedOverlay(o *overlay.Merger, set overlay.Rules, allComments bool, gone [][3]text.Span) (res Result, ignored []verify.Conflict, err error) {
	merged, err := o.Merge(allComments)
	if err != nil {
		return res, nil, toRuleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	r := m.newRenderer()
	r.DestDecidesSeparator = set.UpdatedAlwaysWins
	p := r.Page(merged.Documents)
	for _, at := range slices.Concat(gone, merged.DecidedComments) {
		ignored = append(ignored, verify.Conflict{At: at})
	}
	for _, c := range p.Conflicts() {
		ignored = append(ignored, verify.Conflict{At: c.Spans})
	}
	p, done := p.Decide(r, func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeSide(set.CommentsFrom, schema.Decision{Rules: set.Name}), true
	})
	res = Result{Method: Structural, LineConflicts: -1, Bytes: p.Resolve(three.Dest)}
	for _, l := range merged.LostChanges {
		c := Conflict{Path: l.Path.String(), Elements: l.Path.Elements(), Kind: plan.ConflictValue, By: schema.Decision{Rules: set.Name}, Took: three.Names[l.Side.Other()]}
		f := m.in.Streams[l.Side].File
		v := &c.Theirs
		if l.Side == three.Dest {
			v = &c.Ours
		}
		*v = Version{Text: string(f.Slice(l.Entry.Span)), Line: f.Line(l.Entry.Start)}
		res.Resolved = append(res.Resolved, c)
	}
	lost := res.Resolved
	for _, c := range decidedConflicts(done) { // the comment on the line of a value is reported with the value
		if !set.UpdatedAlwaysWins && !slices.ContainsFunc(lost, func(l Conflict) bool { return l.Path == c.Path && l.Took == c.Took }) {
			res.Resolved = append(res.Resolved, c)
		}
	}
	f, broken := m.proof.Parse(res.Bytes)
	if broken != nil {
		return res, nil, withCause(CauseUnverified, errors.New("the merge could not be verified: "+broken.Error()))
	}
	if refusal := m.verifyOverlay(f.Stream, set, ignored); refusal != nil {
		return res, nil, withCause(CauseUnverified, errors.New("the merge could not be verified: "+m.describeViolation(refusal)))
	}
	if set.KeepJSON {
		if res.Bytes, err = m.in.AsJSON(f.Stream); err != nil {
			return res, nil, err
		}
	}
	res.Bytes = m.in.FormatResult(res.Bytes)
	return res, ignored, nil
}

// verifyOverlay returns a violation if st is not a merge by the rules in set, or nil. The comments in ignored are not
// verified.
func (m *merger) verifyOverlay(st *syntax.Stream, set overlay.Rules, ignored []verify.Conflict) *verify.Violation {
	override := set.Override
	override.ListRules = m.opts.rules()
	return verify.CheckOverlay(m.proof.Claim(st, ignored...), override.ExpectedResult(m.in.Streams, m.opts.Path))
}

// Apply returns live as `kubectl apply` would change it:
//
//   - Fields of config are set, even if only live has changed them.
//   - Fields of lastApplied that config lacks are deleted, and fields that are null in config.
//   - Other fields of live are kept.
//   - Lists are merged by the patch strategies of the built-in types or by the team's rules. Other lists are replaced.
//
// If lastApplied is nil, it is read from the annotation of live in which kubectl keeps it. Apply does not change the
// annotation; ApplyAnnotated does.
//
// The error says which file cannot be merged, and where. It is a *RuleError if the file does not meet the
// requirements of the rules.
func Apply(lastApplied, config, live []byte, opts Options) (Result, error) {
	setDefaultNames(&opts.Names, "last-applied", "LIVE", "CONFIG")
	if lastApplied == nil {
		var err error
		if lastApplied, err = lastAppliedConfig(live, opts); err != nil {
			return Result{}, err
		}
	}
	return mergeByRuleSet([3][]byte{lastApplied, live, config}, opts, overlay.Apply)
}

// ApplyAnnotated does what Apply does, and also writes config into the annotation in which kubectl keeps the last
// applied configuration. It has kubectl's format: compact JSON with sorted keys and a final line break.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (Result, error) {
	setDefaultNames(&opts.Names, "last-applied", "LIVE", "CONFIG")
	// Apply config first without annotations, so that errors have its line numbers.
	if res, err := Apply(lastApplied, config, live, opts); err != nil {
		return res, err
	}
	configStream, err := parseNamed(config, opts.Names[three.Updated])
	if err != nil {
		return Result{}, err
	}
	liveStream, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return Result{}, err
	}
	annotations, err := writeAnnotations(configStream, liveStream)
	if err != nil {
		return Result{}, toRuleError(err, [3]*syntax.Stream{three.Updated: configStream}, opts.Names, overlay.Apply.Name)
	}
	set := overlay.Annotate
	set.KeepJSON = len(bytes.TrimSpace(live)) == 0 // otherwise live determines the format
	annotated, err := mergeByRuleSet([3][]byte{nil, config, annotations}, opts, set)
	if err != nil {
		return Result{}, err
	}
	return Apply(lastApplied, annotated.Bytes, live, opts)
}

// lastAppliedConfig returns the last applied configuration in the annotations of live, or an empty slice. It returns
// an error if live or an annotation cannot be parsed.
func lastAppliedConfig(live []byte, opts Options) ([]byte, error) {
	st, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return nil, err
	}
	last, err := readAnnotations(st)
	return last, toRuleError(err, [3]*syntax.Stream{three.Dest: st}, opts.Names, overlay.Apply.Name)
}

// parseNamed parses b as YAML. The error contains name.
func parseNamed(b []byte, name string) (*syntax.Stream, error) {
	f, err := read.YAML.Open(b)
	if err != nil {
		return nil, read.AddFileName(name, err)
	}
	return f.Stream, nil
}

// Merge2 merges the fields of src into dest by the rules of kustomize's documented two-way merge:
//
//   - Values of src win, and a null in src deletes the field.
//   - Fields that only dest has are kept.
//   - A list without associative keys is one value.
//   - New items are added at the end.
//   - A $patch in src deletes, replaces or merges the mapping or list that contains it, as in kustomize's code.
//
// Comments of src are copied with the entries that it adds, and to entries without a comment in dest. If dest is
// JSON, the result is JSON.
//
// The error says which file cannot be merged, and where. It is a *RuleError if the file does not meet the
// requirements of the rules.
func Merge2(src, dest []byte, opts Options) (Result, error) {
	setDefaultNames(&opts.Names, "", "DEST", "SRC")
	return mergeByRuleSet([3][]byte{nil, dest, src}, opts, overlay.Merge2)
}
