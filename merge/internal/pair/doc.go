// Package pair tells which entries of three versions are the same.
//
// It takes the entries of three collections, or the documents of three streams,
// and gives steps: one triple each, or a conflict over runs of entries, in the
// order of the result. Fields pair by key, items by what is known of their
// list, documents by identity; what no name pairs, likeness may. It decides
// nothing about values: two of one step may differ in whatever way.
package pair
