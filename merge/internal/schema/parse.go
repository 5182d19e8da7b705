package schema

import (
	"errors"

	"gopkg.in/yaml.v3"
)

// Parse reads the team's file (docs/rules.md describes it). Name is the
// file's name for errors and sources. Version is the version of this tool,
// for `requires`; one that is no release meets everything, which Remarks says, and so
// does "", in silence.
//
// Its error joins an *Error for every mistake; there are no rules then.
func Parse(name string, data []byte, version string) (*Rules, error) {
	r := new(Rules)
	rd := &reader{name: name}
	if err := rd.read(r, data, version); err != nil {
		return nil, err
	}
	return r, nil
}

// read adds to r what data says.
func (rd *reader) read(r *Rules, data []byte, version string) error {
	root, err := rd.document(data)
	if err != nil || root == nil {
		return err
	}
	if err := rd.requires(r, root, version); err != nil {
		return err
	}
	var more []*entry // what the team's own entries leave open
	rd.mapping(root, "the file", []member{
		{"requires", func(*yaml.Node) {}},
		{"crds", func(n *yaml.Node) { r.crdFiles, r.crdPatterns = rd.globs(n, "crds") }},
		{"extends", func(n *yaml.Node) { more = rd.extends(r, n) }},
		{"rules", func(n *yaml.Node) { r.team, r.written = rd.written(n) }},
		{"generated", func(n *yaml.Node) { r.generated = rd.generated(n) }},
	})
	r.team = append(r.team, more...)
	return errors.Join(rd.errs...)
}
