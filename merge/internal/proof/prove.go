// Package proof verifies merge results before they are written. It calls package verify for results in any form:
// the bytes of a file, a page with conflicts, a line merge, or a result that a user edited.
//
// The package does not merge, and does not change a result. Its functions return nil if verification succeeds,
// and otherwise a violation.
//
// The main type is Prover, which has the versions and the rules. FindOutsideChanges checks the answers to
// conflicts.
//
// An example: if dest changes a to 2 and updated changes c to 2,
//
//	original   dest   updated   result
//	a: 1       a: 2   a: 1      a: 2
//	c: 1       c: 1   c: 2      c: 1
//
// Prover.Verify returns a violation with the rule "value" for this result, because the result lost updated's
// edit of c.
package proof

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Prover verifies results of a merge. A page or a result is verified in the merged format, in which the
// versions are read. Its methods add the bytes that they verify to Steps if their comments say so.
type Prover struct {
	Inputs *read.Inputs
	File   string // the path of the file in its repository
	Rules  *schema.Rules
	// PairedNodes has the nodes that the plan pairs. Verification does not rely on it.
	PairedNodes []three.Nodes
	// AlignLines returns the chunks of lines of git's line merge, or nil if that has conflicts. AlignLines may be nil.
	AlignLines    func() []diff3.Chunk
	MaxSteps      int                // see IsExhausted; 0 means the default
	Steps         int64              // bytes verified so far
	templateFacts [3]*template.Facts // of the versions; nil until they are needed
}

// A checkFunc returns a violation of a merge, or nil.
type checkFunc = func(verify.Merge) *verify.Violation

// VerifyPage returns nil if page p is a merge of the versions, whichever side is chosen at its conflicts.
// Otherwise it returns the first violation. If p has no conflicts, its format is checked as well. VerifyPage
// adds to v.Steps.
func (v *Prover) VerifyPage(p *page.Page) *verify.Violation {
	for _, s := range choosableSides(p) {
		if violation := v.checkSide(p, s, verify.Check); violation != nil {
			return violation
		}
	}
	return v.checkPageFormat(p)
}

// choosableSides returns the sides to verify p with: both, or only dest if p has no conflicts.
func choosableSides(p *page.Page) []three.Version {
	if len(p.Conflicts()) == 0 {
		return three.Sides[:1]
	}
	return three.Sides[:]
}

// PageViolations returns all violations of page p, with either side chosen at its conflicts. It adds to v.Steps.
func (v *Prover) PageViolations(p *page.Page) (all []*verify.Violation) {
	const limit = 1 << 20 // of each side
	if violation := v.checkPageFormat(p); violation != nil {
		all = append(all, violation)
	}
	for _, s := range choosableSides(p) {
		if violation := v.checkSide(p, s, func(c verify.Merge) *verify.Violation {
			all = append(all, verify.Violations(c, limit)...)
			return nil
		}); violation != nil {
			all = append(all, violation)
		}
	}
	return all
}

// VerifyDecisions returns a violation of page p, some conflicts of which were decided, or nil. If a decision was
// about a scalar, only the value of this scalar is not verified. If it chose a side, that side has to be there.
// If a decision is neither, for example if it chose the original, only duplicates are looked for in the whole
// page.
func (v *Prover) VerifyDecisions(p *page.Page, decisions []page.Decision) *verify.Violation {
	check := verify.Check
	var values []three.Nodes
	var taken []verify.Conflict
	for _, d := range decisions {
		side := three.Version(max(0, slices.Index(three.Names[:], d.Took)))
		switch {
		case d.Value:
			values = append(values, d.Of.Child.At.Values())
		case side != three.Original:
			taken = append(taken, verify.Conflict{At: d.Of.At, Taken: side})
		default:
			check = verify.Sound // it is unknown which text the conflict has
		}
	}
	for _, s := range three.Sides {
		if violation := v.checkBytes(p.Choose(s), append(ConflictsTaking(p, s), taken...), func(c verify.Merge) *verify.Violation {
			c.Decided = values
			return check(c)
		}); violation != nil {
			return violation
		}
	}
	return nil
}

// PageDefect returns a defect of the line merge p outside of its conflicts, or nil. A defect is a violation that
// is certain even in a line merge (see verify.Defect). p has a defect in three cases:
//
//   - With one side chosen, verify.Sound finds a violation, such as a duplicate, other than of the rule
//     "template". If a side has a duplicate mapping key, this includes the violations of verify.RepeatedKey.
//   - With one side chosen, it violates the rule "parses", "apart" or verify.RuleMultiplied.
//   - With each side chosen, it has some other defect. The defect with updated chosen is returned.
//
// PageDefect adds to v.Steps.
func (v *Prover) PageDefect(p *page.Page) (defect *verify.Violation) {
	accepted := false
	for _, s := range three.Sides {
		isUnsound := false
		violation := v.checkSide(p, s, func(c verify.Merge) *verify.Violation {
			x := verify.Sound(c)
			if x == nil && v.Inputs.Twice() != "" {
				x = verify.RepeatedKey(c)
			}
			if x != nil && x.Rule != "template" {
				isUnsound = true
				return x
			}
			c.Merged = p.Merged
			return verify.Defect(c)
		})
		switch {
		case isUnsound, violation != nil && (violation.Rule == "parses" || violation.Rule == "apart" || violation.Rule == verify.RuleMultiplied):
			return violation
		case violation != nil:
			defect = violation
		default:
			accepted = true
		}
	}
	if accepted {
		return nil
	}
	return defect
}

// Findings returns at most limit violations of b, a result that a user may have edited. The conflicts in open
// may be decided in any way. If b cannot be parsed, that is the only violation.
func (v *Prover) Findings(b []byte, open []verify.Conflict, limit int) (all []*verify.Violation) {
	if violation := v.checkBytes(v.unifyFormat(b), open, func(c verify.Merge) *verify.Violation {
		all = verify.Findings(c, limit)
		return nil
	}); violation != nil {
		return []*verify.Violation{violation}
	}
	return all
}

// AnswerViolations returns at most 100 violations of b, the file with answers to the conflicts in open. If
// byPerson is true, a user wrote some of the answers, and b is verified as in Findings; otherwise as in
// VerifyPage. If b cannot be parsed, that is the only violation.
func (v *Prover) AnswerViolations(b []byte, open []verify.Conflict, byPerson bool) (all []*verify.Violation) {
	const limit = 100
	check := verify.Violations
	if byPerson {
		check = verify.Findings
	}
	if violation := v.checkBytes(b, open, func(c verify.Merge) *verify.Violation {
		all = check(c, limit)
		return nil
	}); violation != nil {
		return []*verify.Violation{violation}
	}
	return all
}

// HasNoDefect reports whether p, a line merge in which some changes were made conflicts, has no defect with
// either side chosen. Duplicates count as defects even if they are inside a conflict, because a conflict
// elsewhere does not repair them. HasNoDefect adds to v.Steps.
func (v *Prover) HasNoDefect(p *page.Page) bool {
	for _, s := range three.Sides {
		if violation := v.checkSide(p, s, func(c verify.Merge) *verify.Violation {
			unmarked := c
			unmarked.Conflicts = nil
			if violation := verify.Sound(unmarked); violation != nil {
				return violation
			}
			c.Merged = p.Merged
			return verify.Defect(c)
		}); violation != nil {
			return false
		}
	}
	return true
}

// Verify returns nil if b, in the format in which it is written, is a merge of the versions without conflicts.
// Otherwise it returns the first violation. It adds to v.Steps, unless the format is wrong.
func (v *Prover) Verify(b []byte) *verify.Violation {
	if violation := v.checkFormat(b); violation != nil {
		return violation
	}
	v.Steps += int64(len(b))
	return v.checkBytes(v.unifyFormat(b), nil, verify.Check)
}

// checkFormat returns a violation if b does not have the byte order mark, the line ends and the final newline of
// the merged format. An empty file has no format. Line ends are not checked if those of the merged format are
// mixed.
func (v *Prover) checkFormat(b []byte) *verify.Violation {
	format, want := read.FormOf(b), v.Inputs.Merged
	isUneven := want.Newline != "" && format.Newline != want.Newline && bytes.Contains(b, []byte("\n"))
	if len(b) == 0 || !isUneven && format.Bom == want.Bom && format.Final == want.Final {
		return nil
	}
	return &verify.Violation{Rule: "form", Detail: "its byte order mark, line ends or final newline are not those of the versions"}
}

// checkPageFormat returns a violation if p is written in a wrong format. It returns nil if p has conflicts.
func (v *Prover) checkPageFormat(p *page.Page) *verify.Violation {
	if len(p.Conflicts()) > 0 {
		return nil
	}
	return v.checkFormat(v.Inputs.Write(p.Choose(three.Dest)))
}

// unifyFormat returns b, in the format in which it is written, in the format in which the versions are read.
func (v *Prover) unifyFormat(b []byte) []byte { return v.Inputs.Merged.Unify(b, read.FormOf(b)) }

// ParseResult parses b, in the format in which it is written, as the versions are parsed. It returns nil if b
// cannot be parsed.
func (v *Prover) ParseResult(b []byte) *syntax.Stream {
	stream, _ := v.Inputs.Tree(v.unifyFormat(b)) // nil if there is an error
	return stream
}

// LineMergeDefect returns the defect of b, a line merge without conflicts, or nil. chunks are the chunks that it
// was merged from. stream is the parsed b, or nil if it is not parsed yet.
func (v *Prover) LineMergeDefect(b []byte, stream *syntax.Stream, chunks []diff3.Chunk) *verify.Violation {
	findDefect := func(c verify.Merge) *verify.Violation {
		c.Merged = chunks
		return verify.Defect(c)
	}
	if stream == nil {
		return v.checkBytes(v.unifyFormat(b), nil, findDefect)
	}
	return v.checkParsed(parsedResult{Stream: stream, brokenTemplate: template.Torn(v.Inputs.Raw, b)}, nil, findDefect)
}

// checkSide checks page p with side s chosen at every conflict. It adds the bytes of the file to v.Steps.
func (v *Prover) checkSide(p *page.Page, s three.Version, check checkFunc) *verify.Violation {
	b := p.Choose(s)
	v.Steps += int64(len(b))
	return v.checkBytes(b, ConflictsTaking(p, s), check)
}

// checkBytes parses b, in the merged format, and checks it. The conflicts in open were decided. A violation of
// the rule "parses" or "template" is returned if b cannot be parsed.
func (v *Prover) checkBytes(b []byte, open []verify.Conflict, check checkFunc) *verify.Violation {
	result, violation := v.readResult(b)
	if violation != nil {
		return violation
	}
	return v.checkParsed(result, open, check)
}

// ConflictsTaking returns the conflicts of p for verification. The result has the given side at each of them.
func ConflictsTaking(p *page.Page, taken three.Version) (open []verify.Conflict) {
	for _, c := range p.Conflicts() {
		open = append(open, verify.Conflict{At: c.At, Taken: taken})
	}
	return open
}

// A parsedResult is a result that was parsed as the versions are.
type parsedResult struct {
	*syntax.Stream
	facts          *template.Facts // nil if the result is not a template
	brokenTemplate error           // why the result is not a valid template, although it could be parsed; or nil
}

// readResult parses b, in the merged format, as the versions are parsed: as YAML, or as a template if they are
// templates. It returns a violation if that fails.
func (v *Prover) readResult(b []byte) (result parsedResult, violation *verify.Violation) {
	if !v.Inputs.Template {
		result.Stream, violation = violationForError(v.Inputs.Tree(b))
	} else if reading, err := template.ReadLoosely(text.New(b)); err != nil {
		violation = &verify.Violation{Rule: "template", Detail: err.Error()}
	} else {
		result.Stream, result.facts, result.brokenTemplate = reading.Stream, reading.Facts(), cmp.Or(reading.Unbalanced(), template.CutAnew(v.Inputs.Readings, reading))
	}
	if violation == nil && result.brokenTemplate == nil {
		result.brokenTemplate = template.Torn(v.Inputs.Raw, b)
	}
	return result, violation
}

// checkParsed checks result as a merge of the versions. If result.brokenTemplate is set, it returns a violation of
// the rule "template", with the place of the violation that verify.Check finds, if any. checkParsed computes
// v.templateFacts if they are needed.
func (v *Prover) checkParsed(result parsedResult, open []verify.Conflict, check checkFunc) *verify.Violation {
	claim := v.Claim(result.Stream, open...)
	if claim.Facts[3] = result.facts; result.facts != nil {
		for s, reading := range v.Inputs.Readings {
			if v.templateFacts[s] == nil {
				v.templateFacts[s] = reading.Facts()
			}
			claim.Facts[s] = v.templateFacts[s]
		}
	}
	if result.brokenTemplate == nil {
		return check(claim)
	}
	violation := &verify.Violation{}
	if fieldViolation := verify.Check(claim); fieldViolation != nil {
		*violation = *fieldViolation
	}
	violation.Rule, violation.Detail = "template", result.brokenTemplate.Error()
	return violation
}

// Claim returns the claim, to be verified, that result is the merge of the versions. The conflicts in open were
// decided.
func (v *Prover) Claim(result *syntax.Stream, open ...verify.Conflict) verify.Merge {
	inputs := v.Inputs.Streams
	claim := verify.Merge{
		Base: inputs[three.Original], Ours: inputs[three.Dest], Theirs: inputs[three.Updated], Result: result,
		File: v.File, Rules: v.Rules, Conflicts: open, Same: v.PairedNodes,
	}
	if v.AlignLines != nil {
		claim.Aligned = v.AlignLines()
	}
	return claim
}

// Parse parses a result as YAML. It returns a violation of the rule "parses" if that fails. If the error is an
// unknown anchor, the violation's subject is the alias.
func Parse(b []byte) (*syntax.Stream, *verify.Violation) {
	return violationForError(syntax.Parse(text.New(b)))
}

// violationForError returns stream if err is nil, and otherwise a violation of the rule "parses" for err.
func violationForError(stream *syntax.Stream, err error) (*syntax.Stream, *verify.Violation) {
	if err == nil {
		return stream, nil
	}
	violation := &verify.Violation{Rule: "parses", Detail: err.Error()}
	if _, after, ok := strings.Cut(violation.Detail, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(after, "'")
		violation.Subject = "*" + name
	}
	return nil, violation
}
