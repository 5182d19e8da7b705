// Package internal contains the parts of the merge library. It has no code of its own; this comment defines the
// words that all of them use. docs/glossary.md has those that users meet.
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
//	field           an entry of a mapping
//	item            an entry of a list
//	entry           a field or an item
//	element         an entry or a document
//	leaf            a scalar, an empty collection, or a line of a text
//	path            the place of a node in a document, such as spec.containers[name=web].image
//	trivia          comments and blank lines
//	format          indentation, quotes and line ends
//	template        YAML with actions of a template engine, as in Helm charts
//	guard           the conditions around an element of a template: its if, else, range, with, define and block
//	directive line  a line of a template that contains only actions
//
// # Lists, identity and rules
//
//	map              a list whose items are merged by their keys
//	set              a list whose items are merged by value
//	ordered          of a list: its items are merged in order
//	atomic           of a list or a value: it is merged as one value
//	associative key  the fields that identify the items of a map list
//	identity         the property by which elements match: the key of a field; the associative key of an item; the
//	                 kind, namespace and name of a resource
//	match            a group of elements, at most one from each version, that are the same element for the merge
//	rule             an entry of the team's file
//	preset           a set of rules that comes with the program
//	policy           a way to decide a field, such as highest
//	access field     a field that grants rights together with other fields, such as verbs and resources of a role
//	unit             fields of one mapping that are one value together, such as the kind and name of a reference
//	own side         the side with the user's own changes; theirs in a rebase
//
// # Changes
//
//	edit       a difference between the base and a side; messages call it a change
//	rename     an edit of the name of an element
//	move       an edit of the place of an element
//	equal      with the same value
//	identical  with the same bytes
//	duplicate  a copy too many: the result has more copies than each version
//	revert     to remove the edits of the other side from a side that already contains them, as after a squash merge
//	remerge    to merge a result with one of its sides again
//
// # The merge
//
//	driver           the program that git calls to merge a file
//	line merge       git's merge, which compares lines
//	merge by field   the merge of this library, which compares fields and items
//	plan             a decision for each element: take it from a version, merge it, or leave a conflict
//	page             a possible result, as a list of parts; each part is text, or a conflict with three versions
//	conflict         two edits between which a person has to decide
//	hunk             the lines of a conflict, with its markers
//	forced conflict  an element that is in conflict because verification refused its merge
//	elided           left out of a merge for speed; a placeholder marks the place
//	verification     the comparison of a result with the three versions before it is written
//	violation        an error that verification finds in a result
//	defect           a violation in git's line merge, for which the line merge is not used as it is
//	finding          a violation in a merge commit, as the command check reports it
package internal
