package three

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Names are the names of the versions that users read.
var Names = [3]string{"base", "ours", "theirs"}

// Side is one of the three versions of a file.
type Side uint8

// The sides, in the order in which git names the versions.
const (
	Original Side = iota
	Dest
	Updated
)

// Sides lists dest and updated, the two that change the original.
var Sides = [2]Side{Dest, Updated}

// Other returns the opposite of dest or updated.
func (s Side) Other() Side {
	if s == Dest {
		return Updated
	}
	return Dest
}

// Nodes is one value in its three versions, nil where a version has none.
type Nodes [3]*syntax.Node

// Entries is one field or item in its three versions, nil where a version has none.
type Entries [3]*syntax.Entry

// Values returns the values of the entries.
func (e Entries) Values() Nodes {
	var v Nodes
	for s, x := range e {
		if x != nil {
			v[s] = x.Value
		}
	}
	return v
}

// First returns the side that gives a merged thing its form where nothing
// else decides: dest, or updated where dest lacks it.
func (e Entries) First() Side {
	for _, s := range Sides {
		if e[s] != nil {
			return s
		}
	}
	return Original
}
