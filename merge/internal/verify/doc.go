// Package verify takes three versions of a file and a result, and gives what is wrong with the
// result, or nothing. It shares definitions with what makes results, and no decision.
//
// A version is facts (package facts): what is where, its value, anchor and tag, its comments and
// how it is written, its order, and in a template the blocks around it; the reference of an image
// is two: what names it, and its version. A result holds (Check) if it differs from the base in
// what either side changed, and in nothing else. A change that both made counts once. Two
// different changes of one fact have no clean result, nor has what both added under one name,
// unless one side's holds all of the other's, or they are maps of strings. Where something was in
// conflict, what the side that was not taken has there counts as if that side had left it alone;
// and what all versions have once is not lost.
//
// What is verified depends on who made the result:
//
//   - Sound, of whatever is written: nothing stands twice.
//   - Check, of a merge by fields: all of that; the first thing that is wrong. Violations gives
//     all, for a page that has to grow.
//   - Defect, of a clean line merge, or of one outside of its conflicts: only what can be shown.
//   - Findings, of what a person committed, who may reformat, reorder and decide conflicts at
//     will: all that is wrong, form and order aside.
//   - CheckOverlay, of the rule sets under which theirs wins: package override says what
//     stands of the versions, and the result is held against that.
//
// OneSided counts what a page asks about though nobody disputes it.
//
// What no address matches, whoever made the result claims to be one; a claim is checked, and
// nothing is searched for. That a result parses is the caller's to see: the verifier takes trees.
// Blank lines are not judged, nor is what a file means to who reads it. A violation says where it
// is in each version; the caller spells the path.
//
// To read it, in this order, in which each file uses those above it:
//
//	violation.go what is wrong, and the state of a check
//	pair.go      one thing in four versions, the members of a collection, their order
//	claims.go    what is one under two names
//	place.go     where things stand, under whatever name, and what aliases mean
//	template.go  which block is which, directive lines and what prints
//	guards.go    the blocks around what stands in a collection
//	comments.go  comments
//	sound.go     what must not stand twice, whoever wrote it, nor be lost by a page
//	text.go      the lines of scalars, by the edits of both sides; references of images
//	form.go      how entries and the file are written, and new lines
//	defect.go    what git's line merge may be refused for
//	meet.go      the rule that all else serves, for documents, fields, items and scalars
//	verify.go    what may be asked
package verify
