package merge

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
)

// Rules are the team's rules (.git-merge-yaml.yaml) for lists and fields: how the items of lists are matched, and
// which policies decide conflicts; see docs/rules.md. nil and the zero value have no rules. Rules are safe for
// concurrent use once SetCRDReader and AddCRD are no longer called.
type Rules struct {
	team     *team.Rules
	mistakes error
}

// ParseRules parses data, the team's rules (.git-merge-yaml.yaml). name is the name of the file in messages, and
// version is that of the program, such as 0.4.1. Rules with a mistake are left out; the caller should report Mistakes.
// It fails if data is not YAML, has too many items, or requires a newer version.
func ParseRules(name string, data []byte, version string) (*Rules, error) {
	r, err := team.Parse(name, data, version)
	if r == nil {
		return nil, err
	}
	return &Rules{team: r, mistakes: err}, nil // err joins the mistakes in rules that were left out
}

// Mistakes returns an error that joins all mistakes in the file that ParseRules read, each as name:line:column, the
// problem, and what is allowed or was probably meant. It returns nil if there are none. r may be nil.
func (r *Rules) Mistakes() error {
	if r == nil {
		return nil
	}
	return r.mistakes
}

// PresetRules returns the rules of the presets with these names: built-in rules for well-known kinds of files, such as
// helm. source is their origin in messages and errors. It fails if there are no names, or if one does not exist or is
// repeated.
func PresetRules(source string, names ...string) (*Rules, error) {
	r, err := team.Extend(source, names...)
	if err != nil {
		return nil, err
	}
	return &Rules{team: r}, nil
}

// WithFallback returns rules that combine r and o: the rules of o apply to what r does not decide. Custom resource
// definitions, Mistakes and Remarks are only taken from r. r and o do not change. If r is nil, the result is o itself,
// and if o is nil, r itself.
func (r *Rules) WithFallback(o *Rules) *Rules {
	switch {
	case r == nil:
		return o
	case o == nil:
		return r
	}
	return &Rules{team: r.teamOrEmpty().WithFallback(o.teamOrEmpty()), mistakes: r.mistakes}
}

// Remarks returns notes about the team's file (.git-merge-yaml.yaml) that are not errors. Each starts with
// name:line:column. There is one if the version passed to ParseRules is not that of a release, so that it is assumed
// to be as new as the file requires. r may be nil.
func (r *Rules) Remarks() []string { return r.teamOrEmpty().Remarks() }

// CRDs returns the patterns, as in .gitattributes, of the files with custom resource definitions that the rules use. r
// may be nil.
func (r *Rules) CRDs() []string { return r.teamOrEmpty().CRDPatterns() }

// IsCRD reports whether one of the patterns of CRDs matches the file at path, so that the caller should pass its
// content to AddCRD. path is relative to the top of the work tree and separated by slashes. r may be nil.
func (r *Rules) IsCRD(path string) bool { return r.teamOrEmpty().IsCRD(path) }

// A File is a file with custom resource definitions.
type File struct {
	// Path is the path of the file, relative to the top of the work tree and separated by slashes. It is used in
	// errors.
	Path string
	// Data is its content.
	Data []byte
}

// errNoRules is the error for adding custom resource definitions to nil Rules.
var errNoRules = errors.New("merge: cannot add CRDs to nil Rules")

// SetCRDReader sets the function that returns the files with custom resource definitions. A merge calls files when it
// first meets a type that is not built in, and at most once for r; its errors lead to CauseDefinition. SetCRDReader
// must not be called during a merge, and fails if r is nil.
func (r *Rules) SetCRDReader(files func() ([]File, error)) error {
	if r == nil {
		return errNoRules
	}
	r.ensureTeam().SetCRDSource(func() ([]team.File, error) {
		found, err := files()
		return mapEach(found, func(f File) team.File { return team.File(f) }), err
	})
	return nil
}

// AddCRD adds the rules for lists in custom resource definitions to r. data is a YAML file, and name is its name in
// errors. Other documents in it are ignored, and so are versions of types that r already has. It fails, and adds
// nothing, if r is nil or if a definition is invalid.
func (r *Rules) AddCRD(name string, data []byte) error {
	if r == nil {
		return errNoRules
	}
	return r.ensureTeam().AddCRD(name, data)
}

// ensureTeam returns the rules in r, not a copy, for a caller that changes them. If r.team is nil, it sets r.team
// to new rules first. r must not be nil.
func (r *Rules) ensureTeam() *team.Rules {
	if r.team == nil {
		r.team = new(team.Rules)
	}
	return r.team
}

// teamOrEmpty returns r.team, or new rules without any entry if r or r.team is nil. These still have the built-in
// types, such as Deployment, and find out how the items of lists are matched. The result is never nil, and r does not
// change.
func (r *Rules) teamOrEmpty() *team.Rules {
	if r == nil || r.team == nil {
		return new(team.Rules) // not stored: what it computes is computed again for the next call
	}
	return r.team
}
