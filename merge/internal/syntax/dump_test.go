package syntax

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// dump shows who owns what: a line per document, entry and tail with its
// parts that are not empty.
func dump(s *Stream) string {
	d := dumper{src: s.File.Bytes()}
	for i, doc := range s.Docs {
		d.line(fmt.Sprintf("doc %d", i), part{"head", doc.Head}, part{"foot", doc.Foot})
		d.node("", doc.Root)
	}
	return strings.TrimSuffix(d.out.String(), "\n")
}

type dumper struct {
	src []byte
	out strings.Builder
}

type part struct {
	name string
	span text.Span
}

func (d *dumper) line(path string, parts ...part) {
	d.out.WriteString(path)
	for _, p := range parts {
		if !p.span.Empty() {
			fmt.Fprintf(&d.out, " %s%q", p.name, d.src[p.span.Start:p.span.End])
		}
	}
	d.out.WriteByte('\n')
}

func (d *dumper) node(path string, n *Node) {
	if n.Kind != Mapping && n.Kind != Sequence {
		if path == "" && !n.Span.Empty() {
			d.line("root", part{"", n.Span})
		}
		return
	}
	for i, e := range n.Entries {
		d.entry(fmt.Sprintf("%s/%s", path, name(e, i)), e)
	}
	if !n.Tail.Empty() {
		d.line(path+"/", part{"tail", n.Tail})
	}
}

func name(e *Entry, i int) string {
	if e.Key == nil {
		return fmt.Sprint(i)
	}
	return strings.TrimSpace(e.KeyText())
}

func (d *dumper) entry(path string, e *Entry) {
	flags := ""
	if e.Inline {
		flags += " inline"
	}
	if e.Odd {
		flags += " odd"
	}
	d.line(path+flags, part{"lead", e.Lead}, part{"", text.Span{Start: e.Start, End: e.HeadEnd}},
		part{"comment", e.Comment}, part{"foot", e.Foot})
	d.node(path, e.Value)
}
