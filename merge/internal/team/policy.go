package team

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Policy is a rule of the team that decides a conflict in a field that both sides changed.
type Policy string

// The policies. NoPolicy leaves the conflict unresolved.
const (
	NoPolicy Policy = ""
	Own      Policy = "own"      // the value of our own side, which is theirs in a rebase
	Upstream Policy = "upstream" // the value of the other side
	Ours     Policy = "ours"
	Theirs   Policy = "theirs"
	Highest  Policy = "highest"
	Lowest   Policy = "lowest"
	Union    Policy = "union"    // the strings that either side has in a list
	Next     Policy = "next"     // the version of the next release: see NextVersion
	Restarts Policy = "restarts" // the counter of the side with the new version: see Restart; not a policy for a field
)

// policies are the policies that a rule for a field may name, in the order of documentation and messages.
var policies = []Policy{Own, Upstream, Ours, Theirs, Highest, Lowest, Next, Union}

// A Decision describes what decided a conflict: a policy, a rule set, or a choice of one side. Only the fields of one
// of these three are set. The zero value means that nothing decided it.
type Decision struct {
	// Policy is the policy of the field. Source is the place of the rule, as in .git-merge-yaml.yaml:12. Preset is the
	// name of the preset that contains the rule, or "" if it is a rule of the team.
	Policy         Policy
	Source, Preset string
	// Rules names the rule set, as in "rules kustomize".
	Rules string
	// Side is ours, theirs, both or another choice that an option or an answer of the user chose.
	Side string
}

// String returns d for messages: a policy with the place of its rule and its preset, or else the rule set or the side.
//
//	policy next (.git-merge-yaml.yaml:12, extends helm)
//	rules kustomize
//	ours
//
// It returns "" for the zero Decision.
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

// Deleted is a rule for files that one side deleted and the other side changed. Git does not run a merge driver for
// such files.
//
//	rules:
//	  - files: [snap/**]
//	    deleted: own
type Deleted struct {
	// Take is Own to do what our own side did with the file, Upstream to do what the other side did, or Ask to leave
	// the conflict to the user. It is "" if the entry has no such rule.
	Take   Policy
	Source string // file and line, for messages
}

// Ask leaves the conflict about a deleted file to the user, even if a later entry has another rule for the file.
const Ask Policy = "ask"

// DeletedPolicy returns the rule for the file at path if one side deleted it and the other side changed it: the field
// deleted of the first entry that has this field and whose file patterns match path. ok is false if there is no such
// entry.
func (r *Rules) DeletedPolicy(path string) (d Deleted, ok bool) {
	for _, e := range r.team {
		if e.deleted.Take != "" && matchesAny(e.Files, path) {
			return e.deleted, true
		}
	}
	return d, false
}

// takesSide reports whether p always takes the value of one side: own, upstream, ours or theirs.
func (p Policy) takesSide() bool { return p == Own || p == Upstream || p == Ours || p == Theirs }

// Pick returns the value that p chooses from ours and theirs, the scalar values of both sides. Equal values need no
// choice: every policy except NoPolicy returns them. chosen is false for other values if
//
//   - p needs more than the values, as own, upstream, next and union do, or is NoPolicy
//   - p is Highest or Lowest, and it is not certain which value is higher
//
// For example:
//
//	ours        theirs        highest
//	nginx:1.9   nginx:1.10    nginx:1.10
//	1.9         1.10          none: the version 1.10 is higher, the number 1.9 is higher
func (p Policy) Pick(ours, theirs string) (value string, chosen bool) {
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

// compareValues compares two values as versions and as numbers. order is negative if a is lower, and positive if a is
// higher. ok is false if that is not certain: the values are equal, are neither versions nor numbers, or the two orders
// differ, as for 1.9 and 1.10.
func compareValues(a, b string) (order int, ok bool) {
	byVersion, areVersions := compareVersions(a, b)
	byNumber, areNumbers := compareNumbers(a, b)
	if areVersions && areNumbers && byVersion != byNumber {
		return 0, false
	}
	order = cmp.Or(byVersion, byNumber) // 0 if the values are neither
	return order, order != 0
}

// compareVersions compares two versions, such as nginx:1.9 and nginx:1.10. ok is false, and order 0, if the texts
// around the numbers differ, or if one has more numbers than the other. A single number without a text before it, such
// as 010, is no version, because YAML 1.1 may read it as octal.
func compareVersions(a, b string) (order int, ok bool) {
	numbersA, affixesA := parseVersion(a, anyVersion)
	numbersB, affixesB := parseVersion(b, anyVersion)
	isSingleNumber := len(numbersA) == 1 && affixesA[0] == ""
	if numbersA == nil || isSingleNumber || len(numbersA) != len(numbersB) || affixesA != affixesB {
		return 0, false
	}
	return slices.CompareFunc(numbersA, numbersB, compareDigits), true
}

// compareNumbers compares two decimal numbers. ok is false, and order 0, if a value is none, or if YAML 1.1 and 1.2
// order them differently: 010 is less than 9 in YAML 1.1, and more in YAML 1.2.
func compareNumbers(a, b string) (order int, ok bool) {
	numberA, octalA := parseNumber(a)
	numberB, octalB := parseNumber(b)
	if numberA == nil || numberB == nil || octalA.Cmp(octalB) != numberA.Cmp(numberB) {
		return 0, false
	}
	return numberA.Cmp(numberB), true
}

// A lazyRegexp returns a regular expression that it compiles in the first call. For versions, its groups are the text
// before the numbers, the numbers, and the text after them.
type lazyRegexp = func() *regexp.Regexp

var (
	// anyVersion matches one to four numbers joined by dots, with an optional prefix and suffix, as in v5 and
	// nginx:1.2-alpine.
	anyVersion lazyRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?:.*[:/@=<>~^ ])?[vV]?)([0-9]+(?:\.[0-9]+){0,3})((?:[-+].*)?)$`)
	})
	// semanticVersion matches a semantic version without pre-release and build, optionally after a v, or after a name
	// and a hyphen, as in web-1.2.3.
	semanticVersion lazyRegexp = sync.OnceValue(func() *regexp.Regexp {
		const n = `(?:0|[1-9][0-9]{0,17})`
		return regexp.MustCompile(`^((?:[A-Za-z][\w-]*-)?v?)(` + n + `\.` + n + `\.` + n + `)()$`)
	})
	// decimalNumber matches a decimal number with an optional sign and fraction.
	decimalNumber lazyRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?$`) })
)

// parseVersion splits s, a version that matches form, such as anyVersion. It returns the numbers, as digits, and the
// texts before and after them: [1 2] and ["nginx:" "-alpine"] for nginx:1.2-alpine. numbers is nil if form does not
// match s, or if s is longer than 512 bytes.
func parseVersion(s string, form lazyRegexp) (numbers []string, affixes [2]string) {
	if len(s) > 512 {
		return nil, affixes
	}
	m := form().FindStringSubmatch(s)
	if m == nil {
		return nil, affixes
	}
	return strings.Split(m[2], "."), [2]string{m[1], m[3]}
}

// compareDigits compares two natural numbers of any length, written in digits. It returns a negative number if a is
// lower, 0 if they are equal, and a positive number if a is higher.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// parseNumber returns the value of the decimal number s in YAML 1.2, and in YAML 1.1, which reads a number with a
// leading 0 as octal: 10 and 8 for 010. The two are equal for all numbers that are not octal, such as 10, 0.5 and 08.
// Both are nil if s is not a decimal number, or is longer than 64 bytes.
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

// NextVersion returns the version of the next release if both sides raised the version base: own, the user's own side,
// is released on top of upstream. It is own if that is higher. Otherwise it is upstream, with the number raised that
// own raised, and 0 after it. ok is false if a side did not raise base, if a version is not like v1.2.3, or if the
// texts before the numbers differ.
//
//	base    own     upstream   next
//	1.2.0   1.3.0   1.2.3      1.3.0
//	1.2.0   1.3.0   1.3.1      1.4.0   own raised the second number
func NextVersion(base, own, upstream string) (next string, ok bool) {
	baseNumbers, _ := parseVersion(base, semanticVersion)
	ownNumbers, ownAffixes := parseVersion(own, semanticVersion)
	upstreamNumbers, upstreamAffixes := parseVersion(upstream, semanticVersion)
	isAbove := func(v, w []string) bool { return slices.CompareFunc(v, w, compareDigits) > 0 }
	switch {
	case baseNumbers == nil || ownAffixes != upstreamAffixes || !isAbove(ownNumbers, baseNumbers) || !isAbove(upstreamNumbers, baseNumbers):
		return "", false
	case isAbove(ownNumbers, upstreamNumbers):
		return own, true
	}
	raised := 0 // the index of the number that own raised
	for ownNumbers[raised] == baseNumbers[raised] {
		raised++
	}
	number, _ := strconv.ParseUint(upstreamNumbers[raised], 10, 64) // at most 18 digits
	// the numbers after it begin again at 0
	nextNumbers := append(slices.Clone(upstreamNumbers[:raised]), strconv.FormatUint(number+1, 10), "0", "0")[:3]
	return ownAffixes[0] + strings.Join(nextNumbers, "."), true
}
