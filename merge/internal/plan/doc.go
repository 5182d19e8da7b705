// Package plan is what a result is made of: for every node the side that it is
// taken from, or the parts that merged one by one, or a conflict.
//
// The walk makes plans, and a page is written from one. A plan decides nothing
// about text; the page decides nothing about data.
package plan
