package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// Rules are what a team's file says about its lists and fields; see
// docs/rules.md. The zero value, and nil, say nothing. They are safe for concurrent
// use once no more CRDs are added.
type Rules struct{ schema *schema.Rules }

// ParseRules reads a team's file. The name is for messages; version is that
// of the program, for the file's requires field ("" meets any). An error says
// name:line:column, what is wrong and what is allowed.
func ParseRules(name string, data []byte, version string) (*Rules, error) {
	r, err := schema.Parse(name, data, version)
	if err != nil {
		return nil, err
	}
	return &Rules{r}, nil
}

// A Preset is a set of rules that a team's file can ask for by `extends`: its Name; About, for people, what the
// rules are for; and Files, patterns, as in .gitattributes, of files in whose repository it is worth a word.
type Preset = schema.Preset

// Presets are the sets that there are.
func Presets() []Preset { return slices.Clone(schema.NamedPresets) }

// ExtendRules returns the rules of the presets called names. The source is what asks for
// them, for messages. An error says which there are not.
func ExtendRules(source string, names ...string) (*Rules, error) {
	r, err := schema.Extend(source, names...)
	if err != nil {
		return nil, err
	}
	return &Rules{r}, nil
}

// Then returns the rules of r with those of o behind them, which decide what r leaves
// open; either may be nil. Custom resource definitions are those of r alone.
func (r *Rules) Then(o *Rules) *Rules {
	switch {
	case r == nil:
		return o
	case o == nil:
		return r
	}
	return &Rules{r.schemaOrEmpty().WithFallback(o.schemaOrEmpty())}
}

// Extended are the names of the presets that r has.
func (r *Rules) Extended() []string { return r.schemaOrEmpty().PresetNames() }

// Remarks are what is no mistake in the team's file and yet worth a word, each as
// name:line:column and a text: that a build that is no release is taken for as new as
// the file requires.
func (r *Rules) Remarks() []string { return r.schemaOrEmpty().Remarks() }

// CRDs returns the patterns of the files with custom resource definitions that
// the rules ask for.
func (r *Rules) CRDs() []string { return r.schemaOrEmpty().CRDPatterns() }

// IsCRD reports whether the file at path, slash separated from the top of the
// work tree, is to be given to AddCRD.
func (r *Rules) IsCRD(path string) bool { return r.schemaOrEmpty().IsCRD(path) }

// A File is a file that rules ask for: its Path, slash separated, from the top of the work tree, and its Data.
type File = schema.File

// errNoRules is the error of nil Rules that are to know more.
var errNoRules = errors.New("merge: nil Rules cannot learn of CRDs")

// ReadCRDs lets the rules read custom resource definitions once they meet a
// resource that is no built-in type; files is called once at most. A merge
// that needed a definition in which something is wrong, or needed files that
// could not be read, is left to the line merge. The error is that r is nil.
func (r *Rules) ReadCRDs(files func() ([]File, error)) error {
	if r == nil {
		return errNoRules
	}
	r.ensureSchema().SetCRDSource(files)
	return nil
}

// AddCRD adds what the custom resource definitions in data say about lists. An error
// says what is wrong with them, or that r is nil.
func (r *Rules) AddCRD(name string, data []byte) error {
	if r == nil {
		return errNoRules
	}
	return r.ensureSchema().AddCRD(name, data)
}

// ensureSchema is what is to know more.
func (r *Rules) ensureSchema() *schema.Rules {
	if r.schema == nil {
		r.schema = new(schema.Rules)
	}
	return r.schema
}

// Bumps reports whether the policy next is for a version in the file at path, and not for
// labels alone.
func (r *Rules) Bumps(path string) bool { return r.schemaOrEmpty().HasNextVersion(path) }

// NamesFiles reports whether entries of the team's file are for some files only, which a
// merge without a path is none of.
func (r *Rules) NamesFiles() bool { return r.schemaOrEmpty().HasFilePatterns() }

// Deleted is what the team's file says of a file that one side deleted and the other one
// changed: by Take, whose doing stands, and Source, file and line. Merge does not ask for it: it merges files that
// are there.
type Deleted = schema.Deleted

// Whose doing stands: of one's own side, of the other one, or a person is asked.
const (
	DeletedOwn      = schema.Own
	DeletedUpstream = schema.Upstream
	DeletedAsk      = schema.Ask
)

// Deleted returns what the team's file says of the file at path, slash separated from the top
// of the work tree, where one side deleted it; false if it says nothing.
func (r *Rules) Deleted(path string) (d Deleted, ok bool) {
	return r.schemaOrEmpty().DeletedPolicy(path)
}

// Generated says of some files that a program makes them: a merge of such a file is right
// only if it is what the program makes of the merged sources. Merge does not ask for it. Files are their
// patterns, From those of what they are made from, none for all other files; By is the command, "" if the rules do
// not say it; Source is file and line.
//
// Its methods Makes and Needs report whether the file at a path, slash separated from the top of the work tree, is
// one of Files, and one that these are made from.
type Generated = schema.Generated

// Generated are what the team's file says of files that a program makes, in its order.
func (r *Rules) Generated() (all []Generated) {
	for _, g := range r.schemaOrEmpty().Generated() {
		all = append(all, *g)
	}
	return all
}

// schemaOrEmpty is what is asked; without a team's file, these are the built-in types,
// presets and inference.
func (r *Rules) schemaOrEmpty() *schema.Rules {
	if r == nil || r.schema == nil {
		return new(schema.Rules) // what is asked of nil is not remembered
	}
	return r.schema
}
