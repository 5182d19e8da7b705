package verify

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A side can write an entry in another form: under another key, inside a new mapping, or as a comment. A comparison by
// address sees a deletion and an addition then. If the other side deleted the entry, too, its deletion is lost. If only
// one of the two is in a conflict, a person who takes the other side in it gets a result without the entry.
//
//	base            ours         theirs             result
//	dbHost: db      log: info    db: {host: db}     db: {host: db}     violation: ours deleted dbHost
//	log: info                    log: info          log: info

// replacements has what checkReplaced knows of a mapping or list in all versions.
type replacements struct {
	*collection
	ids      [versions]map[uint64]bool // the identities of all entries, with those in conflicts
	owners   [result]map[uint64]*Node  // see ownersOfValues; nil if the entries are matched by value
	shared   [result][]*match          // the entries that all inputs have, which show where the others are, in the order of each
	deleted  [result][]*match          // the entries of the base that each side lacks
	byPlace  [result]map[*match]*Node  // see replacementsAt; nil before it is needed
	comments [result]map[string]bool   // the comments of each side in conflicts, without signs; nil before they are needed
}

// isDeletedBy reports whether side s lacks k, which the base has. In a conflict in which s was not chosen, s may have
// k.
func (k *match) isDeletedBy(s version) bool {
	return k.nodes[base] != nil && (k.nodes[s] == nil || k.nodes[s].Version == base)
}

// checkReplaced returns a violation if a side wrote an entry of c in another form, such as under another key, and the
// result has only half of this edit and of the other side's (checkDeleted).
//
//	base    ours    theirs    result
//	a: 1    b: 1              b: 1      violation: theirs deleted a, which is b in ours
//	c: 2    c: 2    c: 2      c: 2
func (c *collection) checkReplaced() *Violation {
	if !slices.ContainsFunc(c.matches, func(k *match) bool { return k.isDeletedBy(ours) || k.isDeletedBy(theirs) }) {
		return nil // most collections
	}
	r := &replacements{collection: c}
	r.ids = mapVersions(c.nodes, func(n *Node) map[uint64]bool {
		ids := make(map[uint64]bool, len(n.Children))
		for i := range n.Children {
			ids[c.by.ID(&n.Children[i])] = true
		}
		return ids
	})
	for _, s := range sides {
		for _, k := range c.matches {
			if b := k.nodes[base]; k.isDeletedBy(s) && !b.IsBlank() && c.by.ID(b) != 0 && !r.ids[s][c.by.ID(b)] {
				r.deleted[s] = append(r.deleted[s], k)
			}
		}
	}
	for v := range result {
		if !c.by.isByValue { // an edited item of a list by value has another identity
			r.owners[v] = ownersOfValues(c.nodes[v])
		}
		r.shared[v] = slices.DeleteFunc(slices.Clone(c.matches), func(k *match) bool {
			return slices.Contains(k.nodes[:result], nil) || k.nodes.hasBaseParts()
		})
		slices.SortFunc(r.shared[v], func(x, y *match) int { return x.nodes[v].EntrySpan().Start - y.nodes[v].EntrySpan().Start })
	}
	for _, s := range sides {
		for _, k := range r.deleted[s] {
			if bad := r.checkDeleted(s, k); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// checkDeleted returns a violation if s replaced k, an entry of the base, by a new entry or commented it out, and the
// result has only half of this edit:
//
//	other side    result               in a conflict
//	deleted k     has the new entry    nothing                               its deletion is lost
//	has k         lacks k              only the new entry or the comment     k is lost
//
// Of lists whose items match by value, only commented items are checked.
func (r *replacements) checkDeleted(s version, k *match) *Violation {
	q, b, other := k.nodes, k.nodes[base], s.Other()
	if isInOther := q[other] != nil || r.ids[other][r.by.ID(b)]; !isInOther {
		// the result has the new entry, which the other side does not have, and no conflict asks about it
		n := r.findReplacement(s, b)
		isKept := n != nil && r.ids[result][r.by.ID(n)] && !r.ids[other][r.by.ID(n)] && !r.isInConflict(s, n)
		if isKept && r.findReplacement(other, b) == nil {
			q[s] = n
			return q.newViolation(RuleDeletedItemKept, "deleted by %s, replaced by %s", other, s)
		}
		return nil
	}
	if q[result] != nil || r.isInConflict(base, b) {
		return nil
	}
	// the result lacks k, although the other side has it, and no conflict asks about k
	if r.isCommentedOutInConflict(s, b) {
		return q.newViolation(RuleLost, "commented out by %s, with only the comment in a conflict", s)
	}
	n := r.replacementsAt(s)[r.lastSharedAbove(b)] // of k, or of another entry at its place
	if n != nil && !r.ids[result][r.by.ID(n)] && r.isInConflict(s, n) {
		q[s] = n
		return q.newViolation(RuleLost, "replaced by %s, with only the new entry in a conflict", s)
	}
	return nil
}

// replacementsAt returns the entries that s wrote in place of entries that it deleted, by the place of the deleted
// entry: the last entry above it that all inputs have, or nil if there is none above it. If there are several at one
// place, it returns the last one.
func (r *replacements) replacementsAt(s version) map[*match]*Node {
	if r.byPlace[s] == nil {
		r.byPlace[s] = map[*match]*Node{}
		for _, k := range r.deleted[s] {
			if n := r.findReplacement(s, k.nodes[base]); n != nil {
				r.byPlace[s][r.lastSharedAbove(k.nodes[base])] = n
			}
		}
	}
	return r.byPlace[s]
}

// findReplacement returns the entry that s added in place of b, an entry of the base, or nil. The two share a value
// that no other entry has. A field must also follow the same shared entry as b; items and documents may be elsewhere.
func (r *replacements) findReplacement(s version, b *Node) *Node {
	for _, value := range valuesIn(b) {
		n := r.owners[s][value]
		isNew := n != nil && r.by.ID(n) != 0 && !r.ids[base][r.by.ID(n)]
		if isNew && r.owners[base][value] == b && (b.KeyHash == 0 || r.lastSharedAbove(b) == r.lastSharedAbove(n)) {
			return n
		}
	}
	return nil
}

// lastSharedAbove returns the last entry of the collection that all inputs have and that is above n in the version of
// n, or nil if there is none. It shows at which place n is.
func (r *replacements) lastSharedAbove(n *Node) *match {
	v := n.Version
	i, _ := slices.BinarySearchFunc(r.shared[v], n.EntrySpan().Start, func(x *match, at int) int { return x.nodes[v].EntrySpan().Start - at })
	if i == 0 {
		return nil
	}
	return r.shared[v][i-1]
}

// isCommentedOutInConflict reports whether s has all lines of b, an entry of the base, as comments in conflicts.
func (r *replacements) isCommentedOutInConflict(s version, b *Node) bool {
	if r.comments[s] == nil {
		r.comments[s] = map[string]bool{}
		for _, x := range r.streams[s].Comments() {
			if maskAt(r.masks[s], x.Span).state != outside {
				r.comments[s][string(bytes.TrimSpace(bytes.TrimLeft(r.files[s].Slice(x.Span), "#")))] = true
			}
		}
	}
	for line := range bytes.Lines(r.files[base].Slice(b.EntrySpan())) {
		if !r.comments[s][string(bytes.TrimSpace(line))] {
			return false
		}
	}
	return true
}

// ownersOfValues returns the child of n that has each value: a scalar, or a line of a text, in the child (valuesIn). It
// is used to find where a value went when its entry was replaced. A value of several children is mapped to nil. n may
// be nil.
func ownersOfValues(n *Node) map[uint64]*Node {
	owners := map[uint64]*Node{}
	children := n.GetChildren()
	for i := range children {
		k := &children[i]
		for _, value := range valuesIn(k) {
			if owner, exists := owners[value]; exists && owner != k {
				owners[value] = nil
				continue
			}
			owners[value] = k
		}
	}
	return owners
}

// valuesIn returns hashes of the scalars in n and of the lines of texts, without their mapping keys. Nulls and empty
// texts are left out.
func valuesIn(n *Node) (hashes []uint64) {
	n.Walk(func(x *Node) {
		if x.Kind != syntax.Scalar || x.IsNull() {
			return
		}
		for line, rest := "", x.Value; rest != ""; {
			line, rest, _ = strings.Cut(rest, "\n") // strings.Lines allocates memory for each text
			if line = strings.TrimSpace(line); line != "" {
				hashes = append(hashes, Hash(line))
			}
		}
	})
	return hashes
}
