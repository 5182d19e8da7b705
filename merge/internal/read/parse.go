package read

import (
	"bytes"
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

// Unfit returns why the inputs cannot be merged as YAML, without parsing them: a version is too large or has conflict
// markers. It returns "" if they may be mergeable.
func (in *Inputs) Unfit() string {
	for s, b := range in.Raw {
		if len(b) > maxSize {
			return fmt.Sprintf("%s is larger than %d MiB", in.called(three.Version(s)), maxSize>>20)
		}
		if line := text.UnresolvedConflictLine(b); line > 0 {
			if in.Names[s] != "" {
				return fmt.Sprintf("%s:%d:1: a conflict marker: resolve the conflicts of this file first", in.Names[s], line)
			}
			return fmt.Sprintf("%s has conflict markers at line %d", in.called(three.Version(s)), line)
		}
	}
	return ""
}

// mostMemory bounds the memory of a merge. It is compared with the number of bytes in the versions that may begin or end a
// node. Each such byte takes up to 150 bytes of memory, and five times as much where the versions differ. The bound is
// less than a gigabyte in all. A version of 3 MB with changes in every line is within it, and so is one of 15 MB with
// some changes.
const mostMemory = 5 << 20

// endsNode contains the bytes that may begin or end a node. A version has at most two nodes per such byte.
var endsNode = [256]bool{'\n': true, '\r': true, ',': true, '-': true, ':': true, '?': true, '[': true, '{': true}

// leastShared is the least number of bytes of a part that counts as shared by all versions.
const leastShared = 64

// tooMuch reports whether a merge by field would exceed mostMemory.
func (in *Inputs) tooMuch() bool {
	const differs = 5
	if differs*(len(in.Raw[0])+len(in.Raw[1])+len(in.Raw[2])) <= mostMemory {
		return false
	}
	ends := func(b []byte) (n int) {
		for _, c := range b {
			if endsNode[c] {
				n++
			}
		}
		return n
	}
	all := ends(in.Raw[0]) + ends(in.Raw[1]) + ends(in.Raw[2])
	if differs*all <= mostMemory {
		return false
	}
	shared := 0
	if m, err := diff3.NewVersions(in.Raw[0], in.Raw[1], in.Raw[2]).Shared(diff3.Merge); err == nil {
		for _, s := range m.Shared {
			if s.Len >= leastShared {
				shared += len(in.Raw) * ends(in.Raw[0][s.Original:s.Original+s.Len])
			}
		}
	}
	return shared+differs*(all-shared) > mostMemory
}

// Parse parses the three versions and sets Language, Streams and Templates. The error says which version cannot be
// merged as YAML: it cannot be parsed, is nested deeper than MaxDepth, or has line ends that git does not know; or that
// the three together would need too much memory.
func (in *Inputs) Parse() error {
	if in.tooMuch() {
		return errors.New("so much differs in so large a file that to merge its fields would take more than a gigabyte of memory")
	}
	language, files, err := open(in.Data[:], in.OnlyYAML, in.Trees)
	for s, f := range files {
		bad := fmt.Errorf("nested deeper than %d levels", MaxDepth)
		if !slices.ContainsFunc(f.Docs, func(d *syntax.Document) bool { return deeper(d.Root, MaxDepth) }) {
			bad = CheckLineEnds(f.Stream)
		}
		if bad != nil {
			files, err = files[:s], bad
			break
		}
		in.Streams[s], in.Templates[s] = f.Stream, f.Template
	}
	if in.Language = language; err == nil && language == Template {
		in.endLine()
	}
	switch s := len(files); {
	case err == nil || s == len(in.Data):
		return err
	case in.Names[s] == "":
		return fmt.Errorf("%s cannot be read as YAML: %w", three.Names[s], err)
	default:
		return Unreadable(in.Names[s], err)
	}
}

// Open parses b in the language of the versions.
func (in *Inputs) Open(b []byte) (File, error) { return in.Language.Open(b, in.Trees...) }

// Unreadable returns err with the name of the file before it, as name:line:column if the place is known.
func Unreadable(name string, err error) error {
	if at, ok := errors.AsType[*syntax.Error](err); ok && at.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, max(at.Column, 1), at.Msg)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// MaxDepth is the deepest nesting of a version that can be merged. Each level costs a path and a walk over everything
// below it.
const MaxDepth = 1000

// deeper reports whether collections nest deeper than a number of levels, n included.
func deeper(n *syntax.Node, than int) bool {
	return than == 0 || slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		return len(e.Value.Entries) > 0 && deeper(e.Value, than-1)
	})
}

// CheckLineEnds returns an error if an entry, a document or a comment on a line of its own starts after a line end that
// YAML knows and git does not: CR alone, NEL (U+0085), LS or PS (U+2028, U+2029). A merge by line could split such a line.
// These characters are allowed within scalars.
func CheckLineEnds(st *syntax.Stream) (err error) {
	src := st.File.Bytes()
	if bytes.Count(src, []byte("\r")) == bytes.Count(src, []byte("\r\n")) &&
		!bytes.Contains(src, []byte("\u0085")) && !bytes.Contains(src, []byte("\u2028")) && !bytes.Contains(src, []byte("\u2029")) {
		return nil
	}
	starts := func(at int) {
		for _, end := range [...]struct{ bytes, name string }{
			{"\r", "CR alone"}, {"\u0085", "NEL (U+0085)"}, {"\u2028", "LS (U+2028)"}, {"\u2029", "PS (U+2029)"},
		} {
			if err == nil && bytes.HasSuffix(src[:at], []byte(end.bytes)) {
				pos := st.File.Position(at)
				err = fmt.Errorf("line %d, column %d: the line above ends with %s, which git takes for no line end", pos.Line, pos.Column, end.name)
			}
		}
	}
	var entries func(n *syntax.Node)
	entries = func(n *syntax.Node) {
		for _, e := range n.Entries {
			if n.Style == syntax.Block {
				starts(e.Span.Start)
				starts(e.Lead.End)
				starts(e.Foot.Start)
			}
			entries(e.Value)
		}
	}
	for _, d := range st.Docs {
		starts(d.Span.Start)
		entries(d.Root)
		if !d.Foot.Empty() {
			starts(d.Foot.Start)
		}
	}
	return err
}

// called returns the name of the version s in messages.
func (in *Inputs) called(s three.Version) string {
	if n := in.Names[s]; n != "" {
		return n
	}
	return three.Names[s]
}

// Doubled returns a message about a key that a side repeated in a mapping, and that the original does not repeat as often.
// Most parsers refuse such a file, so that it cannot be merged cleanly. It returns "" if there is no such key.
func (in *Inputs) Doubled() string {
	had := map[string]int{}
	for _, e := range in.Streams[three.Original].DuplicateKeys() {
		had[e.FieldKey()]++
	}
	for _, s := range three.Sides {
		left := maps.Clone(had)
		for _, e := range in.Streams[s].DuplicateKeys() {
			if left[e.FieldKey()]--; left[e.FieldKey()] < 0 {
				return in.doubled(s, e)
			}
		}
	}
	return ""
}

// Twice returns a message about a key that a side has twice in a mapping. It returns "" if there is no such key.
func (in *Inputs) Twice() string {
	for _, s := range three.Sides {
		if e := in.Streams[s].DuplicateKey(); e != nil {
			return in.doubled(s, e)
		}
	}
	return ""
}

// doubled returns the message about the entry e of the version s, whose key is repeated.
func (in *Inputs) doubled(s three.Version, e *syntax.Entry) string {
	at := in.Streams[s].File.Position(e.Start)
	return fmt.Sprintf("%s:%d:%d: the key %q occurs twice in its mapping", in.called(s), at.Line, at.Column, e.Key.Value)
}
