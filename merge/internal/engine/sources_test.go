package engine

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A composed line is a line of a page that is not a line of a version, even with another indentation. It has bytes that
// the merge wrote, or that come from several lines.
type composedKind string

const joined composedKind = "joined"

// kindsOfWritten are the kinds of lines in which the merge wrote something other than indentation and a line break.
var kindsOfWritten = map[three.Written]composedKind{
	three.Separator:       "separator",
	three.EmptyCollection: "empty collection",
	three.Punctuation:     "punctuation",
	three.Properties:      "properties",
	three.Decided:         "decided",
}

// checkSources checks that every byte of a page with version s in its conflicts has a source, and that copied bytes
// equal their source. It returns the kinds of the lines that are not a line of a version.
func checkSources(p *page.Page, files [3]*text.File, s three.Version) (kinds []composedKind, err error) {
	b := p.Resolve(s)
	type place struct{ version, line int }
	var from map[place][]byte // the bytes of the line that come from each line of a version
	var kind composedKind
	line := 0
	endLine := func(end int) {
		content := bytes.TrimSpace(b[line:end])
		if len(from) > 1 && kind == "" {
			kind = joined
		}
		for at, copied := range from {
			f := files[at.version]
			start := f.LineOffset(at.line)
			whole := bytes.TrimSpace(f.Slice(text.Span{Start: start, End: f.LineEnd(start)}))
			if kind == "" && (!bytes.Equal(copied, content) || !bytes.Equal(whole, content)) {
				kind = joined
			}
		}
		if kind != "" {
			kinds = append(kinds, kind)
		}
		from, kind, line = map[place][]byte{}, "", end
	}
	from = map[place][]byte{}
	at := 0
	for _, piece := range p.SourcesOf(s) {
		end := at + piece.Len
		if end > len(b) || piece.Len <= 0 {
			return nil, fmt.Errorf("piece %v at %d of %d bytes", piece, at, len(b))
		}
		if piece.Written == three.Copied {
			f := files[piece.Version]
			if piece.Offset < 0 || piece.Offset+piece.Len > len(f.Bytes()) || !bytes.Equal(f.Bytes()[piece.Offset:piece.Offset+piece.Len], b[at:end]) {
				return nil, fmt.Errorf("%q is not at %d of %s", b[at:end], piece.Offset, piece.Version)
			}
		}
		for part := range bytes.Lines(b[at:end]) {
			if k, ok := kindsOfWritten[piece.Written]; ok {
				if kind != "" && kind != joined && kind != k {
					kinds = append(kinds, kind)
				}
				kind = k
			} else if content := bytes.TrimSpace(part); len(content) > 0 && piece.Written == three.Copied {
				k := place{int(piece.Version), files[piece.Version].Line(piece.Offset + at - (end - piece.Len))}
				if from[k] != nil && kind == "" {
					kind = joined
				}
				from[k] = content
			} else if len(content) > 0 {
				return nil, fmt.Errorf("%q is written as %d", part, piece.Written)
			}
			if at += len(part); part[len(part)-1] == '\n' {
				endLine(at)
			}
		}
	}
	if line < len(b) {
		endLine(len(b))
	}
	if at != len(b) {
		return nil, fmt.Errorf("the sources end at %d of %d bytes", at, len(b))
	}
	return kinds, nil
}

// checkPageSources checks the pages of o and of the merge by field with every side chosen in their conflicts.
func (m *merger) checkPageSources(o outcome) (kinds []composedKind, err error) {
	for _, o := range []*outcome{&o, m.fieldMerge} {
		if o == nil || o.page == nil || o.renderer == nil {
			continue
		}
		for s := three.Original; s <= three.Updated; s++ {
			found, err := checkSources(o.page, o.renderer.Files, s)
			if err != nil {
				return nil, fmt.Errorf("sources of the page with %s: %w\n%s", s, err, o.page.Resolve(s))
			}
			kinds = append(kinds, found...)
		}
	}
	return kinds, nil
}

// TestComposedLines checks that every kind of a composed line has a case.
func TestComposedLines(t *testing.T) {
	missing := map[composedKind]bool{joined: true}
	for _, kind := range kindsOfWritten {
		missing[kind] = true
	}
	for _, file := range mergetest.Files(t, "merge/*.txtar") {
		c := readCase(t, file)
		for _, by := range []order{asMerge, fieldsOnly} {
			m := newMerger(c.Raw, c.opts)
			o, err := m.mergeBy(by)
			if err != nil {
				t.Fatal(err)
			}
			var pages []*page.Page
			if m.plan != nil {
				pages = append(pages, m.newRenderer().Page(m.plan.Documents)) // also if verification refuses it
			}
			if o.page != nil {
				decided, _ := m.applyDecisions(o.renderer, o.page)
				pages = append(pages, o.page, decided)
			}
			for _, p := range pages {
				kinds, err := checkSources(p, m.newRenderer().Files, three.Dest)
				if err != nil {
					t.Errorf("%s: %v", file, err)
				}
				for _, kind := range kinds {
					delete(missing, kind)
				}
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("without a case: %v", missing)
	}
}
