package merge

import (
	"errors"

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

// Remarks returns notes about the team's file that are not errors. Each starts with name:line:column. There is one if
// the program is not a release, and is therefore assumed to be as new as the file requires.
func (r *Rules) Remarks() []string { return r.schemaOrEmpty().Remarks() }

// CRDs returns the patterns of the files with custom resource definitions that the rules use.
func (r *Rules) CRDs() []string { return r.schemaOrEmpty().CRDPatterns() }

// IsCRD reports whether the rules use the file at path as one with custom resource definitions, so that the caller
// should pass it to AddCRD. path is relative to the top of the work tree and separated by slashes.
func (r *Rules) IsCRD(path string) bool { return r.schemaOrEmpty().IsCRD(path) }

// A File is a file that the rules need.
type File struct {
	// Path is the path of the file, relative to the top of the work tree and separated by slashes. It is used in errors.
	Path string
	// Data is its content.
	Data []byte
}

// errNoRules is the error for adding custom resource definitions to nil Rules.
var errNoRules = errors.New("merge: nil Rules cannot learn of CRDs")

// ReadCRDs sets the function that returns the files with custom resource definitions. files is called at most once,
// when a merge first meets a resource of a type that is not built in. If such a merge needs a definition that is
// invalid, or if files fails, the line merge is used. ReadCRDs returns an error only if r is nil.
func (r *Rules) ReadCRDs(files func() ([]File, error)) error {
	if r == nil {
		return errNoRules
	}
	r.ensureSchema().SetCRDSource(func() (all []schema.File, err error) {
		found, err := files()
		for _, f := range found {
			all = append(all, schema.File{Path: f.Path, Data: f.Data})
		}
		return all, err
	})
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

// schemaOrEmpty returns r.schema, or empty rules if r or r.schema is nil. Empty rules still have the built-in types
// and the inference of list kinds.
func (r *Rules) schemaOrEmpty() *schema.Rules {
	if r == nil || r.schema == nil {
		return new(schema.Rules) // not stored: what it computes is computed again for the next call
	}
	return r.schema
}
