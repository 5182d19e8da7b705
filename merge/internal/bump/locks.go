package bump

import (
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
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

// MergePackages returns the versions of a lock file with the same packages in dest and updated. Of two different
// entries of a package, both sides get the one with the higher version, or the one that is not deleted; such choices
// are returned. Entries that cannot be compared stay different. raw is returned unchanged if file is not the name of a
// known lock file, if a version cannot be parsed, or unless each has one document with a mapping.
//
//	original   dest      updated   both sides, returned
//	a 1.0.0    a 1.1.0   a 1.2.0   a 1.2.0
//	           b 1.0.0             b 1.0.0
func MergePackages(raw [3][]byte, file string) ([3][]byte, []Choice) {
	format, ok := lockFormats[path.Base(file)]
	if !ok {
		return raw, nil
	}
	files := openSameDocuments(raw)
	if files == nil || len(files[three.Original].Docs) != 1 {
		return raw, nil
	}
	root := three.Nodes{files[three.Original].Docs[0].Root, files[three.Dest].Docs[0].Root, files[three.Updated].Docs[0].Root}
	if slices.ContainsFunc(root[:], func(n *syntax.Node) bool { return n.Kind != syntax.Mapping }) {
		return raw, nil
	}
	m := &lockMerger{raw: raw, chosen: map[string]three.Version{}}
	for _, p := range format.packagePaths {
		m.mergeAt(root, strings.FieldsFunc(p, func(r rune) bool { return r == '.' }), nil)
	}
	m.takeFileFields(root, format.fileFields)
	return replaceInSides(raw, m.replacements), m.choices
}

// A lockMerger is the state of MergePackages: the replacements to make in each version, and the packages for which it
// chose between different entries.
type lockMerger struct {
	raw          [3][]byte
	replacements [3][]text.Replacement
	choices      []Choice
	chosen       map[string]three.Version // the sides of choices by the name of the package
}

// mergeAt merges each collection of packages below n at the path rest, such as importers.*.dependencies, where * is any
// field. n is a node in each version, and done its path from the root. A collection that a version lacks is not merged.
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
			m.mergeAt(valuesOf(n, e.Key.Value), rest[1:], append(slices.Clone(done), e.Key.Value))
		}
	}
}

// valuesOf returns the value of a field of n in each version; nil for a version without this field.
func valuesOf(n three.Nodes, field string) three.Nodes {
	return three.Entries{n[0].Field(field), n[1].Field(field), n[2].Field(field)}.Values()
}

// A packageEntry is a field or item that describes a package. The zero value stands for a version without the package.
type packageEntry struct {
	name, version string // see identifyPackage
	text          string // whole lines
}

// packageEntries returns the packages in n, a list or mapping of version s, in their order. It returns nil, so that the
// collection is not merged, in these cases:
//
//   - n is empty
//   - an entry has no name, or two have the same
//   - other text is on the lines of an entry
func (m *lockMerger) packageEntries(s three.Version, n *syntax.Node) (packages []packageEntry) {
	names := map[string]bool{}
	for _, e := range n.Entries {
		x := packageEntry{text: string(m.raw[s][e.Span.Start:e.Span.End])}
		x.name, x.version = identifyPackage(n.Kind, e)
		if x.name == "" || names[x.name] || e.Inline || !strings.HasSuffix(x.text, "\n") {
			return nil
		}
		names[x.name] = true
		packages = append(packages, x)
	}
	return packages
}

// identifyPackage returns the name and the version of the package that e describes; version is "" if e has none. kind
// is the kind of the collection that contains e. In a list, manager and platform are part of the name, because
// conda-lock lists a package once for each platform.
//
//	a: {version: 1.0.0}                              name a, version 1.0.0
//	- a (1.0.0)                                      name a, version 1.0.0
//	- a (1.0.0): [b, c]                              the same; a pod with its dependencies
//	- {name: a, manager: conda, platform: osx-64}    name "a conda osx-64"
func identifyPackage(kind syntax.Kind, e *syntax.Entry) (name, version string) {
	if kind == syntax.Mapping {
		return e.Key.Value, scalarField(e.Value, "version")
	}
	v := e.Value
	// a pod with its dependencies, as in "- a (1.0.0): [b, c]"
	if v.Kind == syntax.Mapping && len(v.Entries) == 1 && v.Entries[0].Value.Kind == syntax.Sequence {
		v = v.Entries[0].Key
	}
	if v.Kind == syntax.Scalar {
		name, version, _ = strings.Cut(v.Value, " (")
		return name, strings.TrimSuffix(version, ")")
	}
	return strings.Trim(scalarField(v, "name")+" "+scalarField(v, "manager")+" "+scalarField(v, "platform"), " "), scalarField(v, "version")
}

// scalarField returns the value of a field of the mapping n, up to the first "(". pnpm writes the peer dependencies of
// a package there: "1.0.0(b@2.0.0)" gives "1.0.0". It returns "" if n has no such field with a scalar.
func scalarField(n *syntax.Node, name string) string {
	if e := n.Field(name); e != nil && e.Value.Kind == syntax.Scalar {
		value, _, _ := strings.Cut(e.Value.Value, "(")
		return value
	}
	return ""
}

// mergeCollection merges the packages of a list or mapping by name. n is the collection in each version, and path its
// path. The new text of the collection is added to m.replacements for each side. Nothing is added if the packages
// cannot or need not be merged (see packagesToMerge), or if a side would have none.
func (m *lockMerger) mergeCollection(n three.Nodes, path string) {
	packages, ok := m.packagesToMerge(n)
	if !ok {
		return
	}
	byName := map[string][3]packageEntry{}
	for s := range packages {
		for _, x := range packages[s] {
			entries := byName[x.name]
			entries[s] = x
			byName[x.name] = entries
		}
	}
	var merged [3]strings.Builder
	for _, name := range orderNames(packages, byName) {
		from, isPicked := m.pick(name, byName[name], path)
		for _, s := range three.Sides {
			if !isPicked {
				from = s // the sides stay different
			}
			merged[s].WriteString(byName[name][from].text)
		}
	}
	if merged[three.Dest].Len() == 0 || merged[three.Updated].Len() == 0 {
		return
	}
	for _, s := range three.Sides {
		entries := n[s].Entries
		span := text.Span{Start: entries[0].Span.Start, End: entries[len(entries)-1].Span.End}
		m.replacements[s] = append(m.replacements[s], text.Replacement{Span: span, Text: merged[s].String()})
	}
}

// packagesToMerge returns the packages of a collection in each version. ok is false if the collection need not or
// cannot be merged:
//
//   - only one side changed it, or both in the same way
//   - it is empty or in flow style in a version
//   - its kind or indentation differs between versions
//   - packageEntries cannot read its entries
func (m *lockMerger) packagesToMerge(n three.Nodes) (packages [3][]packageEntry, ok bool) {
	for s, c := range n {
		isBlock := len(c.Entries) > 0 && c.Indent >= 0
		if !isBlock || c.Kind != n[three.Dest].Kind || c.Indent != n[three.Dest].Indent {
			return packages, false
		}
		if packages[s] = m.packageEntries(three.Version(s), c); packages[s] == nil {
			return packages, false
		}
	}
	_, isDecided := three.PickFunc(packages, slices.Equal)
	return packages, !isDecided
}

// pick returns the version whose entry of a package both sides get: the one that a side changed or, if both changed it
// differently, the change rather than the deletion, or the higher version. The last two are added to m.choices, with
// the path of the collection. ok is false if the sides stay different, because their entries cannot be compared.
func (m *lockMerger) pick(name string, v [3]packageEntry, path string) (from three.Version, ok bool) {
	if from, ok = three.Pick(v); ok {
		return from, true
	}
	dest, updated := v[three.Dest], v[three.Updated]
	// An entry without a version, such as a checksum, follows the choice for the package in an earlier collection.
	if from, ok = m.chosen[name]; ok && dest.text != "" && dest.version == "" && updated.text != "" {
		return from, true
	}
	if from, ok = preferredSide(dest, updated); ok {
		m.chosen[name] = from
		m.choices = append(m.choices, Choice{strings.TrimPrefix(path+"."+name, "."), from})
	}
	return from, ok
}

// preferredSide returns the side whose entry of a package both sides get if both changed it differently. That is the
// side that did not delete it or, if none did, the one with the higher version. ok is false if the versions are equal
// or cannot be compared.
func preferredSide(dest, updated packageEntry) (side three.Version, ok bool) {
	switch {
	case dest.text == "":
		return three.Updated, true
	case updated.text == "":
		return three.Dest, true
	case dest.version == updated.version:
		return three.Dest, false
	}
	return page.PickSide(team.Highest, [3]string{three.Dest: dest.version, three.Updated: updated.version})
}

// orderNames returns the names of the packages of dest and updated in the order for the result. If the packages of dest
// are sorted, so is the result. Otherwise, it is the order of dest, with each new package of updated after the last
// common one before it. byName has the entries of each package.
//
//	dest     updated      result
//	c, a     c, x, a, b   c, x, a, b
func orderNames(packages [3][]packageEntry, byName map[string][3]packageEntry) (names []string) {
	following := map[string][]string{} // the names that only updated has, by the last name before them that dest has, too
	last, sorted := "", slices.IsSortedFunc(packages[three.Dest], func(x, y packageEntry) int { return strings.Compare(x.name, y.name) })
	for _, x := range packages[three.Updated] {
		if byName[x.name][three.Dest].text != "" {
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

// takeFileFields gives both sides the same values in the named fields of root, such as a checksum and a time: values of
// two sides cannot be combined. All are taken from one side, the one with the greater text in the last field. It
// changes nothing if a side left one of the fields unchanged. Fields that are not plain values in all versions are
// ignored (scalarValues).
func (m *lockMerger) takeFileFields(root three.Nodes, names []string) {
	from, fields := three.Dest, []three.Nodes{}
	for _, name := range names {
		field := valuesOf(root, name)
		values, ok := scalarValues(field)
		switch {
		case !ok:
			continue
		case values[three.Original] == values[three.Dest] || values[three.Original] == values[three.Updated]:
			return // the merge of lines has no conflict here
		}
		from = three.Dest
		if values[three.Updated] > values[three.Dest] {
			from = three.Updated
		}
		fields = append(fields, field)
	}
	to := from.Other()
	for _, n := range fields {
		taken := m.raw[from][n[from].Span.Start:n[from].Span.End]
		m.replacements[to] = append(m.replacements[to], text.Replacement{Span: n[to].Span, Text: string(taken)})
	}
}
