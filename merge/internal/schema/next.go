package schema

import (
	"regexp"
	"strconv"
	"strings"
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
	b, ok := parseSemantic(base)
	o, ok2 := parseSemantic(own)
	u, ok3 := parseSemantic(upstream)
	if !ok || !ok2 || !ok3 || o.prefix != u.prefix || o.compare(b) <= 0 || u.compare(b) <= 0 {
		return "", false
	}
	if o.compare(u) > 0 {
		return own, true
	}
	return u.bump(o.step(b)).String(), true
}

// A semantic is a semantic version without pre-release and build.
type semantic struct {
	prefix  string    // the name of what it is of, as in web-1.2.3, and "v"; or nothing
	numbers [3]uint64 // major, minor, patch
}

var semanticForm = sync.OnceValue(func() *regexp.Regexp {
	const n = `(0|[1-9][0-9]{0,17})`
	return regexp.MustCompile(`^((?:[A-Za-z][\w-]*-)?v?)` + n + `\.` + n + `\.` + n + `$`)
})

func parseSemantic(s string) (v semantic, ok bool) {
	m := semanticForm().FindStringSubmatch(s)
	if m == nil {
		return v, false
	}
	v.prefix = m[1]
	for i := range v.numbers {
		v.numbers[i], _ = strconv.ParseUint(m[2+i], 10, 64) // at most 18 digits
	}
	return v, true
}

func (v semantic) String() string {
	texts := make([]string, len(v.numbers))
	for i, n := range v.numbers {
		texts[i] = strconv.FormatUint(n, 10)
	}
	return v.prefix + strings.Join(texts, ".")
}

// compare is -1, 0 or 1 as v is below, equal to or above w.
func (v semantic) compare(w semantic) int {
	i := v.step(w)
	switch {
	case i == len(v.numbers):
		return 0
	case v.numbers[i] < w.numbers[i]:
		return -1
	}
	return 1
}

// step is the index of the first number in which v differs from w.
func (v semantic) step(w semantic) int {
	i := 0
	for i < len(v.numbers) && v.numbers[i] == w.numbers[i] {
		i++
	}
	return i
}

// bump is v with the number at i one higher, and zeros behind.
func (v semantic) bump(i int) semantic {
	v.numbers[i]++
	for i++; i < len(v.numbers); i++ {
		v.numbers[i] = 0
	}
	return v
}
