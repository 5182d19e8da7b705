// Package bump decides version numbers that both sides of a merge raised ("bumped"), for fields with the policy next of
// a rules file. It also merges the package lists of lock files. It does not find out which side is the user's own, and
// it does not verify its results.
//
// If the two sides raised a version differently, there is a conflict, and DecideNext returns the text that replaces it.
// Here dest is the user's own side:
//
//	original         dest             updated          result
//	version: 1.0.0   version: 1.0.1   version: 1.1.0   version: 1.1.1
//
// If both sides raised it to the same version, the merge has no conflict, although two releases then have one version.
// FindEqualBumps finds such fields as EqualBumps. Rewrite raises them once more in both sides before the merge:
//
//	original         dest             updated          both sides, rewritten
//	version: 1.0.0   version: 1.0.1   version: 1.0.1   version: 1.0.2
//
// MergePackages is for lock files and the preset locks. It gives both sides the same packages before the merge.
//
// Terms of the comments:
//
//   - raw: the bytes of the three versions of a file, original, dest and updated, before the merge.
//   - Rules, policy: the team's file says how conflicts in a field are decided. The policy next raises its version
//     number.
//   - Counter: a number such as a build number that counts the releases of one version, and starts again with each
//     version.
//   - Restart: a counter that one side started again with a new version, while the other side kept the version and
//     counted on.
//   - Collection of packages: a list or mapping in a lock file that has an entry for each package.
//   - Choice: the side whose entry of a package both sides get, if the two entries differ.
package bump

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// An EqualBump is a field whose version both sides raised to the same new one, as in 1.0.0 to 1.0.1.
type EqualBump struct {
	Path        *three.Path
	By          team.Decision // the rule with the policy next
	Base        string        // the version in the original
	Sides       string        // the version in both sides
	Replacement string        // the version to write into both sides instead
	doc         int           // the index of the document
	spans       [3]text.Span  // the spans of the version in original, dest and updated
}

// FindEqualBumps returns the fields whose version both sides raised to the same new one, if rules give them the policy
// next. raw has the versions of file. Fields in lists are not considered, and documents match by index. It returns nil
// if a version cannot be parsed or repeats a key, or if the numbers of documents differ.
func FindEqualBumps(raw [3][]byte, file string, rules *team.Rules) []EqualBump {
	if !mayHaveChanged(rules.FieldNamesWithPolicy(team.Next, file), raw[three.Original], raw[three.Dest]) || bytes.Equal(raw[three.Original], raw[three.Updated]) {
		return nil // parsing a large file takes far longer than this check
	}
	files := openSameDocuments(raw)
	if files == nil {
		return nil // the merge itself reports invalid YAML and repeated keys
	}
	var found []EqualBump
	match := pair.Matcher{Table: ident.Table{File: file}}
	for i := range files[three.Original].Docs {
		var root three.Nodes
		for s, f := range files {
			root[s] = f.Docs[i].Root
		}
		forEachField(root, &three.Path{Root: match.ResourcePlace(root[three.Dest])}, func(v three.Nodes, p *three.Path) {
			if b, ok := findEqualBump(v, p, raw, rules); ok {
				b.doc = i
				found = append(found, b)
			}
		})
	}
	return found
}

// openSameDocuments parses the versions of a file for a comparison, document by document. It returns a file for each
// version, or nil if one of them cannot be parsed or repeats a key, or if they have different numbers of documents.
func openSameDocuments(raw [3][]byte) []read.File {
	_, files, err := read.Open(raw[:]...)
	if err != nil || slices.ContainsFunc(files, func(f read.File) bool {
		return f.DuplicateKey() != nil || len(f.Docs) != len(files[three.Original].Docs)
	}) {
		return nil
	}
	return files
}

// mayHaveChanged reports whether a field with one of names may differ between base and side. It is a fast check without
// parsing: side must have a line that base lacks, and one of the names must be in this line, or in the last line above
// it that is neither blank nor a comment:
//
//	version:
//	  1.0.1
func mayHaveChanged(names []string, base, side []byte) bool {
	if !slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(side, []byte(name)) }) {
		return false
	}
	inBase := map[string]bool{}
	for l := range bytes.Lines(base) {
		inBase[string(l)] = true
	}
	var previous []byte // the last line that is neither blank nor a comment
	for l := range bytes.Lines(side) {
		if !inBase[string(l)] && slices.ContainsFunc(names, func(name string) bool {
			return bytes.Contains(l, []byte(name)) || bytes.Contains(previous, []byte(name))
		}) {
			return true
		}
		if t := bytes.TrimSpace(l); len(t) > 0 && t[0] != '#' {
			previous = l
		}
	}
	return false
}

// Rewrite returns the versions with the Replacement of each of bumps in dest and in updated, in place of the version
// that both sides have. Other bytes of the value, such as quotes, remain.
func Rewrite(raw [3][]byte, bumps []EqualBump) [3][]byte {
	var all [3][]text.Replacement
	for _, b := range bumps {
		for _, s := range three.Sides {
			all[s] = append(all[s], text.Replacement{Span: b.spans[s], Text: b.Replacement})
		}
	}
	return replaceInSides(raw, all)
}

// ValueIn returns the current value of the field that b describes, without quotes, in st, another version of the same
// file. The document is found by its index. ok is false if the field is missing or not a scalar; the value then has no
// meaning.
func (b EqualBump) ValueIn(st *syntax.Stream) (value string, ok bool) {
	if b.doc >= len(st.Docs) {
		return "", false
	}
	e := fieldAt(st.Docs[b.doc].Root, b.Path.Place().Path)
	if e == nil {
		return "", false
	}
	return e.Value.Value, e.Value.Kind == syntax.Scalar
}

// forEachField calls f for each field that all three mappings v have, and for the fields in these, at any depth but not
// in lists. f gets the values of the field and its path, in the order of dest. p is the path of v. Of repeated keys,
// only the last one counts.
func forEachField(v three.Nodes, p *three.Path, f func(three.Nodes, *three.Path)) {
	var fields [3]map[string]*syntax.Node
	for s, n := range v {
		if n == nil || n.Kind != syntax.Mapping {
			return
		}
		fields[s] = make(map[string]*syntax.Node, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind == syntax.Scalar {
				fields[s][e.Key.Value] = e.Value
			}
		}
	}
	for _, e := range v[three.Dest].Entries {
		name := e.Key.Value
		values := three.Nodes{fields[three.Original][name], fields[three.Dest][name], fields[three.Updated][name]}
		if !slices.Contains(values[:], nil) && values[three.Dest] == e.Value {
			f(values, p.Child(name))
			forEachField(values, p.Child(name), f)
		}
	}
}

// findEqualBump returns the bump of the field at p, whose values are v, if both sides raised its version to the same
// new one and rules give it the policy next. Its doc is not set. raw has the files. ok is false for other fields, and
// for a value that its file does not contain literally, for example because of escapes.
func findEqualBump(v three.Nodes, p *three.Path, raw [3][]byte, rules *team.Rules) (b EqualBump, ok bool) {
	values, areScalars := scalarValues(v)
	if !areScalars || values[three.Dest] != values[three.Updated] || values[three.Original] == values[three.Dest] {
		return b, false
	}
	next, ok := team.NextVersion(values[three.Original], values[three.Dest], values[three.Updated])
	by := rules.DecisionAt(p.Place())
	if !ok || by.Policy != team.Next {
		return b, false
	}
	b = EqualBump{Path: p, By: by, Base: values[three.Original], Sides: values[three.Dest], Replacement: next}
	for s, n := range v {
		offset := bytes.Index(raw[s][n.Content.Start:n.Content.End], []byte(n.Value))
		if offset < 0 {
			return b, false
		}
		b.spans[s] = text.Span{Start: n.Content.Start + offset, End: n.Content.Start + offset + len(n.Value)}
	}
	return b, true
}

// DecideNext decides the conflict c over a version that both sides raised, by the policy next. The release of the user
// (own) is on top of that of the other side: its version remains if it is higher, and otherwise becomes the number
// after the other side's. by is the rule with this policy. ok is false if there is no such number, or if a comment is
// in conflict, too.
//
//	original   own      upstream   verdict
//	1.0.0      1.0.1    1.1.0      1.1.1
//	1.0.0      2.0.0    1.1.0      2.0.0
//
// c.Entry must not be nil.
func DecideNext(c *page.Conflict, own three.Version, versions [3]*syntax.Stream, by team.Decision) (v page.Verdict, ok bool) {
	upstream := own.Other()
	values, areScalars := scalarValues(c.Entry.Versions().Values())
	if !areScalars {
		return v, false
	}
	next, ok := team.NextVersion(values[three.Original], values[own], values[upstream])
	if !ok {
		return v, false
	}
	if next == values[own] {
		return c.TakeValue(versions, own, by, nil)
	}
	value := bytes.Replace(c.ValueText(versions, upstream), []byte(values[upstream]), []byte(next), 1)
	v = page.Verdict{By: by, NewValue: next, IsValueOnly: true}
	v.Text, ok = c.ReplaceValue(versions, value, three.Optional{})
	return v, ok
}

// scalarValues returns the values of the three versions of a scalar, without quotes and escapes: 1.10 and "1.10" have
// the same value. ok is false, and the values have no meaning, if a version is missing, is not a scalar, or has an
// anchor or an explicit tag.
func scalarValues(v three.Nodes) (values [3]string, ok bool) {
	for i, n := range v {
		if n == nil || n.Kind != syntax.Scalar || n.HasProperties() {
			return values, false
		}
		values[i] = n.Value
	}
	return values, true
}
