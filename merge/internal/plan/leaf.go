package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// mergeLeaf merges what is not the same kind of collection on both sides: scalars,
// aliases, and values of different kinds.
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

// haveSameContent reports whether two nodes hold the same data, anchor and
// written tag aside.
func (w *Walker) haveSameContent(a, b *syntax.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return w.Hasher.HashContent(a) == w.Hasher.HashContent(b)
}

// mergeTextLines merges a multi-line scalar line by line, or returns nil if the
// three versions are not multi-line scalars of one style.
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
			return nil // it starts on the line of its key
		}
		m.Lines = append(m.Lines, l)
	}
	return m
}

// splitText returns the lines of three versions of a scalar, of which any may be nil, as they are compared, and their spans.
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

// mergeAddedText merges a block scalar that both sides added: the lines that they share are text, and the lines in which they
// differ are in conflict. It returns nil if these are not block scalars with the same header, or if they share less than
// half of the lines of the longer one.
//
//	ours           theirs         result
//	run: |         run: |         run: |
//	  set -e         set -e         set -e
//	  make           make -j4       (conflict)
//	  make test      make test      make test
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

// splitIntoChunks compares the lines of a text. In a block scalar what both sides changed is cut
// further: edits that touch stand apart, as those of an ordered list; as many lines in all
// versions are one by place, where each was changed by one side, or alike; and of two edits of
// which one holds the other, that one stands.
func splitIntoChunks(keys [3][]string, block bool) (out []diff3.Chunk) {
	for _, c := range diff3.ChunksOf(keys) {
		apart := []diff3.Chunk{c}
		if block && c.Kind == diff3.BothChanged {
			for _, cut := range []func(diff3.Chunk, [3][]string) []diff3.Chunk{diff3.Chunk.SplitBySide, splitPerLine, supersetChange} {
				if finer := cut(c, keys); finer != nil {
					apart = finer
					break
				}
			}
		}
		out = append(out, apart...)
	}
	return out
}

// splitPerLine are the lines of c one by one; nil where the versions have different numbers of them,
// or both sides changed one differently:
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
		of := [3]string{keys[three.Original][k.Original.Start], keys[three.Dest][k.Dest.Start], keys[three.Updated][k.Updated.Start]}
		s, ok := three.Pick(of)
		if !ok {
			return nil
		}
		if of[s] != of[three.Original] {
			k.Kind = diff3.Kind(s)
		}
		out = append(out, k)
	}
	return out
}

// supersetChange is c as a change of the side that has all lines of the other one, in their order, and
// beside them none of the original's; nil where neither has, and where the other one has fewer
// lines than the original, so that it deleted what this one may have changed:
//
//	base  ours  theirs  result
//	a     A     A       A
//	            B       B
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

// mergeReindented merges a block scalar that one side only re-indented: the other
// side's lines land in the new indent. It returns nil for all else.
func (w *Walker) mergeReindented(v three.Nodes, props three.Version, dSame, uSame bool, sc scope) *Value {
	if !v[three.Dest].IsBlockScalar() || !v[three.Updated].IsBlockScalar() || dSame == uSame {
		return nil
	}
	if dSame && w.IsReindented(v, three.Dest, sc.columns) || uSame && w.IsReindented(v, three.Updated, sc.columns) {
		return w.mergeTextLines(v, props, sc)
	}
	return nil
}

// indentSide is the side whose indent merged lines take: that of the header where
// the headers differ, for an indicator says what the indent is.
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

func mergeChunk(c diff3.Chunk, keys [3][]string, spans [3][]text.Span, v three.Nodes) TextPart {
	var at [3]text.Span // of the original empty if it has no text
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

// spanOfLines is the range of the lines r, empty at its place where there
// are none.
func spanOfLines(spans []text.Span, r diff3.Range, all text.Span) text.Span {
	switch {
	case !r.Empty():
		return text.Span{Start: spans[r.Start].Start, End: spans[r.End-1].End}
	case r.Start < len(spans):
		return text.Span{Start: spans[r.Start].Start, End: spans[r.Start].Start}
	}
	return text.Span{Start: all.End, End: all.End}
}

// comparableLine is a line of a scalar as it compares: without the indentation that
// a block scalar has as a whole, or that means nothing in a flow scalar.
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

// mergeHeader merges style, chomping and indentation indicator, a slot of
// their own. It reports false where the scalars cannot merge by lines.
func (w *Walker) mergeHeader(v three.Nodes) (three.Version, bool) {
	var h [3]string
	for s, n := range v {
		if n.IsBlockScalar() != v[three.Original].IsBlockScalar() {
			return three.Dest, false
		}
		h[s] = string(rune(n.Style))
		if n.IsBlockScalar() {
			h[s] = string(w.Bytes(three.Version(s), n.BlockHeader(w.Files[s])))
		}
	}
	return three.Pick(h)
}

// mergeImage merges the reference of an image that both sides changed: registry and name
// apart from tag and digest, which belong together. The quotes are form. It returns nil
// where the field is not known to be an image, or both changed one part differently.
func (w *Walker) mergeImage(v three.Nodes, sc scope) *Value {
	if v[three.Original] == nil {
		return nil
	}
	var at [3]syntax.Image
	var name, version [3]string
	for s, n := range v {
		var ok bool
		if at[s], ok = n.Image(w.Files[s]); !ok {
			return nil
		}
		name[s], version[s] = string(w.Bytes(three.Version(s), at[s].Name)), string(w.Bytes(three.Version(s), at[s].Version))
	}
	a, named := three.Pick(name)
	b, versioned := three.Pick(version)
	if !named || !versioned || !w.Rules.IsImage(sc.path.Place()) {
		return nil
	}
	form := three.Dest
	if v[three.Dest].Style == v[three.Original].Style {
		form = three.Updated
	}
	if v[form].Style == syntax.Plain && !syntax.IsString(name[a]+version[b]) {
		return nil
	}
	m := &Value{Nodes: v, FormatFrom: form, PropertiesFrom: form, HeaderFrom: form, Joined: true}
	quotes := v[form].Content
	m.Lines = []TextPart{
		{Side: form, Span: text.Span{Start: quotes.Start, End: at[form].Name.Start}},
		{Side: a, Span: at[a].Name},
		{Side: b, Span: at[b].Version},
		{Side: form, Span: text.Span{Start: at[form].Version.End, End: quotes.End}},
	}
	return m
}

// mergeFlow merges what is written in flow style: as a whole, or not at all, unless each of its
// entries has lines of its own.
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
				return v, ConflictMultiplied
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

// flowTextSide returns the side whose text a merged flow collection is: the one that
// alone rewrote it, down to its commas and blanks. It reports false where text has to be merged.
func (w *Walker) flowTextSide(v three.Nodes, sc scope) (three.Version, bool) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if d.Style != syntax.Flow || u.Style != syntax.Flow {
		return three.Dest, false
	}
	if o == nil {
		return three.Dest, bytes.Equal(w.Bytes(three.Dest, d.Content), w.Bytes(three.Updated, u.Content))
	}
	var at [3][]byte
	for s, n := range v {
		at[s] = text.MoveColumns(sc.columns[s], 0).ApplyExceptFirst(w.Bytes(three.Version(s), n.Content))
	}
	if s, ok := three.PickFunc(at, bytes.Equal); ok {
		return w.propertiesSide(v, at, s), true
	}
	return three.Dest, false
}

// propertiesSide returns s, or where all wrote the same text of a collection, the side that alone
// wrote the properties in front of it in another way.
func (w *Walker) propertiesSide(v three.Nodes, at [3][]byte, s three.Version) three.Version {
	if !bytes.Equal(at[three.Original], at[three.Dest]) || !bytes.Equal(at[three.Original], at[three.Updated]) {
		return s
	}
	for side, n := range v {
		at[side] = w.PropertiesText(three.Version(side), n)
	}
	if by, ok := three.PickFunc(at, bytes.Equal); ok && v[s].SameProperties(v[by]) {
		return by
	}
	return s
}
