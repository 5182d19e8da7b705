package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// frame is the form of a file as a whole, which merges on its own.
type frame struct {
	bom     bool
	newline string // "\n" or "\r\n" where all lines end so, else ""
	final   bool   // the last line ends with a break
}

var bom = []byte("\xef\xbb\xbf")

func frameOf(b []byte) frame {
	f := frame{bom: bytes.HasPrefix(b, bom)}
	n, crlf := bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r\n"))
	cr := bytes.Count(b, []byte("\r"))
	switch {
	case cr > crlf || n == 0:
	case crlf == n:
		f.newline = "\r\n"
	case crlf == 0:
		f.newline = "\n"
	}
	f.final = len(b) > 0 && b[len(b)-1] == '\n'
	return f
}

// commonBreak is what all lines of all versions end with, "\n" or "\r\n"; ""
// if they do not end alike.
func commonBreak(versions [3][]byte) string {
	mixed := false
	for _, b := range versions {
		mixed = mixed || bytes.IndexByte(b, '\r') >= 0
	}
	if !mixed {
		return "\n"
	}
	for _, b := range versions {
		if frameOf(b).newline != "\r\n" {
			return ""
		}
	}
	return "\r\n"
}

// inputs is the three versions with their form made equal, so that the merge
// sees one kind of line and whole lines only; write gives the result the
// merged form.
type inputs struct {
	raw    [3][]byte
	data   [3][]byte
	merged frame

	// streams are the trees of data, proof those of raw.
	streams, proof [3]*syntax.Stream

	names [3]string          // of the files, for messages; may be empty
	enter func(stage string) // of tests, called at each stage; else nil
}

// unify gives the versions the merged form: dest's if so asked.
func (in *inputs) unify(destForm bool) {
	raw := in.raw
	var f [3]frame
	for s, b := range raw {
		f[s] = frameOf(b)
	}
	for s, b := range raw { // an empty file has no form of its own
		if len(b) == 0 {
			f[s] = f[dest]
			if s == int(dest) {
				f[s] = f[updated]
			}
		}
	}
	in.merged = frame{
		bom:     pick(f[original].bom, f[dest].bom, f[updated].bom),
		newline: pick(f[original].newline, f[dest].newline, f[updated].newline),
		final:   pick(f[original].final, f[dest].final, f[updated].final),
	}
	if destForm {
		in.merged = frameOf(raw[dest])
	}
	for s, b := range raw {
		if destForm {
			f[s] = frameOf(b)
		}
		in.data[s] = in.merged.unify(b, f[s])
	}
}

// unify returns b without a byte order mark, with the merged line ends and
// with a final one. It copies only where something changes.
func (m frame) unify(b []byte, f frame) []byte {
	b = m.breaks(bytes.TrimPrefix(b, bom), f)
	if n := len(b); n > 0 && b[n-1] != '\n' {
		b = append(b[:n:n], m.lineBreak()...)
	}
	return b
}

// breaks returns b with the merged line ends.
func (m frame) breaks(b []byte, f frame) []byte {
	if f.newline != "" && m.newline != "" && f.newline != m.newline {
		b = bytes.ReplaceAll(b, []byte(f.newline), []byte(m.newline))
	}
	return b
}

func (m frame) lineBreak() string {
	if m.newline == "" {
		return "\n"
	}
	return m.newline
}

// write gives b the merged form. Nothing has none where a version is empty.
func (in *inputs) write(b []byte) []byte { return in.writeAs(in.merged, b) }

// writeAs gives b another form than the merged one.
func (in *inputs) writeAs(f frame, b []byte) []byte {
	if len(b) == 0 && slices.ContainsFunc(in.raw[:], func(v []byte) bool { return len(v) == 0 }) {
		return b
	}
	if !f.final {
		b = bytes.TrimSuffix(b, []byte(f.lineBreak()))
	}
	if f.bom {
		b = append(bytes.Clone(bom), b...)
	}
	return b
}

// files makes the texts of the unified versions.
func (in *inputs) files() [3]*text.File {
	var f [3]*text.File
	for s, b := range in.data {
		f[s] = text.New(b)
	}
	return f
}
