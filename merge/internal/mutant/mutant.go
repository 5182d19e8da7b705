// Package mutant makes faulty copies of YAML files for mutation tests of verification: a correct merge result
// is changed, and verification must reject the changed result. The package does not verify or merge files, and
// it is used by tests only.
//
// Each calls a function with every Mutant of a file. A mutation is applied at one place of the file. Some
// mutations change lines and do not know YAML (linemutations.go). Others change entries, comments, anchors, aliases or
// block scalars of the parsed file. EachGuardMutant changes the guards of templates. Classify reports whether a
// mutant differs only in a way that verification may accept.
//
// These are three of the mutants of a file:
//
//	file   "drop the line" at 1   "swap values with the next" at 1   "double the key" at 1
//	a: 1   b: 2                   a: 2                               a: 1
//	b: 2                          b: 1                               a: doubled
//	                                                                 b: 2
package mutant

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A Mutant is a copy of a file with one mutation at one place.
type Mutant struct {
	Mutation string         // the name of the mutation
	Line     int            // the line of the place in the original file, from 1
	Stream   *syntax.Stream // the changed file
}

// A mutation is a kind of change to a file, such as dropping a line. The places of a file to which it may be
// applied have the numbers from 0 to countPlaces(f)-1.
type mutation struct {
	name        string
	countPlaces func(*file) int
	apply       func(f *file, place int) []byte // returns the changed file, or nil if the mutation does not fit the place
	line        func(f *file, place int) int    // returns the line of the place, from 1
}

// ChooseAll is an argument of Each that chooses every mutant.
func ChooseAll(string, int) bool { return true }

func allMutations() []mutation {
	return slices.Concat(lineMutations, entryMutations, commentMutations, nameMutations, blockScalarMutations)
}

// Each calls f with the mutants of b for which choose returns true. choose gets the name of the mutation and the line
// of the place. A copy that does not parse, is identical to an earlier one (chosen or not), or is the same file as b
// (see isSameFile) is no mutant. If b does not parse, f is not called.
func Each(b []byte, choose func(mutation string, line int) bool, f func(Mutant)) {
	original := parseFile(b)
	if original == nil {
		return
	}
	seen := map[string]bool{}
	for _, m := range allMutations() {
		for i := range m.countPlaces(original) {
			mutated := m.apply(original, i)
			if mutated == nil || seen[string(mutated)] {
				continue
			}
			seen[string(mutated)] = true
			line := m.line(original, i)
			if !choose(m.name, line) {
				continue
			}
			if st := parse(mutated); st != nil && !isSameFile(b, mutated) {
				f(Mutant{Mutation: m.name, Line: line, Stream: st})
			}
		}
	}
}

// Pick returns one mutant of b. The numbers mutationNumber and placeNumber choose the mutation and its place; they may be any
// numbers that are not negative. Pick returns nil if b or the result does not parse, if the mutation does not
// fit the place, or if the result is the same file as b.
func Pick(b []byte, mutationNumber, placeNumber int) *syntax.Stream {
	original, mutations := parseFile(b), allMutations()
	if original == nil {
		return nil
	}
	m := mutations[mutationNumber%len(mutations)]
	n := m.countPlaces(original)
	if n == 0 {
		return nil
	}
	if mutated := m.apply(original, placeNumber%n); mutated != nil && !isSameFile(b, mutated) {
		return parse(mutated)
	}
	return nil
}
