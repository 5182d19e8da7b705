package three

import "bytes"

// A Piece is a run of bytes of a merged file, and where they come from: they are copied from Version, from the offset
// Offset on, or the merge wrote them itself (Written is not Copied). The pieces of a text follow each other without
// gaps.
//
//	original   dest   updated   merged     pieces of the merged line
//	a: 1       b: 1   a: 2      b: 2       "b:" from dest, " " from dest, "2\n" from updated
type Piece struct {
	Len     int
	Version Version // if the bytes are copied
	Offset  int     // in the file of Version, if the bytes are copied
	Written Written
}

// Written is the reason why the merge itself wrote bytes of a merged file, or Copied if it copied them from a version.
type Written uint8

// The kinds of bytes.
const (
	Copied          Written = iota
	Indent                  // blanks at the start of a line that moved to another column
	Separator               // "---" between documents
	LineBreak               // after text that has none in its version
	EmptyCollection         // {} or [] for a collection that lost all of its entries
	Punctuation             // a dash, colon, comma or blank around an entry that has another style or neighbor than in its version
	Properties              // an anchor and tag from another version than the value
	Decided                 // the text of a decision, by a rule or a user
)

// Allows reports whether the merge may have written the bytes b for the reason w: whether b only has characters that w
// allows, such as blanks for Indent. Properties and Decided allow any text, and Copied only an empty b.
func (w Written) Allows(b []byte) bool {
	allowed := [...]string{Indent: " \t", Separator: "-\r\n", LineBreak: "\r\n", EmptyCollection: "{}[]", Punctuation: "-:, "}
	return w > Punctuation || len(bytes.Trim(b, allowed[w])) == 0
}

// AppendPieces returns pieces with the pieces more at the end. A piece that continues the piece before it makes that
// piece longer instead. It does so if the merge wrote both for the same reason, or if both are copied from one version
// and are next to each other there. A piece without bytes is left out. The elements of pieces may change.
func AppendPieces(pieces []Piece, more ...Piece) []Piece {
	for _, p := range more {
		n := len(pieces) - 1
		switch {
		case p.Len == 0:
		case n >= 0 && pieces[n].Written == p.Written &&
			(p.Written != Copied || pieces[n].Version == p.Version && pieces[n].Offset+pieces[n].Len == p.Offset):
			pieces[n].Len += p.Len
		default:
			pieces = append(pieces, p)
		}
	}
	return pieces
}
