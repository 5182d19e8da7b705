// Package referee verifies merge results. It shares no code with the walk,
// the renderer or diff3, and judges by data, not by how a result was made.
//
// The contract. A nil answer of Check means, for a clean result:
//
//  1. What one side left alone is in the result as the other side has it; what
//     both changed alike stands once; other things were descended into. Equal
//     means the same resolved tag and value, anchors and written tags
//     included, at any order of keys. Fields pair by key, items of map lists
//     and sets by their keys, resources by identity. A rename (see rename.go)
//     and a node that moved whole (see moved.go) carry the other side's edits.
//     What both changed differently, or one deleted and the other changed, has
//     no clean result, but for text of several lines, whose lines merge.
//  2. Each value of an ordered or atomic list, and each line of such a text,
//     stands as often as in the original plus what dest and updated added or
//     removed; not twice in a row where no input has that. An item of neither
//     side is the merge of one triple of items, none of which bears a name that
//     another one bears (see names.go), or of two that are surely one and that
//     dest and updated inserted (see inserted.go). Elements keep their order
//     where nobody changed it.
//  3. No key, keyed item, value of a set or resource stands more often than
//     in every input.
//  4. Every alias means the node that it meant where it came from.
//  5. Comments obey the three-way count per document. Entries that all
//     versions have are written as dest wrote them, or as updated did where
//     dest did not touch them; a comment on their line is theirs. Line ends,
//     byte order mark, final newline and a first --- merge likewise. A line that no input has is made of their tokens.
//
// With one side taken at every conflict, the same holds for what stands
// outside the conflicts; inside them stands what the taken side has. What all
// inputs have once in a collection, and comments that all have once in a
// document, stand once whichever side is taken (see kept.go).
//
// Not judged: blank lines, the --- of a file without data, where an own-line
// comment stands within its document, the order of what both sides reordered,
// and the places of the items of an ordered list that one side moved and the
// other replaced, if by more or by fewer.
//
// To read it, in this order:
//
//	referee.go    a claim, a refusal, and the state of a check
//	tree.go       what a file becomes: nodes with sums, which compare at once
//	documents.go  documents and resources
//	kept.go       what stands in conflict in some versions, but in all of them
//	triple.go     one thing in four versions: the rule that all else serves
//	fields.go     what has keys; rows.go pairs it, rename.go follows renames
//	ordered.go    what has none: lists, with inserted.go, and, in text.go, lines
//	moved.go      what moved as a whole
//	alias.go      what aliases mean
//	comments.go   comments
//	form.go       how entries and the file are written, and new lines
//	place.go      where a refusal is
//
// Two readers of the same tree stand beside it: findings.go tells people all
// that is wrong, and override*.go is the contract of the rules under which
// updated wins.
package referee
