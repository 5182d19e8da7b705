package schema

import (
	"errors"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// An rulesEntry is one entry of the team's file, or one preset.
type rulesEntry struct {
	files    []wildmatch.Glob // none: every file
	kinds    []kindSelector   // none: every document
	lists    []rule[List]
	oneOf    []rule[OneOf]
	distinct []rule[OneOf] // fields of which none is another one renamed
	images   []rule[bool]  // of fields that are references of images
	names    []rule[bool]  // of mappings whose keys are names of things
	fields   []rule[Decision]

	multiplied []rule[Multiplied]

	deleted Deleted // of files that one side deleted and the other changed

	unreadLines [][]string   // of a preset, the words of lines that nobody asked for
	readLines   func() error // reads them
}

// A rule is what an entry says of the paths of a pattern.
type rule[T any] struct {
	pattern pattern
	value   T
}

// matchingRules are what rules of entries say of path, the first first.
func matchingRules[T any](entries []*rulesEntry, path []string, of func(*rulesEntry) []rule[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range entries {
			for _, r := range of(e) {
				if r.pattern.matches(path) && !yield(r.value) {
					return
				}
			}
		}
	}
}

// firstMatch is the first of found; false where there is none.
func firstMatch[T any](entries []*rulesEntry, path []string, of func(*rulesEntry) []rule[T]) (is T, ok bool) {
	for is := range matchingRules(entries, path, of) {
		return is, true
	}
	return is, false
}

func listRules(e *rulesEntry) []rule[List]      { return e.lists }
func imageRules(e *rulesEntry) []rule[bool]     { return e.images }
func nameRules(e *rulesEntry) []rule[bool]      { return e.names }
func fieldRules(e *rulesEntry) []rule[Decision] { return e.fields }

// A kindSelector selects resources: Deployment, apps/Deployment, core/Pod.
type kindSelector struct {
	group    string
	anyGroup bool
	kind     string
}

// kindForm is a kind, perhaps behind an API group; versionForm is what stands for a version in the place of that.
var (
	kindRegexp    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:([a-z0-9.-]+)/)?([A-Za-z][A-Za-z0-9]*)$`) })
	versionRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v[0-9][^.]*$`) })
)

// parseKind reads a kind selector. Its error says of s that it is none.
func parseKind(s string) (k kindSelector, err error) {
	m := kindRegexp().FindStringSubmatch(s)
	if m == nil || versionRegexp().MatchString(m[1]) {
		return k, errors.New(" is not a kind")
	}
	k = kindSelector{group: m[1], anyGroup: m[1] == "", kind: m[2]}
	if k.group == "core" {
		k.group = ""
	}
	return k, nil
}

func (k kindSelector) matches(apiVersion, kind string) bool {
	return k.kind == kind && (k.anyGroup || k.group == resourceOf(apiVersion, kind).group)
}

// selects reports whether e is about the document at p.
func (e *rulesEntry) selects(p Place) bool {
	return e.selectsFile(p.File) && (len(e.kinds) == 0 || slices.ContainsFunc(e.kinds, func(k kindSelector) bool {
		return k.matches(p.APIVersion, p.Kind)
	}))
}

// selectsFile reports whether e is about the file, or about all.
func (e *rulesEntry) selectsFile(file string) bool {
	return len(e.files) == 0 || file != "" && matchesAny(e.files, file)
}

// selectEntries returns the entries about the document at p.
func selectEntries(all []*rulesEntry, p Place) []*rulesEntry {
	return slices.DeleteFunc(slices.Clone(all), func(e *rulesEntry) bool { return !e.selects(p) })
}

// HasPolicy reports whether the team's rules have the policy for a field of the
// file at path.
func (r *Rules) HasPolicy(policy Policy, path string) bool {
	return len(r.fieldsWithPolicy(policy, path)) > 0
}

// fieldsWithPolicy are the fields of the file at path that have the policy.
func (r *Rules) fieldsWithPolicy(policy Policy, path string) (all []pattern) {
	for _, e := range r.team {
		for _, f := range e.fields {
			if f.value.Policy == policy && e.selectsFile(path) {
				all = append(all, f.pattern)
			}
		}
	}
	return all
}

// MayAffectLists reports whether the team, or definitions that it has, may say what a list of the file
// at path is, or what is in one.
func (r *Rules) MayAffectLists(path string) bool {
	return r.crdSource != nil || len(r.crds) > 0 || r.HasPolicy(Union, path) || slices.ContainsFunc(r.team, func(e *rulesEntry) bool {
		return len(e.lists)+len(e.oneOf)+len(e.images)+len(e.multiplied) > 0 && e.selectsFile(path)
	})
}

// HasFilePatterns reports whether an entry of the team is for some files only.
func (r *Rules) HasFilePatterns() bool {
	return slices.ContainsFunc(r.team, func(e *rulesEntry) bool { return len(e.files) > 0 })
}

// FieldNamesWithPolicy are the names of the fields of the file at path that have the policy; "" is any.
func (r *Rules) FieldNamesWithPolicy(policy Policy, path string) (names []string) {
	for _, at := range r.fieldsWithPolicy(policy, path) {
		last := step{}
		if len(at) > 0 {
			last = at[len(at)-1]
		}
		names = append(names, last.name)
	}
	return names
}

// HasNextVersion reports whether the team's rules have the policy next for what is the version of
// something in the file at path, and not for a label alone, which repeats one.
func (r *Rules) HasNextVersion(path string) bool {
	return slices.ContainsFunc(r.fieldsWithPolicy(Next, path), func(at pattern) bool {
		return !slices.ContainsFunc(at, func(e step) bool { return e.name == "labels" })
	})
}

// A selection holds what there is to know of the documents of one kind in
// one file. What comes later in the order of sources is looked up when it is needed.
type selection struct {
	team            []*rulesEntry
	types           func() []string      // Kubernetes' built-in types
	typelessPresets func() []*rulesEntry // none for what the types know
	// allPresets are presets also for what the types know.
	allPresets func() []*rulesEntry
	crds       func() crdTypes
}

// selectionFor returns what there is to know of the document at p, chosen once
// for all its lists.
func (r *Rules) selectionFor(p Place) *selection {
	if r == nil {
		r = new(Rules)
	}
	p.Path = nil
	key := [3]string{p.File, p.APIVersion, p.Kind}
	if s, ok := r.selections.Load(key); ok {
		return s.(*selection)
	}
	types := sync.OnceValue(func() []string { return kubernetesTypes().typesOf(p.APIVersion, p.Kind) })
	anyPresets := sync.OnceValue(func() []*rulesEntry {
		all := selectEntries(builtinPresets(), p)
		for _, e := range all {
			_ = e.readLines() // without a mistake, as a test holds
		}
		return all
	})
	s, _ := r.selections.LoadOrStore(key, &selection{
		team:       selectEntries(r.team, p),
		types:      types,
		allPresets: anyPresets,
		typelessPresets: func() []*rulesEntry {
			if len(types()) > 0 {
				return nil
			}
			return anyPresets()
		},
		crds: sync.OnceValue(func() crdTypes { return r.parseCRDsFor(resourceOf(p.APIVersion, p.Kind)) }),
	})
	return s.(*selection)
}

// mention is a pattern of files, or a path, that an entry names.
type mention struct {
	node     *yaml.Node
	location string // where, for messages
	entry    *rulesEntry
	glob     *wildmatch.Glob
	pattern  pattern
}

// A Usage looks for what the team's own entries name and no file has.
type Usage struct{ unseen []mention }

// NewUsage is one that has not seen a file.
func (r *Rules) NewUsage() *Usage { return &Usage{slices.Clone(r.mentions)} }

// SeeFile takes notice of the file at path, and reports whether it is worth to See what is
// in it.
func (u *Usage) SeeFile(path string) bool {
	u.unseen = slices.DeleteFunc(u.unseen, func(n mention) bool { return n.glob != nil && n.glob.Match(path) })
	return slices.ContainsFunc(u.unseen, func(n mention) bool {
		return n.glob == nil && n.entry.selectsFile(path)
	})
}

// SeePlace takes notice of what stands at p.
func (u *Usage) SeePlace(p Place) {
	u.unseen = slices.DeleteFunc(u.unseen, func(n mention) bool { return n.glob == nil && n.entry.selects(p) && n.pattern.matches(p.Path) })
}

// Remarks say what was not there, in the order of the team's file. Of an entry for none
// of the files its paths are not told.
func (u *Usage) Remarks() (all []string) {
	missing := map[*rulesEntry]int{}
	for _, n := range u.unseen {
		if n.glob != nil {
			missing[n.entry]++
		}
	}
	for _, n := range u.unseen {
		switch name := strconv.Quote(n.node.Value); {
		case n.glob != nil:
			all = append(all, n.location+"no file of the repository matches "+name)
		case missing[n.entry] == 0 || missing[n.entry] < len(n.entry.files):
			all = append(all, n.location+"nothing that the entry is about has the path "+name)
		}
	}
	return all
}

// KindSelector spells the kind of the resource at p, in any version, as parseKind
// reads it; "" where there is none.
func (p Place) KindSelector() string {
	group := resourceOf(p.APIVersion, p.Kind).group
	if group == "" {
		group = "core"
	}
	s := group + "/" + p.Kind
	if k, err := parseKind(s); err != nil || !k.matches(p.APIVersion, p.Kind) {
		return ""
	}
	return s
}

// Generated says of some files that a program makes them. To merge, they are files as all
// others; whoever calls it may know better.
type Generated struct {
	// Files are the patterns of the files, From those of what they are made from; none is all
	// others.
	Files, From []string
	By          string // the command, "" if nobody said
	Source      string // file and line, for people

	files, from []wildmatch.Glob
}

// Makes reports whether path is one of the files.
func (g *Generated) Makes(path string) bool { return matchesAny(g.files, path) }

// Needs reports whether path is one of those that the files are made from.
func (g *Generated) Needs(path string) bool {
	return !g.Makes(path) && (len(g.from) == 0 || matchesAny(g.from, path))
}

// Generated are the entries of the team's file about files that a program makes.
func (r *Rules) Generated() []*Generated {
	return r.generated
}

func matchesAny(globs []wildmatch.Glob, path string) bool {
	return slices.ContainsFunc(globs, func(g wildmatch.Glob) bool { return g.Match(path) })
}
