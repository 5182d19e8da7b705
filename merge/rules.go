package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// Rules are the rules of a team's file for its lists and fields; see docs/rules.md. nil and the zero value have no
// rules. Rules are safe for concurrent use once ReadCRDs and AddCRD are no longer called.
type Rules struct{ schema *schema.Rules }

// ParseRules parses a team's file. name is the name of the file in messages. version is the version of the program,
// which the field requires of the file is compared to; "" satisfies every requirement.
//
// The error joins all mistakes in the file, each as name:line:column, the problem and what is allowed or was probably
// meant. The rules are then those without a mistake, so that a caller can merge with them and report the error. They
// are nil only if the file requires a newer version, or is too large.
func ParseRules(name string, data []byte, version string) (*Rules, error) {
	r, err := schema.Parse(name, data, version)
	if r == nil {
		return nil, err
	}
	return &Rules{r}, err
}

// A Preset is a named set of rules that a team's file can include with the field extends. Name is the name for
// extends, and About describes the rules for the user. Files are patterns as in .gitattributes; the preset is
// recommended for repositories with a file that matches one of them.
type Preset = schema.Preset

// Presets returns the available presets.
func Presets() []Preset { return slices.Clone(schema.NamedPresets) }

// ExtendRules returns the rules of the presets with these names. source is used in messages as the origin of the
// rules. An error lists the names that do not exist.
func ExtendRules(source string, names ...string) (*Rules, error) {
	r, err := schema.Extend(source, names...)
	if err != nil {
		return nil, err
	}
	return &Rules{r}, nil
}

// WithFallback returns rules that combine r and o: a rule of o applies only where r has no rule. r and o may be nil;
// then the other one is returned. Unless r is nil, custom resource definitions of o are not used.
func (r *Rules) WithFallback(o *Rules) *Rules {
	switch {
	case r == nil:
		return o
	case o == nil:
		return r
	}
	return &Rules{r.schemaOrEmpty().WithFallback(o.schemaOrEmpty())}
}

// Extended returns the names of the presets that r includes.
func (r *Rules) Extended() []string { return r.schemaOrEmpty().PresetNames() }

// Remarks returns notes about the team's file that are not errors. Each starts with name:line:column. There is one if
// the program is not a release, and is therefore assumed to be as new as the file requires.
func (r *Rules) Remarks() []string { return r.schemaOrEmpty().Remarks() }

// IsEmpty reports whether the team's file has no rules, apart from those with a mistake.
func (r *Rules) IsEmpty() bool { return r.schemaOrEmpty().IsEmpty() }

// Shadowed returns a message for each rule of the team's file that never applies, because an earlier one applies to all
// that it is for. Each starts with name:line:column.
func (r *Rules) Shadowed() []string { return r.schemaOrEmpty().Shadowed() }

// CRDs returns the patterns of the files with custom resource definitions that the rules use.
func (r *Rules) CRDs() []string { return r.schemaOrEmpty().CRDPatterns() }

// IsCRD reports whether the rules use the file at path as one with custom resource definitions, so that the caller
// should pass it to AddCRD. path is relative to the top of the work tree and separated by slashes.
func (r *Rules) IsCRD(path string) bool { return r.schemaOrEmpty().IsCRD(path) }

// A File is a file that the rules need: its Path, relative to the top of the work tree and separated by slashes, and
// its content, Data.
type File = schema.File

// errNoRules is the error for adding custom resource definitions to nil Rules.
var errNoRules = errors.New("merge: nil Rules cannot learn of CRDs")

// ReadCRDs sets the function that returns the files with custom resource definitions. files is called at most once,
// when a merge first meets a resource of a type that is not built in. If such a merge needs a definition that is
// invalid, or if files fails, the line merge is used. ReadCRDs returns an error only if r is nil.
func (r *Rules) ReadCRDs(files func() ([]File, error)) error {
	if r == nil {
		return errNoRules
	}
	r.ensureSchema().SetCRDSource(files)
	return nil
}

// AddCRD adds the rules for lists in the custom resource definitions in data. It returns an error if a definition is
// invalid or if r is nil. name is the name of the file in errors.
func (r *Rules) AddCRD(name string, data []byte) error {
	if r == nil {
		return errNoRules
	}
	return r.ensureSchema().AddCRD(name, data)
}

// ensureSchema returns r.schema to be modified. It creates it if it is nil. r must not be nil.
func (r *Rules) ensureSchema() *schema.Rules {
	if r.schema == nil {
		r.schema = new(schema.Rules)
	}
	return r.schema
}

// HasNextVersion reports whether a rule applies the policy next to a version in the file at path. A rule for labels
// only does not count.
func (r *Rules) HasNextVersion(path string) bool { return r.schemaOrEmpty().HasNextVersion(path) }

// HasFilePatterns reports whether an entry of the team's file is limited to some files. Such an entry does not apply
// to a merge without Options.Path.
func (r *Rules) HasFilePatterns() bool { return r.schemaOrEmpty().HasFilePatterns() }

// Deleted is a rule for a file that one side deleted and the other side changed. Take is the side whose change is
// kept: DeletedOwn, DeletedUpstream, or DeletedAsk. Source is the file and line of the rule. Merge does not use it,
// because it merges only files that exist in all versions.
type Deleted = schema.Deleted

// The values of Deleted.Take: keep the change of the user's own side or of the other side, or leave a conflict.
const (
	DeletedOwn      = schema.Own
	DeletedUpstream = schema.Upstream
	DeletedAsk      = schema.Ask
)

// Deleted returns the rule of the team's file for the file at path, if one side deleted it. path is relative to the
// top of the work tree and separated by slashes. ok is false if there is no rule.
func (r *Rules) Deleted(path string) (d Deleted, ok bool) {
	return r.schemaOrEmpty().DeletedPolicy(path)
}

// Generated is a rule for files that a program generates from other files. A merge of such a file is correct only if
// it equals the output of the program for the merged sources. Merge does not use the rule. Files are the patterns of
// the generated files. From are the patterns of their sources; if it is empty, all other files are. By is the
// command, or "". Source is the file and line of the rule.
//
// The method Makes reports whether the file at a path is one of Files, and Needs whether it is one of the sources.
// Paths are relative to the top of the work tree and separated by slashes.
type Generated = schema.Generated

// Generated returns the rules of the team's file for generated files, in the order of the file.
func (r *Rules) Generated() (all []Generated) {
	for _, g := range r.schemaOrEmpty().Generated() {
		all = append(all, *g)
	}
	return all
}

// schemaOrEmpty returns r.schema, or empty rules if r or r.schema is nil. Empty rules still have the built-in types
// and the inference of list kinds.
func (r *Rules) schemaOrEmpty() *schema.Rules {
	if r == nil || r.schema == nil {
		return new(schema.Rules) // not stored: what it computes is computed again for the next call
	}
	return r.schema
}
