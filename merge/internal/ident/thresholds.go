package ident

// MaxComparisons is the maximum number of pairs of items that are compared with each other at a time. With more of
// them, it would take too long to compare every item with every other one.
const MaxComparisons = 40000

// maxMoves is the maximum number of removed fields of a document that are searched for at other places.
const maxMoves = 100

// minLargeLeaves is the minimum number of leaves of a mapping that is known by its content alone. A smaller one may have
// been written again for another purpose, as the limits of a container are.
const minLargeLeaves = 10

// minWitnesses is the minimum number of leaves that only the old and the new places of moved fields have.
const minWitnesses = 3

// minSharedLines is the minimum number of lines that two elements need to have in common to be matched by lines.
const minSharedLines = 3

// hasMost reports whether same, a number of equal leaves, is more than four fifths of size.
func hasMost(same, size int) bool { return 5*same > 4*size }

// isNearlyEqual reports whether two elements are nearly equal: n is at least three, and same is more than two thirds of
// it. n is the number of their leaves (scalars, aliases and empty collections), and same the number of equal ones.
func isNearlyEqual(same, n int) bool { return n >= 3 && 3*same > 2*n }

// hasHalf reports whether same, a number of equal leaves or lines, is at least half of size.
func hasHalf(same, size int) bool { return 2*same >= size }
