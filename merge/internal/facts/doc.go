// Package facts reads what a version of a file says, and what sets two versions apart.
//
// It takes a tree and gives nodes whose sums compare at once: what each says, how it is
// written, where it stands, the comments behind it, the blocks of a template around it. What of a
// version stands in conflict is masked: it does not count, or counts for the side that was not
// taken.
//
// What two versions differ in is arithmetic. Of a slot, Choose: a change of one side, or of both
// alike. Of things that may stand several times, Counts. Of lines, edits: what a side kept of the
// base, and what it put between.
//
// It shares definitions with what makes results (package meaning), and judges nothing: that is package verify's.
package facts
