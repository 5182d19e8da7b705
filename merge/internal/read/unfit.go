package read

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// maxSize is the largest size in bytes of a version that is parsed.
const maxSize = 64 << 20

// A SizeError is the reason why the versions cannot be merged as YAML if that would need too much memory.
type SizeError string

func (e SizeError) Error() string { return string(e) }

// A MarkerError is the reason why the versions cannot be merged as YAML if one of them has conflict markers.
type MarkerError string

func (e MarkerError) Error() string { return string(e) }

// Unfit returns why the inputs cannot be merged as YAML, as far as that is known without parsing them, or nil: a
// SizeError if a version is too large, or a MarkerError. It reports the first version with a problem. Examples:
//
//	web.yaml is larger than 64 MiB
//	web.yaml:3:1: conflict marker; resolve the conflicts in this file first
//	ours has a conflict marker at line 3
func (in *Inputs) Unfit() error {
	for s, b := range in.Raw {
		if limit := cmp.Or(in.MaxBytes, maxSize); len(b) > limit {
			size := fmt.Sprintf("%d MiB", limit>>20)
			if limit%(1<<20) != 0 {
				size = fmt.Sprintf("%d bytes", limit)
			}
			return SizeError(in.nameOf(three.Version(s)) + " is larger than " + size)
		}
		switch line := text.UnresolvedConflictLine(b); {
		case line > 0 && in.Names[s] != "":
			return MarkerError(fmt.Sprintf("%s:%d:1: conflict marker; resolve the conflicts in this file first", in.Names[s], line))
		case line > 0:
			return MarkerError(fmt.Sprintf("%s has a conflict marker at line %d", three.Names[s], line))
		}
	}
	return nil
}

// maxMemoryCost limits the memory of a merge. It is compared with the number of bytes in the versions that may begin or
// end a node. Each such byte takes up to 150 bytes of memory, and five times as much if the versions differ. The limit
// is less than a gigabyte in all. A version of 3 MB with changes in every line is within it, and so is one of 15 MB
// with some changes.
const maxMemoryCost = 5 << 20

// isNodeBoundary is true for the bytes that may begin or end a node. A version has at most two nodes per such byte.
var isNodeBoundary = [256]bool{'\n': true, '\r': true, ',': true, '-': true, ':': true, '?': true, '[': true, '{': true}

// minSharedLen is the minimum length in bytes of a part that counts as shared by all versions.
const minSharedLen = 64

// exceedsMemory reports whether a merge by field would need more than about a gigabyte of memory. The estimate counts
// the bytes that may begin or end a YAML node. A byte in a long part that all versions share (minSharedLen) costs 1,
// any other byte costs differingCost.
func (in *Inputs) exceedsMemory() bool {
	const differingCost = 5
	countBoundaries := func(b []byte) (n int) {
		for _, c := range b {
			if isNodeBoundary[c] {
				n++
			}
		}
		return n
	}
	all := countBoundaries(in.Raw[0]) + countBoundaries(in.Raw[1]) + countBoundaries(in.Raw[2])
	if differingCost*all <= maxMemoryCost {
		return false // even without shared parts
	}
	shared := 0
	if m, err := diff3.NewVersions(in.Raw[0], in.Raw[1], in.Raw[2]).Summarize(diff3.Merge); err == nil {
		for _, s := range m.Shared {
			if s.Len >= minSharedLen {
				shared += len(in.Raw) * countBoundaries(in.Raw[0][s.Original:s.Original+s.Len])
			}
		}
	}
	return shared+differingCost*(all-shared) > maxMemoryCost
}

// errMemory is the error of Parse if the merge would need too much memory.
var errMemory = SizeError("the versions are large and differ so much that merging fields would need more than 1 GB of memory")

// Parse parses the versions in in.Data and sets in.Language and in.Streams. For templates, it also sets in.Templates
// and the final line end of in.MergedFormat. It fails in these cases:
//
//   - The merge would need too much memory. The error is a SizeError.
//   - A version cannot be parsed, is nested too deep, or has line ends that git does not know. The error names the
//     version, and only the versions before it have Streams.
//   - Three templates cannot be merged. All have Streams.
func (in *Inputs) Parse() error {
	if in.exceedsMemory() {
		return errMemory
	}
	language, files, err := openVersions(in.Data[:], in.OnlyYAML, in.KnownTrees)
	in.Language = language
	for s, f := range files {
		if errLimits := checkLimits(f.Stream); errLimits != nil {
			return in.addVersionName(three.Version(s), errLimits)
		}
		in.Streams[s], in.Templates[s] = f.Stream, f.Template
	}
	if err != nil && len(files) < len(in.Data) { // the version after these files cannot be parsed
		return in.addVersionName(three.Version(len(files)), err)
	}
	if err == nil && language == Template {
		in.keepFinalLineEnd()
	}
	return err
}

// checkLimits returns why st, a parsed version, cannot be merged by field, or nil: it is nested deeper than MaxDepth,
// or has line ends that git does not know.
func checkLimits(st *syntax.Stream) error {
	if slices.ContainsFunc(st.Docs, func(d *syntax.Document) bool { return nestsDeeper(d.Root, MaxDepth) }) {
		return fmt.Errorf("nested deeper than %d levels", MaxDepth)
	}
	return CheckLineEnds(st)
}

// addVersionName returns err, why version s cannot be read, with the name of its file and the position, as AddFileName
// does, or with base, ours or theirs if the name is not known.
func (in *Inputs) addVersionName(s three.Version, err error) error {
	if in.Names[s] == "" {
		return fmt.Errorf("%s cannot be read as YAML: %w", three.Names[s], err)
	}
	return AddFileName(in.Names[s], err)
}

// maxResultBytes limits the text in Inputs.results. A tree takes up to fifty times the memory of its text.
const maxResultBytes = 1 << 20

// Open parses b, a result of the merge, in the language of the versions. Parse must have been called before. Recent
// results are kept (up to maxResultBytes) and returned again for the same bytes, so the caller must not modify the
// file.
func (in *Inputs) Open(b []byte) (File, error) {
	for _, f := range in.results {
		if bytes.Equal(f.File.Bytes(), b) {
			return f, nil
		}
	}
	f, err := in.Language.Open(b, in.KnownTrees...)
	if err != nil {
		return f, err
	}
	kept := len(b)
	for i, result := range slices.Backward(in.results) {
		if kept += len(result.File.Bytes()); kept > maxResultBytes {
			in.results = slices.Delete(in.results, 0, i+1) // the oldest ones
			break
		}
	}
	in.results = append(in.results, f)
	return f, nil
}

// AddFileName returns err with the name of the file before it: name:line:column: message if err wraps a *syntax.Error
// with a line, and name: message otherwise. Only in the second case, the result wraps err. err must not be nil.
//
//	web.yaml:3:1: did not find expected key
func AddFileName(name string, err error) error {
	if at, ok := errors.AsType[*syntax.Error](err); ok && at.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, max(at.Column, 1), at.Msg)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// MaxDepth is the maximum depth of collections in a version. Each level needs a path and a walk over all nodes below
// it.
const MaxDepth = 1000

// nestsDeeper reports whether the collections in n, which is the first level, nest deeper than this number of levels.
// Below n, collections without entries do not count.
func nestsDeeper(n *syntax.Node, than int) bool {
	return than == 0 || slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		return len(e.Value.Entries) > 0 && nestsDeeper(e.Value, than-1)
	})
}

// CheckLineEnds returns a *syntax.Error about the first part of st that follows a line end which git does not know,
// such as CR alone. A line merge takes the lines before and after it for one. The part is a document, an entry or a
// block of comments around an entry. Within scalars, flow collections and blocks of comments, such line ends are
// allowed.
//
//	line 3, column 1: the line above ends with CR without LF, which is not a line end for git
func CheckLineEnds(st *syntax.Stream) error {
	var starts []int // the offsets at which a line of git must start
	for _, d := range st.Docs {
		starts = appendLineStarts(append(starts, d.Span.Start), d.Root)
		if !d.Foot.Empty() {
			starts = append(starts, d.Foot.Start)
		}
	}
	for _, at := range starts {
		for _, end := range [...]struct{ bytes, name string }{
			{"\r", "CR without LF"}, {"\u0085", "NEL (U+0085)"}, {"\u2028", "LS (U+2028)"}, {"\u2029", "PS (U+2029)"},
		} {
			if bytes.HasSuffix(st.File.Bytes()[:at], []byte(end.bytes)) {
				pos := st.File.Position(at)
				return &syntax.Error{Line: pos.Line, Column: pos.Column, Msg: "the line above ends with " + end.name + ", which is not a line end for git"}
			}
		}
	}
	return nil
}

// appendLineStarts appends to starts the offsets at which the entries in n, at any depth, and the comments around them
// start, except in flow collections.
func appendLineStarts(starts []int, n *syntax.Node) []int {
	for _, e := range n.Entries {
		if n.Style == syntax.Block {
			starts = append(starts, e.Span.Start, e.Lead.End, e.Foot.Start)
		}
		starts = appendLineStarts(starts, e.Value)
	}
	return starts
}

// nameOf returns the name of version s for messages: that of its file, or base, ours or theirs if that is not known.
func (in *Inputs) nameOf(s three.Version) string {
	if n := in.Names[s]; n != "" {
		return n
	}
	return three.Names[s]
}

// AddedDuplicateKey returns a message about a mapping key that a side repeats more often than the original, or "" if
// there is none. Most parsers reject such a file, so it must not be the result of a clean merge. The key is the first
// one of dest or, if dest has none, of updated. Repetitions are counted in the whole file, whatever mappings they are
// in. Parse must have been called before.
//
//	values.yaml:3:1: duplicate key "a"
func (in *Inputs) AddedDuplicateKey() string {
	inOriginal := map[string]int{}
	for _, e := range in.Streams[three.Original].DuplicateKeys() {
		inOriginal[e.FieldKey()]++
	}
	for _, s := range three.Sides {
		remaining := maps.Clone(inOriginal)
		for _, e := range in.Streams[s].DuplicateKeys() {
			if remaining[e.FieldKey()]--; remaining[e.FieldKey()] < 0 {
				return in.duplicateKeyMessage(s, e)
			}
		}
	}
	return ""
}

// DuplicateKey returns a message about the first key that dest, or else updated, repeats in a mapping, or "" if there
// is none. Merge keys (<<) may be repeated. Parse must have been called before.
//
//	values.yaml:3:1: duplicate key "a"
func (in *Inputs) DuplicateKey() string {
	for _, s := range three.Sides {
		if e := in.Streams[s].DuplicateKey(); e != nil {
			return in.duplicateKeyMessage(s, e)
		}
	}
	return ""
}

// duplicateKeyMessage returns a message about the repeated key of entry e of version s.
func (in *Inputs) duplicateKeyMessage(s three.Version, e *syntax.Entry) string {
	at := in.Streams[s].File.Position(e.Start)
	return fmt.Sprintf("%s:%d:%d: duplicate key %q", in.nameOf(s), at.Line, at.Column, e.Key.Value)
}
