// Package proof verifies merge results before they are written: it compares a result with the three versions, and
// returns a violation (a point in which it is not the merge of the versions) or nil. It calls package verify for
// results in any form: the bytes of a file, a page with conflicts, a line merge, or a result that a user edited.
//
// The package does not merge, and does not change a result.
//
// The main type is Prover, which has the versions and the rules.
//
// An example: if dest changes a to 2 and updated changes c to 2,
//
//	original   dest   updated   result
//	a: 1       a: 2   a: 1      a: 2
//	c: 1       c: 1   c: 2      c: 1
//
// Prover.Verify returns a violation with the rule "wrong value" for this result, because the result lost updated's edit
// of c.
//
// A page is a result as a list of parts, each of them text or a conflict. Its file for a side has the text of this
// side in place of each conflict. A defect is a violation for which a line merge of git is rejected. There are far
// fewer defects than violations, because a line merge copies whole lines. Examples of defects are a duplicate mapping
// key, and an entry that is left over although one side deleted it and the other side changed it.
package proof

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Prover verifies results of one merge. Some methods add the number of bytes that they verify to Steps, which limits
// the work of a merge; their comments mention it.
type Prover struct {
	Inputs *read.Inputs
	File   string // the path of the file in its repository
	Rules  *team.Rules
	// PairedNodes are the nodes of the three versions that the merge matched with each other, although their mapping
	// keys or names do not. Verification checks each of these matches before it uses it.
	PairedNodes []three.Nodes
	// MovedNodes has those of PairedNodes that one side moved to another mapping.
	MovedNodes []three.Nodes
	MaxSteps   int   // the limit for Steps; 0 means the default limit of IsExhausted
	Steps      int64 // bytes verified so far
	trees      verify.Trees
}

// A checkFunc returns a violation of the merge, or nil. Its argument has the versions and the result.
type checkFunc = func(verify.Merge) *verify.Violation

// VerifyPage returns nil if p is a correct merge of the versions by field, whichever side is chosen in its conflicts.
// Otherwise it returns the first of PageViolations.
func (v *Prover) VerifyPage(p *page.Page) *verify.Violation {
	return cmp.Or(v.pageViolations(p, 1)...)
}

// PageViolations returns all violations of p as a merge of the versions by field: of the file with dest chosen in every
// conflict and, if there are conflicts, of the file with updated chosen. A violation of both files occurs twice. The
// bytes of each file are added to v.Steps.
func (v *Prover) PageViolations(p *page.Page) []*verify.Violation { return v.pageViolations(p, 1<<20) }

// pageViolations returns at most limit violations of p as a merge by field: of the file with dest chosen in every
// conflict, then with updated. A page without conflicts is one file, whose byte order mark, line ends and final
// newline are checked.
func (v *Prover) pageViolations(p *page.Page, limit int) (all []*verify.Violation) {
	sides := three.Sides[:]
	if len(p.Conflicts()) == 0 {
		sides = sides[:1] // the file is the same for both
		if violation := v.checkFormat(v.Inputs.FormatResult(p.Resolve(three.Dest))); violation != nil {
			all = append(all, violation)
		}
	}
	for _, s := range sides {
		if len(all) >= limit {
			break
		}
		broken := v.checkSide(p, p.Resolve(s), s, func(c verify.Merge) *verify.Violation {
			all = append(all, verify.Violations(c, limit-len(all))...)
			return nil
		})
		if broken != nil { // the file could not be parsed
			all = append(all, broken)
		}
	}
	return all
}

// VerifyDecisions returns the first violation of p, a merge in which decisions replaced some conflicts with text, or
// nil. The other conflicts are verified with either side chosen. After a decision for free text, the file is only
// checked to be well-formed.
func (v *Prover) VerifyDecisions(p *page.Page, decisions []page.Decision) *verify.Violation {
	check := verify.Check
	var values []three.Nodes
	var resolved []verify.Conflict
	for _, d := range decisions {
		side := slices.Index(three.Names[:], d.Side) // -1 if it is not a version
		addResolved := func(at [3]text.Span) {
			resolved = append(resolved, verify.Conflict{At: at, Chosen: three.Version(side)})
		}
		switch {
		case d.IsValueOnly: // any value is accepted, and everything else about the scalar is verified
			entries := d.Conflict.Entry.Versions()
			values = append(values, entries.Values())
			if side >= 0 { // the comment after the value must be that of the version, too
				addResolved(commentSpans(entries))
			}
		case side >= 0 && d.Fields != nil: // only these fields must be those of the version
			for _, at := range d.Fields {
				addResolved(at)
			}
		case side >= 0:
			addResolved(d.Conflict.Spans)
		default:
			check = verify.CheckWellFormed // a free text: nothing says which edits of the sides it has
		}
	}
	for _, s := range three.Sides {
		violation := v.checkBytes(p.Resolve(s), append(ConflictsTaking(p, s), resolved...), func(c verify.Merge) *verify.Violation {
			c.Decided, c.Sources = values, p.SourcesOf(s)
			return check(c)
		})
		if violation != nil {
			return violation
		}
	}
	return nil
}

// commentSpans returns the places of the comments after the values of entries. A place is empty for a missing entry, or
// for an entry without a comment.
func commentSpans(entries three.Entries) (at [3]text.Span) {
	for s, e := range entries {
		if e != nil {
			at[s] = e.Comment
		}
	}
	return at
}

// PageDefect reports whether git's line merge p, which has conflicts, can be used: one side, chosen in all conflicts,
// gives no violation, and neither gives a fatal one. defect is a violation, or nil. Verified bytes are added to
// v.Steps.
func (v *Prover) PageDefect(p *page.Page) (defect *verify.Violation, isUsable bool) {
	withDest, isFatal := v.sideDefect(p, three.Dest)
	if isFatal {
		return withDest, false
	}
	withUpdated, isFatal := v.sideDefect(p, three.Updated)
	if isFatal {
		return withUpdated, false
	}
	return cmp.Or(withUpdated, withDest), withUpdated == nil || withDest == nil
}

// sideDefect returns a violation of line merge p with side s chosen in all conflicts, or nil. isFatal reports whether
// p must not be used even if the other side is right, as for a duplicate mapping key or an alias without an anchor.
func (v *Prover) sideDefect(p *page.Page, s three.Version) (violation *verify.Violation, isFatal bool) {
	violation = v.checkAnswer(p, s, func(c verify.Merge) (bad *verify.Violation) {
		c.MergedChunks = p.LineMergeChunks
		bad, isFatal = verify.CheckAnswer(c)
		return bad
	})
	// a file that cannot be parsed is not checked; only if the reason is such an alias, it is fatal
	isAliasWithoutAnchor := violation != nil && violation.Rule == verify.RuleUnparsable && violation.Subject != ""
	return violation, isFatal || isAliasWithoutAnchor
}

// maxFindings is the maximum number of violations of a result. More would not be read.
const maxFindings = 100

// Findings returns at most 100 violations of b, a result that a user or program may have edited. Entries may have any
// order, and the conflicts in open any decision. If b cannot be parsed, or is no valid template, that is the only
// violation.
func (v *Prover) Findings(b []byte, open []verify.Conflict) []*verify.Violation {
	return v.findViolations(b, open, verify.ManualViolations)
}

// AnswerViolations returns at most 100 violations of b, a merged file with any line ends and with a version in place of
// each conflict. open are the conflicts, each with this version as the chosen one. If b cannot be parsed, or is not a
// valid template, that is the only violation.
func (v *Prover) AnswerViolations(b []byte, open []verify.Conflict) []*verify.Violation {
	return v.findViolations(b, open, verify.Violations)
}

// findViolations runs find, a function of package verify, on b, a file with any line ends, and returns at most
// maxFindings violations. If b cannot be parsed or is not a valid template, it returns only the violation that says so.
// open are the conflicts, each with the version chosen in it.
func (v *Prover) findViolations(b []byte, open []verify.Conflict, find func(verify.Merge, int) []*verify.Violation) (all []*verify.Violation) {
	broken := v.checkBytes(v.unifyFormat(b), open, func(c verify.Merge) *verify.Violation {
		all = find(c, maxFindings)
		return nil // checkBytes then returns a violation only if b is broken
	})
	if broken != nil {
		return []*verify.Violation{broken}
	}
	return all
}

// HasNoDefect reports whether p, a line merge with conflicts, is right outside of them, whichever side is chosen. In a
// conflict, only fatal violations count. The sides are tried in order, and one with a defect becomes first. Verified
// bytes are added to v.Steps.
func (v *Prover) HasNoDefect(p *page.Page, order *[2]three.Version) bool {
	check := func(c verify.Merge) *verify.Violation {
		merged, unmarked := c, c // unmarked: as if the chosen lines were no conflict
		merged.MergedChunks, unmarked.Conflicts = p.LineMergeChunks, nil
		// this check is first because it ends at the first violation, and CheckAnswer does not
		if violation := verify.CheckLineMerge(merged); violation != nil {
			return violation
		}
		if violation, isDefect := verify.CheckAnswer(unmarked); isDefect {
			return violation
		}
		return nil
	}
	for i, s := range order {
		if v.checkAnswer(p, s, check) != nil {
			order[0], order[i] = s, order[0]
			return false
		}
	}
	return true
}

// checkAnswer returns the violation that check finds in line merge p with side s chosen in all conflicts, or nil. A
// file that equals version s is accepted, because each edit of the other side is in a conflict, about which the user
// decides.
func (v *Prover) checkAnswer(p *page.Page, s three.Version, check checkFunc) *verify.Violation {
	b := p.Resolve(s)
	if bytes.Equal(b, v.Inputs.Data[s]) {
		return nil
	}
	return v.checkSide(p, b, s, check)
}

// Verify returns the first violation of b, the bytes of a file to be written, as a merge by field without conflicts,
// or nil. The byte order mark, line ends and final newline are verified first. Parsed bytes are added to v.Steps.
func (v *Prover) Verify(b []byte) *verify.Violation {
	if violation := v.checkFormat(b); violation != nil {
		return violation
	}
	v.Steps += int64(len(b))
	return v.checkBytes(v.unifyFormat(b), nil, verify.Check)
}

// checkFormat returns a violation if b does not have the byte order mark, line ends and final newline of the merged
// format. An empty b is accepted. Line ends are only checked if b has a line feed and the merged format is not mixed.
func (v *Prover) checkFormat(b []byte) *verify.Violation {
	format, want := read.DetectFormat(b), v.Inputs.MergedFormat
	hasWrongLineEnds := want.LineEnd != "" && format.LineEnd != want.LineEnd && bytes.Contains(b, []byte("\n"))
	isWrong := hasWrongLineEnds || format.HasBOM != want.HasBOM || format.HasFinalLineEnd != want.HasFinalLineEnd
	if len(b) == 0 || !isWrong {
		return nil
	}
	return &verify.Violation{Rule: verify.RuleFormat, Detail: "the byte order mark, line ends or final newline differ from the versions"}
}

// unifyFormat returns b, a file in any format, in the format in which the versions are parsed: without a byte order
// mark, with a final newline unless it is empty, and with the line ends of the merged file, unless one of them is
// mixed. The result may share memory with b.
func (v *Prover) unifyFormat(b []byte) []byte {
	return v.Inputs.MergedFormat.Convert(b, read.DetectFormat(b))
}

// ParseResult parses b, the bytes of a file in any format, in the language of the versions. It returns nil if that
// fails. A template in which a block is not closed can be parsed. The caller must not modify the result, as further
// calls may return it again.
func (v *Prover) ParseResult(b []byte) *syntax.Stream {
	file, _ := v.Inputs.Open(v.unifyFormat(b)) // no stream if there is an error
	return file.Stream
}

// LineMergeDefect returns the first violation for which git's line merge b, without conflicts, is rejected, or nil. If
// chunks, the lines from which b was merged, is nil, misplaced edits are not found. stream is nil, or the parsed b,
// not a template.
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

// checkSide returns the violation that check finds in b, the file that p becomes if side s is chosen in every conflict,
// or nil. If b cannot be parsed, or is not a valid template, that is the violation, and check is not called. checkSide
// adds the length of b to v.Steps.
func (v *Prover) checkSide(p *page.Page, b []byte, s three.Version, check checkFunc) *verify.Violation {
	v.Steps += int64(len(b))
	return v.checkBytes(b, ConflictsTaking(p, s), func(c verify.Merge) *verify.Violation {
		c.Sources = p.SourcesOf(s)
		return check(c)
	})
}

// checkBytes parses b and returns the violation that check finds in it, or nil. If b cannot be parsed, or is not a
// valid template, that is the violation, and check is not called. b must have the format of unifyFormat. open are the
// conflicts.
func (v *Prover) checkBytes(b []byte, open []verify.Conflict, check checkFunc) *verify.Violation {
	result, violation := v.Parse(b)
	if violation != nil {
		return violation
	}
	return v.checkParsed(result, open, check)
}

// ConflictsTaking returns the conflicts of p in the form that verification needs: for each conflict, its place in the
// three versions, and chosen as the version that is in its place in the result. They are in the order of p. It returns
// nil if p has no conflicts.
func ConflictsTaking(p *page.Page, chosen three.Version) (open []verify.Conflict) {
	for _, c := range p.Conflicts() {
		open = append(open, verify.Conflict{At: c.Spans, Chosen: chosen})
	}
	return open
}

// Parse parses b, which must have the format of unifyFormat, in the language of the versions, or returns a violation.
// For an alias without an anchor, its Subject is the alias, except in templates. The file is shared; the caller must
// not modify it.
func (v *Prover) Parse(b []byte) (read.File, *verify.Violation) {
	file, err := v.Inputs.Open(b)
	if err == nil {
		return file, nil
	}
	violation := &verify.Violation{Rule: verify.RuleUnparsable, Detail: err.Error(), Problem: problemOf(err)}
	if v.Inputs.Language == read.Template {
		violation.Rule = verify.RuleAction
	} else if syntaxError, ok := errors.AsType[*syntax.Error](err); ok && syntaxError.Anchor != "" {
		violation.Subject = "*" + syntaxError.Anchor
	}
	return file, violation
}

// checkParsed returns the violation that check finds in result, or nil. If result is not a valid template although all
// versions are, check is not called. The violation is then "wrong action", if possible at the first difference from a
// merge by field.
func (v *Prover) checkParsed(result read.File, open []verify.Conflict, check checkFunc) *verify.Violation {
	claim := v.Claim(result.Stream, open...)
	var broken error // why result is not a valid template
	if t := result.Template; t != nil {
		for s, version := range append(v.Inputs.Templates[:], t) {
			claim.Facts[s] = version.Facts()
		}
		broken = cmp.Or(t.NestingError(), template.CheckNewTextBlocks(v.Inputs.Templates, t))
	}
	if broken == nil { // plain YAML may have actions in texts, too
		broken = template.CheckSyntax(v.Inputs.Raw, result.File.Bytes())
	}
	if broken == nil {
		return check(claim)
	}
	violation := &verify.Violation{}
	if fieldViolation := verify.Check(claim); fieldViolation != nil {
		*violation = *fieldViolation // for its position
	}
	violation.Rule, violation.Detail, violation.Problem = verify.RuleAction, broken.Error(), problemOf(broken)
	return violation
}

// problemOf returns the message of err without its position, if it is a *syntax.Error, or otherwise "".
func problemOf(err error) string {
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		return e.Msg
	}
	return ""
}

// Claim returns result, a parsed file, with the versions, rules and matches that verification compares it with. open
// are the conflicts, each with its chosen version, or verify.Result for a user's own text. Results share Trees and
// must not be verified concurrently.
func (v *Prover) Claim(result *syntax.Stream, open ...verify.Conflict) verify.Merge {
	inputs := v.Inputs.Streams
	return verify.Merge{
		Base: inputs[three.Original], Ours: inputs[three.Dest], Theirs: inputs[three.Updated], Result: result,
		File: v.File, Rules: v.Rules, Conflicts: open, ClaimedMatches: v.PairedNodes, ClaimedMoves: v.MovedNodes,
		Trees: &v.trees,
	}
}
