// Package diff3 aligns sequences (lines, list items, documents) and merges
// two changed versions of a sequence with the original.
//
// Match aligns two sequences, Chunks puts two alignments with one original
// side by side, and MergeLines merges texts and marks their conflicts.
//
// Goals: MergeLines gives the bytes that git gives, for `git merge-file` and
// for `git merge`, clean or not, in every style of markers. Time and memory
// grow with the size of the inputs, however different they are.
//
// Non-goals: options of git's diff (white space, indent heuristic, patience),
// names of files, anything that knows YAML.
package diff3

// A Range is the half-open range [Start, End) of items.
type Range struct{ Start, End int }

// Len returns the number of items in r.
func (r Range) Len() int { return r.End - r.Start }

// Empty reports whether r has no items.
func (r Range) Empty() bool { return r.Start >= r.End }

// A Run says that a[A:A+Len] and b[B:B+Len] are equal, item by item.
type Run struct{ A, B, Len int }
