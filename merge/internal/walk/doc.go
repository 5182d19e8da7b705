// Package walk takes three parsed versions and gives the plan of their merge.
//
// It goes through what package pair says is the same, from the documents down
// to the scalars and comments, and takes a side, descends, or finds a conflict.
// Where a result was refused, Grow puts into conflict what the refusal is about.
package walk
