// Package engine merges three versions of a file and verifies the result. Package merge converts its types for users.
//
//	base: {a: 1, b: 1}   ours: {a: 2, b: 1}   theirs: {a: 1, b: 2}   result: {a: 2, b: 2}
//
// A merger tries several ways (ways.go), such as git's merge by lines and a merge by field, one after the other. The
// first result without conflicts is the result of the merge. If there is none, the result is the one with the fewest
// lines in conflict.
//
// Before it is returned, a merge by field is verified: its result is parsed and compared with all three versions. A
// point in which it is not the merge of the versions, such as a lost edit, is called a violation, and the entry then
// becomes a conflict. A merge by lines is verified less strictly, because it copies whole lines; what makes it
// unusable, such as a duplicate mapping key, is called a defect.
//
// While it is edited, a result is a page: a list of parts, each of them text or a conflict (package page).
package engine
