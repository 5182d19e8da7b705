// Package proof takes a page and gives nothing, where the verifier accepts it as
// the merge of the inputs, or the refusal.
//
// With that it makes pages smaller: Tighten merges lines within conflicts, Mend finds which changes of a line merge
// have to be in conflict.
package proof
