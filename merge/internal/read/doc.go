// Package read takes three files as they came and gives three trees of one
// form: one kind of line end, no byte order mark, a final line end. What it
// took away merges on its own, as the form of the file, and Write puts the
// merged form back.
//
// What cannot be merged as YAML it refuses, and says why: files that are too
// large or nested too deep, that have conflict markers, that are no YAML, or
// have line ends that git does not know.
package read
