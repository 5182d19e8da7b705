package diff3

// A Shared is whole lines that all three versions have, aligned with each
// other: where they start in each, in bytes, and how many bytes they are.
type Shared struct {
	Original, Dest, Updated int
	// Merged is where they start in the merged text, if that has no conflicts.
	Merged int
	Len    int
}

// MergeShared is MergeLines. It also returns what nobody changed, in order.
func MergeShared(original, dest, updated []byte, opts Options) (merged []byte, conflicts int, shared []Shared, err error) {
	for _, data := range [...][]byte{original, dest, updated} {
		if err := check(data); err != nil {
			return nil, 0, nil, err
		}
	}
	m := newLineMerge(original, dest, updated, opts)
	m.compare()
	m.refine()
	merged, conflicts = m.write()
	return merged, conflicts, m.shared(), nil
}

// shared returns the chunks that nobody changed. In a merge without conflicts
// they stand between the hunks.
func (m *lineMerge) shared() []Shared {
	all := make([]Shared, 0, len(m.same))
	hunks, shift := m.hunks, 0
	for _, c := range m.same {
		s := Shared{
			Original: int(m.original.at[c.Original.Start]),
			Dest:     int(m.dest.at[c.Dest.Start]),
			Updated:  int(m.updated.at[c.Updated.Start]),
			Len:      len(m.original.text(c.Original)),
		}
		for len(hunks) > 0 && hunks[0].dest.End <= c.Dest.Start {
			shift += m.growth(hunks[0])
			hunks = hunks[1:]
		}
		s.Merged = s.Dest + shift
		all = append(all, s)
	}
	return all
}

// growth is how much longer than dest's the text at a hunk is.
func (m *lineMerge) growth(h hunk) int {
	if h.take != takeUpdated {
		return 0
	}
	return len(m.updated.text(h.updated)) - len(m.dest.text(h.dest))
}
