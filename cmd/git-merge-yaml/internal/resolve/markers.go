package resolve

import (
	"cmp"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// readMarkers returns the labels ours, base, theirs of the first conflict in a
// file, the roles' names where it has none, and the size of its markers: as
// given, or more where git merged renamed files or conflicts within conflicts.
func readMarkers(file []byte, size int) (labels [3]string, length int) {
	for length = size; length <= size+maxNesting; length++ {
		if all := merge.ParseConflicts(file, length); len(all) > 0 {
			k := all[0].Markers
			return [3]string{cmp.Or(k.Ours, "ours"), cmp.Or(k.Base, "base"), cmp.Or(k.Theirs, "theirs")}, length
		}
	}
	return [3]string{"ours", "base", "theirs"}, size
}

// maxNesting is how much longer than asked git's markers may be.
const maxNesting = 8
