package engine

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// everyField is a merge by field that visits every leaf. It does not skip entries whose bytes are identical.
var everyField = way{"the merge by field, of every leaf", true, func(m *merger) (outcome, error) {
	m.plan, m.planWalker = nil, m.newWalker()
	m.planWalker.Deep = true
	o, err := m.mergeByField(m.planWalker)
	if reason := m.in.AddedDuplicateKey(); err == nil && reason != "" && o.Clean() {
		return m.useLineMerge(withCause(CauseKeys, errors.New(reason)))
	}
	return o, err
}}

// An order is how a test merges: the ways to try, and when parts of the versions are elided.
type order struct {
	ways    []way
	elision *shorteningBounds // nil if nothing is elided
}

var (
	asMerge    = order{ways, &defaultShortening}                                         // like Merge
	unelided   = order{ways, nil}                                                        // like Merge, but without eliding anything
	elided     = order{ways, &shorteningBounds{maxQuarters: [...]int{4, 4}}}             // like Merge, but elides parts even if that is not faster
	fieldsOnly = order{[]way{unmergeable, everyField}, nil}                              // only the merge by field
	noPages    = order{append([]way{identicalVersions, unmergeable}, checkWays...), nil} // conflicts are those of the merge by field, not of git's line merge
)

// mergeBy merges three versions like Merge, but in the given order. It returns an error if a value in opts is
// invalid.
func mergeBy(by order, raw [3][]byte, opts Options) (Result, error) {
	if err := opts.validate(); err != nil {
		return Result{}, err
	}
	o, err := newMerger(raw, opts).mergeBy(by)
	return o.Result, err
}

// mergeBy tries the ways of an order.
func (m *merger) mergeBy(by order) (outcome, error) {
	m.shortening = by.elision
	return m.merge(by.ways)
}

// TestWaysAreDocumented checks that the table in docs/how-it-merges.md has a row for each of the ways, in the order in
// which Merge tries them.
func TestWaysAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/how-it-merges.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## The decision")
	section, _, _ = strings.Cut(section, "\n**")
	var rows, want []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(section, -1) {
		rows = append(rows, m[1])
	}
	for _, w := range ways {
		want = append(want, w.name)
	}
	if len(rows) == 0 || !slices.Equal(rows[1:], want) {
		t.Errorf("the table has the rows %q, want %q", rows, want)
	}
}
