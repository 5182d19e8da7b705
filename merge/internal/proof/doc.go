// Package proof takes a page and gives nothing, where the verifier accepts it as
// the merge of the inputs, or the refusal.
//
// With that it makes proven pages smaller: Tighten merges lines within conflicts.
package proof
