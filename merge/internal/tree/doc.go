// Package tree tells what one tree says of itself: which key is doubled, what
// a scalar means, which properties a node has, how a block is written, what it
// is to JSON.
//
// It takes nodes of one version and gives answers; it knows of no other
// version. The verifier has its own answers, and does not import it.
package tree
