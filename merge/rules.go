package merge

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bump"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
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

// A Preset is a set of rules that a team's file can ask for by `extends`.
type Preset struct {
	Name string
	// About is for people: what the rules are for.
	About string
	// Files are patterns, as in .gitattributes, of files in whose repository it is worth a
	// word.
	Files []string
}

// Presets are the sets that there are.
func Presets() []Preset {
	var all []Preset
	for _, p := range schema.Named {
		all = append(all, Preset{p.Name, p.About, p.Files})
	}
	return all
}

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
	return &Rules{r.known().Then(o.known())}
}

// Extended are the names of the presets that r has.
func (r *Rules) Extended() []string { return r.known().Extended() }

// Remarks are what is no mistake in the team's file and yet worth a word, each as
// name:line:column and a text: that a build that is no release is taken for as new as
// the file requires.
func (r *Rules) Remarks() []string { return r.known().Remarks() }

// CRDs returns the patterns of the files with custom resource definitions that
// the rules ask for.
func (r *Rules) CRDs() []string { return r.known().CRDs() }

// IsCRD reports whether the file at path, slash separated from the top of the
// work tree, is to be given to AddCRD.
func (r *Rules) IsCRD(path string) bool { return r.known().IsCRD(path) }

// A File is a file that rules ask for.
type File struct {
	// Path is slash separated, from the top of the work tree.
	Path string
	Data []byte
}

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
	r.grown().ReadCRDs(func() ([]schema.File, error) {
		found, err := files()
		all := make([]schema.File, len(found))
		for i, f := range found {
			all[i] = schema.File(f)
		}
		return all, err
	})
	return nil
}

// AddCRD adds what the custom resource definitions in data say about lists. An error
// says what is wrong with them, or that r is nil.
func (r *Rules) AddCRD(name string, data []byte) error {
	if r == nil {
		return errNoRules
	}
	return r.grown().AddCRD(name, data)
}

// grown is what is to know more.
func (r *Rules) grown() *schema.Rules {
	if r.schema == nil {
		r.schema = new(schema.Rules)
	}
	return r.schema
}

// Bumps reports whether the policy next is for a version in the file at path, and not for
// labels alone.
func (r *Rules) Bumps(path string) bool { return r.known().Releases(path) }

// NamesFiles reports whether entries of the team's file are for some files only, which a
// merge without a path is none of.
func (r *Rules) NamesFiles() bool { return r.known().NamesFiles() }

// known is what is asked; without a team's file, these are the built-in types,
// presets and inference.
func (r *Rules) known() *schema.Rules {
	if r == nil || r.schema == nil {
		return new(schema.Rules) // what is asked of nil is not remembered
	}
	return r.schema
}

// policy decides a conflict where the team's rules name its field.
func (m *merger) policy(c *page.Conflict) (decided page.Verdict, ok bool) {
	if c.Child == nil || c.Path == nil || c.Kind == plan.ConflictComment {
		return decided, false
	}
	policy, source := m.opts.Rules.known().Field(c.Path.Place())
	took := three.Dest
	switch policy {
	case schema.Ours:
	case schema.Theirs:
		took = three.Updated
	case schema.Own, schema.Upstream, schema.Next:
		own, ok := m.own()
		switch {
		case !ok:
			return decided, false
		case policy == schema.Next:
			return bump.Next(c, own, m.in.Streams, three.By(policy, source))
		}
		if took = own; policy == schema.Upstream {
			took = own.Other()
		}
	case schema.Highest, schema.Lowest:
		if s, ok := c.Pinned(m.in.Streams, policy); ok {
			return c.Taken(s, three.By(policy, source)), true
		}
		if took, ok = c.Preferred(policy); !ok {
			return decided, false
		}
	default:
		return decided, false
	}
	return c.Valued(m.in.Streams, took, three.By(policy, source))
}

// own is which side is one's own, if somebody knows.
func (m *merger) own() (three.Side, bool) {
	if m.opts.Own == nil {
		return three.Dest, false
	}
	switch m.opts.Own() {
	case OwnOurs:
		return three.Dest, true
	case OwnTheirs:
		return three.Updated, true
	}
	return three.Dest, false
}

// lockPolicy is what decides about the packages of lock files.
var lockPolicy = three.By(schema.Highest, "extends "+bump.LockRules)

// told is what was bumped once more, for people.
func (m *merger) told() (all []Conflict) {
	for _, c := range m.locked {
		all = append(all, Conflict{Path: c.Path, Kind: ConflictValue, By: lockPolicy, Took: three.Names[c.Took]})
	}
	for _, b := range m.bumped {
		all = append(all, Conflict{Path: b.Path.String(), Kind: ConflictValue, By: b.By, Wrote: b.Wrote})
	}
	return all
}

// decided returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) decided(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	p, done := m.proof.Sound(p, r, m.policy, nil)
	var more []page.Decision
	switch m.opts.Resolve {
	case ResolveOurs:
		p, more = m.takeSide(p, r, three.Dest, done)
	case ResolveTheirs:
		p, more = m.takeSide(p, r, three.Updated, done)
	case ResolveUnion:
		p, more = m.proof.Union(r, p)
	}
	return p, append(done, more...)
}

// takeSide takes side s at every conflict that is left. All of s was proven
// with the page; beside what policies took from the other side it was not.
func (m *merger) takeSide(p *page.Page, r *page.Renderer, s three.Side, before []page.Decision) (*page.Page, []page.Decision) {
	j := func(c *page.Conflict) (page.Verdict, bool) { return c.Taken(s, three.Names[s]), true }
	if len(before) > 0 {
		return m.proof.Sound(p, r, j, before)
	}
	return p.Decide(r, j)
}
