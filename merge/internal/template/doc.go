// Package template reads YAML in which a template engine has its say: Go's
// templates, as Helm's charts have them, and Jinja.
//
// It takes a file, and gives its tree, with spans on the file's own bytes. An
// action within a key or a scalar is part of it, opaque text. A line of nothing
// but actions is a directive line: it stands where a comment could stand, and
// moves as one does. The blocks around an entry (if, else, range, ...) are its
// guard.
//
// What it cannot read it refuses, and says why: a block that cuts through most of
// the file, one that is not closed, actions that leave no YAML behind.
//
// Facts are what a file says beside its tree: the guards of its entries and its directive
// lines.
package template
