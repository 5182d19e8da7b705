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

// A lawyer goes over a tree and notes what breaks the contract of the types.
// It collects the tiles on its way; together they must be the file.
type lawyer struct {
	t   *testing.T
	src []byte
	out []byte
}

// obey fails t unless s obeys the laws.
func obey(t *testing.T, s *Stream) {
	t.Helper()
	l := &lawyer{t: t, src: s.File.Bytes()}
	for _, d := range s.Docs {
		l.must(d.Span.Start == len(l.out), "a document starts where the last one ended")
		l.tile(d.Head)
		l.node(d.Root)
		l.tile(d.Foot)
		l.must(d.Span.End == len(l.out), "a document ends with its foot")
	}
	l.must(bytes.Equal(l.out, l.src), "the tiles together are the file")
	l.comments(s)
	c := s.Copy()
	l.must(reflect.DeepEqual(s, c), "a copy is equal")
	for i, d := range s.Docs {
		l.must(d != c.Docs[i], "a copy has documents of its own")
		l.apart(d.Root, c.Docs[i].Root)
	}
}

// apart goes over a node and its copy, which share none.
func (l *lawyer) apart(n, c *Node) {
	l.must(n != c && (n.More == nothingMore || n.More != c.More), "a copy has nodes of its own")
	for i, e := range n.Entries {
		o := c.Entries[i]
		l.must(e != o, "a copy has entries of its own")
		if e.Key != nil {
			l.apart(e.Key, o.Key)
		}
		l.apart(e.Value, o.Value)
	}
}

func (l *lawyer) must(ok bool, law string) {
	l.t.Helper()
	if !ok {
		l.t.Errorf("%s: broken near %d in %q", law, len(l.out), l.src)
	}
}

func (l *lawyer) tile(s text.Span) { l.out = append(l.out, l.src[s.Start:s.End]...) }

// to takes everything up to off as a tile, which holds no more than a gap
// may: white space, comments, and the given indicators.
func (l *lawyer) to(off int, indicators string) {
	s := text.Span{Start: len(l.out), End: max(off, len(l.out))}
	l.must(off >= s.Start, "tiles do not overlap")
	l.must(isTrivia(string(l.src[s.Start:s.End]), indicators), "gaps hold trivia and indicators")
	l.tile(s)
}

func isTrivia(gap, indicators string) bool {
	gap = strings.NewReplacer("\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(gap)
	found := ""
	for line := range strings.SplitSeq(gap, "\n") {
		code, _, _ := strings.Cut(line, "#")
		found += strings.Trim(code, " \t")
	}
	return found == "" || found == indicators
}

func (l *lawyer) node(n *Node) {
	if n.Style != Block {
		l.to(n.Span.Start, "")
		l.tile(text.Span{Start: n.Span.Start, End: n.Content.Start})
	}
	l.must(n.Span.Start <= n.Content.Start && n.Content.End == n.Span.End, "content stands in the span")
	l.must(n.Span.Empty() == (n.Content.Empty() && n.Anchor == "" && n.TagText == ""), "only what is not written is empty")
	l.must(n.Content.Start == len(l.out), "content starts where it should")
	switch {
	case n.Style == Block:
		l.block(n)
	case n.Style == Flow:
		l.flow(n)
	default:
		l.scalar(n)
	}
}

func (l *lawyer) scalar(n *Node) {
	if n.Style == Literal || n.Style == Folded {
		l.must(n.Lines.End == n.Content.End, "lines end with the scalar")
		l.wholeLines(n.Lines)
	} else {
		l.must(n.Lines.Empty() && n.Indent == -1, "only block scalars have lines")
	}
	l.tile(n.Content)
}

func (l *lawyer) block(n *Node) {
	for i, e := range n.Entries {
		l.must(e.Span.Start == len(l.out), "entries follow each other")
		l.must(!e.Inline || i == 0 && e.Lead.Empty(), "an inline entry is the first")
		l.wholeTrivia(e.Lead)
		if !e.Inline {
			l.must(e.Start-e.Lead.End == n.Indent, "entries stand in their column")
		}
		l.to(e.Start, "")
		l.introducer(e)
		if e.Value.Style == Block {
			l.head(e)
		}
		l.node(e.Value)
		if e.Value.Style != Block {
			l.to(e.HeadEnd, "")
		}
		l.wholeTrivia(e.Foot)
		l.must(e.Span.End == len(l.out), "an entry ends with its foot")
	}
	l.wholeTrivia(n.Tail)
	l.must(n.Span.End == len(l.out), "a collection ends with its tail")
}

// head takes the head of an entry with a block collection.
func (l *lawyer) head(e *Entry) {
	if e.Value.Anchor == "" && e.Value.TagText == "" {
		l.to(e.HeadEnd, "")
		return
	}
	l.to(e.Value.Span.Start, "")
	l.tile(text.Span{Start: e.Value.Span.Start, End: e.HeadEnd})
}

// introducer takes what introduces the value of e.
func (l *lawyer) introducer(e *Entry) {
	if e.Key == nil {
		l.must(e.Colon <= e.Start+1, "an item starts with - or nothing")
		l.to(e.Colon, "-")
		return
	}
	l.to(e.Key.Span.Start, "?")
	l.node(e.Key)
	l.to(e.Colon, ":")
}

func (l *lawyer) flow(n *Node) {
	if !n.Implicit {
		l.to(n.Content.Start+1, map[Kind]string{Mapping: "{", Sequence: "["}[n.Kind])
	}
	for i, e := range n.Entries {
		l.must(e.Span.Start == len(l.out), "entries follow each other")
		l.must(e.Comma || i == len(n.Entries)-1, "all but the last have a comma")
		l.to(e.Lead.End, "")
		l.must(e.Lead.Start == e.Span.Start && e.Start == e.Lead.End, "an entry starts with its lead")
		l.introducer(e)
		l.node(e.Value)
		l.must(e.HeadEnd == len(l.out) && e.Foot.Start == len(l.out), "a head ends with the value")
		l.to(e.Span.End, ",")
		l.must(e.Foot.End == len(l.out), "an entry ends with its foot")
	}
	l.to(n.Tail.End, "")
	if !n.Implicit {
		l.to(n.Content.End, map[Kind]string{Mapping: "}", Sequence: "]"}[n.Kind])
	}
}

// wholeTrivia takes whole lines of blanks and comments.
func (l *lawyer) wholeTrivia(s text.Span) {
	l.must(s.Start == len(l.out), "trivia follows")
	l.wholeLines(s)
	l.to(s.End, "")
}

func (l *lawyer) wholeLines(s text.Span) {
	l.must(s.Empty() || l.lineStart(s.Start) && (s.End == len(l.src) || l.lineStart(s.End)), "lines are whole")
}

func (l *lawyer) lineStart(off int) bool {
	for n := 1; n <= 3 && n <= off; n++ {
		if breakLen(l.src, off-n) == n {
			return true
		}
	}
	return off == 0 || off == 3 && string(l.src[:3]) == "\ufeff"
}

// comments demands that a file has the same tree whatever its comments say.
func (l *lawyer) comments(s *Stream) {
	found := s.Comments()
	var out []byte
	last := 0
	for _, c := range found {
		l.must(c.Span.Start >= last && l.src[c.Span.Start] == '#', "comments are in order")
		l.must(s.Docs[c.Doc].Span.Contains(c.Span), "a comment stands in its document")
		out = append(out, l.src[last:c.Span.Start+1]...)
		last = c.Span.End
	}
	out = append(out, l.src[last:]...)
	short, err := Parse(text.New(out))
	if err != nil {
		l.t.Errorf("without its comments: %v in %q", err, out)
		return
	}
	l.must(len(short.Comments()) == len(found), "every comment is found")
	l.must(data(short) == data(s), "comments mean nothing")
}

// data shows what s means.
func data(s *Stream) string {
	var b strings.Builder
	for _, d := range s.Docs {
		meaning(&b, d.Root)
	}
	return b.String()
}

func meaning(b *strings.Builder, n *Node) {
	b.WriteString(strings.Join([]string{n.Tag, n.Anchor, n.TagText, n.Value}, "\x00"))
	b.WriteByte(byte(n.Kind))
	for _, e := range n.Entries {
		if e.Key != nil {
			meaning(b, e.Key)
		}
		meaning(b, e.Value)
	}
}

func TestLaws(t *testing.T) {
	for _, in := range seeds() {
		if s, err := Parse(text.New([]byte(in))); err == nil {
			obey(t, s)
		}
	}
}

// TestFeatures holds the laws for the features of testdata that have a tree.
func TestFeatures(t *testing.T) {
	all, err := features.Read("../../../testdata/features")
	if err != nil {
		t.Fatal(err)
	}
	placed := 0
	for _, f := range all {
		if s, err := Parse(text.New(f.Data)); err == nil {
			obey(t, s)
			placed++
		}
	}
	t.Logf("%d of %d have a tree", placed, len(all))
}

// seeds are the files of all tables, also with other line ends and moved to
// the right.
func seeds() []string {
	var all []string
	add := func(in string) {
		all = append(all, in, strings.ReplaceAll(in, "\n", "\r\n"), strings.ReplaceAll(in, "\n", "\r"))
		all = append(all, "  "+strings.ReplaceAll(in, "\n", "\n  "), "- "+strings.ReplaceAll(in, "\n", "\n  "))
		all = append(all, strings.TrimRight(in, "\n"), "\ufeff"+in, in+"---\n"+in)
	}
	for _, c := range cases {
		add(c.in)
	}
	for _, c := range failures {
		add(c.in)
	}
	return all
}

func FuzzParse(f *testing.F) {
	for _, in := range seeds() {
		f.Add([]byte(in))
	}
	f.Add([]byte("%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\na: 1\n--- !u!4 &-2 stripped\nb: {fileID: 1}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := Parse(text.New(in))
		if err == nil {
			obey(t, s)
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Msg == "" {
			t.Errorf("Parse(%q): untyped error %v", in, err)
		}
		if e.Unplaced && !strange(in) {
			t.Errorf("Parse(%q): %v", in, err)
		}
	})
}

// strange reports whether in may be YAML and yet have no tree: behind a ? in
// a flow collection the YAML parser skips brackets, and at some places a
// second byte order mark.
func strange(in []byte) bool {
	return bytes.ContainsAny(in, "[{") && bytes.ContainsAny(in, "?") || bytes.LastIndex(in, []byte("\ufeff")) > 0
}
