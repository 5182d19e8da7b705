package merge

import (
	"cmp"
)

// shortcuts switches off what only saves work, or decides beside the merge by fields. Tests hold the laws without it.
type shortcuts struct {
	off    bool // equal inputs, the line merge, and equal bytes within the walk
	whole  bool // leave nothing out of what is parsed
	eager  bool // leave out what can be, whether it pays or not
	fields bool // do not ask whether the line merge has fewer lines in conflict
}

func merge(raw [3][]byte, opts Options, cut shortcuts) (Result, error) {
	var bad error
	o, err := newMerger(raw, opts.watched(&bad)).run(cut)
	return o.Result, cmp.Or(bad, err)
}

// run is merge, with cut.
func (m *merger) run(cut shortcuts) (outcome, error) {
	switch {
	case cut.off:
		return m.alone()
	case cut.fields:
		return m.merge(func() (outcome, error) {
			o, err := m.judged()
			return o, cmp.Or(err, m.opts.Rules.known().Err())
		})
	case cut.whole:
		return m.merge(m.whole)
	case cut.eager:
		return m.merge(func() (outcome, error) {
			if o, ok := m.short(0, [...]int{4, 4}); ok {
				return o, nil
			}
			return m.whole()
		})
	}
	return m.merge(m.shortest)
}

// alone is the merge by fields, of all that the versions have, whatever git's line merge is.
func (m *merger) alone() (outcome, error) {
	if reason := m.in.Unfit(); reason != "" {
		return m.delegate(reason)
	}
	o, err := guarded(func() (outcome, error) {
		m.bump()
		if err := m.read(); err != nil {
			return outcome{}, err
		}
		w := m.walker()
		w.Deep = true
		o, err := m.byFields(w)
		return o, cmp.Or(err, m.doubled(o), m.opts.Rules.known().Err())
	})
	if err != nil {
		return m.delegate(err.Error())
	}
	o.Resolved = append(o.Resolved, m.told...)
	return o, nil
}
