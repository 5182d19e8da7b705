package syntax

import (
	"bytes"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// ask asks the YAML parser for the pieces of these texts, as documents of one file. It tells
// nothing if one is none.
func ask(texts [][]byte, into []*reading) {
	n := 0
	for _, t := range texts {
		n += len("---\n") + len(t)
	}
	file, lines := make([]byte, 0, n), make([]int, 0, len(texts)+1)
	above := 0 // documents
	if file = anchorsFor(file, texts); len(file) > 0 {
		above = 1
	}
	line := 1 + bytes.Count(file, []byte("\n"))
	for _, t := range texts {
		file = append(append(file, "---\n"...), t...)
		lines = append(lines, line+1)
		line += bytes.Count(t, []byte("\n")) + 1
	}
	lines = append(lines, line+1) // the last one may have no break at its end
	roots, err := decode(file)
	if err != nil || len(roots) != above+len(texts) {
		return
	}
	roots = roots[above:]
	for i, y := range roots {
		if c := y.Content[0]; !isBlock(c) || c.Line < lines[i] || c.Line >= lines[i+1] || refersByKey(c) {
			return
		}
	}
	for i := range roots {
		r := into[i]
		r.roots, r.line, r.size = roots[i:i+1], lines[i], sizeOf(roots[i:i+1])
	}
}

// anchorsFor appends to file a document with the anchors that may have aliases in texts, if there are any.
func anchorsFor(file []byte, texts [][]byte) []byte {
	var names map[string]bool
	for _, t := range texts {
		for {
			_, rest, found := bytes.Cut(t, []byte("*"))
			if !found {
				break
			}
			n := 0
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
			if n > 0 && !names[string(rest[:n])] {
				if names == nil {
					names = map[string]bool{}
				}
				names[string(rest[:n])] = true
				file = fmt.Appendf(file, "- &%s 0\n", rest[:n])
			}
			t = rest[n:]
		}
	}
	return file
}

// refersByKey reports whether a key in y is an alias, of which the file alone can tell whether it may be one.
func refersByKey(y *yaml.Node) bool {
	if y.Kind == yaml.MappingNode {
		for i := 0; i < len(y.Content); i += 2 {
			if y.Content[i].Kind == yaml.AliasNode {
				return true
			}
		}
	}
	return slices.ContainsFunc(y.Content, refersByKey)
}

// A reading is what the YAML parser makes of a piece.
type reading struct {
	done  chan struct{} // closed when it is read
	roots []*yaml.Node  // documents; one, a collection, but for a file; nil if it is no piece
	line  int           // with which it starts in what the parser read
	size  size
}

// failed waits until r is read, and reports whether it is no piece.
func (r *reading) failed() bool {
	<-r.done
	return r.roots == nil
}
