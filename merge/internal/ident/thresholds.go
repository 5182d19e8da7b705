package ident

// MaxComparisons is the maximum number of pairs of items that are compared with each other at a time. With more of
// them, it would take too long to compare every item with every other one.
const MaxComparisons = 40000

// isNearlyEqual reports whether two elements are nearly equal: n is at least three, and same is more than two thirds of
// it. n is the number of their leaves (scalars, aliases and empty collections), and same the number of equal ones.
func isNearlyEqual(same, n int) bool { return n >= 3 && 3*same > 2*n }

// minMovedLeaves is the minimum number of leaves of a mapping that counts as moved. A smaller one may have been written
// again for another purpose, as the limits of a container are.
const minMovedLeaves = 10

// minSharedLines is the minimum number of lines that two elements need to have in common to be paired by lines.
const minSharedLines = 3
