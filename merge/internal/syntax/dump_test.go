package syntax

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// dump returns a text with one line for each document, entry and Tail of s. A line consists of the path of the
// element and the parts that are not empty, in quotes:
//
//	doc 0 head"---\n"
//	/a lead"# c\n" "a: 1\n"
func dump(s *Stream) string {
	d := dumper{src: s.File.Bytes()}
	for i, doc := range s.Docs {
		d.writeLine(fmt.Sprintf("doc %d", i), part{"head", doc.Head}, part{"foot", doc.Foot})
		d.writeNode("", doc.Root)
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

// writeLine writes path and the parts that are not empty.
func (d *dumper) writeLine(path string, parts ...part) {
	d.out.WriteString(path)
	for _, p := range parts {
		if !p.span.Empty() {
			fmt.Fprintf(&d.out, " %s%q", p.name, d.src[p.span.Start:p.span.End])
		}
	}
	d.out.WriteByte('\n')
}

// writeNode writes the entries and the Tail of n, or n itself if it is a scalar or an alias at the root.
func (d *dumper) writeNode(path string, n *Node) {
	if n.Kind != Mapping && n.Kind != Sequence {
		if path == "" && !n.Span.Empty() {
			d.writeLine("root", part{"", n.Span})
		}
		return
	}
	for i, e := range n.Entries {
		d.writeEntry(fmt.Sprintf("%s/%s", path, entryName(e, i)), e)
	}
	if !n.Tail.Empty() {
		d.writeLine(path+"/", part{"tail", n.Tail})
	}
}

// entryName returns the key of e, or i if e is an item.
func entryName(e *Entry, i int) string {
	if e.Key == nil {
		return fmt.Sprint(i)
	}
	return strings.TrimSpace(e.KeyText())
}

// writeEntry writes the parts and flags of e, and its value.
func (d *dumper) writeEntry(path string, e *Entry) {
	flags := ""
	if e.Inline {
		flags += " inline"
	}
	if e.Irregular {
		flags += " irregular"
	}
	d.writeLine(path+flags, part{"lead", e.Lead}, part{"", text.Span{Start: e.Start, End: e.HeadEnd}},
		part{"comment", e.Comment}, part{"foot", e.Foot})
	d.writeNode(path, e.Value)
}
