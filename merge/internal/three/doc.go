// Package three has the words of a three-way merge, which all rooms speak: the
// sides, one thing in its three versions, where it stands, and Pick, the rule
// that is the merge of whatever has no parts: what one side left alone comes
// from the other.
//
// It takes three versions and gives a side. It knows the tree and nothing of
// pairing, plans or text.
package three
