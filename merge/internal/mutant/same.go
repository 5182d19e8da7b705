package mutant

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"gopkg.in/yaml.v3"
)

// same reports whether two files have the same lines, blank ones aside, and the
// YAML parser reads the same data in them: then the one is no mutant of the
// other. It knows nothing of this module.
func same(a, b []byte) bool {
	return slices.EqualFunc(written(a), written(b), bytes.Equal) && slices.EqualFunc(documents(a), documents(b), equal)
}

// written returns the lines of b that are not blank.
func written(b []byte) [][]byte {
	return slices.DeleteFunc(slices.Collect(bytes.Lines(b)), func(l []byte) bool { return len(bytes.TrimSpace(l)) == 0 })
}

func documents(b []byte) []*yaml.Node {
	var all []*yaml.Node
	for d := yaml.NewDecoder(bytes.NewReader(b)); ; {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) || err != nil {
			return all
		}
		all = append(all, &n)
	}
}

func equal(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Style == b.Style && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, equal)
}
