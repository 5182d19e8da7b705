// Package form takes one thing in its three versions and says how its merge is written:
// whose style and indent a collection keeps, whether it can stand in flow style, what
// stands between a key and its value, and which comments stand where.
//
// It decides nothing about data.
package form
