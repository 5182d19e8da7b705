package schema

import (
	"slices"
	"strconv"
	"sync"

	"gopkg.in/yaml.v3"
)

// An entry is one entry of the team's file, or one preset.
type entry struct {
	files  []glob         // none: every file
	kinds  []kindSelector // none: every document
	lists  []listRule
	oneOf  []unionRule
	images []pattern // of fields that are references of images
	names  []pattern // of mappings whose keys are names of things
	fields []fieldRule

	deleted Deleted // of files that one side deleted and the other changed
}

type listRule struct {
	at   pattern
	list List
}

type unionRule struct {
	at    pattern
	union OneOf
}

type fieldRule struct {
	at     pattern
	policy Policy
	source string
}

// A kindSelector selects resources: Deployment, apps/Deployment, core/Pod.
type kindSelector struct {
	group    string
	anyGroup bool
	kind     string
}

func (k kindSelector) match(apiVersion, kind string) bool {
	return k.kind == kind && (k.anyGroup || k.group == resourceOf(apiVersion, kind).group)
}

// selects reports whether e is about the document at p.
func (e *entry) selects(p Place) bool {
	return (len(e.files) == 0 || e.selectsFile(p.File)) && (len(e.kinds) == 0 || e.selectsKind(p))
}

func (e *entry) selectsFile(file string) bool {
	for _, g := range e.files {
		if file != "" && g.match(file) {
			return true
		}
	}
	return false
}

func (e *entry) selectsKind(p Place) bool {
	for _, k := range e.kinds {
		if k.match(p.APIVersion, p.Kind) {
			return true
		}
	}
	return false
}

// selected returns the entries about the document at p.
func selected(all []*entry, p Place) []*entry {
	var some []*entry
	for _, e := range all {
		if e.selects(p) {
			some = append(some, e)
		}
	}
	return some
}

// listAt returns what the first of the entries that knows the list says.
func listAt(entries []*entry, path []string) (List, bool) {
	for _, e := range entries {
		for _, r := range e.lists {
			if r.at.match(path) {
				return r.list, true
			}
		}
	}
	return List{}, false
}

// fieldAt returns what the first of the entries that knows the field says.
func fieldAt(entries []*entry, path []string) (Policy, string) {
	for _, e := range entries {
		for _, r := range e.fields {
			if r.at.match(path) {
				return r.policy, r.source
			}
		}
	}
	return NoPolicy, ""
}

// HasPolicy reports whether the team's rules have the policy for a field of the
// file at path.
func (r *Rules) HasPolicy(policy Policy, path string) bool {
	return r.hasPolicy(policy, path, func(fieldRule) bool { return true })
}

func (r *Rules) hasPolicy(policy Policy, path string, counts func(fieldRule) bool) bool {
	if r == nil {
		return false
	}
	return slices.ContainsFunc(r.team, func(e *entry) bool {
		return slices.ContainsFunc(e.fields, func(f fieldRule) bool { return f.policy == policy && counts(f) }) &&
			(len(e.files) == 0 || e.selectsFile(path))
	})
}

// Lists reports whether the team, or definitions that it has, may say what a list of the file
// at path is, or what is in one.
func (r *Rules) Lists(path string) bool {
	if r == nil {
		return false
	}
	return r.crdSource != nil || len(r.crds) > 0 || r.HasPolicy(Union, path) || slices.ContainsFunc(r.team, func(e *entry) bool {
		return len(e.lists)+len(e.oneOf)+len(e.images) > 0 && (len(e.files) == 0 || e.selectsFile(path))
	})
}

// NamesFiles reports whether an entry of the team is for some files only.
func (r *Rules) NamesFiles() bool {
	return slices.ContainsFunc(r.team, func(e *entry) bool { return len(e.files) > 0 })
}

// Named are the names of the fields of the file at path that have the policy; "" is any.
func (r *Rules) Named(policy Policy, path string) (names []string) {
	r.hasPolicy(policy, path, func(f fieldRule) bool {
		last := element{}
		if len(f.at) > 0 {
			last = f.at[len(f.at)-1]
		}
		names = append(names, last.name)
		return false
	})
	return names
}

// Releases reports whether the team's rules have the policy next for what is the version of
// something in the file at path, and not for a label alone, which repeats one.
func (r *Rules) Releases(path string) bool {
	return r.hasPolicy(Next, path, func(f fieldRule) bool {
		return !slices.ContainsFunc(f.at, func(e element) bool { return e.name == "labels" })
	})
}

// A selection holds what there is to know of the documents of one kind in
// one file. What comes later in the order of sources is looked up when it is needed.
type selection struct {
	team    []*entry
	types   func() []string // Kubernetes' built-in types
	presets func() []*entry
}

// selection returns what there is to know of the document at p, chosen once
// for all its lists.
func (r *Rules) selection(p Place) *selection {
	p.Path = nil
	key := [3]string{p.File, p.APIVersion, p.Kind}
	if s, ok := r.selections.Load(key); ok {
		return s.(*selection)
	}
	s, _ := r.selections.LoadOrStore(key, &selection{
		team:    selected(r.team, p),
		types:   sync.OnceValue(func() []string { return kubernetesTypes().typesOf(p.APIVersion, p.Kind) }),
		presets: sync.OnceValue(func() []*entry { return selected(presets(), p) }),
	})
	return s.(*selection)
}

// mention is a pattern of files, or a path, that an entry names.
type mention struct {
	node   *yaml.Node
	source string // where, for messages
	in     *entry
	file   *glob
	at     pattern
}

// A Usage looks for what the team's own entries name and no file has.
type Usage struct{ left []mention }

// Usage is one that has not seen a file.
func (r *Rules) Usage() *Usage { return &Usage{slices.Clone(r.written)} }

// File takes notice of the file at path, and reports whether it is worth to See what is
// in it.
func (u *Usage) File(path string) bool {
	u.left = slices.DeleteFunc(u.left, func(n mention) bool { return n.file != nil && n.file.match(path) })
	return slices.ContainsFunc(u.left, func(n mention) bool {
		return n.file == nil && (len(n.in.files) == 0 || n.in.selectsFile(path))
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
	if k, ok := parseKind(s); !ok || !k.match(p.APIVersion, p.Kind) {
		return ""
	}
	return s
}
