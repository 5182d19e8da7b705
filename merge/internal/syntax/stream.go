package syntax

import "slices"

// DuplicateKey returns the first field of s with the same key as a field before it in its mapping, or nil if there is
// none. Merge keys (<<) are ignored. Fields of a mapping come before those of the mappings in it.
func (s *Stream) DuplicateKey() *Entry {
	if all := s.DuplicateKeys(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// DuplicateKeys returns each field with the same key as a field before it in its mapping. The YAML parser accepts such
// fields, but most programs that read YAML reject them. Notations of one key are equal, such as a and "a". Merge keys
// (<<) are ignored. The fields of a mapping come before those of the mappings in it.
//
//	a: 1
//	"a": 2    # duplicate
func (s *Stream) DuplicateKeys() (all []*Entry) {
	var collect func(n *Node)
	collect = func(n *Node) {
		if n.Kind == Mapping && len(n.Entries) > 1 {
			seenKeys := make(map[string]bool, len(n.Entries))
			for _, e := range n.Entries {
				k := e.FieldKey()
				if seenKeys[k] && !e.IsMergeKey() {
					all = append(all, e)
				}
				seenKeys[k] = true
			}
		}
		for _, e := range n.Entries {
			collect(e.Value)
		}
	}
	for _, d := range s.Docs {
		collect(d.Root)
	}
	return all
}

// IsEncrypted reports whether one of the documents was encrypted by SOPS: whether its root mapping has a field sops
// with a field mac that is not empty. It returns false if there are no documents.
func (s *Stream) IsEncrypted() bool {
	return slices.ContainsFunc(s.Docs, func(d *Document) bool { return d.Root.ScalarAt("sops", "mac") != "" })
}

// Layout is the number of columns by which a file indents the values of the fields of block mappings: block mappings,
// block sequences (List) and block scalars (Text). Each is MixedIndent if the file uses several numbers, or
// UnknownIndent if the file has no such value.
//
//	a:
//	  b: 1      # Mapping is 2
//	c:
//	- d         # List is 0
//	e: |
//	    f       # Text is 4
type Layout struct{ Mapping, List, Text int }

// MixedIndent is the indentation of a file that has several. UnknownIndent is the indentation of a file that has no
// value of the kind.
const (
	MixedIndent   = -1
	UnknownIndent = -2
)

// Layout returns by how many columns the documents of s indent the block mappings, block sequences and block scalars
// that are values of fields. Each of the three numbers is MixedIndent if the documents use several, and UnknownIndent
// if they have no such value.
func (s *Stream) Layout() Layout {
	l := Layout{UnknownIndent, UnknownIndent, UnknownIndent}
	for _, d := range s.Docs {
		l.addValues(d.Root)
	}
	return l
}

// addValues records in l by how many columns the values below n, at any depth, are indented more than the mappings they
// are in. l has one number for block mappings, one for block sequences and one for block scalars. The first such value
// sets its number; the number becomes MixedIndent if a later value differs.
func (l *Layout) addValues(n *Node) {
	for _, e := range n.Entries {
		indent := e.Value.Indent - n.Indent
		switch setting := l.IndentFor(n, e.Value); {
		case setting == nil || *setting == indent:
		case *setting == UnknownIndent:
			*setting = indent
		default:
			*setting = MixedIndent
		}
		l.addValues(e.Value)
	}
}

// IndentFor returns a pointer to the number of l that applies to value, a value in collection: &l.Mapping, &l.List or
// &l.Text. Only block style has such a number: the result is nil if collection is not a block mapping, or if value is
// neither a block collection nor a block scalar with lines.
func (l *Layout) IndentFor(collection, value *Node) *int {
	switch {
	case collection.Kind != Mapping || collection.Style != Block:
		return nil
	case value.Style == Block && value.Kind == Mapping:
		return &l.Mapping
	case value.Style == Block:
		return &l.List
	case value.IsBlockScalar() && !value.Lines.Empty():
		return &l.Text
	}
	return nil
}
