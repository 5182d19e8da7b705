package merge

import (
	"cmp"
)

// everyField is the merge by field of all that the versions have: it compares no bytes, and descends to each leaf.
var everyField = way{"the merge by field, of every leaf", true, func(m *merger) (outcome, error) {
	m.plan, m.planWalker = nil, m.newWalker()
	m.planWalker.Deep = true
	o, err := m.mergeByField(m.planWalker)
	if reason := m.in.AddedDuplicateKey(); err == nil && reason != "" && o.Clean() {
		return m.delegate(reason)
	}
	return o, err
}}

// An order is how a test merges: in which ways, and what is elided.
type order struct {
	ways    []way
	elision *elisionBounds // nil elides nothing
}

var (
	asMerge    = order{ways, &defaultElision}                                            // as Merge does
	unelided   = order{ways, nil}                                                        // with nothing elided
	elided     = order{ways, &elisionBounds{maxQuarters: [...]int{4, 4}}}                // elides what it can, whether it pays or not
	fieldsOnly = order{[]way{unmergeable, everyField}, nil}                              // the merge by field alone
	noPages    = order{append([]way{identicalVersions, unmergeable}, checkWays...), nil} // whatever git's merge asks
)

// mergeBy merges in this order.
func mergeBy(by order, raw [3][]byte, opts Options) (Result, error) {
	var bad error
	o, err := newMerger(raw, opts.withValidatedFuncs(&bad)).mergeBy(by)
	return o.Result, cmp.Or(bad, err)
}

func (m *merger) mergeBy(by order) (outcome, error) {
	m.elision = by.elision
	return m.merge(by.ways)
}
