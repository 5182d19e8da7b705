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
//
// Terms in the comments of this package:
//
//   - way: one method to merge three versions, with a function that returns an outcome or fails (ways.go).
//   - outcome: the result of a way, with the page that it was written from.
//   - plan: for each entry, whether the merge by field copies it from a side, merges it or marks a conflict.
//   - policy: an entry of the team's rules file that decides conflicts over a field, such as "highest".
//   - own side: the side with the user's own work. It is not always known (Options.Own).
//   - rule set: rules that replace the three-way merge, such as those of kustomize (package overlay).
//   - combination: a value of the result of which each side made a part, so that the user should look at it.
//   - shortened: without parts that no side changed. They are left out to save time, and put back afterwards.
//   - finding: an error in a result that another program or the user made, as Check returns it.
package engine
