package merge

import "errors"

// Merge merges the changes original→dest and original→updated.
func Merge(original, dest, updated []byte, opts Options) (Result, error) {
	return Result{}, errors.New("merge: not built yet")
}
