package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// side is one of the three versions of a file.
type side int

const (
	original side = iota
	dest
	updated
)

// sides lists dest and updated, the two that change the original.
var sides = [2]side{dest, updated}

// other returns the opposite of dest or updated.
func (s side) other() side {
	if s == dest {
		return updated
	}
	return dest
}

// nodes is one value in its three versions, nil where a version has none.
type nodes [3]*syntax.Node

// entries is one field or item in its three versions, nil where a version has none.
type entries [3]*syntax.Entry

// values returns the values of the entries.
func (e entries) values() nodes {
	var v nodes
	for s, x := range e {
		if x != nil {
			v[s] = x.Value
		}
	}
	return v
}

// first returns the side that gives a merged thing its form where nothing
// else decides: dest, or updated where dest lacks it.
func (e entries) first() side {
	for _, s := range sides {
		if e[s] != nil {
			return s
		}
	}
	return original
}

// pick merges one property: updated's where it alone changed it, else dest's.
func pick[T comparable](o, d, u T) T {
	if d == o {
		return u
	}
	return d
}
