// Package widen takes a plan and what a result of it was refused for, and makes
// conflicts of that: of the smallest entries that hold the anchor, alias or comment that
// the refusal names, else of the smallest entry around its place, else of the document.
package widen
