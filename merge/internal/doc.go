// Package internal contains the parts of the merge library. It has no code of its own; this comment defines the
// words that all of them use. docs/glossary.md has the same words for readers of the documentation.
//
// # The files
//
//	version  one of the three files of a merge: base, ours or theirs
//	base     the common ancestor of ours and theirs; original in the code
//	ours     the version into which git merges; dest in the code
//	theirs   the version that git merges into ours; updated in the code
//	side     ours or theirs
//	result   the merged file, from a program or a person
//	input    a version, in verification; the result is not an input
//
// # The contents of a file
//
//	document        one YAML document of a file; a file can have several
//	resource        a document or an item with kind and metadata.name
//	field, item     an entry of a mapping; an entry of a list
//	entry           a field or an item
//	element         an entry or a document
//	path            the place of a node in a document, such as spec.containers[name=web].image
//	trivia          comments and blank lines
//	format          indentation, quotes and line ends
//	template        YAML with actions of a template engine, as in Helm charts
//	guard           the conditions of a template around an element
//	directive line  a line of a template that contains only actions
//
// # Lists, identity and rules
//
//	map, set, ordered, atomic  the kinds of lists: items are merged by key, by value, in order, or as a unit
//	associative key            the fields that identify the items of a map list
//	identity                   the property by which elements match: the key of a field; the associative key of an
//	                           item; the kind, namespace and name of a resource
//	match                      the finding that elements of different versions are the same element
//	policy, preset, rule       a decision for a field; a set of rules in the program; an entry of the team's file
//
// # Changes
//
//	edit          a difference between the base and a side; messages call it a change
//	rename, move  an edit of the name of an element; an edit of its place
//	equal         with the same value; identical means with the same bytes
//	duplicate     a copy too many: the result has more copies than each version
//	revert        to remove the edits of the other side from a side
//	remerge       to merge a result with one of its sides again
//
// # The merge
//
//	line merge       git's merge, which compares lines
//	merge by field   the merge of this library, which compares fields and items
//	plan             a decision for each element: take it from a version, merge it, or leave a conflict
//	page             a possible result, as a list of parts; each part is text, or a conflict with three versions
//	conflict         two edits between which a person has to decide
//	hunk             the lines of a conflict, with its markers
//	forced conflict  an element that is in conflict because verification refused its merge
//	elided           left out of a merge for speed; a placeholder marks the place
//	verification     the comparison of a result with the three versions before it is written
//	violation        a reason why verification refuses a result
//	defect           a violation for which a line merge is refused
package internal
