package merge

import (
	"bytes"
	"fmt"
)

const defaultMaxSize = 64 << 20

// unfit says why the inputs cannot be merged as YAML, before they are parsed.
func (in *inputs) unfit(limit int) string {
	if limit == 0 {
		limit = defaultMaxSize
	}
	for s, b := range in.raw {
		if len(b) > limit {
			return fmt.Sprintf("%s is larger than %d bytes", in.called(side(s)), limit)
		}
		if line := markerLine(b); line > 0 {
			if in.names[s] != "" {
				return fmt.Sprintf("%s:%d:1: a conflict marker: resolve the conflicts of this file first", in.names[s], line)
			}
			return fmt.Sprintf("%s has conflict markers at line %d", in.called(side(s)), line)
		}
	}
	return ""
}

// called is what messages call a version.
func (in *inputs) called(s side) string {
	if n := in.names[s]; n != "" {
		return n
	}
	return userNames[s]
}

// markerLine returns the line of the first opening marker of a file that has
// closing ones too, or 0.
func markerLine(b []byte) int {
	open := markerAt(b, "<<<<<<<")
	if open < 0 || markerAt(b, ">>>>>>>") < 0 {
		return 0
	}
	return 1 + bytes.Count(b[:open], []byte("\n"))
}

// markerAt returns where a line of b starts with a marker, or -1.
func markerAt(b []byte, marker string) int {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte(marker))
		if i < 0 {
			return -1
		}
		if at += i; at == 0 || b[at-1] == '\n' {
			return at
		}
		for at < len(b) && b[at] == marker[0] {
			at++
		}
	}
}

// doubled says which key stands twice in an input: most readers refuse such a
// file, so that no clean merge of it is right.
func (in *inputs) doubled() string {
	for _, s := range sides {
		if e := doubledKey(in.streams[s]); e != nil {
			at := in.streams[s].File.Position(e.Start)
			return fmt.Sprintf("%s:%d:%d: the key %q stands twice in its mapping", in.called(s), at.Line, at.Column, e.Key.Value)
		}
	}
	return ""
}
