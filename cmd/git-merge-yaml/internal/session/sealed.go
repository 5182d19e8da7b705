package session

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Sealed is res with the MAC that sops makes, where a person lets it and the MAC is all that stands
// in the way. Why it is not, the reason says.
func (f File) Sealed(res merge.Result) merge.Result {
	if !slices.ContainsFunc(res.Conflicts, isEncrypted) || f.settings().Value(sops.Key) != "true" {
		return res
	}
	merged, err := sops.Merge([3][]byte{f.Base, f.Ours, f.Theirs}, f.mergeData)
	if err != nil {
		res.Reason = fmt.Sprintf("%s; sops was not let write it: %s", res.Reason, err)
		return res
	}
	return merge.Result{Bytes: merged, Method: merge.Structural, LineConflicts: res.LineConflicts}
}

func isEncrypted(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted }

// mergeData merges ciphertext. No policy decides it: it would choose between two that it cannot read.
func (f File) mergeData(data [3][]byte) ([]byte, bool) {
	res, err := f.Library(data[0], data[1], data[2], f.Merging())
	return res.Bytes, err == nil && res.Clean() && len(res.Resolved) == 0 && res.Method != merge.Delegated
}
