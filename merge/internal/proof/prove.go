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
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
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
	// MovedNodes has those of PairedNodes that one side moved to another mapping.
	MovedNodes []three.Nodes
	// AlignLines returns the chunks of lines of git's line merge, or nil if that has conflicts. AlignLines may be nil.
	AlignLines func() []diff3.Chunk
	MaxSteps   int   // see IsExhausted; 0 means the default
	Steps      int64 // bytes verified so far
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
// about a scalar, only the value of this scalar is not verified. If it chose a version, the text of this version has to
// be there. If a decision is neither, only duplicates are looked for in the whole page.
func (v *Prover) VerifyDecisions(p *page.Page, decisions []page.Decision) *verify.Violation {
	check := verify.Check
	var values []three.Nodes
	var taken []verify.Conflict
	for _, d := range decisions {
		side := slices.Index(three.Names[:], d.Side) // -1 if it is not a version
		switch {
		case d.IsValueOnly:
			values = append(values, d.Conflict.Entry.Versions().Values())
		case side >= 0:
			taken = append(taken, verify.Conflict{At: d.Conflict.Spans, Chosen: three.Version(side)})
		default:
			check = verify.CheckWellFormed // it is unknown which text the conflict has
		}
	}
	for _, s := range three.Sides {
		if violation := v.checkBytes(p.Resolve(s), append(ConflictsTaking(p, s), taken...), func(c verify.Merge) *verify.Violation {
			c.Decided = values
			return check(c)
		}); violation != nil {
			return violation
		}
	}
	return nil
}

// PageDefect returns a defect of the line merge p outside of its conflicts, or nil. A defect is a violation that
// is certain even in a line merge (see verify.CheckLineMerge). p has a defect in three cases:
//
//   - With one side chosen, verify.CheckWellFormed finds a violation, such as a duplicate, other than of the rule
//     "template". If a side has a duplicate mapping key, this includes the violations of verify.CheckRepeatedKeys.
//   - With one side chosen, it violates the rule "parses", "apart" or verify.RuleMultiplied.
//   - With each side chosen, it has some other defect. The defect with updated chosen is returned.
//
// PageDefect adds to v.Steps.
func (v *Prover) PageDefect(p *page.Page) (defect *verify.Violation) {
	accepted := false
	for _, s := range three.Sides {
		isUnsound := false
		violation := v.checkSide(p, s, func(c verify.Merge) *verify.Violation {
			x := verify.CheckWellFormed(c)
			if x == nil && v.Inputs.DuplicateKey() != "" {
				x = verify.CheckRepeatedKeys(c)
			}
			if x != nil && x.Rule != "template" {
				isUnsound = true
				return x
			}
			c.MergedChunks = p.LineMergeChunks
			return verify.CheckLineMerge(c)
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

// Findings returns at most limit violations of b, a result that a user or another program may have edited. The
// conflicts in open may be decided in any way. If b cannot be parsed, that is the only violation.
func (v *Prover) Findings(b []byte, open []verify.Conflict, limit int) []*verify.Violation {
	return v.findViolations(v.unifyFormat(b), open, verify.ManualViolations, limit)
}

// AnswerViolations returns at most 100 violations of b, the file with answers to the conflicts in open. If
// byPerson is true, a user wrote some of the answers, and b is verified as in ManualViolations; otherwise as in
// VerifyPage. If b cannot be parsed, that is the only violation.
func (v *Prover) AnswerViolations(b []byte, open []verify.Conflict, byPerson bool) []*verify.Violation {
	find := verify.Violations
	if byPerson {
		find = verify.ManualViolations
	}
	return v.findViolations(b, open, find, 100)
}

// findViolations returns at most limit violations that find returns for b, in the merged format. The conflicts in open
// were decided. If b cannot be parsed, that is the only violation.
func (v *Prover) findViolations(b []byte, open []verify.Conflict, find func(verify.Merge, int) []*verify.Violation, limit int) (all []*verify.Violation) {
	if violation := v.checkBytes(b, open, func(c verify.Merge) *verify.Violation {
		all = find(c, limit)
		return nil
	}); violation != nil {
		all = []*verify.Violation{violation}
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
			if violation := verify.CheckWellFormed(unmarked); violation != nil {
				return violation
			}
			c.MergedChunks = p.LineMergeChunks
			return verify.CheckLineMerge(c)
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
	format, want := read.DetectFormat(b), v.Inputs.MergedFormat
	isUneven := want.LineEnd != "" && format.LineEnd != want.LineEnd && bytes.Contains(b, []byte("\n"))
	if len(b) == 0 || !isUneven && format.HasBOM == want.HasBOM && format.HasFinalLineEnd == want.HasFinalLineEnd {
		return nil
	}
	return &verify.Violation{Rule: "form", Detail: "its byte order mark, line ends or final newline are not those of the versions"}
}

// checkPageFormat returns a violation if p is written in a wrong format. It returns nil if p has conflicts.
func (v *Prover) checkPageFormat(p *page.Page) *verify.Violation {
	if len(p.Conflicts()) > 0 {
		return nil
	}
	return v.checkFormat(v.Inputs.FormatResult(p.Resolve(three.Dest)))
}

// unifyFormat returns b, in the format in which it is written, in the format in which the versions are read.
func (v *Prover) unifyFormat(b []byte) []byte {
	return v.Inputs.MergedFormat.Convert(b, read.DetectFormat(b))
}

// ParseResult parses b, in the format in which it is written, in the language of the versions. It returns nil if b
// cannot be parsed.
func (v *Prover) ParseResult(b []byte) *syntax.Stream {
	file, _ := v.Inputs.Open(v.unifyFormat(b)) // no stream if there is an error
	return file.Stream
}

// LineMergeDefect returns the defect of b, a line merge without conflicts, or nil. chunks are the chunks that it
// was merged from. stream is the parsed b, or nil if it is not parsed yet.
func (v *Prover) LineMergeDefect(b []byte, stream *syntax.Stream, chunks []diff3.Chunk) *verify.Violation {
	findDefect := func(c verify.Merge) *verify.Violation {
		c.MergedChunks = chunks
		return verify.CheckLineMerge(c)
	}
	if stream == nil {
		return v.checkBytes(v.unifyFormat(b), nil, findDefect)
	}
	return v.checkParsed(read.File{Stream: stream}, nil, findDefect)
}

// checkSide checks page p with side s chosen at every conflict. It adds the bytes of the file to v.Steps.
func (v *Prover) checkSide(p *page.Page, s three.Version, check checkFunc) *verify.Violation {
	b := p.Resolve(s)
	v.Steps += int64(len(b))
	return v.checkBytes(b, ConflictsTaking(p, s), check)
}

// checkBytes parses b, in the merged format, and checks it. The conflicts in open were decided. A violation of
// the rule "parses" or "template" is returned if b cannot be parsed.
func (v *Prover) checkBytes(b []byte, open []verify.Conflict, check checkFunc) *verify.Violation {
	result, violation := v.Parse(b)
	if violation != nil {
		return violation
	}
	return v.checkParsed(result, open, check)
}

// ConflictsTaking returns the conflicts of p for verification. The result has the given side at each of them.
func ConflictsTaking(p *page.Page, taken three.Version) (open []verify.Conflict) {
	for _, c := range p.Conflicts() {
		open = append(open, verify.Conflict{At: c.Spans, Chosen: taken})
	}
	return open
}

// Parse parses b, in the merged format, in the language of the versions. It returns a violation of the rule "parses", or
// "template" for templates, if b cannot be parsed. If an anchor is missing, the violation's subject is the alias.
func (v *Prover) Parse(b []byte) (read.File, *verify.Violation) {
	file, err := v.Inputs.Open(b)
	if err == nil {
		return file, nil
	}
	violation := &verify.Violation{Rule: "parses", Detail: err.Error()}
	if v.Inputs.Language == read.Template {
		violation.Rule = "template"
	} else if syntaxError, ok := errors.AsType[*syntax.Error](err); ok && syntaxError.Anchor != "" {
		violation.Subject = "*" + syntaxError.Anchor
	}
	return file, violation
}

// checkParsed checks result as a merge of the versions. If result can be parsed but is not a valid template, it
// returns a violation of the rule "template", with the place of the violation that verify.Check finds, if any.
func (v *Prover) checkParsed(result read.File, open []verify.Conflict, check checkFunc) *verify.Violation {
	claim := v.Claim(result.Stream, open...)
	var broken error
	if t := result.Template; t != nil {
		for s, reading := range append(v.Inputs.Templates[:], t) {
			claim.Facts[s] = reading.Facts()
		}
		broken = cmp.Or(t.NestingError(), template.CheckNewTextBlocks(v.Inputs.Templates, t))
	}
	if broken == nil {
		broken = template.CheckSyntax(v.Inputs.Raw, result.File.Bytes())
	}
	if broken == nil {
		return check(claim)
	}
	violation := &verify.Violation{}
	if fieldViolation := verify.Check(claim); fieldViolation != nil {
		*violation = *fieldViolation
	}
	violation.Rule, violation.Detail = "template", broken.Error()
	return violation
}

// Claim returns the claim, to be verified, that result is the merge of the versions. The conflicts in open were
// decided.
func (v *Prover) Claim(result *syntax.Stream, open ...verify.Conflict) verify.Merge {
	inputs := v.Inputs.Streams
	claim := verify.Merge{
		Base: inputs[three.Original], Ours: inputs[three.Dest], Theirs: inputs[three.Updated], Result: result,
		File: v.File, Rules: v.Rules, Conflicts: open, ClaimedMatches: v.PairedNodes, ClaimedMoves: v.MovedNodes,
	}
	if v.AlignLines != nil {
		claim.AlignedChunks = v.AlignLines()
	}
	return claim
}
