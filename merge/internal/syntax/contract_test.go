package syntax

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/features"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A contractChecker walks over a tree and reports each violation of the documentation of the types as a test error. It
// appends the bytes of each part to out, which must equal src at the end. The length of out is the offset that has
// been reached.
type contractChecker struct {
	t   *testing.T
	src []byte
	out []byte
}

// requireContract fails t if the spans or comments of s, or a copy of s, violate the documentation of the types.
func requireContract(t *testing.T, s *Stream) {
	t.Helper()
	checker := &contractChecker{t: t, src: s.File.Bytes()}
	for _, d := range s.Docs {
		checker.require(d.Span.Start == len(checker.out), "a document starts where the last one ended")
		checker.addTile(d.Head)
		checker.checkNode(d.Root)
		checker.addTile(d.Foot)
		checker.require(d.Span.End == len(checker.out), "a document ends with its foot")
	}
	checker.require(bytes.Equal(checker.out, checker.src), "the parts together are the file")
	checker.checkComments(s)
	copied := s.Copy()
	checker.require(reflect.DeepEqual(s, copied), "a copy is equal")
	for i, d := range s.Docs {
		checker.require(d != copied.Docs[i], "a copy has documents of its own")
		checker.requireDistinct(d.Root, copied.Docs[i].Root)
	}
}

// requireDistinct requires that n and copied, a copy of n, share no node and no entry.
func (l *contractChecker) requireDistinct(n, copied *Node) {
	l.require(n != copied && (n.Extra == sharedExtra || n.Extra != copied.Extra), "a copy has nodes of its own")
	for i, e := range n.Entries {
		copiedEntry := copied.Entries[i]
		l.require(e != copiedEntry, "a copy has entries of its own")
		if e.Key != nil {
			l.requireDistinct(e.Key, copiedEntry.Key)
		}
		l.requireDistinct(e.Value, copiedEntry.Value)
	}
}

// require reports a test error with the given rule if ok is false.
func (l *contractChecker) require(ok bool, rule string) {
	l.t.Helper()
	if !ok {
		l.t.Errorf("%s: broken near %d in %q", rule, len(l.out), l.src)
	}
}

// addTile appends the bytes of s.
func (l *contractChecker) addTile(s text.Span) { l.out = append(l.out, l.src[s.Start:s.End]...) }

// addGap appends everything up to off. It requires that this text contains only white space, comments and the given
// indicators.
func (l *contractChecker) addGap(off int, indicators string) {
	s := text.Span{Start: len(l.out), End: max(off, len(l.out))}
	l.require(off >= s.Start, "parts do not overlap")
	l.require(isGapText(string(l.src[s.Start:s.End]), indicators), "gaps hold trivia and indicators")
	l.addTile(s)
}

// isGapText reports whether gap consists of white space, comments and either all or none of the indicators.
func isGapText(gap, indicators string) bool {
	gap = strings.NewReplacer("\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(gap)
	found := ""
	for line := range strings.SplitSeq(gap, "\n") {
		code, _, _ := strings.Cut(line, "#")
		found += strings.Trim(code, " \t")
	}
	return found == "" || found == indicators
}

// checkNode checks n and the nodes below it, and appends them.
func (l *contractChecker) checkNode(n *Node) {
	if n.Style != Block {
		l.addGap(n.Span.Start, "")
		l.addTile(text.Span{Start: n.Span.Start, End: n.Content.Start})
	}
	l.require(n.Span.Start <= n.Content.Start && n.Content.End == n.Span.End, "the content is within the span")
	l.require(n.Span.Empty() == (n.Content.Empty() && n.Anchor == "" && n.TagText == ""), "only a node without text has an empty span")
	l.require(n.Content.Start == len(l.out), "content starts after the properties")
	switch {
	case n.Style == Block:
		l.checkBlock(n)
	case n.Style == Flow:
		l.checkFlow(n)
	default:
		l.checkScalar(n)
	}
}

// checkScalar checks and appends the Content of the scalar or alias n.
func (l *contractChecker) checkScalar(n *Node) {
	if n.Style == Literal || n.Style == Folded {
		l.require(n.Lines.End == n.Content.End, "lines end with the scalar")
		l.requireWholeLines(n.Lines)
	} else {
		l.require(n.Lines.Empty() && n.Indent == -1, "only block scalars have lines")
	}
	l.addTile(n.Content)
}

// checkBlock checks and appends the entries and the Tail of the block collection n.
func (l *contractChecker) checkBlock(n *Node) {
	for i, e := range n.Entries {
		l.require(e.Span.Start == len(l.out), "entries follow each other")
		l.require(!e.Inline || i == 0 && e.Lead.Empty(), "an inline entry is the first")
		l.addWholeLineTrivia(e.Lead)
		if !e.Inline {
			l.require(e.Start-e.Lead.End == n.Indent, "entries start in the column of their collection")
		}
		l.addGap(e.Start, "")
		l.checkIntroducer(e)
		if e.Value.Style == Block {
			l.checkBlockHead(e)
		}
		l.checkNode(e.Value)
		if e.Value.Style != Block {
			l.addGap(e.HeadEnd, "")
		}
		l.addWholeLineTrivia(e.Foot)
		l.require(e.Span.End == len(l.out), "an entry ends with its foot")
	}
	l.addWholeLineTrivia(n.Tail)
	l.require(n.Span.End == len(l.out), "a collection ends with its tail")
}

// checkBlockHead appends the head of an entry with a block collection as its value, from Colon to HeadEnd.
func (l *contractChecker) checkBlockHead(e *Entry) {
	if e.Value.Anchor == "" && e.Value.TagText == "" {
		l.addGap(e.HeadEnd, "")
		return
	}
	l.addGap(e.Value.Span.Start, "")
	l.addTile(text.Span{Start: e.Value.Span.Start, End: e.HeadEnd})
}

// checkIntroducer checks and appends the part of e that introduces the value: the key with its colon, or the dash.
func (l *contractChecker) checkIntroducer(e *Entry) {
	if e.Key == nil {
		l.require(e.Colon <= e.Start+1, "an item starts with - or nothing")
		l.addGap(e.Colon, "-")
		return
	}
	l.addGap(e.Key.Span.Start, "?")
	l.checkNode(e.Key)
	l.addGap(e.Colon, ":")
}

// checkFlow checks and appends the brackets, the entries and the Tail of the flow collection n.
func (l *contractChecker) checkFlow(n *Node) {
	if !n.Implicit {
		l.addGap(n.Content.Start+1, map[Kind]string{Mapping: "{", Sequence: "["}[n.Kind])
	}
	for i, e := range n.Entries {
		l.require(e.Span.Start == len(l.out), "entries follow each other")
		l.require(e.Comma || i == len(n.Entries)-1, "all but the last have a comma")
		l.addGap(e.Lead.End, "")
		l.require(e.Lead.Start == e.Span.Start && e.Start == e.Lead.End, "an entry starts with its lead")
		l.checkIntroducer(e)
		l.checkNode(e.Value)
		l.require(e.HeadEnd == len(l.out) && e.Foot.Start == len(l.out), "a head ends with the value")
		l.addGap(e.Span.End, ",")
		l.require(e.Foot.End == len(l.out), "an entry ends with its foot")
	}
	l.addGap(n.Tail.End, "")
	if !n.Implicit {
		l.addGap(n.Content.End, map[Kind]string{Mapping: "}", Sequence: "]"}[n.Kind])
	}
}

// addWholeLineTrivia requires that s consists of whole lines of blanks and comments, and appends it.
func (l *contractChecker) addWholeLineTrivia(s text.Span) {
	l.require(s.Start == len(l.out), "trivia follows")
	l.requireWholeLines(s)
	l.addGap(s.End, "")
}

// requireWholeLines requires that s consists of whole lines.
func (l *contractChecker) requireWholeLines(s text.Span) {
	l.require(s.Empty() || l.isLineStart(s.Start) && (s.End == len(l.src) || l.isLineStart(s.End)), "lines are whole")
}

// isLineStart reports whether a line starts at off.
func (l *contractChecker) isLineStart(off int) bool {
	for n := 1; n <= 3 && n <= off; n++ {
		if breakLen(l.src, off-n) == n {
			return true
		}
	}
	return off == 0 || off == 3 && string(l.src[:3]) == "\ufeff"
}

// checkComments checks the comments of s. It requires that the file has the same tree and as many comments after the
// text of each comment is deleted.
func (l *contractChecker) checkComments(s *Stream) {
	comments := s.Comments()
	var out []byte
	last := 0
	for _, c := range comments {
		l.require(c.Span.Start >= last && l.src[c.Span.Start] == '#', "comments are in order")
		l.require(s.Docs[c.Doc].Span.Contains(c.Span), "a comment is within its document")
		out = append(out, l.src[last:c.Span.Start+1]...)
		last = c.Span.End
	}
	out = append(out, l.src[last:]...)
	stripped, err := Parse(text.New(out))
	if err != nil {
		l.t.Errorf("without its comments: %v in %q", err, out)
		return
	}
	l.require(len(stripped.Comments()) == len(comments), "every comment is found")
	l.require(dataOf(stripped) == dataOf(s), "comments do not change the data")
}

// dataOf returns a string that represents the data of s: its nodes without their spans and styles.
func dataOf(s *Stream) string {
	var b strings.Builder
	for _, d := range s.Docs {
		writeData(&b, d.Root)
	}
	return b.String()
}

// writeData writes the data of n and of the nodes below it to b.
func writeData(b *strings.Builder, n *Node) {
	b.WriteString(strings.Join([]string{n.Tag, n.Anchor, n.TagText, n.Value}, "\x00"))
	b.WriteByte(byte(n.Kind))
	for _, e := range n.Entries {
		if e.Key != nil {
			writeData(b, e.Key)
		}
		writeData(b, e.Value)
	}
}

// TestLaws tests that the trees of all seed files meet the documentation of the types.
func TestLaws(t *testing.T) {
	for _, in := range seedFiles() {
		if s, err := Parse(text.New([]byte(in))); err == nil {
			requireContract(t, s)
		}
	}
}

// TestFeatures tests the same for all files below testdata/features that have a tree.
func TestFeatures(t *testing.T) {
	all, err := features.Read("../../../testdata/features")
	if err != nil {
		t.Fatal(err)
	}
	withTree := 0
	for _, f := range all {
		if s, err := Parse(text.New(f.Data)); err == nil {
			requireContract(t, s)
			withTree++
		}
	}
	t.Logf("%d of %d have a tree", withTree, len(all))
}

// seedFiles returns the files of all test tables, and variants of each of them: with other line breaks, indented, as
// the value of an item, without final newlines, with a byte order mark, and as two documents.
func seedFiles() []string {
	var all []string
	add := func(in string) {
		all = append(all, in, strings.ReplaceAll(in, "\n", "\r\n"), strings.ReplaceAll(in, "\n", "\r"))
		all = append(all, "  "+strings.ReplaceAll(in, "\n", "\n  "), "- "+strings.ReplaceAll(in, "\n", "\n  "))
		all = append(all, strings.TrimRight(in, "\n"), "\ufeff"+in, in+"---\n"+in)
	}
	for _, c := range treeCases {
		add(c.in)
	}
	for _, c := range failureCases {
		add(c.in)
	}
	return all
}

// FuzzParse tests that Parse returns a tree that meets the documentation of the types, or an *Error. The position of a
// node may only be uncertain if mayHaveNoTree allows it.
func FuzzParse(f *testing.F) {
	for _, in := range seedFiles() {
		f.Add([]byte(in))
	}
	f.Add([]byte("%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\na: 1\n--- !u!4 &-2 stripped\nb: {fileID: 1}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := Parse(text.New(in))
		if err == nil {
			requireContract(t, s)
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Msg == "" {
			t.Errorf("Parse(%q): untyped error %v", in, err)
		}
		if e.PositionsUncertain && !mayHaveNoTree(in) {
			t.Errorf("Parse(%q): %v", in, err)
		}
	})
}

// mayHaveNoTree reports whether in may be valid YAML and yet have no tree. The YAML parser skips brackets after a "?"
// in a flow collection, and in some places a second byte order mark.
func mayHaveNoTree(in []byte) bool {
	return bytes.ContainsAny(in, "[{") && bytes.ContainsAny(in, "?") || bytes.LastIndex(in, []byte("\ufeff")) > 0
}
