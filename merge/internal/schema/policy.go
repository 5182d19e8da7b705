package schema

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Policy decides a field that both sides changed differently.
type Policy string

// The policies; NoPolicy leaves the conflict.
const (
	NoPolicy Policy = ""
	Own      Policy = "own"      // of the side that is one's own, which a rebase calls theirs
	Upstream Policy = "upstream" // of the other side
	Ours     Policy = "ours"
	Theirs   Policy = "theirs"
	Highest  Policy = "highest"
	Lowest   Policy = "lowest"
	Union    Policy = "union" // both sides' strings of a list stand
	Next     Policy = "next"  // the next version: see NextVersion
)

// Policies are all of them, in the order in which they are told.
var Policies = []Policy{Own, Upstream, Ours, Theirs, Highest, Lowest, Next, Union}

// Deleted says what becomes of files that one side deleted and the other one changed, about
// which git asks no driver: what the own side did with them stands, or what upstream did, or
// a person is asked.
//
//	rules:
//	  - files: [snap/**]
//	    deleted: own
type Deleted struct {
	Take   Policy // Own, Upstream or Ask; "" if the entry does not say it
	Source string // file and line, for people
}

// Ask leaves a file that one side deleted to a person, whatever entries below say.
const Ask Policy = "ask"

// Deleted is what the first of the team's entries says that names the file at path.
func (r *Rules) Deleted(path string) (d Deleted, ok bool) {
	for _, e := range r.team {
		if e.deleted.Take != "" && matchAny(e.files, path) {
			return e.deleted, true
		}
	}
	return d, false
}

// Pick returns the value that p chooses, which is ours or theirs as it is
// written, or false where p does not choose: for Own, Upstream, Union and Next, which
// need to know more, and for Highest and
// Lowest unless both values are versions of one form or both are numbers.
//
// Versions are of one form if they differ in their numbers alone: what stands
// before (`v`, `nginx:`, `>=`) and behind (`-alpine`) is equal, and so is the
// count of numbers. Where values can be read both as versions and as numbers
// (1.9, 1.10) and the readings disagree, nothing is chosen.
func (p Policy) Pick(base, ours, theirs string) (string, bool) {
	switch {
	case p == Ours || p != NoPolicy && ours == theirs:
		return ours, true
	case p == Theirs:
		return theirs, true
	case p != Highest && p != Lowest:
		return "", false
	}
	c, ok := compare(ours, theirs)
	if !ok {
		return "", false
	}
	if (c > 0) == (p == Highest) {
		return ours, true
	}
	return theirs, true
}

// compare orders two values; it reports false where they have no order.
func compare(a, b string) (int, bool) {
	v, versions := compareVersions(a, b)
	n, numbers := compareNumbers(a, b)
	switch {
	case versions && numbers && v != n:
		return 0, false
	case versions && v != 0:
		return v, true
	case numbers && n != 0:
		return n, true
	}
	return 0, false
}

// A version is a text that ends in two to four numbers, joined by dots, and
// perhaps a suffix.
type version struct {
	prefix, suffix string
	numbers        []string
}

var versionForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((?:.*[:/@=<>~^ ])?[vV]?)([0-9]+(?:\.[0-9]+){1,3})((?:[-+].*)?)$`)
})

func parseVersion(s string) (version, bool) {
	if len(s) > 512 {
		return version{}, false
	}
	m := versionForm().FindStringSubmatch(s)
	if m == nil {
		return version{}, false
	}
	return version{m[1], m[3], strings.Split(m[2], ".")}, true
}

func compareVersions(a, b string) (int, bool) {
	v, ok := parseVersion(a)
	w, ok2 := parseVersion(b)
	if !ok || !ok2 || v.prefix != w.prefix || v.suffix != w.suffix || len(v.numbers) != len(w.numbers) {
		return 0, false
	}
	for i := range v.numbers {
		if c := compareDigits(v.numbers[i], w.numbers[i]); c != 0 {
			return c, true
		}
	}
	return 0, true
}

// compareDigits orders two natural numbers of any length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

var numberForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?$`)
})

// compareNumbers orders two numbers. YAML 1.1 and 1.2 read 010 differently: where it is higher as
// one and lower as the other, as beside 9, there is no order.
func compareNumbers(a, b string) (int, bool) {
	x, ok := parseNumber(a)
	y, ok2 := parseNumber(b)
	if !ok || !ok2 {
		return 0, false
	}
	c := x.Cmp(y)
	return c, octal(a, x).Cmp(octal(b, y)) == c
}

func parseNumber(s string) (*big.Rat, bool) {
	if len(s) > 64 || !numberForm().MatchString(s) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// octal is the number s as YAML 1.1 reads it: 010 is 8 to it; decimal is what s is otherwise.
func octal(s string, decimal *big.Rat) *big.Rat {
	if digits := strings.TrimLeft(s, "+-"); digits[0] == '0' {
		if n, ok := new(big.Int).SetString(s, 8); ok {
			return new(big.Rat).SetInt(n)
		}
	}
	return decimal
}

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
