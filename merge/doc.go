// Package merge performs three-way merges of YAML files by resource and field instead of by line.
//
// Merge takes the base version of a file (git's %O), ours (%A) and theirs (%B). It returns one file, which is either
// clean or has conflict markers around values that both sides changed differently. Bytes that neither side changed
// stay as they are, including comments, quotes and indentation.
//
//	base                ours                theirs              result
//	kind: Deployment    kind: Deployment    kind: Deployment    kind: Deployment
//	spec:               spec:               spec:               spec:
//	  replicas: 2         replicas: 3         replicas: 2         replicas: 3
//	  image: web:1.0      image: web:1.0      image: web:1.1      image: web:1.1
//
// In Go:
//
//	res, err := merge.Merge(base, ours, theirs, merge.Options{Path: "k8s/web.yaml"})
//	if err != nil {
//		return err // even a merge by lines was impossible
//	}
//	if !res.Clean() {
//		for _, c := range res.Conflicts {
//			fmt.Printf("line %d: %s: %s\n", c.Line, c.Path, c.Why())
//		}
//	}
//	return os.WriteFile("k8s/web.yaml", res.Bytes, 0o644)
//
// The package does not run git, open files or start processes, and it does not check that a file is valid for
// Kubernetes or another program.
//
// # Guarantees
//
// In order of priority:
//
//  1. No edit is lost without a conflict. Merge parses its result and compares it with all three versions before it
//     returns it. This is called verification.
//  2. The result is never worse than that of git. If git's merge by lines is clean and correct, it is the result.
//     Versions that cannot be merged as YAML are merged by lines, as git merge does it.
//  3. Bytes that neither side changed are kept.
//  4. The merge by field reports a conflict only if the edits of the two sides contradict each other, or if no clean
//     result passes verification.
//
// # Terms
//
// A version is one of base, ours and theirs. A side is ours or theirs. Package kube calls the versions original, dest
// and updated, as kustomize does.
//
// A document is one YAML document of a stream. A resource is a document, or an item of a List, with kind and
// metadata.name. These two and the namespace are its identity; the API group is added if a version has two resources
// that differ only in the group. A field belongs to a mapping, an item to a list. An entry is a field or an item.
// There are four kinds of lists:
//
//	map      items are matched by associative keys, such as name
//	set      items are matched by value
//	atomic   the list is one value
//	ordered  items are aligned by a diff, as lines are
//
// A path names an entry: spec.template.spec.containers[name=web].image.
//
// The team's rules are a file in the repository, .git-merge-yaml.yaml. It says how the items of lists are matched, and
// which policies decide conflicts, such as highest for a version; see docs/rules.md. A merge by lines is the merge
// that git does without this package.
//
// In a Resolution, a question is a conflict that the team's rules leave to the user, and an answer is what replaces it.
// An answer is accepted unless it has a fault; a fault that is Unproven, a failed verification, can be accepted. The
// text of an answer fills the place of the conflict. Parts of the file outside of these places must not change.
//
// # Rules
//
// Documents are matched by identity, fields by mapping key, and items by the kind of their list. For each match:
//
//	one side changed it                             the change
//	both sides made the same change                 that change, once
//	both sides changed a mapping or a list          merge its entries
//	both sides changed a value differently          conflict
//	one side deleted what the other side changed    conflict
//
// Comments are merged separately from values, and multi-line scalars line by line. docs/how-it-merges.md lists all
// rules with examples.
//
// # Functions
//
// A merge driver needs only Merge. The other functions are:
//
//   - Result.WithMarkers writes a result with other labels or in another style.
//   - NewResolution starts a merge that the user completes conflict by conflict.
//   - ParseRules reads a team's rules, and PresetRules returns rules that are built in, for well-known kinds of files.
//   - Check looks for errors in the result of any merge, Changes compares two versions, and Lists returns how the
//     items of each list are matched.
//
// Package kube merges by the documented rules of kustomize and kubectl, and package linemerge by lines, as git does.
//
// A result, a conflict and all other types with results have a JSON form, whose names are words joined by underscores.
//
// Functions keep no state and do not modify their inputs. They may be called concurrently, except for the methods of
// Rules and Resolution, whose comments state the restrictions. Conflicts are part of the result and not errors.
//
// # Stability
//
// The module follows semantic versioning. Before v1, a minor version may change this package; docs/changelog.md lists
// such changes. From v1 on, the package is only extended. Not covered are package program, the text of errors, of
// Reason, Source and Detail, and whether a merge that has conflicts today becomes clean. A result that is clean and
// correct stays the same.
//
// The package imports gopkg.in/yaml.v3 and the standard library, and no other module.
package merge
