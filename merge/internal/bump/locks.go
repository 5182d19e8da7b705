package bump

import (
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// LockPreset is the name of the preset that enables MergePackages.
const LockPreset = "locks"

// A Choice is a package that both sides changed differently, or that one side changed and the other one
// deleted. Both sides get the entry of Side.
type Choice struct {
	Path string
	Side three.Version
}

// A lockFormat describes a kind of lock file: where it has its packages, and which fields are about the whole file.
type lockFormat struct {
	// packagePaths are the paths of the mappings and lists that have the packages; * is any field, and "" is the root.
	packagePaths []string
	// fileFields are fields of the root about the whole file, such as its checksum. They cannot be merged.
	fileFields []string
}

// lockFormats maps file names to formats.
var lockFormats = map[string]lockFormat{
	"Chart.lock":        {[]string{"dependencies"}, []string{"digest", "generated"}},
	"requirements.lock": {[]string{"dependencies"}, []string{"digest", "generated"}},
	"pubspec.lock":      {[]string{"packages"}, nil},
	"Podfile.lock":      {[]string{"PODS", "DEPENDENCIES", "SPEC CHECKSUMS"}, []string{"PODFILE CHECKSUM"}},
	"conda-lock.yml":    {[]string{"package"}, nil},
	"yarn.lock":         {[]string{""}, nil},
	"pnpm-lock.yaml": {[]string{
		"packages", "snapshots", "dependencies", "devDependencies", "optionalDependencies",
		"importers.*.dependencies", "importers.*.devDependencies", "importers.*.optionalDependencies",
	}, nil},
}

// MergePackages returns the versions of a lock file with the merged packages in both dest and updated, and the packages
// for which it chose between different entries. For each package, it merges whole entries:
//
//   - A package that one side added, changed or deleted, and the other one did not change, is as in that side.
//   - If one side deleted a package and the other one changed it, the changed entry is kept.
//   - If both sides changed or added a package, the entry with the higher version is kept. If the versions are
//     equal or cannot be compared, each side keeps its own entry.
//
// For example, in a pubspec.lock:
//
//	original            dest                updated             both sides, returned
//	packages:           packages:           packages:           packages:
//	  a:                  a:                  a:                  a:
//	    version: 1.0.0      version: 1.1.0      version: 1.2.0      version: 1.2.0
//	                      b:                  c:                  b:
//	                        version: 1.0.0      version: 1.0.0      version: 1.0.0
//	                                                              c:
//	                                                                version: 1.0.0
//
// Checksums of the whole file are those of one side. They are wrong until the package manager writes the file again.
//
// The choices are nil if there are none. MergePackages returns raw and nil if it does not know the name of the file, or
// if a version does not parse, repeats a key, or is not a single document with a mapping. It does not change the bytes
// of raw.
func MergePackages(raw [3][]byte, file string) ([3][]byte, []Choice) {
	format, ok := lockFormats[path.Base(file)]
	if !ok {
		return raw, nil
	}
	var root three.Nodes
	_, files, err := read.Open(raw[:]...)
	if err != nil {
		return raw, nil
	}
	for s, f := range files {
		if len(f.Docs) != 1 || f.DuplicateKey() != nil || f.Docs[0].Root.Kind != syntax.Mapping {
			return raw, nil
		}
		root[s] = f.Docs[0].Root
	}
	m := &lockMerger{raw: raw, chosen: map[string]three.Version{}}
	for _, p := range format.packagePaths {
		m.mergeAt(root, strings.FieldsFunc(p, func(r rune) bool { return r == '.' }), nil)
	}
	m.takeFileFields(root, format.fileFields)
	for s := range raw {
		raw[s] = replaceSpans(raw[s], m.replacements[s])
	}
	return raw, m.choices
}

// A lockMerger is the state of MergePackages: the replacements to make in each version, and the packages for which it
// chose between different entries.
type lockMerger struct {
	raw          [3][]byte
	replacements [3][]replacement
	choices      []Choice
	chosen       map[string]three.Version // the sides of choices by the name of the package
}

// mergeAt merges the packages of each collection at one of the paths at which a lock file has packages, such as
// importers.*.dependencies; * is any field. n are the nodes at which to start, done is the path of n, and rest is the
// rest of the path, below n. A collection is merged only if all three versions have it; otherwise mergeAt does nothing.
// The replacements are added to m.replacements.
func (m *lockMerger) mergeAt(n three.Nodes, rest, done []string) {
	if slices.Contains(n[:], nil) {
		return
	}
	if len(rest) == 0 {
		m.mergeCollection(n, strings.Join(done, "."))
		return
	}
	for _, e := range n[three.Dest].Entries {
		if n[three.Dest].Kind == syntax.Mapping && (rest[0] == "*" || rest[0] == e.Key.Value) {
			name := e.Key.Value
			var values three.Nodes
			for s := range n {
				if f := n[s].Field(name); f != nil {
					values[s] = f.Value
				}
			}
			m.mergeAt(values, rest[1:], append(slices.Clone(done), name))
		}
	}
}

// A packageEntry is a field or item that describes a package.
type packageEntry struct {
	name, version string // see identifyPackage
	span          text.Span
	text          string // whole lines
}

// packageEntries returns the packages in n, a list or mapping of version s, in their order. It returns nil if n is
// empty, if an entry has no name, if two have the same name, or if an entry does not consist of whole lines (it starts
// on the line of its parent, or ends without a line break).
func (m *lockMerger) packageEntries(s three.Version, n *syntax.Node) (packages []packageEntry) {
	names := map[string]bool{}
	for _, e := range n.Entries {
		x := packageEntry{span: e.Span, text: string(m.raw[s][e.Span.Start:e.Span.End])}
		x.name, x.version = identifyPackage(n.Kind, e)
		if x.name == "" || names[x.name] || e.Inline || !strings.HasSuffix(x.text, "\n") {
			return nil
		}
		names[x.name] = true
		packages = append(packages, x)
	}
	return packages
}

// identifyPackage returns the name and the version of the package that e describes. kind is the kind of the collection
// that contains e: a mapping or a sequence. A result is empty if there is none. In a conda-lock file, a package can be
// in the list once for each platform, so manager and platform are part of its name. The forms are:
//
//	a:                # name a, version 1.0.0
//	  version: 1.0.0
//
//	- name: a         # name a, version 1.0.0
//	  version: 1.0.0
//	- a (1.0.0)       # the same
//	- a (1.0.0):      # the same, with dependencies
//	  - b
//	- {name: a, manager: conda, platform: osx-64, version: 1.0.0}    # name "a conda osx-64"
//
// A mapping as an item needs the field name; without it, the name consists of the other two.
func identifyPackage(kind syntax.Kind, e *syntax.Entry) (name, version string) {
	if kind == syntax.Mapping {
		return e.Key.Value, scalarField(e.Value, "version")
	}
	v := e.Value
	if v.Kind == syntax.Mapping && len(v.Entries) == 1 && v.Entries[0].Value.Kind == syntax.Sequence {
		v = v.Entries[0].Key // a pod with dependencies
	}
	if v.Kind == syntax.Scalar {
		name, version, _ = strings.Cut(v.Value, " (")
		return name, strings.TrimSuffix(version, ")")
	}
	return strings.Trim(scalarField(v, "name")+" "+scalarField(v, "manager")+" "+scalarField(v, "platform"), " "), scalarField(v, "version")
}

// scalarField returns the value of a field of the mapping n, up to the first "(". pnpm writes the peer dependencies of
// a package there: "1.0.0(b@2.0.0)" gives "1.0.0". It returns "" if n is not a mapping, if there is no such field, or
// if its value is not a scalar.
func scalarField(n *syntax.Node, name string) string {
	if n.Kind != syntax.Mapping {
		return ""
	}
	if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
		value, _, _ := strings.Cut(e.Value.Value, "(")
		return value
	}
	return ""
}

// mergeCollection merges the packages of one list or mapping by their names. n is the collection in each version, and
// path its path. To m.replacements, it adds the replacement of the entries of both sides by the merged ones. It adds
// nothing if
//
//   - only one side changed the packages, or both sides are equal,
//   - the collections differ in kind or indentation, or one is empty or in flow style,
//   - a package cannot be identified by a name, or two have the same one, or
//   - a side would have no packages left.
func (m *lockMerger) mergeCollection(n three.Nodes, path string) {
	var packages [3][]packageEntry
	for s := range n {
		c := n[s]
		if c.Kind == syntax.Scalar || c.Kind != n[three.Dest].Kind || len(c.Entries) == 0 || c.Indent < 0 || c.Indent != n[three.Dest].Indent {
			return
		}
		if packages[s] = m.packageEntries(three.Version(s), c); packages[s] == nil {
			return
		}
	}
	if _, ok := three.PickFunc(packages, func(x, y []packageEntry) bool {
		return slices.EqualFunc(x, y, func(a, b packageEntry) bool { return a.text == b.text })
	}); ok {
		return // nothing to merge
	}
	var dest, updated strings.Builder
	byName := map[string]*[3]*packageEntry{}
	for s := range packages {
		for i, x := range packages[s] {
			if byName[x.name] == nil {
				byName[x.name] = new([3]*packageEntry)
			}
			byName[x.name][s] = &packages[s][i]
		}
	}
	for _, name := range orderNames(packages, byName) {
		d, u := m.pick(*byName[name], path)
		if d != nil {
			dest.WriteString(d.text)
		}
		if u != nil {
			updated.WriteString(u.text)
		}
	}
	if dest.Len() == 0 || updated.Len() == 0 {
		return
	}
	for s, merged := range map[three.Version]string{three.Dest: dest.String(), three.Updated: updated.String()} {
		span := text.Span{Start: packages[s][0].span.Start, End: packages[s][len(packages[s])-1].span.End}
		m.replacements[s] = append(m.replacements[s], replacement{span, merged})
	}
}

// pick returns the entries of one package that dest and updated are to have. v is the entry in each version, nil if it
// lacks the package. A result is nil if that side is to have no entry. In these cases, both sides get the same entry:
//
//   - only one side changed, added or deleted the package, or both did so in the same way: that edit; nil if it was
//     deleted
//   - one side deleted the package and the other side changed it: the changed entry
//   - both sides changed or added it: the entry with the higher version. An entry without a version is taken from
//     the side that was chosen for the same package before, in another list of the file
//
// In the last case, if the versions are equal or cannot be compared, each side gets its own entry. If pick chose
// between two different edits, it adds the choice to m.choices, and the side to m.chosen. path is the path of the list
// or mapping with the packages.
func (m *lockMerger) pick(v [3]*packageEntry, path string) (dest, updated *packageEntry) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	equal := func(x, y *packageEntry) bool { return x == nil && y == nil || x != nil && y != nil && x.text == y.text }
	choice := three.Dest
	switch {
	case equal(d, u), equal(o, u):
		return d, d
	case equal(o, d):
		return u, u
	case d == nil: // dest deleted the package, and updated changed it
		choice = three.Updated
	case u == nil:
	default:
		if s, ok := m.chosen[d.name]; ok && d.version == "" {
			return v[s], v[s]
		}
		higher, ok := schema.Highest.Pick("", d.version, u.version)
		if !ok || d.version == u.version {
			return d, u
		}
		if higher != d.version {
			choice = three.Updated
		}
	}
	m.chosen[v[choice].name] = choice
	m.choices = append(m.choices, Choice{strings.TrimPrefix(path+"."+v[choice].name, "."), choice})
	return v[choice], v[choice]
}

// orderNames returns the names of the packages of dest and updated in the order for the result. They are sorted if
// dest's packages are. Otherwise they have dest's order, and a package that only updated has follows the same package
// as in updated. Each name is in the result once, whether or not the package is kept. byName has the entries of each
// package by version.
func orderNames(packages [3][]packageEntry, byName map[string]*[3]*packageEntry) (names []string) {
	following := map[string][]string{} // the names that only updated has, by the last name before them that dest has, too
	last, sorted := "", slices.IsSortedFunc(packages[three.Dest], func(x, y packageEntry) int { return strings.Compare(x.name, y.name) })
	for _, x := range packages[three.Updated] {
		if byName[x.name][three.Dest] != nil {
			last = x.name
		} else {
			following[last] = append(following[last], x.name)
		}
	}
	names = append(names, following[""]...)
	for _, x := range packages[three.Dest] {
		names = append(append(names, x.name), following[x.name]...)
	}
	if sorted {
		slices.Sort(names)
	}
	return names
}

// takeFileFields makes both sides have the same values in fields about the whole file, such as its checksum and the
// time of its creation, because these values cannot be merged. It adds the replacements to m.replacements. names are
// the fields of root. A field that a version lacks, or that is not a scalar in a version, is ignored.
//
// The values are those of one side: the side with the greater string in the last of the fields. If that is a time, it
// is the later one. takeFileFields does nothing if dest or updated has the original's value in one of the fields,
// because the merge of lines then has no conflict in it.
func (m *lockMerger) takeFileFields(root three.Nodes, names []string) {
	var spans [3][]text.Span
	from := three.Dest
	for _, name := range names {
		e := [3]*syntax.Entry{root[0].Field(name), root[1].Field(name), root[2].Field(name)}
		if slices.ContainsFunc(e[:], func(e *syntax.Entry) bool { return e == nil || e.Value.Kind != syntax.Scalar }) {
			continue
		}
		o, d, u := e[three.Original].Value.Value, e[three.Dest].Value.Value, e[three.Updated].Value.Value
		if o == d || o == u {
			return
		}
		if from = three.Dest; u > d {
			from = three.Updated
		}
		for s := range e {
			spans[s] = append(spans[s], e[s].Value.Span)
		}
	}
	for i, span := range spans[from] {
		to := from.Other()
		m.replacements[to] = append(m.replacements[to], replacement{spans[to][i], string(m.raw[from][span.Start:span.End])})
	}
}
