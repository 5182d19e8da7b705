// Package overlay merges by the rules under which updated wins: kustomize's three-way
// and two-way merge, and what kubectl apply does.
//
// It takes three parsed versions and a rule set, and gives a plan without conflicts but
// for comments, and the changes that do not stand in it; or where an input is not what the
// rules need. What stands is said by package override. Here is how it is written:
//
//   - of what one side alone has, its bytes, without what does not stand in it;
//   - of a value that is one, the winner's;
//   - comments are not decided by the original but by where they stand: dest's stay;
//   - the directives of a patch change the trees before they are merged (patch.go).
package overlay
