// Package walk takes three parsed versions and gives the plan of their merge.
//
// It goes through what package pair says is the same, from the documents down
// to the scalars and comments, and takes a side, descends, or finds a conflict.
package walk
