// Package mutant spoils YAML files on purpose, for the tests of the verifier: a
// right result that was spoilt has to be refused.
//
// A way to spoil works on lines, which knows no YAML (lines.go), or on entries,
// comments and anchors (entries.go, names.go).
package mutant

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A Mutant is a file that was spoilt in one way at one place.
type Mutant struct {
	Way    string
	Line   int // where, from 1
	Stream *syntax.Stream
}

// A way is one way to spoil a file. Its places are numbered; do returns what
// the file becomes, nil where it does not apply.
type way struct {
	name   string
	places func(*file) int
	do     func(f *file, place int) []byte
	line   func(f *file, place int) int
}

// All chooses every mutant.
func All(string, int) bool { return true }

func ways() []way { return slices.Concat(lineWays, entryWays, commentWays, nameWays, textWays) }

// Each calls f with every mutant of b that is chosen, by way and line, and that
// parses. No two of them are the same bytes, and none says and writes what b
// does, blank lines aside.
func Each(b []byte, chosen func(way string, line int) bool, f func(Mutant)) {
	src := read(b)
	if src == nil {
		return
	}
	seen := map[string]bool{}
	for _, w := range ways() {
		for i := range w.places(src) {
			out := w.do(src, i)
			if out == nil || seen[string(out)] {
				continue
			}
			seen[string(out)] = true
			line := w.line(src, i)
			if !chosen(w.name, line) {
				continue
			}
			if st := parsed(out); st != nil && !same(b, out) {
				f(Mutant{Way: w.name, Line: line, Stream: st})
			}
		}
	}
}

// One spoils b in one of all ways at one of its places, chosen by any two
// numbers; nil if that is none of b's mutants.
func One(b []byte, which, place int) *syntax.Stream {
	src, all := read(b), ways()
	if src == nil {
		return nil
	}
	w := all[which%len(all)]
	n := w.places(src)
	if n == 0 {
		return nil
	}
	if out := w.do(src, place%n); out != nil && !same(b, out) {
		return parsed(out)
	}
	return nil
}
