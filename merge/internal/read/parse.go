package read

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// maxSize is how many bytes a version has at most that is read.
const maxSize = 64 << 20

// Unfit says why the inputs cannot be merged as YAML, before they are parsed.
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

// mostMemory bounds the memory that a merge takes, as the bytes of its versions that may begin or end
// a node, each of which takes up to 150 bytes of memory, and five times as much where versions differ.
// That is less than a gigabyte in all. A version of 3 MB of which every line was changed is within it,
// and so is one of 15 MB with some changes.
const mostMemory = 5 << 20

// endsNode are the bytes that may begin or end a node. A version has at most two nodes for each.
var endsNode = [256]bool{'\n': true, '\r': true, ',': true, '-': true, ':': true, '?': true, '[': true, '{': true}

// leastShared is how many bytes between two changes are not read for these.
const leastShared = 64

// tooMuch reports whether to read the versions would take too much memory.
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

// Parse reads the three versions. Where one of them is no YAML as it stands, or has entries
// in blocks that stand in comments, all are read as templates.
func (in *Inputs) Parse() error {
	if in.tooMuch() {
		return errors.New("so much differs in so large a file that to merge its fields would take more than a gigabyte of memory")
	}
	in.JSON = !in.NoTemplate && in.maskedJSON()
	err := in.parse()
	asTemplate := template.Holds
	if err == nil {
		asTemplate = template.BlocksInComments
	}
	if in.NoTemplate || !slices.ContainsFunc(in.Raw[:], asTemplate) {
		return err
	}
	asYAML := *in
	in.Template = true
	in.endLine()
	bad := in.parse()
	if bad == nil && !in.JSON {
		bad = template.CutAlike(in.Readings)
	}
	if err == nil && (bad != nil || !slices.ContainsFunc(in.Readings[:], (*template.Reading).HasGuards)) {
		*in, bad = asYAML, nil
	}
	return bad
}

// parse reads the versions, up to the first that cannot be read.
func (in *Inputs) parse() (err error) {
	for s := range in.Raw {
		in.Streams[s], in.Readings[s], err = in.tree(in.Data[s])
		if err == nil && slices.ContainsFunc(in.Streams[s].Docs, func(d *syntax.Document) bool { return deeper(d.Root, MaxDepth) }) {
			err = fmt.Errorf("nested deeper than %d levels", MaxDepth)
		}
		if err == nil {
			err = CheckLineEnds(in.Streams[s])
		}
		switch {
		case err == nil:
		case in.Names[s] == "":
			return fmt.Errorf("%s cannot be read as YAML: %w", three.Names[s], err)
		default:
			return Unreadable(in.Names[s], err)
		}
	}
	return nil
}

// Unreadable is what is no YAML in a file of a name, as people point at a place in a file.
func Unreadable(name string, err error) error {
	if at, ok := errors.AsType[*syntax.Error](err); ok && at.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, max(at.Column, 1), at.Msg)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// maskedJSON reports whether the versions that have anything are JSON, one of them with comments, or
// with what else YAML cannot read.
func (in *Inputs) maskedJSON() bool {
	differs := false
	for _, b := range in.Data {
		if len(bytes.TrimSpace(b)) == 0 {
			continue
		}
		masked, _, ok := text.MaskJSON(b)
		if !ok {
			return false
		}
		differs = differs || !bytes.Equal(masked, b)
	}
	return differs
}

// Tree reads b as the versions are read.
func (in *Inputs) Tree(b []byte) (*syntax.Stream, error) {
	st, _, err := in.tree(b)
	return st, err
}

// tree reads b as the versions are read: also as a template, if they are.
func (in *Inputs) tree(b []byte) (*syntax.Stream, *template.Reading, error) {
	switch {
	case in.JSON && len(bytes.TrimSpace(b)) > 0:
		masked, _, ok := text.MaskJSON(b)
		if !ok {
			return nil, nil, errors.New("it is not JSON")
		}
		st, err := syntax.ParseAs(text.New(b), masked, nil)
		return st, nil, err
	case in.Template:
		r, err := template.Read(text.New(b))
		if err != nil {
			return nil, nil, err
		}
		return r.Stream, r, nil
	}
	for _, st := range in.Trees {
		if st.Masked == nil && bytes.Equal(st.File.Bytes(), b) {
			return st.Copy(), nil, nil
		}
	}
	st, err := syntax.Parse(text.New(b))
	return st, nil, err
}

// MaxDepth is far deeper than people nest, and bounds what every level costs:
// a path, and a look at all that is below it.
const MaxDepth = 1000

func deeper(n *syntax.Node, than int) bool {
	return than == 0 || slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		return len(e.Value.Entries) > 0 && deeper(e.Value, than-1)
	})
}

// CheckLineEnds returns an error if an entry, a document or a comment of its
// own starts behind a line end that YAML knows and git does not: CR alone, NEL
// (U+0085), LS or PS (U+2028, U+2029). Merged lines would tear it apart.
// Within texts they do no harm.
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

// called is what messages call a version.
func (in *Inputs) called(s three.Version) string {
	if n := in.Names[s]; n != "" {
		return n
	}
	return three.Names[s]
}

// Doubled says which key a side made stand twice in a mapping: most readers refuse such a
// file, so that it cannot be merged cleanly. What base has twice already is nobody's change.
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

// Twice says which key stands twice in a side.
func (in *Inputs) Twice() string {
	for _, s := range three.Sides {
		if e := in.Streams[s].DuplicateKey(); e != nil {
			return in.doubled(s, e)
		}
	}
	return ""
}

func (in *Inputs) doubled(s three.Version, e *syntax.Entry) string {
	at := in.Streams[s].File.Position(e.Start)
	return fmt.Sprintf("%s:%d:%d: the key %q occurs twice in its mapping", in.called(s), at.Line, at.Column, e.Key.Value)
}
