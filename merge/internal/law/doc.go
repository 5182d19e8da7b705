// Package law takes three versions of a file and a result, and gives the fact of the
// result that is wrong, or nothing. It shares no code with what makes results.
//
// A version is facts: what stands where, its value, anchor and tag, its comments and
// how it is written, and its order. A result holds (Check) if it differs from the
// original in what either side changed, and in nothing else; a change that both made
// counts once, and two different changes of one fact have no clean result. Where
// something was in conflict, what the side that was not taken has there counts as if
// that had left it alone.
//
// To read it, in this order:
//
//	law.go       a claim, a refusal, and the state of a check
//	tree.go      what a file becomes: nodes with sums, which compare at once
//	place.go     where things stand, and which documents are one
//	meet.go      one thing in four versions: the rule that all else serves
//	text.go      the lines of a scalar
//	loose.go     what no address pairs: renames, moves, what was taken apart
//	alias.go     what aliases mean
//	comments.go  comments
//	form.go      how entries and the file are written, and new lines
//
// Beside it stand defect.go, what git's line merge may be refused for; findings.go,
// which tells people all that is wrong; and override*.go, the law of the rule sets
// under which updated wins.
package law
