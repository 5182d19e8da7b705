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

// An entry is one entry of the team's file, or one preset.
type entry struct {
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

	unread [][]string   // of a preset, the words of lines that nobody asked for
	read   func() error // reads them
}

// A rule is what an entry says of the paths of a pattern.
type rule[T any] struct {
	at pattern
	is T
}

// found are what rules of entries say of path, the first first.
func found[T any](entries []*entry, path []string, of func(*entry) []rule[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range entries {
			for _, r := range of(e) {
				if r.at.match(path) && !yield(r.is) {
					return
				}
			}
		}
	}
}

// first is the first of found; false where there is none.
func first[T any](entries []*entry, path []string, of func(*entry) []rule[T]) (is T, ok bool) {
	for is := range found(entries, path, of) {
		return is, true
	}
	return is, false
}

func lists(e *entry) []rule[List]      { return e.lists }
func images(e *entry) []rule[bool]     { return e.images }
func names(e *entry) []rule[bool]      { return e.names }
func fields(e *entry) []rule[Decision] { return e.fields }

// A kindSelector selects resources: Deployment, apps/Deployment, core/Pod.
type kindSelector struct {
	group    string
	anyGroup bool
	kind     string
}

// kindForm is a kind, perhaps behind an API group; versionForm is what stands for a version in the place of that.
var (
	kindForm    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:([a-z0-9.-]+)/)?([A-Za-z][A-Za-z0-9]*)$`) })
	versionForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v[0-9][^.]*$`) })
)

// parseKind reads a kind selector. Its error says of s that it is none.
func parseKind(s string) (k kindSelector, err error) {
	m := kindForm().FindStringSubmatch(s)
	if m == nil || versionForm().MatchString(m[1]) {
		return k, errors.New(" is not a kind")
	}
	k = kindSelector{group: m[1], anyGroup: m[1] == "", kind: m[2]}
	if k.group == "core" {
		k.group = ""
	}
	return k, nil
}

func (k kindSelector) match(apiVersion, kind string) bool {
	return k.kind == kind && (k.anyGroup || k.group == resourceOf(apiVersion, kind).group)
}

// selects reports whether e is about the document at p.
func (e *entry) selects(p Place) bool {
	return e.selectsFile(p.File) && (len(e.kinds) == 0 || slices.ContainsFunc(e.kinds, func(k kindSelector) bool {
		return k.match(p.APIVersion, p.Kind)
	}))
}

// selectsFile reports whether e is about the file, or about all.
func (e *entry) selectsFile(file string) bool {
	return len(e.files) == 0 || file != "" && matchAny(e.files, file)
}

// selected returns the entries about the document at p.
func selected(all []*entry, p Place) []*entry {
	return slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return !e.selects(p) })
}

// HasPolicy reports whether the team's rules have the policy for a field of the
// file at path.
func (r *Rules) HasPolicy(policy Policy, path string) bool {
	return len(r.decided(policy, path)) > 0
}

// decided are the fields of the file at path that have the policy.
func (r *Rules) decided(policy Policy, path string) (all []pattern) {
	for _, e := range r.team {
		for _, f := range e.fields {
			if f.is.Policy == policy && e.selectsFile(path) {
				all = append(all, f.at)
			}
		}
	}
	return all
}

// Lists reports whether the team, or definitions that it has, may say what a list of the file
// at path is, or what is in one.
func (r *Rules) Lists(path string) bool {
	return r.crdSource != nil || len(r.crds) > 0 || r.HasPolicy(Union, path) || slices.ContainsFunc(r.team, func(e *entry) bool {
		return len(e.lists)+len(e.oneOf)+len(e.images)+len(e.multiplied) > 0 && e.selectsFile(path)
	})
}

// NamesFiles reports whether an entry of the team is for some files only.
func (r *Rules) NamesFiles() bool {
	return slices.ContainsFunc(r.team, func(e *entry) bool { return len(e.files) > 0 })
}

// Named are the names of the fields of the file at path that have the policy; "" is any.
func (r *Rules) Named(policy Policy, path string) (names []string) {
	for _, at := range r.decided(policy, path) {
		last := element{}
		if len(at) > 0 {
			last = at[len(at)-1]
		}
		names = append(names, last.name)
	}
	return names
}

// Releases reports whether the team's rules have the policy next for what is the version of
// something in the file at path, and not for a label alone, which repeats one.
func (r *Rules) Releases(path string) bool {
	return slices.ContainsFunc(r.decided(Next, path), func(at pattern) bool {
		return !slices.ContainsFunc(at, func(e element) bool { return e.name == "labels" })
	})
}

// A selection holds what there is to know of the documents of one kind in
// one file. What comes later in the order of sources is looked up when it is needed.
type selection struct {
	team    []*entry
	types   func() []string // Kubernetes' built-in types
	presets func() []*entry // none for what the types know
	// anyPresets are presets also for what the types know.
	anyPresets func() []*entry
	crds       func() crdTypes
}

// selection returns what there is to know of the document at p, chosen once
// for all its lists.
func (r *Rules) selection(p Place) *selection {
	if r == nil {
		r = new(Rules)
	}
	p.Path = nil
	key := [3]string{p.File, p.APIVersion, p.Kind}
	if s, ok := r.selections.Load(key); ok {
		return s.(*selection)
	}
	types := sync.OnceValue(func() []string { return kubernetesTypes().typesOf(p.APIVersion, p.Kind) })
	anyPresets := sync.OnceValue(func() []*entry {
		all := selected(presets(), p)
		for _, e := range all {
			_ = e.read() // without a mistake, as a test holds
		}
		return all
	})
	s, _ := r.selections.LoadOrStore(key, &selection{
		team:       selected(r.team, p),
		types:      types,
		anyPresets: anyPresets,
		presets: func() []*entry {
			if len(types()) > 0 {
				return nil
			}
			return anyPresets()
		},
		crds: sync.OnceValue(func() crdTypes { return r.readCRDs(resourceOf(p.APIVersion, p.Kind)) }),
	})
	return s.(*selection)
}

// mention is a pattern of files, or a path, that an entry names.
type mention struct {
	node   *yaml.Node
	source string // where, for messages
	in     *entry
	file   *wildmatch.Glob
	at     pattern
}

// A Usage looks for what the team's own entries name and no file has.
type Usage struct{ left []mention }

// Usage is one that has not seen a file.
func (r *Rules) Usage() *Usage { return &Usage{slices.Clone(r.written)} }

// File takes notice of the file at path, and reports whether it is worth to See what is
// in it.
func (u *Usage) File(path string) bool {
	u.left = slices.DeleteFunc(u.left, func(n mention) bool { return n.file != nil && n.file.Match(path) })
	return slices.ContainsFunc(u.left, func(n mention) bool {
		return n.file == nil && n.in.selectsFile(path)
	})
}

// See takes notice of what stands at p.
func (u *Usage) See(p Place) {
	u.left = slices.DeleteFunc(u.left, func(n mention) bool { return n.file == nil && n.in.selects(p) && n.at.match(p.Path) })
}

// Remarks say what was not there, in the order of the team's file. Of an entry for none
// of the files its paths are not told.
func (u *Usage) Remarks() (all []string) {
	missing := map[*entry]int{}
	for _, n := range u.left {
		if n.file != nil {
			missing[n.in]++
		}
	}
	for _, n := range u.left {
		switch name := strconv.Quote(n.node.Value); {
		case n.file != nil:
			all = append(all, n.source+"no file of the repository matches "+name)
		case missing[n.in] == 0 || missing[n.in] < len(n.in.files):
			all = append(all, n.source+"nothing that the entry is about has the path "+name)
		}
	}
	return all
}

// Selector spells the kind of the resource at p, in any version, as parseKind
// reads it; "" where there is none.
func (p Place) Selector() string {
	group := resourceOf(p.APIVersion, p.Kind).group
	if group == "" {
		group = "core"
	}
	s := group + "/" + p.Kind
	if k, err := parseKind(s); err != nil || !k.match(p.APIVersion, p.Kind) {
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
func (g *Generated) Makes(path string) bool { return matchAny(g.files, path) }

// Needs reports whether path is one of those that the files are made from.
func (g *Generated) Needs(path string) bool {
	return !g.Makes(path) && (len(g.from) == 0 || matchAny(g.from, path))
}

// Generated are the entries of the team's file about files that a program makes.
func (r *Rules) Generated() []*Generated {
	return r.generated
}

func matchAny(globs []wildmatch.Glob, path string) bool {
	return slices.ContainsFunc(globs, func(g wildmatch.Glob) bool { return g.Match(path) })
}
