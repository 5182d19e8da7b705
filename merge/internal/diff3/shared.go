package diff3

// A Merged is a line merge, with what it knows of the versions.
type Merged struct {
	Conflicts int
	Bytes     []byte   // the merged text, if there are no conflicts
	Shared    []Shared // what nobody changed, in order
}

// A Shared is whole lines that all three versions have, aligned with each
// other: where they start in each, in bytes, and how many bytes they are.
type Shared struct {
	Original, Dest, Updated int
	// Merged is where they start in the merged text, if that has no conflicts.
	Merged int
	Len    int
}

// Shared is Merge for who does not need the text of a merge with
// conflicts. It marks and decides none.
func (v *Versions) Shared(as As) (*Merged, error) {
	m, err := v.compared(Options{As: as})
	if err != nil {
		return nil, err
	}
	res := &Merged{Shared: m.shared()}
	for _, h := range m.hunks {
		if h.take == takeNone {
			res.Conflicts++
		}
	}
	if res.Conflicts == 0 {
		res.Bytes, _ = m.write()
	}
	return res, nil
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
