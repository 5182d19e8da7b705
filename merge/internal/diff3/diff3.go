// Package diff3 aligns sequences: lines, items, documents.
package diff3
