package syntax

import (
	"reflect"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestCheckSpans tests that checkSpans returns an error for a tree whose spans do not tile the file.
func TestCheckSpans(t *testing.T) {
	const in = "# head\n\n# lead\na: 1\n  # foot\nb:\n  - 'x' # c\n  # tail\nc: [y, &z z]\n# end\n"
	entry := func(s *Stream, i int) *Entry { return s.Docs[0].Root.Entries[i] }
	for name, spoil := range map[string]func(s *Stream){
		"head ends early":            func(s *Stream) { s.Docs[0].Head.End-- },
		"foot ends early":            func(s *Stream) { s.Docs[0].Foot.End-- },
		"document ends early":        func(s *Stream) { s.Docs[0].Span.End-- },
		"document is missing":        func(s *Stream) { s.Docs = nil },
		"document is listed twice":   func(s *Stream) { s.Docs = append(s.Docs, s.Docs[0]) },
		"entry is missing":           func(s *Stream) { s.Docs[0].Root.Entries = s.Docs[0].Root.Entries[1:] },
		"last entry is missing":      func(s *Stream) { s.Docs[0].Root.Entries = s.Docs[0].Root.Entries[:2] },
		"collection without entries": func(s *Stream) { entry(s, 1).Value.Entries = nil },
		"entry starts late":          func(s *Stream) { entry(s, 0).Span.Start++ },
		"lead starts late":           func(s *Stream) { entry(s, 0).Lead.Start++ },
		"lead reaches into the key":  func(s *Stream) { entry(s, 0).Lead.End += 2 },
		"start after the key":        func(s *Stream) { entry(s, 0).Start++ },
		"colon inside the key":       func(s *Stream) { entry(s, 0).Colon = entry(s, 0).Start },
		"colon after the value":      func(s *Stream) { entry(s, 0).Colon += 3 },
		"head ends inside the value": func(s *Stream) { entry(s, 0).HeadEnd -= 2 },
		"foot starts late":           func(s *Stream) { entry(s, 0).Foot.Start++ },
		"entry ends late":            func(s *Stream) { entry(s, 0).Span.End++ },
		"tail ends late":             func(s *Stream) { entry(s, 1).Value.Tail.End++ },
		"quotes outside the content": func(s *Stream) { entry(s, 1).Value.Entries[0].Value.Content.Start++ },
		"content and span differ":    func(s *Stream) { entry(s, 0).Value.Span.End++ },
		"content before the span":    func(s *Stream) { entry(s, 2).Value.Entries[1].Value.Span.Start += 4 },
		"flow head ends late":        func(s *Stream) { entry(s, 2).Value.Entries[0].HeadEnd++ },
		"comma in no span":           func(s *Stream) { entry(s, 2).Value.Entries[0].Span.End-- },
		"bracket in no span":         func(s *Stream) { entry(s, 2).Value.Content.End-- },
		"plain scalar without text":  func(s *Stream) { n := entry(s, 0).Value; n.Content.Start = n.Content.End },
		"block span after its value": func(s *Stream) { entry(s, 1).Value.Span.Start = entry(s, 1).HeadEnd + 1 },
	} {
		s := mustParse(t, in)
		if spoil(s); checkSpans(s) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSharedExtra tests that Parse does not modify the Extra that scalars share.
func TestSharedExtra(t *testing.T) {
	for _, in := range []string{"a: !t 1\nb: &x 2\nc: |\n  d\ne: *x\n", "- {a: [b, &c d, ! e]}\n- {{ f }}\n", "# a\n", "--- >\n x\n", "? a\n: - b\n  - !!str\n"} {
		if _, err := Parse(text.New([]byte(in))); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(sharedExtra, &Extra{Indent: -1}) {
			t.Fatalf("Parse(%q) modifies sharedExtra: %+v", in, sharedExtra)
		}
	}
}
