// Package law takes three versions of a file and a result, and gives what is wrong
// with the result, or nothing. It shares no code with what makes results.
//
// A version is facts: what is where, its value, anchor and tag, its comments and how it
// is written, and its order; the reference of an image is two: what names it, and its
// version. A result holds (Check) if it differs from the original in what either side
// changed, and in nothing else. A change that both made counts once. Two different
// changes of one fact have no clean result, nor has what both added under one name,
// unless one side's holds all of the other's. Where something was in conflict, what the
// side that was not taken has there counts as if that side had left it alone; and what
// all versions have once is not lost.
//
// What is held depends on who made the result:
//
//   - Check, of a merge by fields: all of that; the first thing that is wrong.
//     Refusals gives all that is wrong, for a page that has to grow.
//   - Defect, of a clean line merge, or of one outside of its conflicts: only what is
//     wrong beyond doubt.
//   - Findings, of what a person committed, who may reformat, reorder and decide
//     conflicts at will: all that is wrong, form and order aside.
//   - CheckOverride, of the rule sets under which updated wins.
//
// That a result parses is the caller's to see: the law takes trees. Blank lines are not
// judged, nor is what a file means to who reads it. A refusal says where it is in each
// version; the caller spells the path.
//
// To read it, in this order:
//
//	law.go       a claim, a refusal, and the state of a check
//	cut.go       what stands in conflict
//	node.go      what a file becomes: nodes with sums, which compare at once
//	fold.go      what of a short item of a long list is read when it is asked for
//	pair.go      one thing in four versions, the members of a collection, their order
//	place.go     where things are, and which documents are one
//	meet.go      the rule that all else serves, for fields, items and scalars
//	oneof.go     fields that exclude each other
//	text.go      the lines of a scalar
//	image.go     the parts of a reference of an image
//	loose.go     what no address pairs: renames, moves, what was taken apart
//	pool.go      which of many loose things has most in common with one
//	form.go      how entries and the file are written, and new lines
//	comments.go  comments
//	alias.go     what aliases mean
//	kept.go      what a page must not lose with either side taken
//
// Beside it are defect.go, what git's line merge may be refused for; and override.go and
// overridepairs.go, the law of the rule sets.
package law
