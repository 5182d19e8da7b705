package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// mergeLeaf returns the plan of a node that is not a mapping in both sides and not a list in both sides: a scalar, an
// alias, or values of different kinds. Both sides must have it. The first of these rules that applies decides:
//
//	both sides changed the anchor or the tag differently      conflict
//	one side only re-indented a block scalar, the other       the edited lines with the new indentation
//	  side edited it
//	neither side changed the value                            copied from the side that changed its format, or dest
//	one side changed the value, the other no comment in it    copied from the side that changed it
//	both sides changed the value identically                  copied from dest
//	both sides changed an image reference (name:tag)          merged by its parts, if possible
//	a scalar of several lines                                 merged by lines, if possible
//	otherwise                                                 conflict
//
// A block scalar that is merged by lines can contain conflicts. For a conflict of the whole node, the result is nil and
// ConflictValue; otherwise the kind is "". sc has the path and columns of the node.
func (w *Walker) mergeLeaf(v three.Nodes, sc scope) (*Value, ConflictKind) {
	props, ok := w.PickProperties(v)
	if !ok {
		return nil, ConflictValue
	}
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	dSame, uSame := w.haveSameContent(o, d), w.haveSameContent(o, u)
	if m := w.mergeReindented(v, props, dSame, uSame, sc); m != nil {
		return m, ""
	}
	switch {
	case dSame && uSame:
		return &Value{Nodes: v, FormatFrom: w.ScalarFormat(v, sc.columns), PropertiesFrom: props}, ""
	case dSame && !w.CommentsChanged(three.Original, o, three.Dest, d):
		return &Value{Nodes: v, FormatFrom: three.Updated, PropertiesFrom: props}, ""
	case uSame && !w.CommentsChanged(three.Original, o, three.Updated, u):
		return &Value{Nodes: v, FormatFrom: three.Dest, PropertiesFrom: props}, ""
	case w.haveSameContent(d, u):
		return &Value{Nodes: v, FormatFrom: three.Dest, PropertiesFrom: props}, ""
	}
	if !dSame && !uSame {
		if m := w.mergeImage(v, sc); m != nil {
			return m, ""
		}
	}
	if m := w.mergeTextLines(v, props, sc); m != nil {
		return m, ""
	}
	return nil, ConflictValue
}

// haveSameContent reports whether two nodes have equal values. Anchors and written tags are ignored. A nil node equals
// only nil.
func (w *Walker) haveSameContent(a, b *syntax.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return w.Hasher.HashContent(a) == w.Hasher.HashContent(b)
}

// mergeTextLines returns the plan of a scalar with several lines, merged line by line. A block scalar can have
// conflicts between its lines. props is the side from which anchor and tag are copied, and sc has the columns of the
// entry around the scalar. It returns nil in these cases:
//
//	a version is not a scalar
//	some versions are block scalars, and others are not
//	both sides changed the quotes, or the header of a block scalar ("|2-"), differently
//	neither side has more than one line
//	both sides changed the same lines of a scalar that is not a block scalar differently
//	there is no original, and the sides are not block scalars that share half of their lines
//
// Both sides must have the node.
func (w *Walker) mergeTextLines(v three.Nodes, props three.Version, sc scope) *Value {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if o == nil {
		return w.mergeAddedText(v, props)
	}
	if o.Kind != syntax.Scalar || d.Kind != syntax.Scalar || u.Kind != syntax.Scalar {
		return nil
	}
	header, ok := w.mergeHeader(v)
	if !ok {
		return nil
	}
	m := &Value{Nodes: v, FormatFrom: w.indentSide(v, header, sc), PropertiesFrom: props, HeaderFrom: header}
	keys, spans := w.splitText(v)
	if len(keys[three.Dest]) < 2 && len(keys[three.Updated]) < 2 {
		return nil
	}
	for _, c := range splitIntoChunks(keys, v[header].IsBlockScalar()) {
		l := mergeChunk(c, keys, spans, v)
		if l.Conflict != nil && !v[header].IsBlockScalar() {
			return nil // the text starts on the line of its key
		}
		m.Lines = append(m.Lines, l)
	}
	return m
}

// splitText returns the lines of the three versions of a scalar, and their spans. keys are the lines for comparison
// between versions: without line ends, and without the indentation of a block scalar or, in another scalar, without
// blanks at both ends. A missing version (nil) has no lines: its slices are nil.
func (w *Walker) splitText(v three.Nodes) (keys [3][]string, spans [3][]text.Span) {
	for s, n := range v {
		if n == nil {
			continue
		}
		spans[s] = text.LineSpans(w.Files[s], n.TextSpan())
		for _, sp := range spans[s] {
			keys[s] = append(keys[s], w.comparableLine(three.Version(s), n, sp))
		}
	}
	return keys, spans
}

// mergeAddedText returns the plan of a block scalar that both sides added. Lines that both sides share are merged, and
// lines that differ are in conflict. It returns nil if the sides are not block scalars with the same header, or if they
// share less than half of the lines of the longer one. props is the side from which anchor and tag are copied.
//
//	ours           theirs         result
//	run: |         run: |         run: |
//	  set -e         set -e         set -e
//	  make           make -j4       (conflict)
//	  make test      make test      make test
//
// Both sides must have the node, and the original must not.
func (w *Walker) mergeAddedText(v three.Nodes, props three.Version) *Value {
	d, u := v[three.Dest], v[three.Updated]
	if !d.IsBlockScalar() || !u.IsBlockScalar() || !bytes.Equal(w.Bytes(three.Dest, d.BlockHeader(w.Files[three.Dest])), w.Bytes(three.Updated, u.BlockHeader(w.Files[three.Updated]))) {
		return nil
	}
	keys, spans := w.splitText(v)
	m := &Value{Nodes: v, FormatFrom: three.Dest, PropertiesFrom: props, HeaderFrom: three.Dest}
	shared := 0
	for _, c := range diff3.ChunksOf([3][]string{keys[three.Dest], keys[three.Dest], keys[three.Updated]}) {
		if c.Original = (diff3.Range{}); c.Kind == diff3.UpdatedChanged {
			c.Kind = diff3.BothChanged
		} else {
			shared += c.Dest.Len()
		}
		m.Lines = append(m.Lines, mergeChunk(c, keys, spans, v))
	}
	if 2*shared < max(len(keys[three.Dest]), len(keys[three.Updated])) {
		return nil
	}
	return m
}

// splitIntoChunks compares the lines of three versions of a text and returns chunks: runs of lines that are unchanged,
// that one side changed, or that both sides changed. The result is nil if no version has lines. keys are the lines of
// each version. If block is true (a block scalar), a chunk that both sides changed is split by the first of these
// methods that applies:
//
//	the edits of the sides are adjacent, without a common line     one chunk for each side
//	all versions have equally many lines, none changed by both     one chunk for each line
//	one side's lines include the change of the other side          one chunk, changed by that side
//
// If none applies, or if block is false, it remains one chunk that both sides changed.
func splitIntoChunks(keys [3][]string, block bool) (out []diff3.Chunk) {
	for _, c := range diff3.ChunksOf(keys) {
		parts := []diff3.Chunk{c}
		if block && c.Kind == diff3.BothChanged {
			for _, split := range []func(diff3.Chunk, [3][]string) []diff3.Chunk{diff3.Chunk.SplitBySide, splitPerLine, supersetChange} {
				if finer := split(c, keys); finer != nil {
					parts = finer
					break
				}
			}
		}
		out = append(out, parts...)
	}
	return out
}

// splitPerLine splits the chunk c (a run of lines that both sides changed) into one chunk for each line, marked with
// the side that changed the line. A line that both sides changed identically is marked as changed by dest. It returns
// nil if the versions have different numbers of lines in c, if c has no lines, or if both sides changed a line
// differently. keys are the lines of each version, and the ranges in c are indexes into them.
//
//	base  ours  theirs  result
//	a     A     a       A
//	b     b     B       B
func splitPerLine(c diff3.Chunk, keys [3][]string) (out []diff3.Chunk) {
	n := c.Original.Len()
	if c.Dest.Len() != n || c.Updated.Len() != n {
		return nil
	}
	line := func(r diff3.Range, i int) diff3.Range { return diff3.Range{Start: r.Start + i, End: r.Start + i + 1} }
	for i := range n {
		k := diff3.Chunk{Original: line(c.Original, i), Dest: line(c.Dest, i), Updated: line(c.Updated, i)}
		lines := [3]string{keys[three.Original][k.Original.Start], keys[three.Dest][k.Dest.Start], keys[three.Updated][k.Updated.Start]}
		s, ok := three.Pick(lines)
		if !ok {
			return nil
		}
		if lines[s] != lines[three.Original] {
			k.Kind = diff3.Kind(s)
		}
		out = append(out, k)
	}
	return out
}

// supersetChange decides a conflict between the lines of a chunk (a run of lines that both sides changed) if one side
// includes the other side's change. It returns c alone, marked as changed by that side only.
//
//	base  ours  theirs  result
//	a     A     A       A
//	            B       B
//
// Dest is tried first. A side includes the change of the other side if all of these are true:
//
//	it has all lines of the other side in their order
//	its further lines are not lines of the original
//	the other side does not have fewer lines than the original, because this side may have changed the deleted ones
//
// It returns nil if neither side includes the other one's change. keys are the lines of each version, and the ranges in
// c are indexes into them.
func supersetChange(c diff3.Chunk, keys [3][]string) []diff3.Chunk {
	at := [3]diff3.Range{c.Original, c.Dest, c.Updated}
	original := make(map[string]bool, c.Original.Len())
	for _, line := range keys[three.Original][c.Original.Start:c.Original.End] {
		original[line] = true
	}
	for _, s := range three.Sides {
		rest := keys[s.Other()][at[s.Other()].Start:at[s.Other()].End]
		hasOriginalLine := len(rest) < c.Original.Len()
		for _, line := range keys[s][at[s].Start:at[s].End] {
			if len(rest) > 0 && rest[0] == line {
				rest = rest[1:]
				continue
			}
			hasOriginalLine = hasOriginalLine || original[line]
		}
		if len(rest) == 0 && !hasOriginalLine {
			c.Kind = diff3.Kind(s)
			return []diff3.Chunk{c}
		}
	}
	return nil
}

// mergeReindented returns the plan of a block scalar that one side only re-indented and the other side edited: the
// edited lines with the new indentation. It returns nil in all other cases. props is the side from which anchor and tag
// are copied. dSame and uSame are whether dest and updated have the same value as the original. sc has the columns of
// the entry around the scalar in each version.
func (w *Walker) mergeReindented(v three.Nodes, props three.Version, dSame, uSame bool, sc scope) *Value {
	if !v[three.Dest].IsBlockScalar() || !v[three.Updated].IsBlockScalar() || dSame == uSame {
		return nil
	}
	if dSame && w.IsReindented(v, three.Dest, sc.columns) || uSame && w.IsReindented(v, three.Updated, sc.columns) {
		return w.mergeTextLines(v, props, sc)
	}
	return nil
}

// indentSide returns the side from which the indentation of merged lines is copied. header is the side from which the
// first line of the scalar, with its style and indicators ("|2-"), is copied. All versions must exist. sc has the
// columns of the entry around the scalar.
//
//	not a block scalar                                               header
//	a block scalar; both sides have the same first line, apart       updated
//	  from comments, and dest did not re-indent the scalar
//	any other block scalar                                           header: its indicators can state the indentation
func (w *Walker) indentSide(v three.Nodes, header three.Version, sc scope) three.Version {
	if !v[header].IsBlockScalar() {
		return header
	}
	d, u := v[three.Dest].BlockHeader(w.Files[three.Dest]), v[three.Updated].BlockHeader(w.Files[three.Updated])
	if bytes.Equal(w.Bytes(three.Dest, d), w.Bytes(three.Updated, u)) && !w.IsReindented(v, three.Dest, sc.columns) {
		return three.Updated
	}
	return header
}

// mergeChunk returns the plan for a chunk, a run of lines of a scalar: its lines in the side that changed them, in dest
// if neither side or both sides did so identically, or a conflict if both sides changed them differently. The ranges in
// c are indexes into keys, the comparable lines of each version, and into spans, their spans. v has the versions of the
// scalar; the original may be nil.
func mergeChunk(c diff3.Chunk, keys [3][]string, spans [3][]text.Span, v three.Nodes) TextPart {
	var at [3]text.Span // an empty span for a missing original
	for s, r := range [3]diff3.Range{c.Original, c.Dest, c.Updated} {
		if v[s] != nil {
			at[s] = spanOfLines(spans[s], r, v[s].TextSpan())
		}
	}
	switch {
	case c.Kind == diff3.UpdatedChanged:
		return TextPart{Side: three.Updated, Span: at[three.Updated]}
	case c.Kind == diff3.BothChanged &&
		!slices.Equal(keys[three.Dest][c.Dest.Start:c.Dest.End], keys[three.Updated][c.Updated.Start:c.Updated.End]):
		return TextPart{Conflict: &at}
	}
	return TextPart{Side: three.Dest, Span: at[three.Dest]}
}

// spanOfLines returns the span of the lines with the indexes r of a text. spans are the spans of all lines, and all is
// the span of the text. If r is empty, the span is empty, too: at the start of the line with the index r.Start, or at
// the end of the text if there is no such line.
func spanOfLines(spans []text.Span, r diff3.Range, all text.Span) text.Span {
	switch {
	case !r.Empty():
		return text.Span{Start: spans[r.Start].Start, End: spans[r.End-1].End}
	case r.Start < len(spans):
		return text.Span{Start: spans[r.Start].Start, End: spans[r.Start].Start}
	}
	return text.Span{Start: all.End, End: all.End}
}

// comparableLine returns the line at sp of the scalar n for comparison. It has no line end. In a block scalar, the
// indentation of the whole scalar is cut off; in other scalars, all blanks at both ends.
func (w *Walker) comparableLine(s three.Version, n *syntax.Node, sp text.Span) string {
	l := bytes.TrimRight(w.Bytes(s, sp), "\r\n")
	if !n.IsBlockScalar() {
		return string(bytes.TrimSpace(l))
	}
	cut := 0
	for cut < len(l) && cut < n.Indent && l[cut] == ' ' {
		cut++
	}
	return string(l[cut:])
}

// mergeHeader returns the side from which the quotes of a scalar are copied or, for a block scalar, its header with the
// indicators for indentation and final line ends ("|2-"). It is the side that changed it, and dest if neither side or
// both did so identically. The second result is false if both sides changed it differently, or if some versions are
// block scalars and others are not; the side is then dest. All versions must exist.
func (w *Walker) mergeHeader(v three.Nodes) (three.Version, bool) {
	var headers [3]string
	for s, n := range v {
		if n.IsBlockScalar() != v[three.Original].IsBlockScalar() {
			return three.Dest, false
		}
		headers[s] = string(rune(n.Style))
		if n.IsBlockScalar() {
			headers[s] = string(w.Bytes(three.Version(s), n.BlockHeader(w.Files[s])))
		}
	}
	return three.Pick(headers)
}

// mergeImage returns the plan of a scalar with the reference of a container image that both sides changed. Registry and
// name are merged as one part, tag and digest together as another:
//
//	original    dest        updated         result
//	app:1       app:2       ghcr.io/app:1   ghcr.io/app:2
//
// It returns nil in these cases:
//
//	there is no original
//	a version is not an image reference
//	the path in sc is not known to be an image
//	both sides changed a part differently
//	the merged reference would need quotes, and the side from which the format is copied has none
//
// Both sides must have the node.
func (w *Walker) mergeImage(v three.Nodes, sc scope) *Value {
	if v[three.Original] == nil {
		return nil
	}
	var images [3]syntax.Image
	var name, version [3]string
	for s, n := range v {
		var ok bool
		if images[s], ok = n.Image(w.Files[s]); !ok {
			return nil
		}
		name[s], version[s] = string(w.Bytes(three.Version(s), images[s].Name)), string(w.Bytes(three.Version(s), images[s].Version))
	}
	nameSide, named := three.Pick(name)
	versionSide, versioned := three.Pick(version)
	if !named || !versioned || !w.Rules.IsImage(sc.path.Place()) {
		return nil
	}
	format := three.Dest
	if v[three.Dest].Style == v[three.Original].Style {
		format = three.Updated
	}
	if v[format].Style == syntax.Plain && !syntax.IsString(name[nameSide]+version[versionSide]) {
		return nil
	}
	m := &Value{Nodes: v, FormatFrom: format, PropertiesFrom: format, HeaderFrom: format, Joined: true}
	quotes := v[format].Content
	m.Lines = []TextPart{
		{Side: format, Span: text.Span{Start: quotes.Start, End: images[format].Name.Start}},
		{Side: nameSide, Span: images[nameSide].Name},
		{Side: versionSide, Span: images[versionSide].Version},
		{Side: format, Span: text.Span{Start: images[format].Version.End, End: quotes.End}},
	}
	return m
}

// mergeFlow completes the plan m of a merged collection that is written in flow style ({a: 1}). It sets m.Flow, and may
// set m.FormatFrom and m.Tail. It returns m and "" in these cases, the first of which applies:
//
//	m has no conflict, and the text of a side is the merged text    m is written as this text
//	all versions have lines of their own for each entry             so has m; entries can be in conflict one by one
//	m has no conflict, and its entries can be written as one text   m is written as one text
//
// Otherwise the whole collection is in conflict, and mergeFlow returns nil and ConflictValue. There is one exception:
// if all conflicts are of the kind ConflictAccess (each side widened a different field of a rule, such as verbs and
// resources), it returns ConflictAccess and a plan with the edits of both sides. This plan is a copy of m. sc has the
// path and columns of the collection.
func (w *Walker) mergeFlow(m *Value, sc scope) (*Value, ConflictKind) {
	hasConflict := m.HasConflict()
	if s, ok := w.flowTextSide(m.Nodes, sc); ok && !hasConflict {
		m.FormatFrom, m.Flow = s, Flow{Style: FlowCopied, FormatFrom: s}
		return m, ""
	}
	if w.isExpanded(m) {
		w.expand(m)
		m.Tail = w.mergeTrivia(w.TailSlot(m.Nodes))
		return m, ""
	}
	if hasConflict {
		if both := m.withBothEdits(); both != nil {
			if v, kind := w.mergeFlow(both, sc); kind == "" {
				return v, ConflictAccess
			}
		}
		return nil, ConflictValue
	}
	m.FormatFrom = w.FormatSideForComments(m, m.Nodes)
	if m.Flow = w.ChooseFlow(m, m.Nodes); !m.IsFlowText() {
		return nil, ConflictValue
	}
	return m, ""
}

// flowTextSide returns the side from which a merged flow collection is copied with all commas and blanks: the only side
// that changed the text of the collection, or dest if both have the same text. If all versions have the same text and
// differ only in an anchor or tag, it is the side that changed the bytes of these. The indentation of the lines is not
// compared. ok is false if both sides changed the text differently, if one of the sides is not a flow collection, or if
// there is no original and the texts differ. The side is then dest.
func (w *Walker) flowTextSide(v three.Nodes, sc scope) (three.Version, bool) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if d.Style != syntax.Flow || u.Style != syntax.Flow {
		return three.Dest, false
	}
	if o == nil {
		return three.Dest, bytes.Equal(w.Bytes(three.Dest, d.Content), w.Bytes(three.Updated, u.Content))
	}
	var texts [3][]byte
	for s, n := range v {
		texts[s] = text.MoveColumns(sc.columns[s], 0).ApplyExceptFirst(w.Bytes(three.Version(s), n.Content))
	}
	if s, ok := three.PickFunc(texts, bytes.Equal); ok {
		return w.propertiesSide(v, texts, s), true
	}
	return three.Dest, false
}

// propertiesSide returns the side from which a flow collection is copied, with its anchor and tag. contents is the text
// of each version without these, and s the side with the merged text. The result is s, except if all of these are true:
//
//	all versions have the same text
//	the sides did not both change the bytes of the anchor and the tag differently
//	the side that changed these bytes has the same anchor and tag as s
//
// It is then the side that changed the bytes of the anchor and the tag, or dest if neither side or both did so. All
// versions must exist.
func (w *Walker) propertiesSide(v three.Nodes, contents [3][]byte, s three.Version) three.Version {
	if !bytes.Equal(contents[three.Original], contents[three.Dest]) || !bytes.Equal(contents[three.Original], contents[three.Updated]) {
		return s
	}
	for side, n := range v {
		contents[side] = w.PropertiesText(three.Version(side), n)
	}
	if by, ok := three.PickFunc(contents, bytes.Equal); ok && v[s].SameProperties(v[by]) {
		return by
	}
	return s
}
