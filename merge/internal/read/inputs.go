// Package read takes three files as they came and gives three trees of one
// form: one kind of line end, no byte order mark, a final line end. What it
// took away merges on its own, as the form of the file, and Write puts the
// merged form back.
//
// What cannot be merged as YAML it refuses, and says why: files that are too
// large or nested too deep, that have conflict markers, that are no YAML, or
// have line ends that git does not know.
package read

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Form is the form of a file as a whole, which merges on its own.
type Form struct {
	Bom     bool
	Newline string // "\n" or "\r\n" where all lines end so, else ""
	Final   bool   // the last line ends with a break
}

// BOM is the byte order mark of UTF-8.
var BOM = []byte("\xef\xbb\xbf")

// FormOf reads the form of a file.
func FormOf(b []byte) Form {
	f := Form{Bom: bytes.HasPrefix(b, BOM), Final: bytes.HasSuffix(b, []byte("\n"))}
	n, crlf := bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r\n"))
	switch {
	case n == 0 || bytes.Count(b, []byte("\r")) > crlf:
	case crlf == n:
		f.Newline = "\r\n"
	case crlf == 0:
		f.Newline = "\n"
	}
	return f
}

// CommonBreak is what all lines of all versions end with, "\n" or "\r\n"; ""
// if they do not end alike.
func CommonBreak(versions [3][]byte) string {
	if !slices.ContainsFunc(versions[:], func(b []byte) bool { return bytes.IndexByte(b, '\r') >= 0 }) {
		return "\n"
	}
	if slices.ContainsFunc(versions[:], func(b []byte) bool { return FormOf(b).Newline != "\r\n" }) {
		return ""
	}
	return "\r\n"
}

// Inputs is the three versions with their form made equal, so that the merge
// sees one kind of line and whole lines only; Write gives the result the
// merged form.
type Inputs struct {
	Raw    [3][]byte
	Data   [3][]byte
	Merged Form

	Streams [3]*syntax.Stream // the trees of Data
	// Trees are copied where the same bytes are to be read again; nobody changes them. Rule
	// sets, which change theirs, have none.
	Trees []*syntax.Stream

	// Template says that the versions are templates, which are no YAML; NoTemplate
	// that they are not to be read as such.
	Template, NoTemplate bool

	// JSON says that the versions are JSON that YAML cannot read as it stands.
	JSON bool

	Readings [3]*template.Reading // of templates

	Names [3]string // of the files, for messages; may be empty
}

// New prepares three versions of a file; the names are for messages.
func New(raw [3][]byte, names [3]string) *Inputs {
	return &Inputs{Raw: raw, Names: names}
}

// AsTheyCame are three versions of which no form merges on its own.
func AsTheyCame(raw [3][]byte, names [3]string) *Inputs {
	return &Inputs{Raw: raw, Data: raw, Names: names, Merged: Form{Newline: CommonBreak(raw), Final: true}}
}

// Unify gives the versions the merged form: dest's if so asked.
func (in *Inputs) Unify(destForm bool) {
	var own, f [3]Form
	for s, b := range in.Raw {
		own[s] = FormOf(b)
	}
	f = own
	for s, b := range in.Raw { // an empty file has no form of its own
		if len(b) == 0 {
			f[s] = f[three.Dest]
			if s == int(three.Dest) {
				f[s] = f[three.Updated]
			}
		}
	}
	in.Merged = Form{
		Bom:     three.Form(f[three.Original].Bom, f[three.Dest].Bom, f[three.Updated].Bom),
		Newline: three.Form(f[three.Original].Newline, f[three.Dest].Newline, f[three.Updated].Newline),
		Final:   three.Form(f[three.Original].Final, f[three.Dest].Final, f[three.Updated].Final),
	}
	if destForm {
		in.Merged, f = own[three.Dest], own
	}
	for s, b := range in.Raw {
		in.Data[s] = in.Merged.Unify(b, f[s])
	}
}

// endLine lets templates that both sides changed end with a line break if any version
// does: who adds or removes a block around a whole file loses it with the last line, and
// means nothing by that.
func (in *Inputs) endLine() {
	if _, ok := three.PickFunc(in.Raw, bytes.Equal); ok {
		return
	}
	for _, b := range in.Raw {
		in.Merged.Final = in.Merged.Final || FormOf(b).Final
	}
}

// Unify returns b without a byte order mark, with the merged line ends and
// with a final one. It copies only where something changes.
func (m Form) Unify(b []byte, f Form) []byte {
	b = m.Breaks(bytes.TrimPrefix(b, BOM), f)
	if n := len(b); n > 0 && b[n-1] != '\n' {
		b = append(b[:n:n], m.LineBreak()...)
	}
	return b
}

// Breaks returns b with the merged line ends.
func (m Form) Breaks(b []byte, f Form) []byte {
	if f.Newline != "" && m.Newline != "" && f.Newline != m.Newline {
		b = bytes.ReplaceAll(b, []byte(f.Newline), []byte(m.Newline))
	}
	return b
}

// LineBreak is what a line that has no break of its own ends with.
func (m Form) LineBreak() string {
	if m.Newline == "" {
		return "\n"
	}
	return m.Newline
}

// Write gives b the merged form. Nothing has none where a version is empty.
func (in *Inputs) Write(b []byte) []byte { return in.WriteAs(in.Merged, b) }

// WriteAs gives b another form than the merged one.
func (in *Inputs) WriteAs(f Form, b []byte) []byte {
	if len(b) == 0 && slices.ContainsFunc(in.Raw[:], func(v []byte) bool { return len(v) == 0 }) {
		return b
	}
	if !f.Final {
		b = bytes.TrimSuffix(b, []byte(f.LineBreak()))
	}
	if f.Bom {
		b = append(bytes.Clone(BOM), b...)
	}
	return b
}

// Files makes the texts of the unified versions.
func (in *Inputs) Files() [3]*text.File {
	var f [3]*text.File
	for s, b := range in.Data {
		f[s] = text.New(b)
	}
	return f
}
