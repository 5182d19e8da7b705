// Package merge merges YAML files three ways, by resource and field, and keeps
// every byte that nobody changed.
//
// Three versions of a file go in: base (git's %O), ours (%A) and theirs (%B); in
// the documents of the rule sets they are original, dest and updated. Merge
// writes one file, clean or with conflict
// markers around what both sides changed differently:
//
//	res, err := merge.Merge(base, ours, theirs, merge.Options{})
//	if err == nil && res.Clean() {
//		os.WriteFile("web.yaml", res.Bytes, 0o644)
//	}
//
// What it promises, in this order: nothing is lost in silence, since a result
// is parsed again and checked against all versions before it is returned; it
// is never worse than git, since a line merge that is clean and right stands
// as it is, and what cannot be merged as YAML is merged by line; bytes that
// nobody touched stay; it asks only real questions.
//
// # Words
//
// A document is one YAML document of a stream; a resource is one with kind and metadata.name, which with
// the namespace (and the API group, where two in a version share these) are its identity. A field is an entry of
// a mapping, an item one of a sequence. Lists are maps (items paired by keys), sets (by value), atomic (one
// value) or ordered (aligned by a diff). A path is spelled spec.template.spec.containers[name=web].image.
//
// # Rules
//
// Documents pair by identity, fields by key, items by what is known of their list. What one side left alone is
// taken from the other; what both changed alike stands once; mappings and lists that both changed are descended
// into; two different values are a conflict, and so is a change beside a deletion. Comments merge on
// their own, multi-line scalars by line. docs/how-it-merges.md has every rule with an example.
//
// # Use
//
// Merge is all that a merge driver needs. Changes, Check and Lists answer what
// changed, what a merge lost, and how items are known; Merge2, Apply and the
// rule set KustomizeRules merge by the documented rules of other tools;
// NewResolution lets a person decide conflicts one by one.
//
// The functions keep no state, change none of their inputs, open no files and
// run no processes, and may be called at the same time; only Rules and
// Resolution say otherwise of themselves. Conflicts are results, not errors.
// Merge takes any bytes: what is no YAML is merged by line.
//
// # Stability
//
// The module follows semantic versioning. Before v1 a minor version may change
// this package, which docs/changelog.md says then; later ones only add to it.
// What may change at any time: the words of errors, Reason, Source and Detail,
// and how well something merges. A result that was clean and right stays so.
//
// It imports gopkg.in/yaml.v3 and the standard library, and nothing else.
package merge
