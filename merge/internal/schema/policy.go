package schema

import (
	"cmp"
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

// A Decision is what decided something that both sides changed: one of a policy, a rule set and a side.
// The zero value is nothing.
type Decision struct {
	// Policy is that of the rules for a field. Source says where it stands, as .git-merge-yaml.yaml:12,
	// and Preset whose it is, "" if it is the team's own.
	Policy         Policy
	Source, Preset string
	// Rules is the rule set, as rules kustomize.
	Rules string
	// Side is ours, theirs or union, where the caller asked for one, or what an answer took.
	Side string
}

// String is d for people: policy next (.git-merge-yaml.yaml:12, extends helm), rules kustomize, ours.
func (d Decision) String() string {
	if d.Policy == NoPolicy {
		return cmp.Or(d.Rules, d.Side)
	}
	from := []string{d.Source}
	if d.Preset != "" {
		from = append(from, "extends "+d.Preset)
	}
	return "policy " + string(d.Policy) + " (" + strings.TrimPrefix(strings.Join(from, ", "), ", ") + ")"
}

// MarshalText is String, for JSON.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

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

// DeletedPolicy is what the first of the team's entries says that names the file at path.
func (r *Rules) DeletedPolicy(path string) (d Deleted, ok bool) {
	for _, e := range r.team {
		if e.deleted.Take != "" && matchesAny(e.files, path) {
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
	c, ok := compareValues(ours, theirs)
	if !ok {
		return "", false
	}
	if (c > 0) == (p == Highest) {
		return ours, true
	}
	return theirs, true
}

// compareValues orders two values; it reports false where they have no order. YAML 1.1 and 1.2 read the number 010
// differently: where it is higher as one and lower as the other, as beside 9, there is none.
func compareValues(a, b string) (int, bool) {
	v, around := parseVersion(a, anyVersion)
	w, around2 := parseVersion(b, anyVersion)
	x, octalX := parseNumber(a)
	y, octalY := parseNumber(b)
	versions := v != nil && len(v) == len(w) && around == around2
	numbers := x != nil && y != nil && octalX.Cmp(octalY) == x.Cmp(y)
	var byVersion, byNumber int
	if versions {
		byVersion = slices.CompareFunc(v, w, compareDigits)
	}
	if numbers {
		byNumber = x.Cmp(y)
	}
	if versions && numbers && byVersion != byNumber {
		return 0, false
	}
	c := cmp.Or(byVersion, byNumber)
	return c, c != 0
}

// A lazyRegexp is one of versions: what may stand before the numbers, the numbers, what may stand behind them.
type lazyRegexp = func() *regexp.Regexp

var (
	// two to four numbers, joined by dots, with something before and perhaps a suffix
	anyVersion lazyRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?:.*[:/@=<>~^ ])?[vV]?)([0-9]+(?:\.[0-9]+){1,3})((?:[-+].*)?)$`)
	})
	// a semanticVersion version without pre-release and build, perhaps behind the name of what it is of, as in web-1.2.3
	semanticVersion lazyRegexp = sync.OnceValue(func() *regexp.Regexp {
		const n = `(?:0|[1-9][0-9]{0,17})`
		return regexp.MustCompile(`^((?:[A-Za-z][\w-]*-)?v?)(` + n + `\.` + n + `\.` + n + `)()$`)
	})
	decimalNumber lazyRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?$`) })
)

// parseVersion reads a version of a form: its numbers, and what stands around them; nil where s is none.
func parseVersion(s string, of lazyRegexp) (numbers []string, around [2]string) {
	if len(s) > 512 {
		return nil, around
	}
	m := of().FindStringSubmatch(s)
	if m == nil {
		return nil, around
	}
	return strings.Split(m[2], "."), [2]string{m[1], m[3]}
}

// compareDigits orders two natural numbers of any length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// parseNumber reads a number as YAML 1.2 does, and as YAML 1.1 does, to which 010 is 8; nil where s is none.
func parseNumber(s string) (decimal, octal *big.Rat) {
	if len(s) > 64 || !decimalNumber().MatchString(s) {
		return nil, nil
	}
	decimal, _ = new(big.Rat).SetString(s)
	if n, ok := new(big.Int).SetString(s, 8); ok && strings.TrimLeft(s, "+-")[0] == '0' {
		return decimal, new(big.Rat).SetInt(n)
	}
	return decimal, decimal
}

// NextVersion is the version under which own is released after upstream, both
// of which changed base: own where it is above upstream, else upstream bumped by
// the step that own made over base. A bump of the major or the minor number sets
// those behind it to zero.
//
// It reports false where a value is no plain semantic version (1.2.3, v1.2.3 or web-1.2.3,
// nothing else before or behind), or one of the two is not above base.
func NextVersion(base, own, upstream string) (string, bool) {
	b, _ := parseVersion(base, semanticVersion)
	o, around := parseVersion(own, semanticVersion)
	u, around2 := parseVersion(upstream, semanticVersion)
	above := func(v, w []string) bool { return slices.CompareFunc(v, w, compareDigits) > 0 }
	switch {
	case b == nil || around != around2 || !above(o, b) || !above(u, b):
		return "", false
	case above(o, u):
		return own, true
	}
	step := 0
	for o[step] == b[step] {
		step++
	}
	n, _ := strconv.ParseUint(u[step], 10, 64) // at most 18 digits
	u[step] = strconv.FormatUint(n+1, 10)
	for i := range u[step+1:] {
		u[step+1+i] = "0"
	}
	return around[0] + strings.Join(u, "."), true
}
