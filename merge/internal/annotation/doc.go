// Package annotation reads and writes the annotation in which kubectl keeps what
// it applied last.
//
// It takes the trees of a config and of live resources and gives YAML, or a
// *three.Problem about what cannot be said as JSON.
package annotation
