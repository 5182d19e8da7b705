// Package internal contains the parts of the merge library. It has no code of its own; this comment defines the
// words that all of them use. docs/glossary.md has the same words for readers of the documentation.
//
// # The files
//
//	version  one of the three files of a merge
//	base     the common ancestor; original in the code
//	ours     the version that is merged into; dest in the code
//	theirs   the version that is merged; updated in the code
//	side     ours or theirs
//	result   the file that a merge produced, or that a person committed
//	input    a version, where results are verified: a version as opposed to the result
//
// # Their contents
//
//	document        a YAML document of a file
//	resource        a document or an item with kind and metadata.name
//	field, item     an entry of a mapping, of a list
//	entry           a field or an item
//	element         an entry or a document
//	path            the place of a node, as in spec.containers[name=web].image
//	trivia          comments and blank lines
//	format          indentation, quotes and line ends
//	template        YAML with actions of a template engine, as in Helm charts
//	guard           the conditions of a template around an element
//	directive line  a line of a template with nothing but actions
//
// # What is known of them
//
//	map, set, ordered, atomic  a list whose items are merged by key, by value, in order, or as a unit
//	associative key            the fields that identify the items of a list that is a map
//	identity                   what makes two elements the same: the key of a field, the associative key of an
//	                           item, the kind, namespace and name of a resource
//	match                      the finding that elements of different versions are the same
//	policy, preset, rule       what decides a field; a set of rules of the program; an entry of the team's file
//
// # Changes
//
//	edit          a difference between the base and a side; users read change
//	rename, move  an edit of the name or of the place of an element
//	equal         having the same value; identical means having the same bytes
//	duplicate     a copy too many: the result has more than each version
//	revert        to take the edits of the other side out of a side
//	remerge       to merge a result with one of its sides again
//
// # The merge
//
//	line merge       git's merge of lines
//	merge by field   the merge of this library
//	plan             for each element, the version to take it from, or that it is merged or in conflict
//	page             a possible result as a list of parts, each text or a conflict with three versions
//	conflict         two edits between which a person has to decide
//	hunk             the lines of a conflict, with its markers
//	forced conflict  in conflict because verification refused the merge of it
//	elided           left out of a merge for speed; a placeholder marks the place
//	verification     the comparison of a result with the three versions before it is written
//	violation        the reason for which verification refuses a result
//	defect           a violation for which a clean line merge is refused
package internal
