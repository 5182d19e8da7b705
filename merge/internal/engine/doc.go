// Package engine merges three versions of a file and verifies the result. Package merge converts its types for users.
//
//	base: {a: 1, b: 1}   ours: {a: 2, b: 1}   theirs: {a: 1, b: 2}   result: {a: 2, b: 2}
//
// A merger tries the ways in ways.go one after the other. The first clean result is the result of the merge; if no way
// gives one, the page with the fewest lines in conflict is.
package engine
