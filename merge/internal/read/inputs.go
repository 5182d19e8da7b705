// Package read parses files. Open decides whether versions of a file are YAML, JSON with comments, or templates, and
// returns their trees. No other package decides that.
//
// Inputs are the three versions of a merge. UnifyFormat gives them the same format: the same line ends, no byte order
// mark, and a final line end. The format is merged separately, and FormatResult gives the merged format to the result.
// Unfit and Parse return why the versions cannot be merged as YAML: a version is too large, is nested too deep, has
// conflict markers, cannot be parsed, or has line ends that git does not know. The package does not match, merge or
// verify anything.
//
//	in := read.New(raw, names)
//	in.UnifyFormat(false)
//	err := in.Parse()           // sets in.Language and in.Streams
//	f, err := in.Open(result)   // parses it in the same language
//
// Terms of the comments:
//
//   - Format: the byte order mark, the line ends and the final line end of a file. It does not include indentation.
//   - Language: YAML, JSON or Template. All versions of a merge are parsed in the same one.
//   - Stream, tree: a parsed file, of package syntax.
//   - Known tree: a tree of some bytes that was parsed before. It is copied instead of parsing the same bytes again.
//   - Layout, model: if the merge of a JSON file is written, one side is the model, whose spaces and line breaks are
//     used.
package read

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Format is the format of a file as a whole. It is merged separately from the content.
type Format struct {
	HasBOM          bool   // the file starts with a byte order mark
	LineEnd         string // the end of all lines, "\n" or "\r\n"; "" if they differ
	HasFinalLineEnd bool   // the last line has a line end
}

// DetectFormat returns the format of a file: whether it starts with a byte order mark, how its lines end, and whether
// its last line has a line end. LineEnd is "" if lines end differently, if a CR has no LF, or if there is no line end.
func DetectFormat(b []byte) Format {
	f := Format{HasBOM: bytes.HasPrefix(b, text.BOM), HasFinalLineEnd: bytes.HasSuffix(b, []byte("\n"))}
	n, crlf := bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r\n"))
	switch {
	case n == 0 || bytes.Count(b, []byte("\r")) > crlf:
	case crlf == n:
		f.LineEnd = "\r\n"
	case crlf == 0:
		f.LineEnd = "\n"
	}
	return f
}

// CommonLineEnd returns the line end that all lines of all versions have, or "" if they differ:
//
//   - "\n" if no version has a CR, even if a version has no line end
//   - "\r\n" if it is the only line end, and each version has one
//   - "" otherwise
func CommonLineEnd(versions [3][]byte) string {
	if !slices.ContainsFunc(versions[:], func(b []byte) bool { return bytes.IndexByte(b, '\r') >= 0 }) {
		return "\n"
	}
	if slices.ContainsFunc(versions[:], func(b []byte) bool { return DetectFormat(b).LineEnd != "\r\n" }) {
		return ""
	}
	return "\r\n"
}

// Inputs are the three versions of a merge.
type Inputs struct {
	Raw          [3][]byte // the versions as the caller provided them
	Data         [3][]byte // the versions in the merged format, but with a final line end and without a byte order mark
	MergedFormat Format    // the format of the result
	MaxBytes     int       // the size in bytes up to which a version is merged as YAML; 0 means 64 MiB

	Streams [3]*syntax.Stream // the trees of Data; set by Parse
	// KnownTrees are copied instead of parsing the same bytes again. They must not be modified. Rule sets modify the
	// trees in Streams, and so have no known trees.
	KnownTrees []*syntax.Stream
	// results are the last files that Open parsed, at most maxResultBytes of text. Many results are verified several
	// times, and then examined.
	results []File

	// Language is the language of the versions; set by Parse. If OnlyYAML is set, it is YAML.
	Language Language
	OnlyYAML bool

	Templates [3]*template.Template // the versions as templates; nil in other languages

	Names [3]string // of the files, for messages; may be empty
}

// New returns the inputs of a merge of the versions raw (original, dest and updated), which are not parsed yet. names
// are the names of the files in messages; they may be empty.
func New(raw [3][]byte, names [3]string) *Inputs {
	return &Inputs{Raw: raw, Names: names}
}

// NewUnchanged returns inputs whose format does not change in a merge: Data is raw, and FormatResult changes nothing.
// raw has the versions original, dest and updated. names are the names of the files in messages, and may be empty.
func NewUnchanged(raw [3][]byte, names [3]string) *Inputs {
	return &Inputs{Raw: raw, Data: raw, Names: names, MergedFormat: Format{LineEnd: CommonLineEnd(raw), HasFinalLineEnd: true}}
}

// UnifyFormat sets in.MergedFormat, the format of the result, and in.Data, the versions in the form in which they are
// merged: without a byte order mark, and with the line ends of the result. The format is merged from those of the
// versions (mergeFormats) or, if keepDest is set, that of dest.
func (in *Inputs) UnifyFormat(keepDest bool) {
	var formats [3]Format
	for s, b := range in.Raw {
		formats[s] = DetectFormat(b)
	}
	in.MergedFormat = formats[three.Dest]
	if !keepDest {
		in.MergedFormat = in.mergeFormats(formats)
	}
	for s, b := range in.Raw {
		in.Data[s] = in.MergedFormat.Convert(b, formats[s])
	}
}

// mergeFormats returns the three-way merge of the formats of original, dest and updated. The byte order mark, the line
// end and the final line end are merged one by one. An empty version is given the format of dest or, if dest is empty,
// that of updated.
func (in *Inputs) mergeFormats(formats [3]Format) Format {
	ofEmpty := formats[three.Dest]
	if len(in.Raw[three.Dest]) == 0 {
		ofEmpty = formats[three.Updated]
	}
	for s, b := range in.Raw {
		if len(b) == 0 {
			formats[s] = ofEmpty
		}
	}
	o, d, u := formats[three.Original], formats[three.Dest], formats[three.Updated]
	return Format{
		HasBOM:          three.Form(o.HasBOM, d.HasBOM, u.HasBOM),
		LineEnd:         three.Form(o.LineEnd, d.LineEnd, u.LineEnd),
		HasFinalLineEnd: three.Form(o.HasFinalLineEnd, d.HasFinalLineEnd, u.HasFinalLineEnd),
	}
}

// keepFinalLineEnd sets in.MergedFormat.HasFinalLineEnd if the last line of any version has a line end. It is called
// for templates: a side that adds or removes a block around the whole file often loses the final line end. It changes
// nothing if two versions are identical.
func (in *Inputs) keepFinalLineEnd() {
	if _, ok := three.PickFunc(in.Raw, bytes.Equal); ok {
		return
	}
	for _, b := range in.Raw {
		in.MergedFormat.HasFinalLineEnd = in.MergedFormat.HasFinalLineEnd || DetectFormat(b).HasFinalLineEnd
	}
}

// Convert returns the file b in the form in which versions are merged. It has no byte order mark, and its last line has
// a line end. The line ends are those of the format to, unless they are mixed. from is the format of b. The result may
// share memory with b.
func (to Format) Convert(b []byte, from Format) []byte {
	b = to.ConvertLineEnds(bytes.TrimPrefix(b, text.BOM), from)
	if n := len(b); n > 0 && b[n-1] != '\n' {
		b = append(b[:n:n], to.LineEndOrDefault()...)
	}
	return b
}

// ConvertLineEnds returns b, which has the format from, with the line ends of the format to. It returns b itself, not a
// copy, if the formats have the same line end, or if one of them has none that all lines share (LineEnd is "").
func (to Format) ConvertLineEnds(b []byte, from Format) []byte {
	if from.LineEnd != "" && to.LineEnd != "" && from.LineEnd != to.LineEnd {
		b = bytes.ReplaceAll(b, []byte(from.LineEnd), []byte(to.LineEnd))
	}
	return b
}

// LineEndOrDefault returns the line end for a new line: f.LineEnd, or "\n" if that is empty.
func (f Format) LineEndOrDefault() string { return cmp.Or(f.LineEnd, "\n") }

// FormatResult returns the merge result b in the merged format: with a byte order mark if that format has one, and
// without line ends at its end if that format has no final line end. b must have the line ends of the merged format, a
// final line end and no byte order mark.
func (in *Inputs) FormatResult(b []byte) []byte { return in.FormatResultAs(in.MergedFormat, b) }

// FormatResultAs returns the merge result b with the byte order mark of the format f, if any, and without final line
// ends if f has none. Other line ends do not change. The result may share memory with b.
func (in *Inputs) FormatResultAs(f Format, b []byte) []byte {
	if len(b) == 0 && slices.ContainsFunc(in.Raw[:], func(v []byte) bool { return len(v) == 0 }) {
		return b
	}
	if !f.HasFinalLineEnd {
		b = bytes.TrimRight(b, "\r\n")
	}
	if f.HasBOM {
		b = append(bytes.Clone(text.BOM), b...)
	}
	return b
}

// Files returns the versions in the merged format (in.Data). Each is a new text.File, which finds lines and positions
// in the bytes of the version, without a copy of them.
func (in *Inputs) Files() [3]*text.File {
	var f [3]*text.File
	for s, b := range in.Data {
		f[s] = text.New(b)
	}
	return f
}
