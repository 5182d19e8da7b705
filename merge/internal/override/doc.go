// Package override rewrites three versions so that nothing is in conflict by rules under which
// theirs wins, and gives the one that all of them become: what stands. It is a function
// of the inputs alone. Package overlay writes what stands, and the verifier holds a result against
// it as against three versions that agree: that what is written is what stands is proven in every
// merge, and what stands is held by the model of the rules and by kustomize and kubectl, in tests.
//
// Where a value is one, the base becomes ours, so that theirs's stands if theirs changed it, or
// always. Beside that:
//
//   - a null clears its field;
//   - a list that has no keys is one value;
//   - of what a side deleted stands what the other alone has there;
//   - a resource is there or not.
//
// Comments are not rewritten: what of ours and theirs does not stand is given, and what is
// written there is open.
package override
