package merge

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
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
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
	p, ok := errors.AsType[*three.InputError](err)
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
func mergeBySet(raw [3][]byte, opts Options, set overlay.Rules) (Result, error) {
	name(&opts.Names, three.Names[:]...)
	res, _, err := newMerger(raw, opts).bySet(set)
	return res, err
}

// checkBySet finds the first thing in which a result is not what a rule set asks for.
func checkBySet(raw [3][]byte, result []byte, opts Options, set overlay.Rules) (found []Finding, err error) {
	defer guard(&err)
	name(&opts.Names, three.Names[:]...)
	m := newMerger(raw, opts)
	res, ignored, err := m.bySet(set)
	if err != nil || bytes.Equal(res.Bytes, result) {
		return nil, err
	}
	f, broken := m.proof.Parse(result)
	if broken == nil {
		broken = m.overridden(f.Stream, set, ignored)
	}
	if broken != nil {
		found = append(found, Finding{Path: opts.pathOf(m.in.Streams, broken), Rule: broken.Rule, Detail: broken.Detail})
	}
	return found, nil
}

// bySet is mergeBySet of what m has read, and what of the versions is not judged: comments that do not stand.
func (m *merger) bySet(set overlay.Rules) (res Result, ignored []verify.Conflict, err error) {
	defer guard(&err)
	m.in.OnlyYAML = true // the rules are those of programs that know no templates
	reason := m.in.Unfit()
	if reason == "" {
		m.in.Unify(set.Always && len(m.in.Raw[three.Dest]) > 0)
		if err := m.in.Parse(); err != nil {
			return res, nil, err
		}
		reason = m.in.Twice()
		if m.in.Streams[three.Dest].IsEncrypted() || m.in.Streams[three.Updated].IsEncrypted() {
			return res, nil, errEncrypted
		}
	}
	if reason != "" {
		return res, nil, errors.New(reason)
	}
	if err := m.opts.Rules.known().CRDError(); err != nil {
		return res, nil, err
	}
	o, gone, err := overlay.New(m.in.Streams, m.opts.matcher(), set, m.in.Names)
	if err != nil {
		return res, nil, ruleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	for _, all := range [2]bool{!set.Always, true} {
		if res, ignored, err = m.provenBySet(o, set, all, gone); err == nil || all {
			break
		}
	}
	return res, ignored, err
}

// provenBySet writes the merge of o by set, and proves it; ignored are comments that
// do not stand, of the versions and gone.
func (m *merger) provenBySet(o *overlay.Merger, set overlay.Rules, allComments bool, gone [][3]text.Span) (res Result, ignored []verify.Conflict, err error) {
	made, err := o.Merge(allComments)
	if err != nil {
		return res, nil, ruleError(err, m.in.Streams, m.in.Names, set.Name)
	}
	r := m.renderer()
	r.DestDecidesSeparator = set.Always
	p := r.Page(made.Documents)
	for _, at := range slices.Concat(gone, made.Settled) {
		ignored = append(ignored, verify.Conflict{At: at})
	}
	for _, c := range p.Conflicts() {
		ignored = append(ignored, verify.Conflict{At: c.Spans})
	}
	p, done := p.Decide(r, func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeSide(set.Comments, Decision{Rules: set.Name}), true
	})
	res = Result{Method: Structural, LineConflicts: -1, Bytes: p.Resolve(three.Dest)}
	for _, l := range made.Lost {
		c := Conflict{Path: l.Path.String(), Kind: plan.ConflictValue, By: Decision{Rules: set.Name}, Took: three.Names[l.Side.Other()]}
		f := m.in.Streams[l.Side].File
		v := &c.Theirs
		if l.Side == three.Dest {
			v = &c.Ours
		}
		*v = Version{Text: string(f.Slice(l.Entry.Span)), Line: f.Line(l.Entry.Start)}
		res.Resolved = append(res.Resolved, c)
	}
	lost := res.Resolved
	for _, c := range decisions(done) { // a value and the comment on its line went together
		if !set.Always && !slices.ContainsFunc(lost, func(l Conflict) bool { return l.Path == c.Path && l.Took == c.Took }) {
			res.Resolved = append(res.Resolved, c)
		}
	}
	f, broken := m.proof.Parse(res.Bytes)
	if broken != nil {
		return res, nil, errors.New("the merge could not be verified: " + broken.Error())
	}
	if refusal := m.overridden(f.Stream, set, ignored); refusal != nil {
		return res, nil, errors.New("the merge could not be verified: " + m.says(refusal))
	}
	if set.JSON {
		if res.Bytes, err = m.in.AsJSON(f.Stream); err != nil {
			return res, nil, err
		}
	}
	res.Bytes = m.in.Write(res.Bytes)
	return res, ignored, nil
}

// overridden holds a result against a rule set.
func (m *merger) overridden(st *syntax.Stream, set overlay.Rules, ignored []verify.Conflict) *verify.Violation {
	by := set.Override
	by.Known = m.opts.Rules.known()
	return verify.CheckOverlay(m.proof.Claim(st, ignored...), by.Standing(m.in.Streams, m.opts.Path))
}

// Apply returns live as `kubectl apply` leaves it: fields of config are set,
// also where only live drifted; fields of lastApplied that config lacks are
// removed, and those that config has null; others are kept. Lists merge by
// the patch strategies of the built-in types, or as the team's rules say; all
// others are replaced.
//
// A nil lastApplied is what live has in the annotation in which kubectl keeps
// it. The annotation stays as it is; ApplyAnnotated writes it anew.
//
// The error says which file cannot be merged, and where; a *RuleError where
// the rules are what asks for more.
func Apply(lastApplied, config, live []byte, opts Options) (Result, error) {
	name(&opts.Names, "last-applied", "LIVE", "CONFIG")
	if lastApplied == nil {
		var err error
		if lastApplied, err = lastAppliedTo(live, opts); err != nil {
			return Result{}, err
		}
	}
	return mergeBySet([3][]byte{lastApplied, live, config}, opts, overlay.Apply)
}

// ApplyAnnotated is Apply, and writes what config says into the annotation in
// which kubectl keeps what it applied, as kubectl writes it: compact JSON with
// sorted keys and a line break.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (Result, error) {
	name(&opts.Names, "last-applied", "LIVE", "CONFIG")
	// First as it is, so that errors name its own lines.
	if res, err := Apply(lastApplied, config, live, opts); err != nil {
		return res, err
	}
	st, err := parseNamed(config, opts.Names[three.Updated])
	if err != nil {
		return Result{}, err
	}
	in, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return Result{}, err
	}
	notes, err := writeAnnotations(st, in)
	if err != nil {
		return Result{}, ruleError(err, [3]*syntax.Stream{three.Updated: st}, opts.Names, overlay.Apply.Name)
	}
	set := overlay.Annotate
	set.JSON = len(bytes.TrimSpace(live)) == 0 // else live says what the result is
	annotated, err := mergeBySet([3][]byte{nil, config, notes}, opts, set)
	if err != nil {
		return Result{}, err
	}
	return Apply(lastApplied, annotated.Bytes, live, opts)
}

// lastAppliedTo is what the annotations of live say.
func lastAppliedTo(live []byte, opts Options) ([]byte, error) {
	st, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return nil, err
	}
	last, err := readAnnotations(st)
	return last, ruleError(err, [3]*syntax.Stream{three.Dest: st}, opts.Names, overlay.Apply.Name)
}

// parseNamed returns the tree of b, which is parsed as YAML. The error has the name of the file.
func parseNamed(b []byte, name string) (*syntax.Stream, error) {
	f, err := read.YAML.Open(b)
	if err != nil {
		return nil, read.Unreadable(name, err)
	}
	return f.Stream, nil
}

// Merge2 merges the fields of src into dest by the rules of kustomize's
// documented two-way merge: what src has wins, what it has null is removed,
// what dest alone has stays; a list without keys is one value; new items stand
// at the end. A $patch in src deletes, replaces or merges what it stands in, as in
// kustomize's code. Comments of src come along with what it adds, and stand where
// dest has none. Where dest is JSON, so is the result.
//
// The error says which file cannot be merged, and where; a *RuleError where
// the rules are what asks for more.
func Merge2(src, dest []byte, opts Options) (Result, error) {
	name(&opts.Names, "", "DEST", "SRC")
	return mergeBySet([3][]byte{nil, dest, src}, opts, overlay.Merge2)
}
