package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Sealed is res with the MAC that sops makes, where a person lets it and no value is in conflict, encrypted or
// decrypted. Why it is not, the reason says.
func (f File) Sealed(res merge.Result) merge.Result {
	if !f.MaySeal(res) {
		return res
	}
	decided := 0
	merged, note, err := sops.Merge([3][]byte{f.Base, f.Ours, f.Theirs}, sops.Mergers{
		Sealed: f.mergeSealed,
		Clear: func(data [3][]byte) (merged []byte, clean bool) {
			merged, decided, clean = f.mergeClear(data)
			return merged, clean
		},
	})
	if err != nil {
		res.Reason = fmt.Sprintf("%s; sops was not let write it: %s", res.Reason, err)
		return res
	}
	if decided > 0 {
		note = strings.TrimPrefix(note+"; the team's rules decided "+terminal.Count(decided, "encrypted value"), "; ")
	}
	return merge.Result{Bytes: merged, Method: merge.Structural, LineConflicts: max(1, res.LineConflicts), Reason: note}
}

// Opened is the file in the clear, for a person who decides what is in conflict in it.
func (f File) Opened() (*sops.Opened, error) {
	return sops.Open([3][]byte{f.Base, f.Ours, f.Theirs}, sops.Mergers{Sealed: f.mergeSealed})
}

// MaySeal reports whether sops is to write what res leaves open.
func (f File) MaySeal(res merge.Result) bool {
	return slices.ContainsFunc(res.Conflicts, isEncrypted) && git.IsTrue(f.settings().Value(sops.Key))
}

// clearFindings are those in a result that sops decrypts, in words that tell nothing of it; ok if a person lets sops read it, and
// it can read base, ours and theirs. Their ciphertext may be another one, and all the same.
func (f File) clearFindings(result []byte) (found []merge.Finding, ok bool) {
	if !sops.Sealed(result) || !git.IsTrue(f.settings().Value(sops.Key)) {
		return nil, false
	}
	clear, err := sops.Clear(f.Base, f.Ours, f.Theirs, result)
	if err != nil {
		if _, other := sops.Clear(f.Base, f.Ours, f.Theirs); other != nil {
			return nil, false
		}
		return []merge.Finding{{Rule: "encrypted", Detail: "the result: " + err.Error()}}, true
	}
	found, err = merge.Check(clear[0], clear[1], clear[2], clear[3], f.Merging())
	if err != nil || len(found) == 0 {
		return nil, err == nil
	}
	return []merge.Finding{{Rule: "encrypted", Detail: "decrypted, it has lost or made up something in " + terminal.Count(len(found), "place")}}, true
}

func isEncrypted(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted }

// mergeSealed merges ciphertext, with ours where it is in conflict. No policy decides it: it would choose between two
// that it cannot read.
func (f File) mergeSealed(data [3][]byte) ([]byte, bool) {
	opts := f.Merging()
	opts.Resolve = merge.ResolveOurs
	res, err := f.Library(data[0], data[1], data[2], opts)
	if err != nil || res.Method == merge.Delegated {
		return nil, false
	}
	return res.Bytes, len(res.Resolved) == 0
}

// mergeClear merges what sops decrypted, by the team's rules. Of how it went nothing is told but how much they
// decided, and whether it is clean: a reason, a path and a panic can have values in them.
func (f File) mergeClear(data [3][]byte) (merged []byte, decided int, clean bool) {
	defer func() {
		if recover() != nil {
			merged, clean = nil, false
		}
	}()
	res, err := f.Library(data[0], data[1], data[2], f.Merging())
	return res.Bytes, len(res.Resolved), err == nil && res.Clean() && res.Method != merge.Delegated
}
