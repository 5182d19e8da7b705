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
// Terms:
//
//	side     dest or updated (ours or theirs): the versions that edited the original (base)
//	page     a result as a list of parts, each of them text or a conflict
//	chosen   of a side: the file has the text of this side in place of a conflict
//	claim    what is verified: that a parsed file is the merge of the versions (verify.Merge)
//	defect   a violation for which git's line merge is rejected, such as a duplicate mapping key; there are far fewer
//	         defects than violations, because a line merge copies whole lines
//	fatal    of a violation of a page: the page is rejected even if the file with the other side is right
//	open     the conflicts that remain in a result, with the version that is chosen in each
//	step     one byte that is verified; steps are counted to limit the work of a merge (see steps.go)
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
	// failedSide is the side in which VerifyLineMerge last found a violation, or 0 if it found none.
	failedSide three.Version
}

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
// conflict, then of the file with updated chosen. Without conflicts, this is one file, and its byte order mark, line
// ends and final newline are verified, too.
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
		if claim, broken := v.claimSide(p, s); broken == nil {
			all = append(all, verify.Violations(claim, limit-len(all))...)
		} else {
			all = append(all, broken)
		}
	}
	return all
}

// VerifyDecisions returns the first violation of p, a merge in which decisions replaced some conflicts, or nil. A
// decision is the text of a version, which the result must have, a value, or a free text. Any value is accepted;
// everything else about its scalar is verified. The other conflicts are verified with either side chosen. After a free
// text, the file is only checked to be well-formed, because it is unknown which edits the text has.
func (v *Prover) VerifyDecisions(p *page.Page, decisions []page.Decision) *verify.Violation {
	check := verify.Check
	var values []three.Nodes
	var resolved []verify.Conflict
	for _, d := range decisions {
		chosen := slices.Index(three.Names[:], d.Side) // -1 if the text is not that of a version
		var places [][3]text.Span                      // where the result must have the text of this version
		switch {
		case d.IsValueOnly: // any value is accepted, and everything else about the scalar is verified
			entries := d.Conflict.Entry.Versions()
			values, places = append(values, entries.Values()), [][3]text.Span{commentSpans(entries)}
		case chosen < 0: // a free text: nothing says which edits of the sides it has
			check = verify.CheckWellFormed
		case d.Fields != nil:
			places = d.Fields
		default:
			places = [][3]text.Span{d.Conflict.Spans}
		}
		for _, at := range places {
			if chosen >= 0 {
				resolved = append(resolved, verify.Conflict{At: at, Chosen: three.Version(chosen)})
			}
		}
	}
	for _, s := range three.Sides {
		claim, violation := v.claimBytes(p.Resolve(s), append(ConflictsTaking(p, s), resolved...))
		if violation == nil {
			claim.Decided, claim.Sources = values, p.SourcesOf(s)
			violation = check(claim)
		}
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

// PageDefect verifies git's line merge p, which has conflicts, once with each side chosen in all of them. isUsable
// reports whether p can be used: the file with at least one side has no violation, and neither file has a fatal one
// (see sideDefect). defect is a violation of one of the files, or nil. Verified bytes are added to v.Steps.
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

// sideDefect returns a violation of git's line merge p in the file with side s chosen in all conflicts, or nil. It
// returns nil if this file is the whole file of s. isFatal reports whether p must be rejected even if the file with the
// other side is right. This is so for an alias without an anchor, and for violations of rules that must hold whichever
// side is chosen, such as that of duplicate mapping keys (see verify.CheckAnswer). Verified bytes are added to v.Steps.
func (v *Prover) sideDefect(p *page.Page, s three.Version) (violation *verify.Violation, isFatal bool) {
	if v.isWholeSide(p, s) {
		return nil, false
	}
	claim, broken := v.claimSide(p, s)
	if broken != nil {
		isAliasWithoutAnchor := broken.Rule == verify.RuleUnparsable && broken.Subject != ""
		return broken, isAliasWithoutAnchor
	}
	claim.MergedChunks = p.LineMergeChunks
	return verify.CheckAnswer(claim)
}

// maxFindings is the maximum number of violations of a result. More would not be read.
const maxFindings = 100

// Findings returns at most 100 violations of b, a result that a user or program may have edited. The order of entries
// is not verified. open are the conflicts, in which any decision is accepted. If b cannot be parsed, or is no valid
// template, that is the only violation.
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
func (v *Prover) findViolations(b []byte, open []verify.Conflict, find func(verify.Merge, int) []*verify.Violation) []*verify.Violation {
	claim, broken := v.claimBytes(v.unifyFormat(b), open)
	if broken != nil {
		return []*verify.Violation{broken}
	}
	return find(claim, maxFindings)
}

// VerifyLineMerge returns a violation of p, a line merge of git with conflicts, or nil. It verifies the file with each
// side chosen in the conflicts. Outside of the conflicts, all rules for line merges must hold. In them, only fatal
// violations count, such as a duplicate mapping key, because the user decides there. Verified bytes are added to
// v.Steps.
func (v *Prover) VerifyLineMerge(p *page.Page) *verify.Violation {
	// the side that failed last is first, because similar pages often have the same violation
	first := cmp.Or(v.failedSide, three.Dest)
	for _, s := range [...]three.Version{first, first.Other()} {
		if violation := v.verifyLineMergeSide(p, s); violation != nil {
			v.failedSide = s
			return violation
		}
	}
	return nil
}

// verifyLineMergeSide returns a violation of p, a line merge of git with conflicts, in the file with side s chosen in
// them, or nil. Outside of the conflicts, all rules for line merges must hold; in them, only fatal violations count,
// such as a duplicate mapping key. It returns nil if the file is the whole file of s, and a violation if it cannot be
// parsed. Verified bytes are added to v.Steps.
func (v *Prover) verifyLineMergeSide(p *page.Page, s three.Version) *verify.Violation {
	if v.isWholeSide(p, s) {
		return nil
	}
	claim, broken := v.claimSide(p, s)
	if broken != nil {
		return broken
	}
	withoutConflicts := claim // as if git had merged these lines
	withoutConflicts.Conflicts = nil
	claim.MergedChunks = p.LineMergeChunks
	// this check is first because it ends at the first violation, and CheckAnswer does not
	if violation := verify.CheckLineMerge(claim); violation != nil {
		return violation
	}
	if violation, isFatal := verify.CheckAnswer(withoutConflicts); isFatal {
		return violation
	}
	return nil
}

// isWholeSide reports whether p with side s chosen in all conflicts is the whole file of s. It is then right, because
// each edit of the other side is in a conflict, about which the user decides.
func (v *Prover) isWholeSide(p *page.Page, s three.Version) bool {
	return bytes.Equal(p.Resolve(s), v.Inputs.Data[s])
}

// Verify returns the first violation of b, the bytes of a file to be written, as a merge by field without conflicts,
// or nil. The byte order mark, line ends and final newline are verified first. Parsed bytes are added to v.Steps.
func (v *Prover) Verify(b []byte) *verify.Violation {
	if violation := v.checkFormat(b); violation != nil {
		return violation
	}
	v.Steps += int64(len(b))
	claim, broken := v.claimBytes(v.unifyFormat(b), nil)
	if broken != nil {
		return broken
	}
	return verify.Check(claim)
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
// mark, and with a final newline unless it is empty. It gets the line ends of the merged file, unless those of b or of
// the merged file are mixed. The result may share memory with b.
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

// LineMergeDefect returns the first violation for which git's line merge b, without conflicts, is rejected, or nil.
// chunks are the lines from which git merged b. They are needed to find misplaced edits; if chunks is nil, these are
// not found.
func (v *Prover) LineMergeDefect(b []byte, chunks []diff3.Chunk) *verify.Violation {
	claim, broken := v.claimBytes(v.unifyFormat(b), nil)
	if broken != nil {
		return broken
	}
	claim.MergedChunks = chunks
	return verify.CheckLineMerge(claim)
}

// claimSide returns what is to be verified for p with side s chosen in every conflict: the claim that this file is the
// merge. If the file cannot be parsed, or is not a valid template, broken says so. The length of the file is added to
// v.Steps.
func (v *Prover) claimSide(p *page.Page, s three.Version) (claim verify.Merge, broken *verify.Violation) {
	b := p.Resolve(s)
	v.Steps += int64(len(b))
	claim, broken = v.claimBytes(b, ConflictsTaking(p, s))
	claim.Sources = p.SourcesOf(s)
	return claim, broken
}

// ConflictsTaking returns the conflicts of p, in its order, in the form that verification needs: the place of each in
// the three versions, and chosen, the version that the result has in its place.
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

// claimBytes returns what is to be verified for b, a file in the format of unifyFormat: the claim that it is the merge.
// If b cannot be parsed, or is not a valid template although all versions are, broken says so. open are the conflicts,
// each with the version that b has in its place.
func (v *Prover) claimBytes(b []byte, open []verify.Conflict) (claim verify.Merge, broken *verify.Violation) {
	result, broken := v.Parse(b)
	if broken != nil {
		return claim, broken
	}
	claim = v.Claim(result.Stream, open...)
	var err error // why result is not a valid template
	if t := result.Template; t != nil {
		for s, version := range append(v.Inputs.Templates[:], t) {
			claim.Facts[s] = version.Facts()
		}
		err = cmp.Or(t.NestingError(), template.CheckNewTextBlocks(v.Inputs.Templates, t))
	}
	if err == nil { // plain YAML may have actions in texts, too
		err = template.CheckSyntax(v.Inputs.Raw, b)
	}
	if err == nil {
		return claim, nil
	}
	broken = &verify.Violation{}
	if difference := verify.Check(claim); difference != nil {
		*broken = *difference // for its position, which is more useful to the user than none
	}
	broken.Rule, broken.Detail, broken.Problem = verify.RuleAction, err.Error(), problemOf(err)
	return claim, broken
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
