// Package read parses files. Open decides whether versions of a file are YAML, JSON with comments, or templates, and
// returns their trees. No other package decides that.
//
// Inputs are the three versions of a merge. Unify gives them the same form: the same line ends, no byte order mark, a
// final line end. The form of the file is merged separately, and Write gives it to the result. Unfit and Parse return
// why the versions cannot be merged as YAML: a version is too large, is nested too deep, has conflict markers, cannot be
// parsed, or has line ends that git does not know. The package does not match, merge or verify anything.
//
//	in := read.New(raw, names)
//	in.Unify(false)
//	err := in.Parse()           // sets in.Language and in.Streams
//	f, err := in.Open(result)   // the same language, whatever is in the result
package read

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Form is the form of a file as a whole. It is merged separately from the content.
type Form struct {
	Bom     bool   // the file starts with a byte order mark
	Newline string // the end of all lines, "\n" or "\r\n"; "" if they differ
	Final   bool   // the last line has a line end
}

// BOM is the byte order mark of UTF-8.
var BOM = []byte("\xef\xbb\xbf")

// FormOf returns the form of a file. Newline is "" if no line ends, or if the file has a CR without LF.
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

// CommonBreak returns the line end of all lines of all versions, "\n" or "\r\n". It returns "" if they differ.
func CommonBreak(versions [3][]byte) string {
	if !slices.ContainsFunc(versions[:], func(b []byte) bool { return bytes.IndexByte(b, '\r') >= 0 }) {
		return "\n"
	}
	if slices.ContainsFunc(versions[:], func(b []byte) bool { return FormOf(b).Newline != "\r\n" }) {
		return ""
	}
	return "\r\n"
}

// Inputs are the three versions of a merge.
type Inputs struct {
	Raw    [3][]byte // the versions as they were given
	Data   [3][]byte // the versions in the merged form, with a final line end and without a byte order mark
	Merged Form      // the form of the result

	Streams [3]*syntax.Stream // the trees of Data, once Parse has parsed them
	// Trees are copied instead of parsing the same bytes again. They must not be modified. Rule sets modify the trees in
	// Streams, and so have none.
	Trees []*syntax.Stream

	// Language is the language of the versions, once Parse has parsed them. If OnlyYAML is set, it is YAML.
	Language Language
	OnlyYAML bool

	Templates [3]*template.Template // the versions as templates; nil in other languages

	Names [3]string // of the files, for messages; may be empty
}

// New returns the inputs of a merge. The names are those of the files in messages; they may be empty.
func New(raw [3][]byte, names [3]string) *Inputs {
	return &Inputs{Raw: raw, Names: names}
}

// AsTheyCame returns inputs whose form is not merged: Data is raw, and Write changes nothing.
func AsTheyCame(raw [3][]byte, names [3]string) *Inputs {
	return &Inputs{Raw: raw, Data: raw, Names: names, Merged: Form{Newline: CommonBreak(raw), Final: true}}
}

// Unify sets Merged and Data. The merged form is that of dest if destForm is set.
func (in *Inputs) Unify(destForm bool) {
	var own, f [3]Form
	for s, b := range in.Raw {
		own[s] = FormOf(b)
	}
	f = own
	for s, b := range in.Raw { // an empty file takes the form of another one
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

// endLine sets Merged.Final for a template that both sides changed, if a version has a final line end. A side that adds or
// removes a block around a whole file often loses the final line end with the last line, and does not intend to.
func (in *Inputs) endLine() {
	if _, ok := three.PickFunc(in.Raw, bytes.Equal); ok {
		return
	}
	for _, b := range in.Raw {
		in.Merged.Final = in.Merged.Final || FormOf(b).Final
	}
}

// Unify returns b, which has the form f, without a byte order mark, with the line ends of m, and with a final line end. It
// returns a part of b itself if nothing has to be added or replaced.
func (m Form) Unify(b []byte, f Form) []byte {
	b = m.Breaks(bytes.TrimPrefix(b, BOM), f)
	if n := len(b); n > 0 && b[n-1] != '\n' {
		b = append(b[:n:n], m.LineBreak()...)
	}
	return b
}

// Breaks returns b, which has the form f, with the line ends of m. It returns b itself if these are the same, or if the
// lines of one of the two do not all end the same.
func (m Form) Breaks(b []byte, f Form) []byte {
	if f.Newline != "" && m.Newline != "" && f.Newline != m.Newline {
		b = bytes.ReplaceAll(b, []byte(f.Newline), []byte(m.Newline))
	}
	return b
}

// LineBreak returns the line end for a line that has none.
func (m Form) LineBreak() string {
	if m.Newline == "" {
		return "\n"
	}
	return m.Newline
}

// Write returns b in the merged form. It returns an empty b unchanged if a version is empty.
func (in *Inputs) Write(b []byte) []byte { return in.WriteAs(in.Merged, b) }

// WriteAs is Write with the form f in place of the merged one.
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

// Files returns Data as files.
func (in *Inputs) Files() [3]*text.File {
	var f [3]*text.File
	for s, b := range in.Data {
		f[s] = text.New(b)
	}
	return f
}
