package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// NextVersion is the version under which own is released after upstream, both
// of which changed base: own where it is above upstream, else upstream bumped by
// the step that own made over base. A bump of the major or the minor number sets
// those behind it to zero.
//
// It reports false where a value is no plain semantic version (1.2.3 or v1.2.3,
// nothing before or behind), or one of the two is not above base.
func NextVersion(base, own, upstream string) (string, bool) {
	_, b, ok := semantic(base)
	prefix, o, ok2 := semantic(own)
	as, u, ok3 := semantic(upstream)
	switch {
	case !ok || !ok2 || !ok3 || prefix != as || slices.Compare(o, b) <= 0 || slices.Compare(u, b) <= 0:
		return "", false
	case slices.Compare(o, u) > 0:
		return own, true
	}
	step := 0
	for o[step] == b[step] {
		step++
	}
	u[step]++
	clear(u[step+1:])
	return fmt.Sprintf("%s%d.%d.%d", prefix, u[0], u[1], u[2]), true
}

var semanticForm = sync.OnceValue(func() *regexp.Regexp {
	const n = `(0|[1-9][0-9]{0,17})`
	return regexp.MustCompile(`^((?:[A-Za-z][\w-]*-)?v?)` + n + `\.` + n + `\.` + n + `$`)
})

// semantic reads a semantic version without pre-release and build: its major, minor and patch
// number, and before them the name of what it is of, as in web-1.2.3, and "v"; or nothing.
func semantic(s string) (prefix string, numbers []uint64, ok bool) {
	m := semanticForm().FindStringSubmatch(s)
	if m == nil {
		return "", nil, false
	}
	for _, digits := range m[2:] {
		n, _ := strconv.ParseUint(digits, 10, 64) // at most 18 digits
		numbers = append(numbers, n)
	}
	return m[1], numbers, true
}
