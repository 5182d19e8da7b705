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
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

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

// toRuleError converts an error of a rule set for the user: a *three.InputError becomes a *RuleError with the line and
// column in one of files. Any other error is returned unchanged. names are the names of files, and rules is the name of
// the rule set.
func toRuleError(err error, files [3]*syntax.Stream, names [3]string, rules string) error {
	input, ok := errors.AsType[*three.InputError](err)
	if !ok {
		return err
	}
	at := files[input.Side].File.Position(input.Off)
	return &RuleError{File: names[input.Side], Line: at.Line, Column: at.Column, Problem: input.Text, Rules: rules}
}

// setDefaultNames sets each empty name in files, in the order base, ours and theirs, to the one in names at the same
// index, if there is one.
func setDefaultNames(files *[3]string, names ...string) {
	for i, n := range names {
		files[i] = cmp.Or(files[i], n)
	}
}

// mergeByRuleSet merges raw (base, ours and theirs) by the rules in set, without conflicts: theirs wins.
// Result.Resolved has the changes that lost, unless set.UpdatedAlwaysWins. The error is errEncrypted, a *RuleError, or
// why the versions cannot be merged so.
func mergeByRuleSet(raw [3][]byte, opts Options, set overlay.Rules) (Result, error) {
	res, _, err := newMerger(raw, opts).applyRuleSet(set)
	return res, err
}

// checkByRuleSet compares result with the merge of raw (base, ours and theirs) by the rules in set. It returns a
// finding about the first difference in data or comments, or that result cannot be parsed, and none if there is no
// difference. Differences in format, such as blanks, do not count. The error is why the versions cannot be merged by
// these rules.
func checkByRuleSet(raw [3][]byte, result []byte, opts Options, set overlay.Rules) (found []Finding, err error) {
	defer recoverAsError(&err)
	m := newMerger(raw, opts)
	res, ignored, err := m.applyRuleSet(set)
	if err != nil || bytes.Equal(res.Bytes, result) {
		return nil, err
	}
	if _, violation := m.verifyOverlay(result, set, ignored); violation != nil {
		found = append(found, Finding{Path: opts.violationPath(m.in.Streams, violation), Rule: violation.Rule.String(), Detail: violation.Detail})
	}
	return found, nil
}

// applyRuleSet returns the verified merge of the versions of m by the rules in set. It has no conflicts.
// ignoredComments are the places whose comments a result may lack; checkByRuleSet needs them to verify another result.
// It fails with errEncrypted, with a *RuleError if the rules do not allow the versions, or with an error that has a
// Cause.
func (m *merger) applyRuleSet(set overlay.Rules) (res Result, ignoredComments []verify.Conflict, err error) {
	defer recoverAsError(&err)
	setDefaultNames(&m.in.Names, three.Names[:]...)
	if err := m.parseForRuleSet(set); err != nil {
		return res, nil, err
	}
	o, err := overlay.New(m.in.Streams, m.opts.newMatcher(), set, m.in.Names)
	if err != nil {
		return res, nil, toRuleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	// If theirs always wins, the merge is first tried without the comments of theirs that ours has at another place. If
	// the result then lacks comments, it fails verification.
	if set.UpdatedAlwaysWins {
		if res, ignoredComments, err = m.writeVerifiedOverlay(o, set, false); err == nil {
			return res, ignoredComments, nil
		}
	}
	return m.writeVerifiedOverlay(o, set, true)
}

// parseForRuleSet parses the versions of m as YAML for a merge by the rules in set. It fails if they cannot be merged
// by any rule set. The error is errEncrypted if SOPS encrypted a side; otherwise it has a Cause (see causeOf).
func (m *merger) parseForRuleSet(set overlay.Rules) error {
	m.in.OnlyYAML = true // the programs with these rules do not support templates
	if err := m.in.Unfit(); err != nil {
		return err
	}
	// with these rules, the format of the result is that of dest
	m.in.UnifyFormat(set.UpdatedAlwaysWins && len(m.in.Raw[three.Dest]) > 0)
	if err := m.in.Parse(); err != nil {
		return err
	}
	if m.in.Streams[three.Dest].IsEncrypted() || m.in.Streams[three.Updated].IsEncrypted() {
		return errEncrypted
	}
	if reason := m.in.DuplicateKey(); reason != "" {
		return withCause(CauseKeys, errors.New(reason))
	}
	return withCause(CauseDefinition, m.opts.rules().CRDError())
}

// writeVerifiedOverlay returns the merge by the rules in set that o makes, after a check that it has the data and
// comments that these rules give. allComments is the argument of o.Merge. ignoredComments are the places whose comments
// a result may lack. The error is a *RuleError if the rules do not allow the versions; otherwise it has a Cause.
func (m *merger) writeVerifiedOverlay(o *overlay.Merger, set overlay.Rules, allComments bool) (res Result, ignoredComments []verify.Conflict, err error) {
	merged, err := o.Merge(allComments)
	if err != nil {
		return res, nil, toRuleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	r := m.newRenderer()
	r.DestDecidesSeparator = set.UpdatedAlwaysWins
	p := r.Page(merged.Documents) // its conflicts are about comments only
	for _, at := range merged.IgnoredComments {
		ignoredComments = append(ignoredComments, verify.Conflict{At: at})
	}
	for _, c := range p.Conflicts() {
		ignoredComments = append(ignoredComments, verify.Conflict{At: c.Spans})
	}
	by := team.Decision{Rules: set.Name}
	p, comments := p.Decide(r, func(c *page.Conflict) (page.Verdict, bool) { return c.TakeSide(set.CommentsFrom, by), true })
	file := p.Resolve(three.Dest)
	parsed, violation := m.verifyOverlay(file, set, ignoredComments)
	if violation != nil {
		return res, nil, withCause(CauseUnverified, errors.New("the merge could not be verified: "+m.describeViolation(violation)))
	}
	if set.KeepJSON {
		if file, err = m.in.AsJSON(parsed); err != nil {
			return res, nil, err
		}
	}
	res = Result{Method: Structural, LineConflicts: -1, Bytes: m.in.FormatResult(file)}
	if !set.UpdatedAlwaysWins { // otherwise, the user expects that the changes of ours are lost
		res.Resolved = m.lostConflicts(merged.LostChanges, comments, by)
	}
	return res, ignoredComments, nil
}

// lostConflicts returns what the result of a merge by a rule set lacks, as decided conflicts, so that the user sees it.
// values are the values of one side that the other side overrode, and comments the decisions about comments; by is the
// rule set. A comment on the line of such a value is left out, because the value is reported already.
func (m *merger) lostConflicts(values []overlay.LostChange, comments []page.Decision, by team.Decision) (all []Conflict) {
	for _, l := range values {
		all = append(all, m.lostChangeConflict(l, by))
	}
	lostValues := all
	for _, c := range decidedConflicts(comments) {
		if !slices.ContainsFunc(lostValues, func(l Conflict) bool { return l.Path == c.Path && l.Took == c.Took }) {
			all = append(all, c)
		}
	}
	return all
}

// lostChangeConflict returns the lost change l as a decided conflict for Result.Resolved, so that the user sees it. One
// side made the change, and the other side overrode it. decision is the rule set that decided. Only the version with
// the change is set, Ours or Theirs.
func (m *merger) lostChangeConflict(l overlay.LostChange, decision team.Decision) Conflict {
	c := Conflict{Path: l.Path.String(), Elements: l.Path.Elements(), Kind: plan.ConflictValue, By: decision, Took: three.Names[l.Side.Other()]}
	f := m.in.Streams[l.Side].File
	changed := Version{Text: string(f.Slice(l.Entry.Span)), Line: f.Line(l.Entry.Start)}
	if l.Side == three.Dest {
		c.Ours = changed
	} else {
		c.Theirs = changed
	}
	return c
}

// verifyOverlay compares result with the merge of the versions by the rules in set, and parses it for that. The
// violation is the first difference in data or comments, or a syntax error; nil means that there is none. Comments at
// the places in ignoredComments are not compared.
func (m *merger) verifyOverlay(result []byte, set overlay.Rules, ignoredComments []verify.Conflict) (parsed *syntax.Stream, violation *verify.Violation) {
	f, violation := m.proof.Parse(result)
	if violation != nil {
		return nil, violation
	}
	override := set.Override
	override.ListRules = m.opts.rules()
	return f.Stream, verify.CheckOverlay(m.proof.Claim(f.Stream, ignoredComments...), override.ExpectedResult(m.in.Streams, m.opts.Path))
}

// Apply returns live as `kubectl apply` would change it: with the fields of config, and without fields that config no
// longer has. These are fields of lastApplied, the configuration that was applied last; if it is nil, it is read from
// live. If the files do not meet the requirements of the rules, the error is a *RuleError.
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

// ApplyAnnotated does the same as Apply. It also writes each resource of config into the annotation
// kubectl.kubernetes.io/last-applied-configuration of the result, as kubectl does. The error is a *RuleError if a file
// does not meet the requirements of the rules. It is also one if config has an alias or a merge key, because the
// annotation is JSON.
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

// lastAppliedConfig returns what kubectl applied last, from the annotations (annotationKey) of the resources in live.
// It is a YAML stream, which is empty if there are no annotations. It fails if live cannot be parsed, or with a
// *RuleError if an annotation cannot. The error has a position such as "LIVE:3:1: …", with the name of live in
// opts.Names.
func lastAppliedConfig(live []byte, opts Options) ([]byte, error) {
	st, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return nil, err
	}
	last, err := readAnnotations(st)
	return last, toRuleError(err, [3]*syntax.Stream{three.Dest: st}, opts.Names, overlay.Apply.Name)
}

// parseNamed parses b, the content of the file name, as YAML. The error begins with a position such as "LIVE:3:1: …";
// the stream is then nil. An empty b gives a stream with one empty document.
func parseNamed(b []byte, name string) (*syntax.Stream, error) {
	f, err := read.YAML.Open(b)
	if err != nil {
		return nil, read.AddFileName(name, err)
	}
	return f.Stream, nil
}

// Merge2 merges the fields of src into dest, without conflicts, as kustomize's two-way merge does: values of src win, a
// null in src deletes the field, and $patch directives are applied. Files that do not meet the requirements give a
// *RuleError.
func Merge2(src, dest []byte, opts Options) (Result, error) {
	setDefaultNames(&opts.Names, "", "DEST", "SRC")
	return mergeByRuleSet([3][]byte{nil, dest, src}, opts, overlay.Merge2)
}
