// Package page takes a plan and gives the merged file: a page of parts, each of
// them text or a conflict with its three versions, and the page as bytes with
// markers around the conflicts.
//
// All text comes from the inputs, as they wrote it; the page moves it to its
// column, and adds what joins it. It decides nothing about data.
package page
