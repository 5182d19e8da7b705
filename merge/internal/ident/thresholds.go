package ident

// MaxComparisons is the maximum number of pairs of items that are compared with each other at a time. With more of
// them, it would take too long to compare every item with every other one.
const MaxComparisons = 40000

// maxMoves is the maximum number of removed fields of a document that are searched for at other places.
const maxMoves = 100

// MinEvidence is the minimum number of leaves or lines that show that two elements are one thing. Fewer of them are too
// often equal by chance.
const MinEvidence = 3

// MinLargeLeaves is the minimum number of leaves of a mapping that is known by its content alone. A smaller one may
// have been written again for another purpose, as the limits of a container are.
const MinLargeLeaves = 10

// hasMost reports whether same, a number of equal leaves, is at least three quarters of size.
func hasMost(same, size int) bool { return 4*same >= 3*size }

// hasHalf reports whether same, a number of equal leaves or lines, is at least half of size.
func hasHalf(same, size int) bool { return 2*same >= size }

// hasSome reports whether same, a number of equal leaves, is at least a quarter of size.
func hasSome(same, size int) bool { return 4*same >= size }

// Scores of two items of an ordered list; equal items have the score 1, and the pairs with the largest sum are matched.
const (
	nameScore     = 0.9  // they have the same name
	actionScore   = 0.6  // they run the same action, perhaps in another version
	textScore     = 0.5  // they have the same text before a version or a separator
	linesBonus    = 0.05 // git's diff aligns most of their lines: little, because it may align those of a deleted neighbor
	positionBonus = 1e-6 // they are at the same position; it only decides between equal scores
)
