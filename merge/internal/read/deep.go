package read

import (
	"bytes"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// MaxDepth is far deeper than people nest, and bounds what every level costs:
// a path, and a look at all that is below it.
const MaxDepth = 1000

// checkDepth returns an error if a document of st is nested deeper than that.
func checkDepth(st *syntax.Stream) error {
	for _, d := range st.Docs {
		if deeper(d.Root, MaxDepth) {
			return fmt.Errorf("nested deeper than %d levels", MaxDepth)
		}
	}
	return nil
}

func deeper(n *syntax.Node, than int) bool {
	if than == 0 {
		return true
	}
	for _, e := range n.Entries {
		if len(e.Value.Entries) > 0 && deeper(e.Value, than-1) {
			return true
		}
	}
	return false
}

// mayBeDeep reports whether b looks as if it were nested deeper than that. It
// is a guess about bytes, in texts and comments too: it may decide what is
// parsed first, but nothing of a result.
func mayBeDeep(b []byte) bool { return manyOpen(b) || farIn(b) }

// manyOpen reports whether more brackets are open somewhere.
func manyOpen(b []byte) bool {
	if bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) <= MaxDepth {
		return false
	}
	open := 0
	for _, c := range b {
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(open-1, 0)
		}
		if open > MaxDepth {
			return true
		}
	}
	return false
}

// farIn reports whether there are as many blanks, dashes and question marks in
// a row as such blocks need: two of them can start in one column.
func farIn(b []byte) bool {
	const most, marks = MaxDepth / 2, " -?"
	for at := most; at < len(b); at += most {
		before := at - len(bytes.TrimRight(b[:at], marks))
		after := len(b) - at - len(bytes.TrimLeft(b[at:], marks))
		if before+after > most {
			return true
		}
	}
	return false
}
