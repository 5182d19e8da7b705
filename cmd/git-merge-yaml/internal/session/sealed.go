package session

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// MaySeal reports whether sops is to make the MAC of res.
func (f File) MaySeal(res merge.Result) bool {
	encrypted := func(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted }
	return slices.ContainsFunc(res.Conflicts, encrypted) && git.IsTrue(f.Repo().Value(sops.Key))
}

// Sealed is res, the merge of f, with the MAC that sops makes, if a person lets it and nothing but the MAC is in
// conflict once it is known which ciphertexts are one value; again merges them so. Else the reason says why not.
func (f File) Sealed(res merge.Result, again func(File) (merge.Result, error)) merge.Result {
	if !f.MaySeal(res) {
		return res
	}
	opened, err := sops.Open(f.Base, f.Ours, f.Theirs)
	if err != nil {
		res.Reason += "; sops was not run: " + err.Error()
		return res
	}
	f.Base, f.Ours, f.Theirs = opened.One(f.Base), opened.One(f.Ours), opened.One(f.Theirs)
	merged, err := again(f)
	isValue := func(c merge.Conflict) bool { return !sops.InBlock(c.Path) }
	if err != nil || slices.ContainsFunc(merged.Conflicts, isValue) {
		merged.Reason += "; values are in conflict, too: git merge-yaml resolve -i decrypts and shows them"
		return merged
	}
	sealed, err := Seal(opened, merged)
	if err != nil {
		sealed.Reason += "; " + err.Error()
	}
	return sealed
}

// Seal is res, in which nothing but the MAC is in conflict, with one that sops makes.
func Seal(opened *sops.Opened, res merge.Result) (merge.Result, error) {
	content, err := opened.Seal(res.Bytes)
	if err == nil {
		res.Bytes, res.Conflicts, res.LineConflicts, res.Reason = content, nil, max(1, res.LineConflicts), ""
	}
	return res, err
}

// Settled is text, in which a person decided all conflicts but that of the MAC, with one that sops makes.
func (f File) Settled(opened *sops.Opened, text []byte) (merge.Result, error) {
	f.Base, f.Ours, f.Theirs = sops.Above(f.Base), sops.Above(f.Ours), sops.Above(f.Theirs)
	found, err := f.Findings(sops.Above(text))
	if err == nil && len(found) > 0 {
		err = errors.New(found[0].Detail)
	}
	if err != nil {
		return merge.Result{}, err
	}
	return Seal(opened, merge.Result{Bytes: text, Method: merge.Structural})
}

// clearFindings are those in a result that sops decrypts, in words that tell nothing of it; ok if a person lets sops read it, and
// it can read base, ours and theirs. Their ciphertext may be another one, and all the same.
func (f File) clearFindings(result []byte) (found []merge.Finding, ok bool) {
	if sops.Above(result) == nil || !git.IsTrue(f.Repo().Value(sops.Key)) {
		return nil, false
	}
	opened, err := sops.Open(f.Base, f.Ours, f.Theirs, result)
	if err != nil {
		if _, other := sops.Open(f.Base, f.Ours, f.Theirs); other != nil {
			return nil, false
		}
		return []merge.Finding{{Rule: "encrypted", Detail: err.Error()}}, true
	}
	clear := opened.Clear
	found, err = merge.Check(clear[0], clear[1], clear[2], clear[3], f.Merging())
	if err != nil || len(found) == 0 {
		return nil, err == nil
	}
	return []merge.Finding{{Rule: "encrypted", Detail: "decrypted, it has lost or made up something in " + terminal.Count(len(found), "place")}}, true
}
