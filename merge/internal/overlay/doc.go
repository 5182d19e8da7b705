// Package overlay merges by the rules under which updated wins: kustomize's three-way
// and two-way merge, and what kubectl apply does.
//
// It takes three parsed versions and a rule set, and gives a plan without conflicts but
// for comments, and the changes that do not stand in it; or where an input is not what the
// rules need.
//
// Such a merge is one of three versions that were rewritten so that nothing is in
// conflict. Where a value is one, updated's stands if updated changed it, or always; that
// is the merge of an original that has dest's value there. What else the rules ask for:
//
//   - a null removes a field: the versions merge as if they did not have it, so that equal
//     bytes may not stand as they are, and what one side alone has is walked too;
//   - a deleted collection leaves what dest added to it;
//   - a list that is not keyed is one value, and so is all in it;
//   - a resource is there or not, whatever stands in its file beside it;
//   - a comment is not decided by the original but by where it stands: dest's stay;
//   - the directives of a patch change the trees before they are merged (patch.go).
package overlay
